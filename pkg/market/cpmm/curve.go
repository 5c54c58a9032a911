// Package cpmm prepares constant-product pools of a token and SOL on Raydium, and
// says what a swap in one brings: in integers, as the program computes it.
package cpmm

import (
	"errors"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/raydium"
)

var (
	// ErrTooSmall: fees and rounding leave nothing of the amount.
	ErrTooSmall = errors.New("the amount is too small: nothing would come of it")
	// ErrTooLarge: the pool has not so much, or the other amount would be over 2^64-1.
	ErrTooLarge = errors.New("the amount is more than the pool can give")
	// ErrNoQuote: the pool is in no state in which the program swaps.
	ErrNoQuote = errors.New("the pool cannot be traded in")
)

// Curve is a pool as the program's arithmetic sees it, in one direction
// (raydium-cp-swap, curve/calculator.rs). In and Out are the reserves, without what
// the vaults owe as fees, and without regard to any transfer tax. Rates are in parts
// of raydium.RateDenominator.
type Curve struct {
	In, Out                                    uint64
	TradeFeeRate, ProtocolFeeRate, FundFeeRate uint64
	// CreatorFeeRate is zero where a pool has no creator's fee. It is taken of what
	// comes in, or of what goes out.
	CreatorFeeRate    uint64
	CreatorFeeOnInput bool
}

// Swap is what a curve makes of an amount. In is what must reach the vault, fees
// included, Out what leaves it. TradeFee is in what comes in, and ProtocolFee and
// FundFee are parts of it; CreatorFee is on top, in the token of either side.
type Swap struct {
	In, Out                                    uint64
	TradeFee, ProtocolFee, FundFee, CreatorFee uint64
}

// ExactIn gives what comes of an amount that reaches the vault. Rounding is always
// against the trader. It fails with ErrTooSmall, ErrTooLarge or ErrNoQuote.
func (c Curve) ExactIn(amount uint64) (Swap, error) {
	if err := c.check(); err != nil {
		return Swap{}, err
	}
	in := number(amount)
	traded, trade, creator := new(big.Int), new(big.Int), new(big.Int)
	if c.CreatorFeeOnInput {
		// One fee, rounded up once, then divided: since the audit of November 2025.
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

// ExactOut gives what must reach the vault so that an amount leaves it. It fails as
// ExactIn does.
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

// check refuses what the program would stop at.
func (c Curve) check() error {
	total := c.TradeFeeRate + c.CreatorFeeRate
	switch {
	case c.In == 0, c.Out == 0:
		return ErrNoQuote
	case c.TradeFeeRate >= raydium.RateDenominator, c.CreatorFeeRate >= raydium.RateDenominator-c.TradeFeeRate:
		return ErrNoQuote
	case total == 0 && c.CreatorFeeOnInput: // it divides by the sum
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

// rounding of a division.
type rounding bool

const (
	down rounding = false
	up   rounding = true
)

// share is so many parts of RateDenominator of an amount.
func share(amount *big.Int, rate uint64, r rounding) *big.Int {
	return divide(new(big.Int).Mul(amount, number(rate)), number(raydium.RateDenominator), r)
}

// beforeFee is the least amount of which so much is left after a fee at the rate.
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
