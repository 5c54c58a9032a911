// Package secret provides values that are not part of a deployment: addresses with keys, tokens,
// API keys. A user requests the value for each use, so that a rotated value takes effect in a
// running process.
package secret

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Source returns the current value. A Source may be called often and concurrently. No error of a
// Source shows a value.
type Source func(ctx context.Context) (string, error)

// Fixed is a source of a value that never changes.
func Fixed(value string) Source {
	return func(context.Context) (string, error) { return value, nil }
}

const (
	// Lifetime is the maximum age of a cached value, and so the time after which a rotated value
	// takes effect.
	Lifetime = 5 * time.Minute
	// KeptFor is the maximum age of a cached value that cannot be read again. The time is long
	// enough for an outage, and bounded so that a withdrawn value stops working.
	KeptFor = 12 * time.Hour
	// retryAfter is the pause after a failed read.
	retryAfter = 30 * time.Second
	// fetchWithin is the maximum duration of a read, which leaves time for the caller's other work.
	fetchWithin = 5 * time.Second
)

// Cached reads a value from Fetch and caches the value for Lifetime. The first call of Value reads
// the value. Concurrent calls share one read. If a later read fails, Cached logs the failure and
// uses the cached value up to KeptFor. Value is a Source.
type Cached struct {
	Name  string // the secret's name, for errors and the log
	Fetch Source
	// Check checks a value without showing the value; nil accepts every value. An invalid value
	// counts as a failed read.
	Check func(value string) error
	Now   func() time.Time
	Log   *slog.Logger

	flight singleflight.Group
	mutex  sync.Mutex
	value  string
	read   time.Time // the time of the last read; zero without a value
	again  time.Time // the time of the next read
}

// Value returns the value. It returns an apperr.Upstream with the secret's name if the value cannot
// be read.
func (c *Cached) Value(ctx context.Context) (string, error) {
	if value, ok := c.fresh(); ok {
		return value, nil
	}
	// The caller that started the read may give up, but the other callers still need the value.
	answer := c.flight.DoChan("", func() (any, error) { return c.refresh(context.WithoutCancel(ctx)) })
	select {
	case a := <-answer:
		value, _ := a.Val.(string)
		return value, a.Err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// now returns the wall-clock time. Go's monotonic clock stops while Lambda freezes a process.
func (c *Cached) now() time.Time { return c.Now().Round(0) }

func (c *Cached) fresh() (string, bool) {
	now := c.now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.value, !c.read.IsZero() && now.Before(c.again)
}

func (c *Cached) refresh(ctx context.Context) (string, error) {
	// Another caller may have read the value in the meantime.
	if value, ok := c.fresh(); ok {
		return value, nil
	}
	now := c.now()
	value, err := c.fetch(ctx)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err == nil {
		c.value, c.read, c.again = value, now, now.Add(Lifetime)
		return value, nil
	}
	if c.read.IsZero() || !now.Before(c.read.Add(KeptFor)) {
		c.value, c.read = "", time.Time{}
		return "", apperr.Upstream("The store of secrets", fmt.Errorf("read the secret %s: %w", c.Name, err))
	}
	c.again = now.Add(retryAfter)
	c.Log.ErrorContext(ctx, "secret not read again, the last value is used",
		"name", c.Name, "readAt", c.read, "until", c.read.Add(KeptFor), "error", err)
	return c.value, nil
}

func (c *Cached) fetch(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchWithin)
	defer cancel()
	value, err := c.Fetch(ctx)
	if err == nil && c.Check != nil {
		err = c.Check(value)
	}
	return value, err
}
