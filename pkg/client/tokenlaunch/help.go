package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

type helpCommand struct {
	Words []string `arg:"" optional:"" name:"command" help:"The command."`
}

// Run prints the help of a command, as --help does.
func (h helpCommand) Run(in *kong.Context) error {
	shown, exit := false, in.Exit
	in.Exit = func(int) { shown = true }
	defer func() { in.Exit = exit }()
	if _, err := in.Parse(append(h.Words, "--help")); err != nil && !shown {
		return usage("%v", err)
	}
	return nil
}

// printHelp prints the help. The usage shows mutually exclusive required flags as a choice, and
// each flag shows the default.
func printHelp(options kong.HelpOptions, in *kong.Context) error {
	options.ValueFormatter = func(v *kong.Value) string {
		text := kong.DefaultHelpValueFormatter(v)
		if v.HasDefault && v.Default != "" && !v.IsBool() && v.Flag != nil && len(v.Flag.Envs) == 0 {
			text += " (default: " + v.Default + ")"
		}
		return text
	}
	var text strings.Builder
	to := in.Stdout
	in.Stdout = &text
	err := kong.DefaultHelpPrinter(options, in)
	in.Stdout = to
	if err != nil {
		return err
	}
	help := text.String()
	if node := in.Selected(); node != nil {
		var one []string
		for _, f := range node.Flags {
			if f.Required && len(f.Xor) > 0 {
				one = append(one, f.Summary())
			}
		}
		help = strings.Replace(help, strings.Join(one, " "), "("+strings.Join(one, " | ")+")", min(1, len(one)))
	}
	_, err = to.Write([]byte(help))
	return err
}
