package jwt

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Revocations maps wallets to times. A wallet's access tokens are rejected if issued up to the
// time.
type Revocations map[string]time.Time

// RevocationSource returns the revocations.
type RevocationSource interface {
	Revocations(ctx context.Context) (Revocations, error)
}

// RevokedWithin is the maximum age of cached revocations, and so the delay until a revocation takes
// effect everywhere. While fetches fail, a process uses the last revocations up to the age
// staleRevocations. After that, every verification returns an error.
const (
	RevokedWithin     = 30 * time.Second
	staleRevocations  = 5 * time.Minute
	revocationsPaused = 5 * time.Second // the pause after a failed fetch
)

// CachedRevocations caches the result of Fetch for RevokedWithin. A CachedRevocations must not be
// copied after the first use.
type CachedRevocations struct {
	Fetch func(ctx context.Context) (Revocations, error)
	Now   func() time.Time

	mu       sync.Mutex
	last     Revocations
	read     time.Time // the time of the last successful fetch; zero before the first
	dueAgain time.Time
}

// Revocations returns the newest known revocations; see RevocationSource.
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
