// Package progress reports the progress of a run: one aligned line for each completed step, with
// the step's result.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"
)

// stepWidth is the width of the column of steps, in characters.
const stepWidth = 22

// Printer writes the lines. Printer is safe for concurrent use.
type Printer struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	doing string // the displayed stage
}

// New writes to out. On a terminal, output is in colour, with a transient line for the current
// stage. Otherwise output is plain.
func New(out io.Writer) *Printer {
	p := &Printer{out: out}
	if f, ok := out.(*os.File); ok && os.Getenv("NO_COLOR") == "" {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// Terminal control sequences (ECMA-48).
const (
	green     = "\x1b[32m"
	red       = "\x1b[31m"
	yellow    = "\x1b[33m"
	dim       = "\x1b[2m"
	plain     = "\x1b[0m"
	eraseLine = "\r\x1b[K"
)

// Done reports a completed step and its result.
func (p *Printer) Done(step, result string) { p.line(green, "✓", step, result) }

// Note reports information that is not a failure.
func (p *Printer) Note(step, text string) { p.line(yellow, "!", step, text) }

// Fail reports a failed step and the reason.
func (p *Printer) Fail(step, reason string) { p.line(red, "✗", step, reason) }

// Plain writes a line unchanged.
func (p *Printer) Plain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(text + "\n")
}

// Doing shows the current stage, below the lines, until the next call. An empty text shows nothing.
// If out is not a terminal, each stage is a line, without the changing figures in parentheses at
// its end.
func (p *Printer) Doing(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		text, _, _ = strings.Cut(text, " (")
		if text != "" && text != p.doing {
			_, _ = fmt.Fprintln(p.out, "·", text)
		}
		p.doing = text
		return
	}
	p.doing = ""
	p.write("")
	if text != "" {
		p.doing = dim + "· " + text + plain
		p.show()
	}
}

func (p *Printer) line(colour, mark, step, result string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		mark = colour + mark + plain
	}
	pad := strings.Repeat(" ", max(1, stepWidth-utf8.RuneCountInString(step)))
	// Further lines of the result are below the first line.
	result = strings.ReplaceAll(result, "\n", "\n"+strings.Repeat(" ", stepWidth+2))
	p.write(strings.TrimRight(mark+" "+step+pad+result, " ") + "\n")
}

// write replaces the transient line by text and shows the transient line again.
func (p *Printer) write(text string) {
	if p.terminal {
		text = eraseLine + text
	}
	_, _ = io.WriteString(p.out, text) // no reader is left if this fails
	p.show()
}

func (p *Printer) show() {
	if p.terminal && p.doing != "" {
		_, _ = fmt.Fprint(p.out, p.doing)
	}
}
