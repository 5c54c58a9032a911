// Package idempotencytest has a store for tests of other packages, and the tests that every store
// must pass.
package idempotencytest

import (
	"context"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// Memory stores responses in memory. If Err is set, every call returns Err, like a failing store.
type Memory struct {
	Err error

	mu      sync.Mutex
	records map[[2]string]idempotency.Record
}

// Begin claims a key.
func (m *Memory) Begin(ctx context.Context, c idempotency.Claim, now time.Time) (*idempotency.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(ctx); err != nil {
		return nil, err
	}
	if free, replay, err := m.records[name(c)].Decide(c, now); !free {
		return replay, err
	}
	if m.records == nil {
		m.records = map[[2]string]idempotency.Record{}
	}
	m.records[name(c)] = idempotency.Record{
		Fingerprint: c.Fingerprint, Holder: c.Holder,
		LeaseUntil: now.Add(idempotency.Lease), ValidUntil: now.Add(idempotency.Lifetime),
	}
	return nil, nil
}

// Keep ends a claim with its response.
func (m *Memory) Keep(ctx context.Context, c idempotency.Claim, a idempotency.Answer) error {
	return m.end(ctx, c, func(r *idempotency.Record) { r.Answer = &a })
}

// Release ends a claim without a response.
func (m *Memory) Release(ctx context.Context, c idempotency.Claim) error {
	return m.end(ctx, c, func(r *idempotency.Record) { r.LeaseUntil = time.Time{} })
}

func (m *Memory) end(ctx context.Context, c idempotency.Claim, change func(*idempotency.Record)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(ctx); err != nil {
		return err
	}
	if r, held := m.records[name(c)]; held && r.Holder == c.Holder && r.Answer == nil {
		change(&r)
		m.records[name(c)] = r
	}
	return nil
}

// fails returns the error of a call. A call with an ended context fails, like a call over a
// network.
func (m *Memory) fails(ctx context.Context) error {
	if m.Err != nil {
		return m.Err
	}
	return ctx.Err()
}

func name(c idempotency.Claim) [2]string { return [2]string{c.Caller, c.Key} }
