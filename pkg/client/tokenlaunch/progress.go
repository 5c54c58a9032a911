package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far something has come: by a bar on a terminal, by lines otherwise,
// or not at all.
type progress struct {
	errs  screen
	bar   *progressbar.ProgressBar
	lines bool
}

// start begins with how many steps there are; -1: unknown.
func (p *program) start(steps int, what string, lines bool) *progress {
	s := &progress{errs: p.errs, lines: lines}
	if file, ok := p.errs.to.(*os.File); ok && term.IsTerminal(int(file.Fd())) { // #nosec G115 -- a descriptor
		s.bar = progressbar.NewOptions(steps,
			progressbar.OptionSetWriter(p.errs.to), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	return s
}

// at says which step has begun.
func (s *progress) at(done, steps int, what string) {
	switch {
	case s.bar != nil:
		s.bar.Describe(fmt.Sprintf("%-20s", what))
		s.bar.ChangeMax(steps)
		_ = s.bar.Set(done)
	case s.lines:
		s.errs.printf("%d/%d %s\n", done+1, steps, what)
	}
}

// pause takes the bar away, for other text.
func (s *progress) pause() {
	if s.bar != nil {
		_ = s.bar.Clear()
	}
}

// end takes the bar away.
func (s *progress) end() {
	if s.bar != nil {
		_ = s.bar.Finish()
		_ = s.bar.Clear()
	}
}
