package exchange_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// place quotes so much, or fails; its swaps have programs of its own.
type place struct {
	name string
	out  uint64
	err  error
}

// Quote returns the quote.
func (p place) Quote(_ context.Context, o exchange.Order) (exchange.Quote, error) {
	return exchange.Quote{Order: o, In: o.Amount, Out: p.out, Venue: p.name}, p.err
}

// Swap returns the swap.
func (p place) Swap(_ context.Context, q exchange.Quote) (exchange.Swap, error) {
	return exchange.Swap{Quote: q, Programs: []solana.PublicKey{key(p.name)}}, nil
}

func TestFirstVenueWithRouteQuotes(t *testing.T) {
	away := errors.New("away")
	no := func(reason exchange.Reason) error { return exchange.Defer(reason, "No.") }
	tests := []struct {
		name          string
		first, second error
		want          string          // the venue
		reason        exchange.Reason // or why not
		err           error
	}{
		{"the first has a route", nil, nil, "first", "", nil},
		{"it has none for so much", no(exchange.NoRoute), nil, "second", "", nil},
		{"it does not trade this", no(exchange.NoVenue), nil, "second", "", nil},
		{"it cannot be read", no(exchange.Unreadable), nil, "second", "", nil},
		{"neither has one", no(exchange.NoRoute), no(exchange.NoVenue), "", exchange.NoRoute, nil},
		{"and the other way round", no(exchange.NoVenue), no(exchange.NoRoute), "", exchange.NoVenue, nil},
		{"it refuses", no(exchange.Refused), nil, "", exchange.Refused, nil},
		{"it does not answer", away, nil, "", "", away},
		{"the second does not answer", no(exchange.NoRoute), away, "", "", away},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			venues := exchange.First{
				{Name: "first", Venue: place{"first", 5, test.first}}, {Name: "second", Venue: place{"second", 9, test.second}},
			}
			q, err := venues.Quote(t.Context(), exchange.Order{Wallet: wallet, Input: mint, Amount: 7, Output: terms.SOL})
			switch {
			case test.err != nil:
				if !errors.Is(err, test.err) {
					t.Errorf("%v", err)
				}
				return
			case test.reason != "":
				if got := reasonOf(t, err); got != test.reason {
					t.Errorf("%q, want %q", got, test.reason)
				}
				return
			}
			if err != nil || q.Venue != test.want {
				t.Fatalf("%+v, %v", q, err)
			}
			s, err := venues.Swap(t.Context(), q)
			if err != nil || len(s.Programs) != 1 || s.Programs[0] != key(test.want) {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	if _, err := (exchange.First{}).Quote(t.Context(), exchange.Order{}); reasonOf(t, err) != exchange.NoVenue {
		t.Error(err)
	}
	if s, err := (exchange.First{}).Swap(t.Context(), exchange.Quote{Venue: "third"}); err == nil {
		t.Errorf("%+v", s)
	}
}

// unread is a venue whose quotes are good and whose swaps cannot be read.
type unread struct{ place }

// Swap cannot be read.
func (unread) Swap(context.Context, exchange.Quote) (exchange.Swap, error) {
	return exchange.Swap{}, exchange.Defer(exchange.Unreadable, "No.")
}

// limited is a place whose quotes have an impact, and say how much of one is harmless.
type limited struct {
	place

	impact, harmless int
}

// Quote returns the quote.
func (l limited) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	q, err := l.place.Quote(ctx, o)
	q.MinimumOut, q.PriceImpactBps, q.ImpactLimitBps = q.Out, l.impact, &l.harmless
	return q, err
}

// A swap that cannot be read is made by another venue, if the other venue promises as much.
func TestUnreadableSwapIsError(t *testing.T) {
	o := exchange.Order{Wallet: wallet, Input: mint, Amount: 7, Output: terms.SOL}
	for name, c := range map[string]struct {
		second limited
		taken  bool
	}{
		"as much":       {limited{place{"second", 5, nil}, 100, 100}, true},
		"less":          {limited{place{"second", 4, nil}, 100, 100}, false},
		"a harmful one": {limited{place{"second", 5, nil}, 101, 100}, false},
		"no route":      {limited{place{"second", 5, exchange.Defer(exchange.NoRoute, "No.")}, 0, 100}, false},
	} {
		venues := exchange.First{{Name: "first", Venue: unread{place{"first", 5, nil}}}, {Name: "second", Venue: c.second}}
		q, err := venues.Quote(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		q.MinimumOut = q.Out
		s, err := venues.Swap(t.Context(), q)
		if c.taken && (err != nil || s.Quote.Venue != "second") || !c.taken && !exchange.Unread(err) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// A quote keeps to its own limit of impact where that is the lower one.
func TestQuoteKeepsItsOwnImpactLimit(t *testing.T) {
	for _, c := range []struct {
		impact, own int
		good        bool
	}{{100, 100, true}, {101, 100, false}, {500, 700, true}, {501, 700, false}, {1, 0, false}, {0, 0, true}} {
		q := exchange.Quote{Order: exchange.Order{Amount: 7}, In: 7, Out: 100, MinimumOut: 100, PriceImpactBps: c.impact, ImpactLimitBps: &c.own}
		if err := exchange.DefaultLimits().Accept(q, nil, time.Time{}); (err == nil) != c.good {
			t.Errorf("an impact of %d where %d is harmless: %v", c.impact, c.own, err)
		}
	}
}
