// Package secret gives the values that are no part of a deployment: addresses with
// keys in them, tokens, API keys. Who uses one asks for it each time, so that a value
// which was rotated takes effect in a process that runs.
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

// Source gives the value as it is now. It may be called often and by many at once. No
// error of a source shows a value.
type Source func(ctx context.Context) (string, error)

// Fixed is a source of a value that never changes.
func Fixed(value string) Source {
	return func(context.Context) (string, error) { return value, nil }
}

const (
	// Lifetime is how long a value is used before it is read again, and so the time
	// within which a rotated one takes effect.
	Lifetime = 5 * time.Minute
	// KeptFor is how long a value is used that cannot be read again. It outlasts an
	// outage, and it ends, so that a value which was taken away does too.
	KeptFor = 12 * time.Hour
	// retryAfter is how long a value that could not be read again is left alone.
	retryAfter = 30 * time.Second
	// fetchWithin bounds reading a value: who waits for it has work to do afterwards.
	fetchWithin = 5 * time.Second
)

// Cached reads a value from somewhere else and keeps it for its Lifetime. Nothing is
// read before the first request, and by one call only for all concurrent requests.
// Once there is a value, failing to read it again is logged, and the value goes on
// being used for as long as KeptFor. Value is its Source.
type Cached struct {
	Name  string // of the secret, for errors and the log
	Fetch Source
	// Check says what is wrong with a value, without showing it; nil for anything
	// goes. A value that is wrong counts as one that could not be read.
	Check func(value string) error
	Now   func() time.Time
	Log   *slog.Logger

	flight singleflight.Group
	mutex  sync.Mutex
	value  string
	read   time.Time // when the value was read; zero while there is none
	again  time.Time // from when on it is to be read again
}

// Value gives the value. It fails with an apperr.Upstream that names the secret.
func (c *Cached) Value(ctx context.Context) (string, error) {
	if value, ok := c.fresh(); ok {
		return value, nil
	}
	// Who asked first may give up: the others still want the answer.
	answer := c.flight.DoChan("", func() (any, error) { return c.refresh(context.WithoutCancel(ctx)) })
	select {
	case a := <-answer:
		value, _ := a.Val.(string)
		return value, a.Err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// now is the time of day. The clock that Go compares times by otherwise stands still
// while Lambda has a process frozen.
func (c *Cached) now() time.Time { return c.Now().Round(0) }

func (c *Cached) fresh() (string, bool) {
	now := c.now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.value, !c.read.IsZero() && now.Before(c.again)
}

func (c *Cached) refresh(ctx context.Context) (string, error) {
	// Another caller may have read it meanwhile.
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
