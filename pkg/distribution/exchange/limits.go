package exchange

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What limits may be, in basis points.
const (
	DefaultSlippageBps = 300
	MaxSlippageBps     = 1000
	DefaultImpactBps   = 500
	DefaultFloorBps    = 3000
)

// Earlier prices count for the floor from fewestPrices on, and the latest
// KeptPrices of them. They are those of the latest runs, also of such that put
// their exchange off: so a fall that lasts is followed after half as many runs,
// and one that a trader makes for a moment is not.
const (
	KeptPrices   = 9
	fewestPrices = 3
)

// Limits are what a quote has to keep to. All are in basis points.
type Limits struct {
	// SlippageBps is how far the promised minimum may lie below the quote.
	SlippageBps int
	// ImpactBps is how much the order may worsen the price; a quote may set it lower.
	ImpactBps int
	// FloorBps is how far the price may lie below the median of earlier ones.
	FloorBps int
}

// DefaultLimits are 3% of slippage, 5% of price impact, and 30% below the median.
func DefaultLimits() Limits {
	return Limits{SlippageBps: DefaultSlippageBps, ImpactBps: DefaultImpactBps, FloorBps: DefaultFloorBps}
}

// Accept gives a *Deferred when the quote does not keep to the limits, given the
// prices of the latest runs, oldest first. It judges the quote as it is at now.
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
	if len(earlier) < fewestPrices {
		return nil
	}
	median := Median(earlier[max(0, len(earlier)-KeptPrices):])
	if floor := part(median.Of(q.In), terms.FullBps-l.FloorBps); q.Out < floor {
		return Defer(BelowFloor, "The price is more than %s below that of the latest runs: %d for %d, where they make it %d.",
			percent(l.FloorBps), q.Out, q.In, median.Of(q.In))
	}
	return nil
}

// impact is the most that a quote may worsen the price: so little that trading around it
// does not pay.
func (l Limits) impact(q Quote) int {
	if q.ImpactLimitBps == nil {
		return l.ImpactBps
	}
	return min(l.ImpactBps, *q.ImpactLimitBps)
}

// Price is how much comes out for how much goes in. In is never zero in a price
// that means something.
type Price struct{ In, Out uint64 }

// Compare gives -1 when p pays less than q for the same, 0 when as much, 1 when
// more.
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

// Of gives what the price makes of an amount, rounded down, and at most 2^64-1.
func (p Price) Of(amount uint64) uint64 { return MulDiv(amount, p.Out, p.In) }

// Median gives the middle price, of an even number the lower one of the two. The
// prices are not changed; there is at least one.
func Median(prices []Price) Price {
	sorted := slices.Clone(prices)
	slices.SortFunc(sorted, Price.Compare)
	return sorted[(len(sorted)-1)/2]
}

// part gives so many basis points of an amount, rounded down.
func part(amount uint64, bps int) uint64 {
	return MulDiv(amount, uint64(max(bps, 0)), terms.FullBps)
}

// MulDiv gives a*b/c, rounded down, and at most 2^64-1, also when c is zero.
func MulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high >= c {
		return math.MaxUint64
	}
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}

func percent(bps int) string { return decimal.PercentFixed(bps) + "%" }
