package runworld

import (
	"context"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
)

// markets are the records of tokens and their pools.
type markets struct {
	mu      sync.Mutex
	records map[solana.PublicKey]token.Record
}

// change changes a token's record.
func (m *markets) change(mint solana.PublicKey, change func(*token.Record)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records == nil {
		m.records = map[solana.PublicKey]token.Record{}
	}
	r := m.records[mint]
	r.Mint = mint
	change(&r)
	m.records[mint] = r
}

// Launched records that the service launched a token for a creator.
func (g *Env) Launched(mint, creator solana.PublicKey) {
	g.markets.change(mint, func(r *token.Record) { r.Creator = creator })
}

// pooled records a pool of a token and its creator.
func (m *markets) pooled(p token.Pool) {
	m.change(p.Mint, func(r *token.Record) { r.Pools = append(r.Pools, p) })
}

// Token returns the record of a token, or token.ErrNotFound.
func (m *markets) Token(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, found := m.records[mint]
	if !found {
		return token.Record{}, token.ErrNotFound
	}
	return r, nil
}
