package runworld

import (
	"context"
	"sync"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// DriveTogether is Drive with several concurrent workers and with every first message of a run or
// of a chunk's work delivered twice. It returns all handled messages, for Redrive.
func (w *Fixture) DriveTogether(t testing.TB, workers int) *Handled {
	t.Helper()
	w.queue.twice = true
	defer func() { w.queue.twice = false }()
	team := make([]*Worker, workers)
	for i := range team {
		team[i] = w.Worker(t, nil)
	}
	handled := &Handled{}
	for range maxSteps {
		first, ok := w.queue.pop()
		if !ok {
			return handled
		}
		if wait := first.due.Sub(w.Clock.Now()); wait > 0 {
			w.Clock.Pass(wait)
		}
		batch := []message{first}
		for len(batch) < workers {
			m, ok := w.queue.pop()
			if !ok {
				break
			}
			if m.due.After(w.Clock.Now()) {
				w.queue.push(m)
				break
			}
			batch = append(batch, m)
		}
		next := make([]payout.Next, len(batch))
		var all sync.WaitGroup
		for i, m := range batch {
			handled.messages = append(handled.messages, m)
			all.Go(func() {
				var err error
				if next[i], err = w.handle(context.Background(), team[i], m); err != nil {
					t.Logf("a message comes again: %v", err)
					next[i] = payout.Next{After: retryPause}
				}
			})
		}
		all.Wait()
		for i, m := range batch {
			w.follow(t, m, next[i])
		}
	}
	t.Fatalf("after %d steps the runs have come to no end", maxSteps)
	return nil
}

// Handled are handled messages of the queue.
type Handled struct{ messages []message }

// Redrive puts messages back, like an operator with a dead-letter queue.
func (w *Fixture) Redrive(h *Handled) {
	for _, m := range h.messages {
		m.due = w.Clock.Now()
		w.queue.push(m)
	}
}
