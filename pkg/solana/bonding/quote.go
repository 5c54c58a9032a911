package bonding

import (
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Quote is what the program charges and gives for a trade.
type Quote struct {
	Direction meteora.Direction
	// Tokens is what a buyer receives after tax, or a seller sends before tax; Tax
	// is what is withheld of the transfer.
	Tokens, Tax uint64
	// PoolTokens leave the vault before tax, or come into it after tax.
	PoolTokens uint64
	// Lamports is what a buyer pays with Fee, or a seller receives without Fee.
	Lamports, Fee uint64
	// CurveLamports is what moves the price: what of a purchase is no fee, and of a
	// sale Lamports and Fee.
	CurveLamports uint64
	NextSqrtPrice *big.Int
	// PriceImpact is the price afterwards over the price before, less one: 1/100
	// when the trade raises the price by 1 percent, negative when it lowers it.
	PriceImpact *big.Rat
}

// Buy quotes a purchase of which exactly tokens arrive, after tax. It fails with
// ErrExceedsLiquidity when the pool has no such amount, and with ErrTooLittle when
// it is zero.
func Buy(s State, tokens uint64, tax token2022.TransferFee) (Quote, error) {
	if tokens == 0 {
		return Quote{}, ErrTooLittle
	}
	numerator, err := s.ready()
	if err != nil {
		return Quote{}, err
	}
	gross, err := Gross(tax, tokens)
	if err != nil {
		return Quote{}, fmt.Errorf("%w: %w", ErrExceedsLiquidity, err)
	}
	next, err := nextFromTokensOut(s.SqrtPrice, s.Liquidity, gross)
	if err != nil {
		return Quote{}, err
	}
	if next.Cmp(s.MaxSqrtPrice) > 0 {
		return Quote{}, ErrExceedsLiquidity
	}
	net, err := lamportsBetween(s.SqrtPrice, next, s.Liquidity, up)
	if err != nil {
		return Quote{}, err
	}
	paid, err := withFee(numerator, net)
	if err != nil {
		return Quote{}, err
	}
	return s.quote(Quote{
		Direction: meteora.Buy, Tokens: tokens, Tax: gross - tokens, PoolTokens: gross,
		Lamports: paid, Fee: paid - net, CurveLamports: net, NextSqrtPrice: next,
	}), nil
}

// BuyIn quotes a purchase for exactly lamports, fee included. It fails with
// ErrExceedsLiquidity when the pool has less than they would buy, and with
// ErrTooLittle when nothing of it arrives.
func BuyIn(s State, lamports uint64, tax token2022.TransferFee) (Quote, error) {
	numerator, err := s.ready()
	if err != nil {
		return Quote{}, err
	}
	fee := feeOf(numerator, lamports)
	next := nextFromSOLIn(s.SqrtPrice, s.Liquidity, lamports-fee)
	if next.Cmp(s.MaxSqrtPrice) > 0 {
		return Quote{}, ErrExceedsLiquidity
	}
	gross, err := tokensBetween(s.SqrtPrice, next, s.Liquidity, down)
	if err != nil {
		return Quote{}, err
	}
	withheld := tax.On(gross)
	if withheld >= gross {
		return Quote{}, ErrTooLittle
	}
	return s.quote(Quote{
		Direction: meteora.Buy, Tokens: gross - withheld, Tax: withheld, PoolTokens: gross,
		Lamports: lamports, Fee: fee, CurveLamports: lamports - fee, NextSqrtPrice: next,
	}), nil
}

// Sell quotes a sale of exactly tokens, before tax. It fails with
// ErrExceedsLiquidity when they would lower the price below the pool's start, and
// with ErrTooLittle when no lamport is paid for them.
func Sell(s State, tokens uint64, tax token2022.TransferFee) (Quote, error) {
	numerator, err := s.ready()
	if err != nil {
		return Quote{}, err
	}
	withheld := tax.On(tokens)
	if withheld >= tokens {
		return Quote{}, ErrTooLittle
	}
	net := tokens - withheld
	next := nextFromTokensIn(s.SqrtPrice, s.Liquidity, net)
	if next.Cmp(s.MinSqrtPrice) < 0 {
		return Quote{}, ErrExceedsLiquidity
	}
	gross, err := lamportsBetween(next, s.SqrtPrice, s.Liquidity, down)
	if err != nil {
		return Quote{}, err
	}
	fee := feeOf(numerator, gross)
	if fee >= gross {
		return Quote{}, ErrTooLittle
	}
	return s.quote(Quote{
		Direction: meteora.Sell, Tokens: tokens, Tax: withheld, PoolTokens: net,
		Lamports: gross - fee, Fee: fee, CurveLamports: gross, NextSqrtPrice: next,
	}), nil
}

// ready gives the fee on a trade, over meteora.FeeDenominator, of a state that has
// liquidity: once all of it was withdrawn there is nothing to trade with.
func (s State) ready() (feeNumerator uint64, err error) {
	if s.Liquidity.Sign() <= 0 || s.SqrtPrice.Sign() <= 0 {
		return 0, ErrExceedsLiquidity
	}
	return s.FeeNumerator()
}

// quote adds the price impact.
func (s State) quote(q Quote) Quote {
	ratio := new(big.Rat).SetFrac(q.NextSqrtPrice, s.SqrtPrice)
	ratio.Mul(ratio, ratio)
	q.PriceImpact = ratio.Sub(ratio, big.NewRat(1, 1))
	return q
}
