package batch

import (
	"context"
	"time"
)

// ShortWait is the pause from which on a call sends itself a message with a delay instead of
// waiting: a second of distributor costs as much as five messages (decision 355).
const ShortWait = 2 * time.Second

// Waiting bounds how long a call waits for the next step of its message.
type Waiting struct {
	// Wait waits, or returns the context's error if that ends first.
	Wait func(ctx context.Context, d time.Duration) error
	// Below is the shortest pause that is left to the queue, which is ShortWait but in tests.
	Below time.Duration
}

// Here reports whether a call takes the next step itself after a pause: the pause is short, and
// the step has at least reserve of the call's time left then.
func (w Waiting) Here(ctx context.Context, now time.Time, pause, reserve time.Duration) bool {
	if pause > 0 && pause >= w.Below {
		return false
	}
	deadline, bounded := ctx.Deadline()
	return !bounded || deadline.Sub(now)-pause >= reserve
}
