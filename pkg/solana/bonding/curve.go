// Package bonding is the arithmetic of the launchpad's curve: a one-sided position of
// a DAMM v2 pool from a start price upwards. It promises what the program does, to
// the last unit: square-root prices of 64.64 bits, its rounding, its fees, and the
// tax of the token.
//
// Prices are lamports for a base unit of the token; a square-root price s stands for
// the price (s/2^64)². Liquidity l holds l·(1/s − 1/greatest) base units above s and
// l·(s − start)/2^128 lamports below it (programs/cp-amm/src/liquidity_handler/
// concentrated_liquidity.rs). All of it is integer arithmetic.
package bonding

import (
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// Bounds of a Request.
const (
	// MultiplierUnit is a multiplier of one: multipliers are in ten-thousandths.
	MultiplierUnit = 10_000
	// MinMultiplierBps and MaxMultiplierBps are 1.5 and 100.
	MinMultiplierBps = 15_000
	MaxMultiplierBps = 1_000_000
)

var (
	// ErrRequest appears when a curve is asked for that the pool cannot hold: no
	// tokens, no target, a multiplier out of bounds, or a price outside what the
	// program takes.
	ErrRequest = errors.New("no curve can be made of this")
	// ErrExceedsLiquidity appears when a trade wants more than the pool has.
	ErrExceedsLiquidity = errors.New("the pool does not have this much")
	// ErrTooLittle appears when a trade is so small that nothing of it arrives.
	ErrTooLittle = errors.New("the amount is too small to trade")
	// ErrUnsupported appears when a pool is of a kind that this package does not compute, or
	// does not trade now.
	ErrUnsupported = errors.New("this pool cannot be quoted")
	// ErrNotOpen appears, with ErrUnsupported, when a pool does not trade yet.
	ErrNotOpen = errors.New("the pool is not open yet")
	// ErrOverflow appears when a number does not fit where the program puts it.
	ErrOverflow = errors.New("the number is too large for the program")
)

// Request asks for a curve.
type Request struct {
	// Tokens is what the vault holds at the start, after tax, in base units.
	Tokens uint64
	// TargetLamports is what purchases raise until the curve is complete, without
	// fees.
	TargetLamports uint64
	// MultiplierBps is the price at the target over the start price, in
	// ten-thousandths.
	MultiplierBps int64
}

// Params are the numbers of a curve.
type Params struct {
	// StartSqrtPrice is where the pool starts and ends downwards; TargetSqrtPrice
	// is where TargetLamports have been raised; MaxSqrtPrice is where the pool
	// ends upwards.
	StartSqrtPrice, TargetSqrtPrice, MaxSqrtPrice *big.Int
	Liquidity                                     *big.Int
	// Deposit is what the program wants in the vault for this liquidity, after
	// tax: exactly the Tokens that were asked for.
	Deposit uint64
}

// Plan gives the numbers of a curve. The start price is target / (tokens·(√m − 1)),
// rounded down by less than one unit of its square root.
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
	// The most liquidity whose tokens, rounded up as the program does, are Tokens.
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

// Raised gives the lamports, without fees, that purchases have brought when a curve
// that started at start is at sqrtPrice: rounded up, as the program counts its
// reserve, so that at a plan's TargetSqrtPrice it is its TargetLamports. liquidity is
// the plan's, for anyone may add more to a pool. Until then, the pool's own
// ReserveB is never less, and more by at most a lamport for each trade, which the
// program's rounding left there.
func Raised(liquidity, start, sqrtPrice *big.Int) (uint64, error) {
	if sqrtPrice.Cmp(start) <= 0 {
		return 0, nil
	}
	return lamportsBetween(start, sqrtPrice, liquidity, up)
}

// Sold gives the base units that have left the pool, before tax, when a curve that
// started at start is at sqrtPrice: rounded down, as the program gives them out. At
// most one fewer for each trade is really out.
// Fewer, by at most one for each trade, are really out.
func Sold(liquidity, start, sqrtPrice *big.Int) (uint64, error) {
	if sqrtPrice.Cmp(start) <= 0 {
		return 0, nil
	}
	return tokensBetween(start, sqrtPrice, liquidity, down)
}

// SpotPrice gives the price at a square-root price: lamports for a base unit,
// exactly.
func SpotPrice(sqrtPrice *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).Mul(sqrtPrice, sqrtPrice), two128)
}

// Withdrawable gives what a position gives back that has the state's Liquidity: set
// it to the position's, for others may have added to the pool. It is in base units
// before tax and in lamports, both rounded down as the program does
// (get_amounts_for_modify_liquidity). Fees come on top.
func Withdrawable(s State) (tokens, lamports uint64, err error) {
	if tokens, err = tokensBetween(s.SqrtPrice, s.MaxSqrtPrice, s.Liquidity, down); err != nil {
		return 0, 0, err
	}
	lamports, err = lamportsBetween(s.MinSqrtPrice, s.SqrtPrice, s.Liquidity, down)
	return tokens, lamports, err
}
