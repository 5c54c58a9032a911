// Package settingstest stores tokens in memory and simulates the chain, for tests of packages that
// use package settings.
package settingstest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Memory stores tokens, and implements settings.Store, token.Finder and distribution.Changes. Before runs before every
// write, like a concurrent change. If Err is set, every call returns Err.
type Memory struct {
	Before func()
	Err    error

	mu     sync.Mutex
	tokens map[solana.PublicKey]settings.Current
	// changes are the changes since Put, oldest first.
	changes map[solana.PublicKey][]terms.Change
}

// Put stores a token. Without a version of the settings, Put sets the version of the launch.
func (m *Memory) Put(t token.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens == nil {
		m.tokens, m.changes = map[solana.PublicKey]settings.Current{}, map[solana.PublicKey][]terms.Change{}
	}
	if t.SettingsVersion == 0 {
		t.SettingsVersion = terms.LaunchVersion
	}
	m.tokens[t.Mint] = settings.Current{Token: t, Versions: terms.Versions{{Settings: t.Settings, Number: t.SettingsVersion, Signature: t.SettingsSignature}}}
}

// MintOf returns the mint of a token's ID, or token.ErrNotFound.
func (m *Memory) MintOf(_ context.Context, id string) (solana.PublicKey, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for mint, current := range m.tokens {
		if current.Token.ID == id {
			return mint, m.Err
		}
	}
	return solana.PublicKey{}, token.ErrNotFound
}

// Token returns a token's record, or token.ErrNotFound.
func (m *Memory) Token(ctx context.Context, mint solana.PublicKey) (token.Record, error) {
	current, err := m.Current(ctx, mint)
	return current.Token, err
}

// Current returns a token, or token.ErrNotFound.
func (m *Memory) Current(_ context.Context, mint solana.PublicKey) (settings.Current, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	current, ok := m.tokens[mint]
	if !ok {
		return current, token.ErrNotFound
	}
	return current, m.Err
}

// ChangeSettings replaces the settings of before, unless another caller has changed the settings.
func (m *Memory) ChangeSettings(_ context.Context, before settings.Current, after terms.Version) error {
	return m.write(before, func(current *settings.Current) {
		m.changes[before.Token.Mint] = append(m.changes[before.Token.Mint], terms.Change{Version: after, Before: new(current.Versions.Newest().Settings)})
		plan := current.Plan(after)
		current.Versions = current.Versions.Change(after, current.Opened)
		current.DueSince, current.DueNext = plan.DueSince, plan.DueNext
		current.Token.Held, current.Token.SettingsFrom = terms.Version{}, after.From
		if plan.Held != nil {
			current.Token.Held = *plan.Held
		}
	})
}

// SignSettings adds a signature to the newest version of before, unless another caller has changed
// the settings.
func (m *Memory) SignSettings(_ context.Context, before settings.Current, signature solana.Signature) error {
	if before.Versions.Newest().Ordered() {
		return settings.ErrConflict
	}
	return m.write(before, func(current *settings.Current) {
		current.Versions = slices.Clone(current.Versions)
		newest := &current.Versions[len(current.Versions)-1]
		newest.Signature = signature
		changes := m.changes[before.Token.Mint]
		if len(changes) == 0 {
			changes = []terms.Change{{}}
		}
		changes[len(changes)-1].Version = *newest
		m.changes[before.Token.Mint] = changes
	})
}

// Changes returns a page of a token's changes, newest first.
func (m *Memory) Changes(_ context.Context, mint solana.PublicKey, after string, limit int) (page []terms.Change, next string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	place := func(c terms.Change) string { return fmt.Sprintf("%019d", c.Number) }
	for _, one := range slices.Backward(m.changes[mint]) {
		if after != "" && place(one) >= after {
			continue
		}
		if len(page) == limit {
			return page, place(page[limit-1]), m.Err
		}
		page = append(page, one)
	}
	return page, "", m.Err
}

func (m *Memory) write(before settings.Current, change func(*settings.Current)) error {
	if m.Before != nil {
		m.Before()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	current, seen := m.tokens[before.Token.Mint], before.Versions.Newest()
	if now := current.Versions.Newest(); now.Number != seen.Number || now.Signature != seen.Signature {
		return settings.ErrConflict
	}
	change(&current)
	newest := current.Versions.Newest()
	current.Token.Settings, current.Token.SettingsVersion, current.Token.SettingsSignature = newest.Settings, newest.Number, newest.Signature
	m.tokens[before.Token.Mint] = current
	return m.Err
}

// Chain returns fixed facts. Asked counts the accounts that were read.
type Chain struct {
	Accounts map[solana.PublicKey]onchain.Account
	Lamports uint64 // of every account
	Now      uint64 // the epoch
	Err      error
	Asked    int
}

// Account returns an account.
func (c *Chain) Account(_ context.Context, address solana.PublicKey) (onchain.Account, bool, error) {
	c.Asked++
	account, found := c.Accounts[address]
	return account, found, c.Err
}

// Balance returns Lamports.
func (c *Chain) Balance(context.Context, solana.PublicKey) (uint64, error) { return c.Lamports, c.Err }

// MinimumBalance returns the minimum of an account without data.
func (c *Chain) MinimumBalance(context.Context, uint64) (uint64, error) { return 890_880, c.Err }

// Epoch returns Now.
func (c *Chain) Epoch(context.Context) (uint64, error) { return c.Now, c.Err }

// RecentBlockhash returns a fixed blockhash with 120 blocks left.
func (c *Chain) RecentBlockhash(context.Context) (onchain.Blockhash, error) {
	return onchain.Blockhash{Hash: solana.Hash{1}, LastValid: 1_000}, c.Err
}

// Height returns a fixed height.
func (c *Chain) Height(context.Context) (uint64, error) { return 880, c.Err }

// SlotTime returns 250 ms.
func (c *Chain) SlotTime(context.Context) (time.Duration, error) {
	return 250 * time.Millisecond, c.Err
}

// PriorityFee returns zero.
func (c *Chain) PriorityFee(context.Context, ...solana.PublicKey) (uint64, error) { return 0, c.Err }

// Missing returns no addresses.
func (c *Chain) Missing(context.Context, ...solana.PublicKey) ([]solana.PublicKey, error) {
	return nil, c.Err
}

// Simulate returns a success.
func (c *Chain) Simulate(context.Context, []byte) (transaction.Simulation, error) {
	return transaction.Simulation{OK: true, ComputeUnits: 1_485}, c.Err
}

// Records stores transactions, and implements settings.Records. If Err is set, every call returns
// Err after taking effect.
type Records struct {
	Issued []transaction.Issued
	Err    error
}

// Record stores a transaction.
func (r *Records) Record(_ context.Context, i transaction.Issued) error {
	r.Issued = append(r.Issued, i)
	return r.Err
}
