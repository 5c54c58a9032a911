package exchange

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The default limits and a maximum, in basis points.
const (
	DefaultSlippageBps = 300
	MaxSlippageBps     = 1000
	DefaultImpactBps   = 500
	DefaultFloorBps    = 3000
)

// The floor needs at least minPrices earlier prices, and uses the latest KeptPrices. The prices
// come from the latest runs, including runs that put their exchange off. So the floor follows a
// lasting fall after half as many runs, but ignores a momentary fall made by a trader.
const (
	KeptPrices = 9
	minPrices  = 3
)

// Limits are the limits of quotes, in basis points.
type Limits struct {
	// SlippageBps is the maximum difference between the quote and the promised minimum.
	SlippageBps int
	// ImpactBps is the maximum effect of the order on the price. A quote may have a lower limit.
	ImpactBps int
	// FloorBps is the maximum difference between the price and the median of earlier prices.
	FloorBps int
}

// DefaultLimits are 3% of slippage, 5% of price impact, and 30% below the median.
func DefaultLimits() Limits {
	return Limits{SlippageBps: DefaultSlippageBps, ImpactBps: DefaultImpactBps, FloorBps: DefaultFloorBps}
}

// Accept returns a *Deferred if the quote exceeds the limits at now, given the prices of the latest
// runs, oldest first.
func (l Limits) Accept(q Quote, earlier []Price, now time.Time) error {
	switch {
	case q.In == 0, q.In != q.Order.Amount, q.Out == 0, q.MinimumOut > q.Out, q.PriceImpactBps < 0:
		return Defer(Unsafe, "The quote contradicts itself: %d in of %d asked, %d out, at least %d, price impact of %d basis points.",
			q.In, q.Order.Amount, q.Out, q.MinimumOut, q.PriceImpactBps)
	case !q.ValidUntil.IsZero() && !now.Before(q.ValidUntil):
		return Defer(Expired, "The quote ended at %s.", q.ValidUntil.UTC().Format(time.RFC3339))
	case q.PriceImpactBps > l.impact(q):
		return Defer(PriceImpact, "Selling this much would worsen the price by %s, at most %s is allowed.",
			percent(q.PriceImpactBps), percent(l.impact(q)))
	case q.MinimumOut < part(q.Out, terms.FullBps-l.SlippageBps):
		return Defer(Slippage, "The venue promises less than %s below its quote, at most %s is allowed.",
			percent(l.SlippageBps), percent(l.SlippageBps))
	}
	if len(earlier) < minPrices {
		return nil
	}
	median := Median(earlier[max(0, len(earlier)-KeptPrices):])
	if floor := part(median.Of(q.In), terms.FullBps-l.FloorBps); q.Out < floor {
		return Defer(BelowFloor, "The price is more than %s below that of the latest runs: %d for %d, where they make it %d.",
			percent(l.FloorBps), q.Out, q.In, median.Of(q.In))
	}
	return nil
}

// impact returns the maximum price impact of a quote, which is so small that a sandwich does not
// pay.
func (l Limits) impact(q Quote) int {
	if q.ImpactLimitBps == nil {
		return l.ImpactBps
	}
	return min(l.ImpactBps, *q.ImpactLimitBps)
}

// Price is the amount Out for the amount In. In is never zero in a valid price.
type Price struct{ In, Out uint64 }

// Compare returns -1 if p pays less than q, 0 if the prices are equal, and 1 if p pays more.
func (p Price) Compare(q Price) int {
	high, low := bits.Mul64(p.Out, q.In)
	otherHigh, otherLow := bits.Mul64(q.Out, p.In)
	switch {
	case high < otherHigh, high == otherHigh && low < otherLow:
		return -1
	case high == otherHigh && low == otherLow:
		return 0
	}
	return 1
}

// Of returns the result of selling an amount at the price, rounded down, and at most 2^64-1.
func (p Price) Of(amount uint64) uint64 { return MulDiv(amount, p.Out, p.In) }

// Median returns the middle price, or the lower of two middle prices. prices must not be empty, and
// is not changed.
func Median(prices []Price) Price {
	sorted := slices.Clone(prices)
	slices.SortFunc(sorted, Price.Compare)
	return sorted[(len(sorted)-1)/2]
}

// part returns bps basis points of an amount, rounded down.
func part(amount uint64, bps int) uint64 {
	return MulDiv(amount, uint64(max(bps, 0)), terms.FullBps)
}

// MulDiv returns a*b/c, rounded down, and at most 2^64-1. The result is 2^64-1 if c is zero.
func MulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high >= c {
		return math.MaxUint64
	}
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}

func percent(bps int) string { return decimal.PercentFixed(bps) + "%" }
