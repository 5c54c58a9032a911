package launchpad

import (
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Amount says how much is bought: so many Tokens, which arrive after tax, or what so many
// Lamports buy, fee included. One of them is zero.
type Amount struct{ Tokens, Lamports uint64 }

// field names what the caller gave; tokens is their name for an amount of the token.
func (a Amount) field(tokens string) string {
	if a.Lamports > 0 {
		return fieldLamports
	}
	return tokens
}

// in gives an amount of the same kind.
func (a Amount) in(n uint64) Amount {
	if a.Lamports > 0 {
		return Amount{Lamports: n}
	}
	return Amount{Tokens: n}
}

// mode is the way of the program's swap for it.
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

// upTo quotes a purchase that brings the price no further than to a limit, or as little
// beyond it as a purchase can. field is the caller's name of the amount.
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
	most := a.most(limit, s, tax)
	if err == nil && max(a.Tokens, a.Lamports) <= most {
		return q, nil
	}
	if a.Lamports > 0 {
		return bonding.Quote{}, exceeds(field, fmt.Sprintf("%d lamports can be spent", most))
	}
	return bonding.Quote{}, exceeds(field, fmt.Sprintf("%d base units can be bought", most))
}

// most is the least amount of the kind with which the price comes to a limit: a purchase
// of it completes a curve. Where the pool ends there, or no transfer makes just that
// arrive, it is what can be had.
func (a Amount) most(limit *big.Int, s bonding.State, tax token2022.TransferFee) uint64 {
	reaches := func(n uint64) bool {
		q, err := a.in(n).quote(s, tax)
		return err == nil && q.NextSqrtPrice.Cmp(limit) >= 0 || err != nil && !errors.Is(err, bonding.ErrTooLittle)
	}
	low, high := uint64(0), ^uint64(0) // low does not reach it, high does
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
