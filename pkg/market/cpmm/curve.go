// Package cpmm prepares constant-product pools of a token and SOL on Raydium, and quotes swaps with
// the program's integer arithmetic.
package cpmm

import (
	"errors"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/raydium"
)

var (
	// ErrTooSmall is returned if fees and rounding leave nothing of the amount.
	ErrTooSmall = errors.New("the amount is too small: nothing would come of it")
	// ErrTooLarge is returned if the amount exceeds the pool, or the other amount would be over
	// 2^64-1.
	ErrTooLarge = errors.New("the amount is more than the pool can give")
	// ErrNoQuote is returned if the program does not swap in the pool's state.
	ErrNoQuote = errors.New("the pool cannot be traded in")
)

// Curve is the input of the program's arithmetic for a pool in one direction (raydium-cp-swap,
// curve/calculator.rs). In and Out are the reserves, without the fees that the vaults owe, and
// regardless of any transfer tax. Rates are in parts of raydium.RateDenominator.
type Curve struct {
	In, Out                                    uint64
	TradeFeeRate, ProtocolFeeRate, FundFeeRate uint64
	// CreatorFeeRate is zero if a pool has no creator's fee. The fee is taken from the input if
	// CreatorFeeOnInput, otherwise from the output.
	CreatorFeeRate    uint64
	CreatorFeeOnInput bool
}

// Swap is the result of a swap on a curve. In is the amount that must reach the vault, fees
// included. Out is the amount that leaves the vault. TradeFee is part of the input, and ProtocolFee
// and FundFee are parts of TradeFee. CreatorFee comes on top, in the token of either side.
type Swap struct {
	In, Out                                    uint64
	TradeFee, ProtocolFee, FundFee, CreatorFee uint64
}

// ExactIn returns the swap for an amount that reaches the vault. Rounding is always against the
// trader. It returns ErrTooSmall, ErrTooLarge or ErrNoQuote.
func (c Curve) ExactIn(amount uint64) (Swap, error) {
	if err := c.check(); err != nil {
		return Swap{}, err
	}
	in := number(amount)
	traded, trade, creator := new(big.Int), new(big.Int), new(big.Int)
	if c.CreatorFeeOnInput {
		// A single fee, rounded up once, then divided: since the audit of November 2025.
		total := share(in, c.TradeFeeRate+c.CreatorFeeRate, up)
		creator.Mul(total, number(c.CreatorFeeRate))
		creator.Quo(creator, number(c.TradeFeeRate+c.CreatorFeeRate))
		trade.Sub(total, creator)
		traded.Sub(in, total)
	} else {
		trade = share(in, c.TradeFeeRate, up)
		traded.Sub(in, trade)
	}
	out := new(big.Int).Mul(traded, number(c.Out))
	out.Quo(out, traded.Add(traded, number(c.In)))
	if !c.CreatorFeeOnInput {
		creator = share(out, c.CreatorFeeRate, up)
		out.Sub(out, creator)
	}
	return c.swap(in, out, trade, creator)
}

// ExactOut returns the swap in which an amount leaves the vault. It returns the same errors as
// ExactIn.
func (c Curve) ExactOut(amount uint64) (Swap, error) {
	if err := c.check(); err != nil {
		return Swap{}, err
	}
	out, creator := number(amount), new(big.Int)
	leaving := out
	if !c.CreatorFeeOnInput {
		leaving = beforeFee(out, c.CreatorFeeRate)
		creator.Sub(leaving, out)
	}
	rest := new(big.Int).Sub(number(c.Out), leaving)
	if rest.Sign() <= 0 {
		return Swap{}, ErrTooLarge
	}
	traded := new(big.Int).Mul(number(c.In), leaving)
	traded = divide(traded, rest, up)
	rate := c.TradeFeeRate
	if c.CreatorFeeOnInput {
		rate += c.CreatorFeeRate
	}
	in := beforeFee(traded, rate)
	trade := new(big.Int).Sub(in, traded)
	if c.CreatorFeeOnInput {
		creator.Mul(trade, number(c.CreatorFeeRate))
		creator.Quo(creator, number(rate))
		trade.Sub(trade, creator)
	}
	return c.swap(in, out, trade, creator)
}

// check rejects states in which the program would stop.
func (c Curve) check() error {
	total := c.TradeFeeRate + c.CreatorFeeRate
	switch {
	case c.In == 0, c.Out == 0:
		return ErrNoQuote
	case c.TradeFeeRate >= raydium.RateDenominator, c.CreatorFeeRate >= raydium.RateDenominator-c.TradeFeeRate:
		return ErrNoQuote
	case total == 0 && c.CreatorFeeOnInput: // the program divides by the sum
		return ErrNoQuote
	}
	return nil
}

func (c Curve) swap(in, out, trade, creator *big.Int) (Swap, error) {
	switch {
	case in.Sign() <= 0, out.Sign() <= 0:
		return Swap{}, ErrTooSmall
	case !in.IsUint64(), !out.IsUint64():
		return Swap{}, ErrTooLarge
	}
	return Swap{
		In: in.Uint64(), Out: out.Uint64(), TradeFee: trade.Uint64(), CreatorFee: creator.Uint64(),
		ProtocolFee: share(trade, c.ProtocolFeeRate, down).Uint64(), FundFee: share(trade, c.FundFeeRate, down).Uint64(),
	}, nil
}

// rounding is the direction in which a quotient is rounded.
type rounding bool

const (
	down rounding = false
	up   rounding = true
)

// share returns rate parts of RateDenominator of an amount.
func share(amount *big.Int, rate uint64, r rounding) *big.Int {
	return divide(new(big.Int).Mul(amount, number(rate)), number(raydium.RateDenominator), r)
}

// beforeFee returns the minimum amount of which left remains after a fee at the rate.
func beforeFee(left *big.Int, rate uint64) *big.Int {
	scaled := new(big.Int).Mul(left, number(raydium.RateDenominator))
	return divide(scaled, number(raydium.RateDenominator-rate), up)
}

func divide(a, b *big.Int, r rounding) *big.Int {
	quotient, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if r == up && rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return quotient
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
