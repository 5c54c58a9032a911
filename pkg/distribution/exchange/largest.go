package exchange

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/token/terms"
)

// fineness ends the search when the possible gain is less than this part of the fitting amount.
const fineness = 16

// LargestThatFits requests a quote of the order. If the quote exceeds the limits, LargestThatFits
// requests quotes of smaller amounts, to approach the largest amount within the limits in at most
// quotes requests. The rest of the order is left to a later run.
//
// It returns a *Deferred if no tried amount fits, and the venue's error if the venue fails before
// any amount has fitted.
func LargestThatFits(ctx context.Context, v Venue, o Order, l Limits, earlier []Price, quotes int, now func() time.Time) (Quote, error) {
	try := func(amount uint64) (Quote, error) {
		asked := o
		asked.Amount = amount
		q, err := v.Quote(ctx, asked)
		if err != nil {
			return Quote{}, err
		}
		return q, l.Accept(q, earlier, now())
	}
	best, why := try(o.Amount)
	if why == nil {
		return best, nil
	}
	if !smallerMayFit(why) {
		return Quote{}, why
	}
	fits, breaks := uint64(0), o.Amount
	amount := l.guess(o.Amount, best)
	for n := 1; n < quotes && amount > fits && amount < breaks; n++ {
		q, err := try(amount)
		switch {
		case err == nil:
			best, fits = q, amount
		case smallerMayFit(err):
			breaks, why = amount, err
		case fits > 0:
			return best, nil
		default:
			return Quote{}, err
		}
		if fits == 0 {
			amount = l.guess(amount, q)
		} else if amount = fits + (breaks-fits)/2; breaks-fits <= fits/fineness {
			break
		}
	}
	if fits == 0 {
		return Quote{}, why
	}
	return best, nil
}

func smallerMayFit(err error) bool {
	deferred, ok := errors.AsType[*Deferred](err)
	if !ok {
		return false
	}
	switch deferred.Reason {
	case NoRoute, PriceImpact, Slippage, BelowFloor, TooLarge, Refused:
		return true
	case NoVenue, Expired, Unsafe, Unreadable:
	}
	return false
}

// guess returns the next amount after an amount that does not fit: the amount that would fit if the
// whole market were one pool with a constant product, or else half the amount. q is zero without a
// quote.
func (l Limits) guess(amount uint64, q Quote) uint64 {
	half := amount / 2
	if q.PriceImpactBps <= l.impact(q) || q.PriceImpactBps >= terms.FullBps {
		return half
	}
	limit, impact := uint64(max(l.impact(q), 0)), uint64(q.PriceImpactBps) //nolint:gosec // Validated, and above it.
	guessed := MulDiv(q.In, (terms.FullBps-impact)*limit, impact*(terms.FullBps-limit))
	// Subtract a fiftieth, because impacts are rounded.
	if guessed -= guessed / 50; guessed == 0 || guessed >= amount {
		return half
	}
	return guessed
}
