package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token/terms"
)

// scripts make a shell call the command for candidates, one word a line. Without candidates, the
// shell completes file names. The candidates are from kong's own model, because the completion
// modules for kong need older versions of kong and several more modules.
var scripts = map[string]string{
	"bash": `_tokenlaunch() { COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)); }
complete -o default -F _tokenlaunch tokenlaunch
`,
	"zsh": `#compdef tokenlaunch
_tokenlaunch() {
  local -a found
  found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _tokenlaunch tokenlaunch
`,
	"fish": `complete -c tokenlaunch -a '(set -l words (commandline -opc) (commandline -ct); $words[1] complete -- $words[2..] 2>/dev/null)'
`,
}

// values are the values of flags by type. A kong enum is not possible, because kong requires a
// default for an enum.
var values = map[reflect.Type][]string{
	reflect.TypeFor[client.Interval]():    texts(terms.Intervals()),
	reflect.TypeFor[client.RewardBasis](): texts(client.RewardBases()),
	reflect.TypeFor[client.ChangeDelay](): texts(client.ChangeDelays()),
}

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Run writes the script of a shell.
func (c completionCommand) Run(p *program) error {
	_, err := p.out.to.Write([]byte(scripts[c.Shell]))
	return err
}

type completeCommand struct {
	Words []string `arg:"" optional:""`
}

// Run prints the candidates for the last word.
func (c completeCommand) Run(p *program, in *kong.Context) error {
	for _, word := range candidates(in.Model.Node, c.Words) {
		if _, err := fmt.Fprintln(p.out.writer(), word); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the candidates for the last word: values of the flag before the word, flags of
// the command, or subcommands.
func candidates(at *kong.Node, words []string) (fit []string) {
	words = slices.DeleteFunc(words, func(word string) bool { return word == "=" }) // bash splits off = as a word
	last := ""
	if len(words) > 0 {
		words, last = words[:len(words)-1], words[len(words)-1]
	}
	var open *kong.Value // flag that expects a value
	for _, word := range words {
		if open != nil {
			open = nil
			continue
		}
		for _, f := range slices.Concat(at.AllFlags(true)...) {
			if word == "--"+f.Name && !f.IsBool() {
				open = f.Value
			}
		}
		if i := slices.IndexFunc(at.Children, func(child *kong.Node) bool { return child.Name == word }); i >= 0 {
			at = at.Children[i]
		}
	}
	var all []string
	switch {
	case open != nil:
		all = append(open.EnumSlice(), values[open.Target.Type()]...)
	case strings.HasPrefix(last, "-"):
		for _, f := range slices.Concat(at.AllFlags(true)...) {
			all = append(all, "--"+f.Name)
		}
	default:
		for _, child := range at.Children {
			if !child.Hidden {
				all = append(all, child.Name)
			}
		}
		for _, argument := range at.Positional {
			all = append(all, argument.EnumSlice()...)
		}
	}
	return slices.DeleteFunc(all, func(word string) bool { return word == "" || !strings.HasPrefix(word, last) })
}
