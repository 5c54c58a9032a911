// Package runbook carries out the commands of the project's documents as they are written: it
// reads a document's fenced blocks of shell and hands them, in order, to one shell, as an
// operator does who pastes them into a terminal.
//
// A block that is not carried out has the reason in a comment before it, and one that takes long is
// left to the night:
//
//	<!-- not run: the local AWS has no quotas -->
//	<!-- run: nightly -->
package runbook

import (
	"fmt"
	"regexp"
	"strings"
)

// Block is a fenced block of shell.
type Block struct {
	Document string
	Line     int    // of its first command
	Heading  string // above the block
	Commands string
	Excuse   string // why it is not carried out; empty for one that is
	Nightly  bool
}

// String says where the block is.
func (b Block) String() string { return fmt.Sprintf("%s:%d (%s)", b.Document, b.Line, b.Heading) }

var (
	fence   = regexp.MustCompile("^( *)```(.*)$")
	comment = regexp.MustCompile(`^ *<!-- (not run|run): (.+) -->$`)
)

// Blocks reads the blocks of shell of a document. Each fence must name its language, for one
// without might be commands that nothing carries out, and each comment must stand right before
// a block.
func Blocks(document, text string) ([]Block, error) {
	var (
		all      []Block
		next     Block // with what was said of it
		said     int   // line of the comment, while its block has not begun
		open     bool
		language string
		indent   string
		commands strings.Builder
	)
	bad := func(line int, format string, args ...any) ([]Block, error) {
		return nil, fmt.Errorf("%s:%d: "+format, append([]any{document, line}, args...)...)
	}
	heading := ""
	for i, line := range strings.Split(text, "\n") {
		number := i + 1
		mark := fence.FindStringSubmatch(line)
		switch {
		case open && mark != nil && mark[2] == "":
			open = false
			if language == "sh" {
				next.Commands = commands.String()
				all = append(all, next)
			}
			next = Block{}
		case open:
			commands.WriteString(strings.TrimPrefix(line, indent) + "\n")
		case mark != nil:
			if mark[2] == "" {
				return bad(number, "the block has no language: it must be sh, or say what else it is")
			}
			if said > 0 && mark[2] != "sh" {
				return bad(said, "the comment is about a block of %s: only sh is run", mark[2])
			}
			open, said, indent, language = true, 0, mark[1], mark[2]
			next.Document, next.Line, next.Heading = document, number+1, heading
			commands.Reset()
		case said > 0:
			return bad(said, "the comment must stand right before a block")
		case comment.MatchString(line):
			what := comment.FindStringSubmatch(line)
			if next.Nightly = what[1] == "run"; !next.Nightly {
				next.Excuse = what[2]
			} else if what[2] != "nightly" {
				return bad(number, "%q says when a block runs: it must be nightly", what[2])
			}
			said = number
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimLeft(line, "# ")
		}
	}
	if open || said > 0 {
		return bad(strings.Count(text, "\n")+1, "the last block does not end")
	}
	return all, nil
}
