package fault

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until it is told to move. It is safe for
// concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock is a clock that shows the given time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now is the time that it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves it by d, which may be negative: clocks are set back, too.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
