// Package authtest has the helpers for tests of sign-in: a store in memory, and the contract of
// every store.
package authtest

import (
	"context"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth"
)

// Memory is an auth.ChallengeStore. If Err is set, every call returns Err.
type Memory struct {
	Err error

	mu         sync.Mutex
	challenges map[string]auth.Challenge
}

var _ auth.ChallengeStore = (*Memory)(nil)

// Put stores a challenge.
func (m *Memory) Put(_ context.Context, c auth.Challenge) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Err != nil {
		return m.Err
	}
	if m.challenges == nil {
		m.challenges = map[string]auth.Challenge{}
	}
	m.challenges[c.Nonce] = c
	return nil
}

// Get returns a challenge.
func (m *Memory) Get(_ context.Context, nonce string) (auth.Challenge, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Err != nil {
		return auth.Challenge{}, m.Err
	}
	c, ok := m.challenges[nonce]
	if !ok {
		return auth.Challenge{}, auth.ErrNoChallenge
	}
	return c, nil
}

// Use removes a challenge.
func (m *Memory) Use(_ context.Context, nonce string, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Err != nil {
		return m.Err
	}
	if c, ok := m.challenges[nonce]; !ok || !now.Before(c.ExpiresAt) {
		return auth.ErrNoChallenge
	}
	delete(m.challenges, nonce)
	return nil
}
