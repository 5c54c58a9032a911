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

// withdrawn reports whether the liquidity of an active curve was withdrawn. It reads the position
// only if the pool has less liquidity than the curve put in. The position and the pool are then
// read at one slot.
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

// Withdrawn reports whether the liquidity of a curve was withdrawn. pool and position are read at
// one slot. The position must be empty or gone, and the pool must have less liquidity than the
// curve put in. So a split position and the liquidity of third parties do not deceive a reader.
// Without a pool, Withdrawn returns false, because the program never closes a pool.
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
