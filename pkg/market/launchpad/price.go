package launchpad

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Price quotes a purchase. It returns launchpad_not_found, launchpad_cancelled,
// launchpad_not_started, launchpad_not_active or exceeds_liquidity.
func (s Service) Price(ctx context.Context, mint solana.PublicKey, amount Amount) (Price, error) {
	v, err := s.viewOf(ctx, mint)
	if err != nil {
		return Price{}, err
	}
	if v.curve.State == token.CurveCancelled {
		return Price{}, apperr.New(apperr.CodeLaunchpadCancelled,
			"This curve was cancelled: its creator has withdrawn its liquidity, and nothing can be bought.")
	}
	q, err := v.buy(amount.field("amount"), amount)
	if err != nil {
		return Price{}, err
	}
	impact := new(big.Rat).Mul(q.PriceImpact, new(big.Rat).SetInt64(FullBps))
	return Price{
		Tokens: q.Tokens, Tax: q.Tax, Lamports: q.Lamports, Fee: q.Fee, Decimals: v.curve.Decimals,
		SqrtPrice: v.pool.SqrtPrice, NextSqrtPrice: q.NextSqrtPrice,
		ImpactBps: new(big.Int).Quo(impact.Num(), impact.Denom()),
	}, nil
}

// buy quotes a purchase. The limit is the target while the curve is active, and the pool's
// liquidity afterwards. field is the request's field of the amount.
func (v view) buy(field string, a Amount) (bonding.Quote, error) {
	state, err := v.state()
	if err != nil {
		return bonding.Quote{}, unquotable(err)
	}
	tax, err := v.tax()
	if err != nil {
		return bonding.Quote{}, err
	}
	limit := state.MaxSqrtPrice
	if v.curve.State == token.CurveActive && state.SqrtPrice.Cmp(v.curve.TargetSqrtPrice) < 0 {
		limit = v.curve.TargetSqrtPrice
	}
	return a.upTo(field, limit, state, tax)
}

// sell quotes a sale.
func (v view) sell(tokens uint64) (bonding.Quote, error) {
	state, err := v.state()
	if err != nil {
		return bonding.Quote{}, unquotable(err)
	}
	tax, err := v.tax()
	if err != nil {
		return bonding.Quote{}, err
	}
	q, err := bonding.Sell(state, tokens, tax)
	switch {
	case errors.Is(err, bonding.ErrTooLittle):
		return bonding.Quote{}, outOfRange(fieldAmount, "Must be more: nothing would be paid for this.")
	case errors.Is(err, bonding.ErrExceedsLiquidity), errors.Is(err, bonding.ErrOverflow):
		return bonding.Quote{}, exceeds(fieldAmount, fmt.Sprintf("%d base units can be sold", maxSold(state, tax)))
	case err != nil:
		return bonding.Quote{}, fmt.Errorf("quote a sale of %d of %s: %w", tokens, v.curve.Mint, err)
	}
	return q, nil
}

// maxSold returns the maximum sale: the price is then the curve's start price.
func maxSold(s bonding.State, tax token2022.TransferFee) uint64 {
	low, high := uint64(0), ^uint64(0)
	for high-low > 1 {
		middle := low + (high-low)/2
		if _, err := bonding.Sell(s, middle, tax); err == nil || errors.Is(err, bonding.ErrTooLittle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

func exceeds(field, maximum string) error {
	detail := "At most " + maximum + " now."
	return &apperr.Error{
		Code: apperr.CodeExceedsLiquidity, Detail: detail,
		Fields: []apperr.Field{{Field: field, Code: apperr.CodeExceedsLiquidity, Message: detail}},
	}
}

func outOfRange(field, message string) error {
	return apperr.Validation([]apperr.Field{{Field: field, Code: apperr.CodeOutOfRange, Message: message}})
}

// unquotable returns the error of a pool that is not open yet, that the program's operators have
// disabled, or that is not a curve's pool. A curve's pool has no other reason to be unquotable.
func unquotable(err error) error {
	if errors.Is(err, bonding.ErrNotOpen) {
		return &apperr.Error{
			Code:   apperr.CodeLaunchpadNotStarted,
			Detail: "This curve does not trade yet: it begins at its startsAt.", Cause: err,
		}
	}
	return &apperr.Error{
		Code: apperr.CodeLaunchpadNotActive, Detail: "The pool of this curve does not trade at the moment.", Cause: err,
	}
}

// SpotPrice formats a square-root price of 64.64 bits, in lamports for a base unit, as SOL for a
// whole token.
func SpotPrice(sqrtPrice *big.Int, decimals int) string {
	p := bonding.SpotPrice(sqrtPrice)
	return market.Price(p.Num(), p.Denom(), decimals)
}
