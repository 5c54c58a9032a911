package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows the progress of a task: a bar on a terminal, otherwise lines or no output.
type progress struct {
	errs  screen
	bar   *progressbar.ProgressBar
	lines bool
}

// start returns the progress of a task with the given number of steps; -1 if unknown.
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

// at shows the step that begins.
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

// pause hides the bar, so that other text can be printed.
func (s *progress) pause() {
	if s.bar != nil {
		_ = s.bar.Clear()
	}
}

// end removes the bar.
func (s *progress) end() {
	if s.bar != nil {
		_ = s.bar.Finish()
		_ = s.bar.Clear()
	}
}
