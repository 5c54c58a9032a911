// Package sweep runs the steps of a function that is invoked every minute. The steps run
// concurrently with separate timeouts, so that no step delays or stops another step.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Counts is the results of a step, in the order of the log.
type Counts []Count

// Count is a single result. Name is camelCase and appears in the run's log line, after the step's
// name.
type Count struct {
	Name string
	N    int
}

// Step is a part of a run. The step bounds the number of items, and Within bounds the time. The
// next run continues with the remaining items.
type Step struct {
	Name   string // one word, camelCase
	Within time.Duration
	// Run runs the step. It returns the counts even if the step fails.
	Run func(ctx context.Context) (Counts, error)
}

// Run runs the steps concurrently, within the steps' timeouts and ctx, so that a slow step takes no
// time from other steps. An error or a panic of a step does not stop other steps. Run returns the
// steps' log groups in order, and the joined errors.
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
