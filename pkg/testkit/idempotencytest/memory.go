// Package idempotencytest has a store for tests that need one and are not about
// it, and the tests that every store has to pass.
package idempotencytest

import (
	"context"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// Memory keeps answers in the memory of one process. Err, when set, is what every
// call fails with, as if the store were down.
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

// Keep ends a claim with its answer.
func (m *Memory) Keep(ctx context.Context, c idempotency.Claim, a idempotency.Answer) error {
	return m.end(ctx, c, func(r *idempotency.Record) { r.Answer = &a })
}

// Release ends a claim without an answer.
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

// fails gives the error of a call: as over a network, none succeeds whose time is
// up.
func (m *Memory) fails(ctx context.Context) error {
	if m.Err != nil {
		return m.Err
	}
	return ctx.Err()
}

func name(c idempotency.Claim) [2]string { return [2]string{c.Caller, c.Key} }
