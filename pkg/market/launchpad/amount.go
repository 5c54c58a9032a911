package launchpad

import (
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Amount is the amount of a purchase: the Tokens that arrive after tax, or the Lamports to spend,
// fee included. Exactly one field is zero.
type Amount struct{ Tokens, Lamports uint64 }

// field returns the request's field of the amount. tokens is the field's name for an amount of
// tokens.
func (a Amount) field(tokens string) string {
	if a.Lamports > 0 {
		return fieldLamports
	}
	return tokens
}

// in returns n as an amount of the same kind.
func (a Amount) in(n uint64) Amount {
	if a.Lamports > 0 {
		return Amount{Lamports: n}
	}
	return Amount{Tokens: n}
}

// mode returns the program's swap mode for the amount.
func (a Amount) mode() meteora.SwapMode {
	if a.Lamports > 0 {
		return meteora.ExactIn
	}
	return meteora.ExactOut
}

func (a Amount) quote(s bonding.State, tax token2022.TransferFee) (bonding.Quote, error) {
	if a.Lamports > 0 {
		return bonding.BuyIn(s, a.Lamports, tax)
	}
	return bonding.Buy(s, a.Tokens, tax)
}

// upTo quotes a purchase that raises the price at most to a limit. A purchase may pass the limit only
// if no smaller amount reaches the limit. field is the request's field of the amount.
func (a Amount) upTo(field string, limit *big.Int, s bonding.State, tax token2022.TransferFee) (bonding.Quote, error) {
	q, err := a.quote(s, tax)
	switch {
	case errors.Is(err, bonding.ErrTooLittle) && a.Lamports > 0:
		return bonding.Quote{}, outOfRange(field, "Must be more: nothing would arrive for this.")
	case errors.Is(err, bonding.ErrTooLittle):
		return bonding.Quote{}, outOfRange(field, "Must be at least 1.")
	case err != nil && !errors.Is(err, bonding.ErrExceedsLiquidity) && !errors.Is(err, bonding.ErrOverflow):
		return bonding.Quote{}, fmt.Errorf("quote a purchase of %+v: %w", a, err)
	case err == nil && q.NextSqrtPrice.Cmp(limit) <= 0:
		return q, nil
	}
	maximum := a.maximum(limit, s, tax)
	if err == nil && max(a.Tokens, a.Lamports) <= maximum {
		return q, nil
	}
	if a.Lamports > 0 {
		return bonding.Quote{}, exceeds(field, fmt.Sprintf("%d lamports can be spent", maximum))
	}
	return bonding.Quote{}, exceeds(field, fmt.Sprintf("%d base units can be bought", maximum))
}

// most returns the smallest amount of the kind whose purchase raises the price to a limit. Such a
// purchase completes a curve. If the pool has no such quote, because the pool's liquidity ends or
// no transfer lets exactly this amount arrive, maximum returns the largest amount below.
func (a Amount) maximum(limit *big.Int, s bonding.State, tax token2022.TransferFee) uint64 {
	reaches := func(n uint64) bool {
		q, err := a.in(n).quote(s, tax)
		return err == nil && q.NextSqrtPrice.Cmp(limit) >= 0 || err != nil && !errors.Is(err, bonding.ErrTooLittle)
	}
	low, high := uint64(0), ^uint64(0) // low does not reach the limit, high does
	for high-low > 1 {
		if middle := low + (high-low)/2; reaches(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	if _, err := a.in(high).quote(s, tax); err != nil {
		return low
	}
	return high
}
