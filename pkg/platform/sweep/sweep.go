// Package sweep runs the parts of a function that looks after things every minute:
// all at once, each within its own time, so that none delays or stops another.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Counts says what a step did, in the order in which the log shows it.
type Counts []Count

// Count is one figure. Its name is camelCase and, with the step's in front, stands
// in the run's line of the log.
type Count struct {
	Name string
	N    int
}

// Step is a further part of a run. It is bounded in count by itself and in time by
// Within; what it leaves is the next run's.
type Step struct {
	Name   string // one word, camelCase
	Within time.Duration
	// Run does the step. It gives the counts of what it did also when it fails.
	Run func(ctx context.Context) (Counts, error)
}

// Run does all steps at once, each within its own time and ctx's, so that a slow one
// takes no time from the others. One that fails, or panics, does not stop them. It
// gives a group for the log of each step, in their order, and the failures joined.
func Run(ctx context.Context, steps []Step) (groups []any, err error) {
	groups = make([]any, len(steps))
	failures := make([]error, len(steps))
	var all sync.WaitGroup
	for i, s := range steps {
		all.Go(func() {
			counts, err := s.do(ctx)
			group := make([]any, 0, len(counts)+1)
			for _, c := range counts {
				group = append(group, slog.Int(c.Name, c.N))
			}
			if err != nil {
				group = append(group, slog.Bool("failed", true))
				failures[i] = fmt.Errorf("%s: %w", s.Name, err)
			}
			groups[i] = slog.Group(s.Name, group...)
		})
	}
	all.Wait()
	return groups, errors.Join(failures...)
}

func (s Step) do(ctx context.Context) (counts Counts, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, s.Within)
	defer cancel()
	return s.Run(ctx)
}
