// Package ratelimittest has a limiter for tests of other packages, and the tests that every limiter
// must pass.
package ratelimittest

import (
	"context"
	"strconv"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// Memory is a limiter in memory. If Err is set, every call returns Err, like a failing store. The
// zero Memory uses the computer's clock.
type Memory struct {
	Now func() time.Time
	Err error

	mu      sync.Mutex
	serial  int
	buckets map[string][]place
}

// place is a counted request.
type place struct {
	stamp string
	at    time.Time
}

// Spend counts a request.
func (m *Memory) Spend(ctx context.Context, rule ratelimit.Rule, key string) (ratelimit.Decision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(ctx); err != nil {
		return ratelimit.Decision{}, err
	}
	now := m.now()
	name := rule.Name + "#" + key
	var counted []place
	var claims []time.Time
	for _, p := range m.buckets[name] {
		if rule.Counts(p.at, now) {
			counted, claims = append(counted, p), append(claims, p.at)
		}
	}
	if len(counted) >= rule.Limit {
		return rule.Refuse(now, claims), nil
	}
	m.serial++
	stamp := strconv.Itoa(m.serial)
	if m.buckets == nil {
		m.buckets = map[string][]place{}
	}
	m.buckets[name] = append(counted, place{stamp, now.Truncate(ratelimit.Precision)})
	decision := rule.Allow(now, append(claims, now.Truncate(ratelimit.Precision)))
	decision.Ticket = ratelimit.Ticket{Rule: rule, Key: key, Stamp: stamp}
	return decision, nil
}

// Refund uncounts a request.
func (m *Memory) Refund(ctx context.Context, ticket ratelimit.Ticket) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(ctx); err != nil {
		return err
	}
	name := ticket.Rule.Name + "#" + ticket.Key
	for i, p := range m.buckets[name] {
		if p.stamp == ticket.Stamp {
			m.buckets[name] = append(m.buckets[name][:i:i], m.buckets[name][i+1:]...)
			return nil
		}
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

// Counted returns the number of requests in a bucket, including expired requests that were not
// removed yet.
func (m *Memory) Counted(rule ratelimit.Rule, key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.buckets[rule.Name+"#"+key])
}

func (m *Memory) now() time.Time {
	if m.Now == nil {
		return time.Now()
	}
	return m.Now()
}
