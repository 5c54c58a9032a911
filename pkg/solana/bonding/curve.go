// Package bonding is the arithmetic of the launchpad's curve: a one-sided position of a DAMM v2
// pool from a start price upwards. Package bonding promises the program's results to the last unit:
// square-root prices of 64.64 bits, the program's rounding and fees, and the tax of the token.
//
// Prices are lamports for a base unit of the token. A square-root price s represents the price
// (s/2^64)². Liquidity l holds l·(1/s − 1/greatest) base units above s and l·(s − start)/2^128
// lamports below s (programs/cp-amm/src/liquidity_handler/ concentrated_liquidity.rs). All
// arithmetic is integer arithmetic.
package bonding

import (
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// Bounds of a Request.
const (
	// MultiplierUnit is the multiplier 1: multipliers are in ten-thousandths.
	MultiplierUnit = 10_000
	// MinMultiplierBps and MaxMultiplierBps are 1.5 and 100.
	MinMultiplierBps = 15_000
	MaxMultiplierBps = 1_000_000
)

var (
	// ErrRequest is returned for a curve that the pool cannot hold: no tokens, no target, a
	// multiplier out of bounds, or a price outside the program's range.
	ErrRequest = errors.New("no curve can be made of this")
	// ErrExceedsLiquidity is returned if a trade exceeds the pool's liquidity.
	ErrExceedsLiquidity = errors.New("the pool does not have this much")
	// ErrTooLittle is returned for a trade so small that nothing arrives.
	ErrTooLittle = errors.New("the amount is too small to trade")
	// ErrUnsupported is returned for a pool of a kind that this package does not compute, or for a
	// pool that does not trade now.
	ErrUnsupported = errors.New("this pool cannot be quoted")
	// ErrNotOpen is returned, with ErrUnsupported, for a pool that does not trade yet.
	ErrNotOpen = errors.New("the pool is not open yet")
	// ErrOverflow is returned for a number that does not fit into the program's field.
	ErrOverflow = errors.New("the number is too large for the program")
)

// Request describes a curve.
type Request struct {
	// Tokens is the amount in the vault at the start, after tax, in base units.
	Tokens uint64
	// TargetLamports is the amount that purchases raise until the curve is complete, without fees.
	TargetLamports uint64
	// MultiplierBps is the price at the target divided by the start price, in ten-thousandths.
	MultiplierBps int64
}

// Params are the numbers of a curve.
type Params struct {
	// StartSqrtPrice is the pool's start price and lower bound. TargetSqrtPrice is the price at
	// which TargetLamports have been raised. MaxSqrtPrice is the pool's upper bound.
	StartSqrtPrice, TargetSqrtPrice, MaxSqrtPrice *big.Int
	Liquidity                                     *big.Int
	// Deposit is the amount that the program requires in the vault for this liquidity, after tax:
	// exactly the Tokens of the Request.
	Deposit uint64
}

// Plan returns the numbers of a curve. The start price is target / (tokens·(√m − 1)), rounded down
// by less than one unit of its square root.
func Plan(r Request) (Params, error) {
	if r.Tokens == 0 || r.TargetLamports == 0 {
		return Params{}, fmt.Errorf("%w: %d base units, %d lamports", ErrRequest, r.Tokens, r.TargetLamports)
	}
	if r.MultiplierBps < MinMultiplierBps || r.MultiplierBps > MaxMultiplierBps {
		return Params{}, fmt.Errorf("%w: a multiplier of %d ten-thousandths", ErrRequest, r.MultiplierBps)
	}
	// grow is √m − 1 with 128 bits behind the point: 2^128·√(m/10,000) is the root
	// of m·2^256/10,000.
	grow := new(big.Int).Lsh(big.NewInt(r.MultiplierBps), 2*bits128)
	grow.Sqrt(grow.Quo(grow, big.NewInt(MultiplierUnit)))
	grow.Sub(grow, two128)
	// The start price with 128 bits behind the point; its root has 64.
	target := new(big.Int).SetUint64(r.TargetLamports)
	start := new(big.Int).Lsh(target, 2*bits128)
	start.Quo(start, grow.Mul(grow, new(big.Int).SetUint64(r.Tokens)))
	start.Sqrt(start)

	p := Params{StartSqrtPrice: start, MaxSqrtPrice: meteora.MaxSqrtPrice()}
	if start.Cmp(meteora.MinSqrtPrice()) < 0 || start.Cmp(p.MaxSqrtPrice) >= 0 {
		return Params{}, fmt.Errorf("%w: its start price is outside what the program takes", ErrRequest)
	}
	// The maximum liquidity whose tokens, rounded up as the program does, are Tokens.
	p.Liquidity = new(big.Int).Mul(start, p.MaxSqrtPrice)
	p.Liquidity.Mul(p.Liquidity, new(big.Int).SetUint64(r.Tokens))
	p.Liquidity.Quo(p.Liquidity, new(big.Int).Sub(p.MaxSqrtPrice, start))
	if p.Liquidity.BitLen() > bits128 {
		return Params{}, fmt.Errorf("%w: its liquidity does not fit into 128 bits", ErrRequest)
	}
	p.TargetSqrtPrice = nextFromSOLIn(start, p.Liquidity, r.TargetLamports)
	if p.TargetSqrtPrice.Cmp(p.MaxSqrtPrice) >= 0 {
		return Params{}, fmt.Errorf("%w: its end price is outside what the program takes", ErrRequest)
	}
	var err error
	if p.Deposit, err = tokensBetween(start, p.MaxSqrtPrice, p.Liquidity, up); err != nil {
		return Params{}, err
	}
	return p, nil
}

// Raised returns the lamports, without fees, that purchases have brought to a curve that started at
// start and is at sqrtPrice. The amount is rounded up, as the program counts its reserve, so at a
// plan's TargetSqrtPrice the amount is TargetLamports. liquidity is the plan's, because anyone may
// add more to a pool. Until then, the pool's own ReserveB is never less, and exceeds Raised by at
// most a lamport for each trade, left there by the program's rounding.
func Raised(liquidity, start, sqrtPrice *big.Int) (uint64, error) {
	if sqrtPrice.Cmp(start) <= 0 {
		return 0, nil
	}
	return lamportsBetween(start, sqrtPrice, liquidity, up)
}

// Sold returns the base units, before tax, that have left the pool of a curve that started at start
// and is at sqrtPrice. The amount is rounded down, as the program pays out. The real amount is
// smaller by at most one base unit for each trade.
func Sold(liquidity, start, sqrtPrice *big.Int) (uint64, error) {
	if sqrtPrice.Cmp(start) <= 0 {
		return 0, nil
	}
	return tokensBetween(start, sqrtPrice, liquidity, down)
}

// SpotPrice returns the exact price at a square-root price, in lamports for a base unit.
func SpotPrice(sqrtPrice *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).Mul(sqrtPrice, sqrtPrice), two128)
}

// Withdrawable returns the amounts that a withdrawal pays to a position with the state's Liquidity.
// Callers set Liquidity to the position's, because others may have added to the pool. The amounts
// are base units before tax and lamports, both rounded down as the program does
// (get_amounts_for_modify_liquidity). Fees come on top.
func Withdrawable(s State) (tokens, lamports uint64, err error) {
	if tokens, err = tokensBetween(s.SqrtPrice, s.MaxSqrtPrice, s.Liquidity, down); err != nil {
		return 0, 0, err
	}
	lamports, err = lamportsBetween(s.MinSqrtPrice, s.SqrtPrice, s.Liquidity, down)
	return tokens, lamports, err
}
