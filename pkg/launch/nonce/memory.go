package nonce

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// tries is the maximum number of accounts that a lease tries before reading the whole pool. A
	// rejected attempt costs one write unit, a read costs half a read unit for each account.
	tries = 4
	// heldFor is the time for which an account is not tried, after a lease found the account held
	// by a submitted transaction, behind, or not registered. Most transactions end within this
	// time.
	heldFor = time.Minute
)

// Memory is a process's memory of the pool: the minimum number of accounts, and the end of each
// known lease. Memory only decides the order of attempts; the store decides the leases. Memory is
// safe for concurrent use, and a nil Memory stores nothing.
type Memory struct {
	mu   sync.Mutex
	size int
	busy map[int]time.Time
}

// sizeOr returns the remembered size, or reads the size.
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

// grown records that the pool has at least size accounts.
func (m *Memory) grown(size int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size = max(m.size, size)
}

// leased records that an account is leased until a time.
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

// saw records the state of an account at now.
func (m *Memory) saw(index int, a Account, now time.Time) {
	if a.Held {
		a.FreeAt = now.Add(heldFor)
	}
	m.leased(index, a.FreeAt)
}

// likely returns the numbers of at most tries accounts to try first, in random order, without the
// accounts that are known to be leased. If there are fewer than tries, likely appends the account
// whose lease ends first, because most leases end early.
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
