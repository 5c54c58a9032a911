package nonce

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// tries is how many accounts a lease tries before it looks at all of them. A refused
	// one costs a unit of writing, a look half a unit of reading for each account.
	tries = 4
	// heldFor is how long an account is not tried on which a submitted transaction was
	// seen to stand. Most have ended by then.
	heldFor = time.Minute
)

// Memory is what a process remembers of the pool: how many accounts there are at least, and
// until when each is leased as far as it has seen. It only says where to look first; the
// store decides. It is safe for concurrent use, and nil remembers nothing.
type Memory struct {
	mu   sync.Mutex
	size int
	busy map[int]time.Time
}

// sizeOr gives the size as remembered, or else as read.
func (m *Memory) sizeOr(ctx context.Context, read func(context.Context) (int, error)) (int, error) {
	m.mu.Lock()
	size := m.size
	m.mu.Unlock()
	if size > 0 {
		return size, nil
	}
	size, err := read(ctx)
	if err == nil {
		m.grown(size)
	}
	return size, err
}

// grown remembers that there are so many accounts.
func (m *Memory) grown(size int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size = max(m.size, size)
}

// leased remembers that an account is leased until a time.
func (m *Memory) leased(index int, until time.Time) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.busy == nil {
		m.busy = map[int]time.Time{}
	}
	m.busy[index] = until
}

// saw remembers how an account stood at now.
func (m *Memory) saw(index int, a Account, now time.Time) {
	if a.Held {
		a.FreeAt = now.Add(heldFor)
	}
	m.leased(index, a.FreeAt)
}

// likely gives the numbers of the accounts to try first, tries at most: in random order
// those that may be free, and as the last one the account that was leased longest ago, for
// most leases end before their time.
func (m *Memory) likely(size int, now time.Time) (indexes []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldest := -1
	for _, index := range rand.Perm(size) { //nolint:gosec // spreads load, guards nothing
		switch busy := m.busy[index]; {
		case !busy.After(now):
			if indexes = append(indexes, index); len(indexes) == tries {
				return indexes
			}
		case oldest < 0 || busy.Before(m.busy[oldest]):
			oldest = index
		}
	}
	if oldest >= 0 {
		indexes = append(indexes, oldest)
	}
	return indexes
}
