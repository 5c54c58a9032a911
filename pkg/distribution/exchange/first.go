package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Named is a venue with the name in its quotes.
type Named struct {
	Name  string
	Venue Venue
}

// First asks venues in turn, until a venue has a route and a readable response. The later venues
// are only substitutes.
type First []Named

// Quote returns the quote of the first venue that has a route for the order. If no venue has a
// route, Quote returns the first venue's error. Any other error ends the search and is returned.
func (f First) Quote(ctx context.Context, o Order) (Quote, error) {
	failed := Defer(NoVenue, "There is nowhere to exchange tokens.")
	for i, named := range f {
		q, err := named.Venue.Quote(ctx, o)
		if deferred, ok := errors.AsType[*Deferred](err); !ok || !slices.Contains([]Reason{NoRoute, NoVenue, Unreadable}, deferred.Reason) {
			return q, err
		}
		if i == 0 {
			failed = err
		}
	}
	return Quote{}, failed
}

// Swap converts a quote at the quote's venue. If the venue's response is unreadable, Swap uses a
// later venue that promises at least the same minimum.
func (f First) Swap(ctx context.Context, q Quote) (Swap, error) {
	i := slices.IndexFunc(f, func(n Named) bool { return n.Name == q.Venue })
	if i < 0 {
		return Swap{}, fmt.Errorf("swap by a quote of %q: it is none of these venues", q.Venue)
	}
	swap, err := f[i].Venue.Swap(ctx, q)
	if !Unread(err) {
		return swap, err
	}
	for _, other := range f[i+1:] {
		if as, otherErr := other.Venue.Quote(ctx, q.Order); otherErr == nil && as.In == q.In && as.MinimumOut >= q.MinimumOut &&
			as.PriceImpactBps <= (Limits{ImpactBps: DefaultImpactBps}).impact(as) {
			return other.Venue.Swap(ctx, as)
		}
	}
	return Swap{}, err
}
