package batch

import (
	"context"
	"time"
)

// ShortWait is the minimum pause that is left to the queue. For such a pause, a call sends itself a
// message with a delay instead of waiting, because a second of distributor costs as much as five
// messages (decision 355).
const ShortWait = 2 * time.Second

// Waiting bounds the waits of a call for the next step of a message.
type Waiting struct {
	// Wait waits, or returns the context's error if the context ends first.
	Wait func(ctx context.Context, d time.Duration) error
	// Below is the minimum pause that is left to the queue: ShortWait, except in tests.
	Below time.Duration
}

// Here reports whether a call waits and does the next step itself: the pause is short, and at least
// reserve of the call's time is left after the pause.
func (w Waiting) Here(ctx context.Context, now time.Time, pause, reserve time.Duration) bool {
	if pause > 0 && pause >= w.Below {
		return false
	}
	deadline, bounded := ctx.Deadline()
	return !bounded || deadline.Sub(now)-pause >= reserve
}
