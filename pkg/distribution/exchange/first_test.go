package exchange_test

import (
	"context"
	"errors"
	"testing"

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

// Quote gives the quote.
func (p place) Quote(_ context.Context, o exchange.Order) (exchange.Quote, error) {
	return exchange.Quote{Order: o, In: o.Amount, Out: p.out, Venue: p.name}, p.err
}

// Swap gives the swap.
func (p place) Swap(_ context.Context, q exchange.Quote) (exchange.Swap, error) {
	return exchange.Swap{Quote: q, Programs: []solana.PublicKey{key(p.name)}}, nil
}

func TestTheFirstVenueWithARoute(t *testing.T) {
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
