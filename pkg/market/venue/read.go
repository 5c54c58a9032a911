package venue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// place is a pool that the creator of a token created, with the addresses that are derived from the
// pool's address.
type place struct {
	kind    token.PoolKind
	creator solana.PublicKey
	raydium raydium.Addresses
	meteora dammAddresses
}

type dammAddresses struct {
	pool, tokenVault, solVault solana.PublicKey
}

// place derives the addresses of a pool of a token.
func (p Pools) place(kind token.PoolKind, mint, pool solana.PublicKey) (at place, err error) {
	at.kind = kind
	switch kind {
	case token.RaydiumCPMM:
		at.raydium, err = p.Raydium.AddressesAt(mint, pool)
	case token.MeteoraDAMMv2:
		at.meteora.pool = pool
		if at.meteora.tokenVault, err = meteora.VaultAddress(mint, pool); err == nil {
			at.meteora.solVault, err = meteora.VaultAddress(solana.WrappedSol, pool)
		}
	default:
		err = fmt.Errorf("there are no pools of the kind %q", kind)
	}
	if err != nil {
		return place{}, fmt.Errorf("find the pool of %s: %w", mint, err)
	}
	return at, nil
}

// list returns the accounts that a quote needs.
func (at place) list() []solana.PublicKey {
	if at.kind == token.RaydiumCPMM {
		return []solana.PublicKey{at.raydium.Pool, at.raydium.TokenVault, at.raydium.SOLVault}
	}
	return []solana.PublicKey{at.meteora.pool}
}

// maxPlaces is the maximum number of pools of a token that are read.
const maxPlaces = 8

// places lists the pools in which a token may be traded: pools that the token's creator created,
// according to the token's record. Anyone can create a pool of any token, so other pools are not
// used. A token that was not launched here has no such pool.
func (p Pools) places(ctx context.Context, mint solana.PublicKey) ([]place, error) {
	record, err := p.Tokens.Token(ctx, mint)
	if errors.Is(err, token.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read which pools %s has: %w", mint, err)
	}
	var list []place
	for _, pool := range record.Pools {
		if pool.Creator != record.Creator || len(list) == maxPlaces {
			continue
		}
		at, err := p.place(pool.Kind, mint, pool.Address)
		if err != nil {
			return nil, err
		}
		at.creator = record.Creator
		list = append(list, at)
	}
	return list, nil
}

// shared is the number of accounts that are read once for all tokens: the clock and Raydium's
// configuration.
const shared = 2

// traded is a token of an order, with the pools that trade the token for SOL.
type traded struct {
	mint  market.Mint
	pools []pool
}

// read reads the pools of tokens in one slot. It returns a *Deferred if a token has no pool.
func (p Pools) read(ctx context.Context, mints []solana.PublicKey) ([]traded, error) {
	wanted := []solana.PublicKey{solana.SysVarClockPubkey, p.Raydium.Config}
	where := make([][]place, len(mints))
	for i, mint := range mints {
		var err error
		if where[i], err = p.places(ctx, mint); err != nil {
			return nil, err
		}
		if len(where[i]) == 0 {
			return nil, exchange.Defer(exchange.NoVenue, "%s has no pool with SOL that its creator made.", mint)
		}
		wanted = append(wanted, mint)
		for _, at := range where[i] {
			wanted = append(wanted, at.list()...)
		}
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
	tokens, rest := make([]traded, len(mints)), accounts[shared:]
	for i, mint := range mints {
		var own []*onchain.Account
		n := 1
		for _, at := range where[i] {
			n += len(at.list())
		}
		own, rest = rest[:n], rest[n:]
		if tokens[i], err = p.token(ctx, mint, where[i], own, accounts[1], now); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// token decodes the accounts of a token: the mint, then the pools. An unreadable pool is left out
// and raises an alarm.
func (p Pools) token(ctx context.Context, mint solana.PublicKey, where []place, own []*onchain.Account, config *onchain.Account, now market.Clock) (traded, error) {
	if own[0] == nil {
		return traded{}, exchange.Defer(exchange.NoVenue, "There is no token %s.", mint)
	}
	m, err := market.CheckMint(mint, own[0].Owner, own[0].Data)
	if err != nil {
		return traded{}, exchange.Defer(exchange.NoVenue, "No pool takes the token %s: %v", mint, err)
	}
	t, unreadable := traded{mint: m}, error(nil)
	own = own[1:]
	for _, at := range where {
		n := len(at.list())
		found, err := p.pool(at, m, own[:n], config, now)
		own = own[n:]
		switch {
		case errors.Is(err, onchain.ErrUnreadable):
			unreadable = err
		case err == nil && found != nil:
			t.pools = append(t.pools, found)
		}
	}
	if unreadable != nil {
		metric.Log(ctx, p.Log, "a pool cannot be read", metric.Line{
			Values: []metric.Value{exchange.ExchangeUnreadable.Is(1)}, As: slog.LevelError,
		}, slog.String(terms.LogMint, mint.String()), slog.String("error", unreadable.Error()))
	}
	switch {
	case len(t.pools) > 0:
	case unreadable != nil:
		return traded{}, exchange.Defer(exchange.Unreadable,
			"The exchange that has the pool of %s was upgraded, and this service cannot read the pool yet. The tokens wait.", mint)
	default:
		return traded{}, exchange.Defer(exchange.NoVenue, "No pool that the creator of %s made trades it for SOL now.", mint)
	}
	return t, nil
}

// pool decodes a pool; nil if the pool does not trade, or if the pool's accounts are not the
// expected accounts. It returns onchain.ErrUnreadable for an unknown layout.
func (p Pools) pool(at place, mint market.Mint, own []*onchain.Account, config *onchain.Account, now market.Clock) (pool, error) {
	if at.kind == token.RaydiumCPMM {
		return p.constantProduct(at, mint, own, config, now)
	}
	return readConcentrated(at, mint, own[0], now)
}

// ClockOf reads the chain's clock from the clock's account. It returns market.ErrNotClock if the
// account is missing or malformed.
func ClockOf(a *onchain.Account) (market.Clock, error) {
	if a == nil {
		return market.Clock{}, market.ErrNotClock
	}
	return market.DecodeClock(a.Data)
}
