package jwt

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Revocations are the wallets whose tokens are refused if they were issued until a moment.
type Revocations map[string]time.Time

// RevocationSource gives them, from wherever they are kept.
type RevocationSource interface {
	Revocations(ctx context.Context) (Revocations, error)
}

// How long a process goes by what it has read: a revocation holds everywhere this long
// after it was written. While they cannot be read again, it goes on by the last ones for
// longer, and then verifies nothing.
const (
	RevokedWithin     = 30 * time.Second
	staleRevocations  = 5 * time.Minute
	revocationsPaused = 5 * time.Second // before they are asked for again
)

// CachedRevocations keeps what Fetch gives for RevokedWithin. It must not be copied after
// its first use.
type CachedRevocations struct {
	Fetch func(ctx context.Context) (Revocations, error)
	Now   func() time.Time

	mu       sync.Mutex
	last     Revocations
	read     time.Time // last, zero before the first
	dueAgain time.Time
}

// Revocations gives the newest that is known; see RevocationSource.
func (c *CachedRevocations) Revocations(ctx context.Context) (Revocations, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now()
	if now.Before(c.dueAgain) {
		return c.last, nil
	}
	list, err := c.Fetch(ctx)
	switch {
	case err == nil:
		c.last, c.read, c.dueAgain = list, now, now.Add(RevokedWithin)
	case c.read.IsZero() || now.Sub(c.read) > staleRevocations:
		return nil, fmt.Errorf("fetch revocations: %w", err)
	default:
		c.dueAgain = now.Add(revocationsPaused)
	}
	return c.last, nil
}
