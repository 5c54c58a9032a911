package bonding

import (
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Quote is the amounts of a trade, as the program charges and pays.
type Quote struct {
	Direction meteora.Direction
	// Tokens is the amount that a buyer receives after tax, or that a seller sends before tax. Tax
	// is the amount withheld from the transfer.
	Tokens, Tax uint64
	// PoolTokens leave the vault before tax, or come into it after tax.
	PoolTokens uint64
	// Lamports is the amount that a buyer pays, including Fee, or that a seller receives, without
	// Fee.
	Lamports, Fee uint64
	// CurveLamports is the amount that moves the price: for a purchase Lamports without Fee, for a
	// sale Lamports plus Fee.
	CurveLamports uint64
	NextSqrtPrice *big.Int
	// PriceImpact is the price afterwards divided by the price before, minus one: 1/100 if the
	// trade raises the price by 1 percent, negative if the trade lowers the price.
	PriceImpact *big.Rat
}

// Buy quotes a purchase in which exactly tokens arrive, after tax. It returns ErrExceedsLiquidity
// if the pool has too few tokens, and ErrTooLittle if tokens is zero.
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

// BuyIn quotes a purchase for exactly lamports, fee included. It returns ErrExceedsLiquidity if the
// pool has too few tokens, and ErrTooLittle if nothing arrives.
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

// Sell quotes a sale of exactly tokens, before tax. It returns ErrExceedsLiquidity if the sale
// would lower the price below the pool's start, and ErrTooLittle if the seller would receive no
// lamport.
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

// ready returns the fee on a trade, over meteora.FeeDenominator. It returns ErrExceedsLiquidity for
// a state without liquidity, which a full withdrawal leaves.
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
