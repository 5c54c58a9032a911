package index

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// emptiness is the price at which a pool stands whose curve was withdrawn.
type emptiness struct{ sqrtPrice *big.Int }

// after says whether all trades before the withdrawal are counted, without one that
// completed the curve: the price after the last of them is the pool's. So a node that
// shows the pool and not yet its last trades cancels nothing.
func (e emptiness) after(c Curve) bool {
	last := c.SqrtPrice
	if last == nil {
		last = c.StartSqrtPrice
	}
	return c.State == token.CurveActive && last.Cmp(e.sqrtPrice) == 0
}

// emptied reads the pools and positions of active curves at once and gives those
// whose liquidity was withdrawn.
func (x Indexer) emptied(ctx context.Context, due []Curve) (map[solana.PublicKey]emptiness, error) {
	var active []Curve
	var addresses []solana.PublicKey
	for _, c := range due {
		if c.State == token.CurveActive {
			active = append(active, c)
			addresses = append(addresses, c.Address, c.Position)
		}
	}
	if len(active) == 0 {
		return nil, nil
	}
	accounts, _, err := x.Chain.AccountsAt(ctx, 0, addresses...)
	if errors.Is(err, onchain.ErrBehind) {
		return nil, nil
	}
	if err == nil && len(accounts) != len(addresses) {
		err = fmt.Errorf("%d accounts of %d", len(accounts), len(addresses))
	}
	if err != nil {
		return nil, fmt.Errorf("read the pools of %d curves: %w", len(active), err)
	}
	found := map[solana.PublicKey]emptiness{}
	var failures []error
	for i, c := range active {
		pool, gone, err := Withdrawn(c.Curve, accounts[2*i], accounts[2*i+1])
		if err != nil {
			failures = append(failures, err)
		}
		if gone {
			found[c.Address] = emptiness{pool.SqrtPrice}
		}
	}
	return found, errors.Join(failures...)
}

// Withdrawn says whether the liquidity of a curve was taken away, by its pool and its
// position as they are at one slot: the position has none, or is gone, and the pool
// has less than the curve put in. So a position that was split or a stranger's
// liquidity deceives nobody. A pool that is not there was not withdrawn from: the
// program closes none.
func Withdrawn(c market.Curve, pool, position *onchain.Account) (state meteora.Pool, gone bool, err error) {
	if pool == nil {
		return meteora.Pool{}, false, nil
	}
	if state, err = meteora.DecodePool(pool.Owner, pool.Data); err != nil {
		return meteora.Pool{}, false, fmt.Errorf("read the pool %s: %w", c.Address, err)
	}
	left := new(big.Int)
	if position != nil && (position.Owner != solana.SystemProgramID || len(position.Data) > 0) {
		p, err := meteora.DecodePosition(position.Owner, position.Data)
		if err != nil {
			return meteora.Pool{}, false, fmt.Errorf("read the position %s: %w", c.Position, err)
		}
		left.Add(left.Add(p.Unlocked, p.Vested), p.Locked)
	}
	return state, left.Sign() == 0 && state.Liquidity.Cmp(c.Liquidity) < 0, nil
}
