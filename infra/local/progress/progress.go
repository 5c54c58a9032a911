// Package progress says how a run is getting on: one aligned line for each step
// that is done, with what came out of it.
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

// Printer writes the lines. It may be used from several goroutines.
type Printer struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	doing string // the stage, as it is shown
}

// New writes to out: in colour, with a transient line for what is going on, when
// it is a terminal, and plainly otherwise.
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

// Done says that a step is done and what came out.
func (p *Printer) Done(step, result string) { p.line(green, "✓", step, result) }

// Note says something that the reader should know and that is no failure.
func (p *Printer) Note(step, text string) { p.line(yellow, "!", step, text) }

// Fail says that a step failed and why.
func (p *Printer) Fail(step, reason string) { p.line(red, "✗", step, reason) }

// Plain writes a line of its own, as it is.
func (p *Printer) Plain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(text + "\n")
}

// Doing shows what is going on, under the lines, until it is called again; empty
// text shows nothing. Elsewhere than on a terminal each stage is a line, without the figures in
// parentheses at its end, which change.
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
	// Further lines of the result stand under its first.
	result = strings.ReplaceAll(result, "\n", "\n"+strings.Repeat(" ", stepWidth+2))
	p.write(strings.TrimRight(mark+" "+step+pad+result, " ") + "\n")
}

// write puts text in the place of the transient line and shows that again.
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
