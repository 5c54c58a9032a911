// Package settingstest keeps tokens in memory and stands for the chain, for tests
// of what is built on package settings.
package settingstest

import (
	"context"
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

// Memory keeps tokens; it implements settings.Store and token.Finder. Before runs
// before every write, as other changes may; Err is what every call fails with.
type Memory struct {
	Before func()
	Err    error

	mu     sync.Mutex
	tokens map[solana.PublicKey]settings.Current
}

// Put keeps a token, as launched where it says no version of its settings.
func (m *Memory) Put(t token.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens == nil {
		m.tokens = map[solana.PublicKey]settings.Current{}
	}
	if t.SettingsVersion == 0 {
		t.SettingsVersion = terms.LaunchVersion
	}
	m.tokens[t.Mint] = settings.Current{Token: t, Versions: terms.Versions{{Settings: t.Settings, Number: t.SettingsVersion, Signature: t.SettingsSignature}}}
}

// MintOf gives the mint of a token's id, or token.ErrNotFound.
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

// Token gives a token's record, or token.ErrNotFound.
func (m *Memory) Token(ctx context.Context, mint solana.PublicKey) (token.Record, error) {
	current, err := m.Current(ctx, mint)
	return current.Token, err
}

// Current gives a token, or token.ErrNotFound.
func (m *Memory) Current(_ context.Context, mint solana.PublicKey) (settings.Current, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	current, ok := m.tokens[mint]
	if !ok {
		return current, token.ErrNotFound
	}
	return current, m.Err
}

// ChangeSettings replaces the settings of before, unless another caller has.
func (m *Memory) ChangeSettings(_ context.Context, before settings.Current, after terms.Version) error {
	return m.write(before, func(current *settings.Current) {
		current.Versions = current.Versions.Change(after, current.Opened)
	})
}

// SignSettings adds a signature to the newest version of before, unless another caller has.
func (m *Memory) SignSettings(_ context.Context, before settings.Current, signature solana.Signature) error {
	if before.Versions.Newest().Ordered() {
		return settings.ErrConflict
	}
	return m.write(before, func(current *settings.Current) {
		current.Versions = slices.Clone(current.Versions)
		current.Versions[len(current.Versions)-1].Signature = signature
	})
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

// Chain answers from a few fixed facts. Asked counts the accounts that were read.
type Chain struct {
	Accounts map[solana.PublicKey]onchain.Account
	Lamports uint64 // of every account
	Now      uint64 // the epoch
	Err      error
	Asked    int
}

// Account gives an account.
func (c *Chain) Account(_ context.Context, address solana.PublicKey) (onchain.Account, bool, error) {
	c.Asked++
	account, found := c.Accounts[address]
	return account, found, c.Err
}

// Balance gives Lamports.
func (c *Chain) Balance(context.Context, solana.PublicKey) (uint64, error) { return c.Lamports, c.Err }

// MinimumBalance gives that of an account without data.
func (c *Chain) MinimumBalance(context.Context, uint64) (uint64, error) { return 890_880, c.Err }

// Epoch gives Now.
func (c *Chain) Epoch(context.Context) (uint64, error) { return c.Now, c.Err }

// RecentBlockhash gives a fixed blockhash, of which 120 blocks are left.
func (c *Chain) RecentBlockhash(context.Context) (onchain.Blockhash, error) {
	return onchain.Blockhash{Hash: solana.Hash{1}, LastValid: 1_000}, c.Err
}

// Height gives a fixed height.
func (c *Chain) Height(context.Context) (uint64, error) { return 880, c.Err }

// SlotTime gives 250 ms.
func (c *Chain) SlotTime(context.Context) (time.Duration, error) {
	return 250 * time.Millisecond, c.Err
}

// PriorityFee says that nothing is offered.
func (c *Chain) PriorityFee(context.Context, ...solana.PublicKey) (uint64, error) { return 0, c.Err }

// Missing gives none.
func (c *Chain) Missing(context.Context, ...solana.PublicKey) ([]solana.PublicKey, error) {
	return nil, c.Err
}

// Simulate says that all goes well.
func (c *Chain) Simulate(context.Context, []byte) (transaction.Simulation, error) {
	return transaction.Simulation{OK: true, ComputeUnits: 1_485}, c.Err
}

// Records keeps transactions; it implements settings.Records. Err is what every call
// fails with, after it has taken effect.
type Records struct {
	Issued []transaction.Issued
	Err    error
}

// Record keeps one.
func (r *Records) Record(_ context.Context, i transaction.Issued) error {
	r.Issued = append(r.Issued, i)
	return r.Err
}
