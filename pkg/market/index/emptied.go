package index

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// withdrawn says whether an active curve's liquidity was taken away. The position is read
// only where the pool has less than the curve put in, and the pool once more with it, at
// one slot.
func (p *pass) withdrawn(ctx context.Context, l *look) (bool, error) {
	if l.pool.Liquidity.Cmp(l.curve.Liquidity) >= 0 {
		return false, nil
	}
	accounts, _, err := p.Chain.AccountsAt(ctx, 0, l.curve.Address, l.curve.Position)
	if err == nil && len(accounts) != 2 {
		err = fmt.Errorf("%d accounts of 2", len(accounts))
	}
	if err != nil {
		return false, fmt.Errorf("read its position: %w", err)
	}
	state, gone, err := Withdrawn(l.curve.Curve, accounts[0], accounts[1])
	return gone && state.SqrtPrice.Cmp(l.pool.SqrtPrice) == 0, err
}

// Withdrawn says whether the liquidity of a curve was taken away, by its pool and its
// position as they are at one slot: the position has none, or is gone, and the pool
// has less than the curve put in. So a position that was split or a stranger's
// liquidity deceives no reader. A pool that is not there was not withdrawn from: the
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
