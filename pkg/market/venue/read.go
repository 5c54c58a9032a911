package venue

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// addresses are where the pools of a token are.
type addresses struct {
	raydium      raydium.Addresses
	meteora      solana.PublicKey
	meteoraVault solana.PublicKey
	solVault     solana.PublicKey // of Meteora's pool
}

func (p Pools) addresses(mint solana.PublicKey) (a addresses, err error) {
	if a.raydium, err = p.Raydium.Addresses(mint); err != nil {
		return addresses{}, err
	}
	if a.meteora, err = meteora.PoolAddress(mint, solana.WrappedSol); err != nil {
		return addresses{}, err
	}
	if a.meteoraVault, err = meteora.VaultAddress(mint, a.meteora); err != nil {
		return addresses{}, err
	}
	a.solVault, err = meteora.VaultAddress(solana.WrappedSol, a.meteora)
	return a, err
}

// list gives those whose accounts a quote needs, perToken of them.
func (a addresses) list() [perToken]solana.PublicKey {
	return [perToken]solana.PublicKey{a.raydium.Token, a.raydium.Pool, a.raydium.TokenVault, a.raydium.SOLVault, a.meteora}
}

// perToken is how many accounts are read of a token, and shared how many of all:
// the clock and Raydium's configuration.
const (
	perToken = 5
	shared   = 2
)

// traded is a token of an order, with the pools that trade it for SOL.
type traded struct {
	mint  market.Mint
	epoch uint64
	pools []pool
}

// read reads the pools of tokens, all in one slot. It fails with a *Deferred when
// one of them has none.
func (p Pools) read(ctx context.Context, mints []solana.PublicKey) ([]traded, error) {
	wanted := []solana.PublicKey{solana.SysVarClockPubkey, p.Raydium.Config}
	where := make([]addresses, len(mints))
	for i, mint := range mints {
		var err error
		if where[i], err = p.addresses(mint); err != nil {
			return nil, fmt.Errorf("find the pools of %s: %w", mint, err)
		}
		list := where[i].list()
		wanted = append(wanted, list[:]...)
	}
	accounts, err := p.Chain.Accounts(ctx, wanted...)
	if err != nil {
		return nil, fmt.Errorf("read the pools of %v: %w", mints, err)
	}
	if len(accounts) != len(wanted) {
		return nil, fmt.Errorf("read the pools of %v: %d accounts of %d", mints, len(accounts), len(wanted))
	}
	now, err := ClockOf(accounts[0])
	if err != nil {
		return nil, apperr.Upstream("The Solana network", fmt.Errorf("read the pools of %v: %w", mints, err))
	}
	tokens := make([]traded, len(mints))
	for i, mint := range mints {
		own := accounts[shared+i*perToken:][:perToken]
		if tokens[i], err = p.token(mint, where[i], own, accounts[1], now); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// token decodes what was read of a token: its mint first, then its pools.
func (p Pools) token(mint solana.PublicKey, at addresses, own []*onchain.Account, config *onchain.Account, now market.Clock) (traded, error) {
	if own[0] == nil {
		return traded{}, exchange.Defer(exchange.NoVenue, "There is no token %s.", mint)
	}
	m, err := market.CheckMint(mint, own[0].Owner, own[0].Data)
	if err != nil {
		return traded{}, exchange.Defer(exchange.NoVenue, "No pool takes the token %s: %v", mint, err)
	}
	t := traded{mint: m, epoch: now.Epoch}
	if pool, ok := p.constantProduct(at.raydium, m, own[1:4], config, now); ok {
		t.pools = append(t.pools, pool)
	}
	if pool, ok := readConcentrated(at, m, own[4], now); ok {
		t.pools = append(t.pools, pool)
	}
	if len(t.pools) == 0 {
		return traded{}, exchange.Defer(exchange.NoVenue, "No pool trades %s for SOL now.", mint)
	}
	return t, nil
}

// ClockOf reads the chain's clock from its account. It fails with market.ErrNotClock.
func ClockOf(a *onchain.Account) (market.Clock, error) {
	if a == nil {
		return market.Clock{}, market.ErrNotClock
	}
	return market.DecodeClock(a.Data)
}
