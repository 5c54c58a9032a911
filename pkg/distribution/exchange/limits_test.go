package exchange_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/distribution/exchange"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func reasonOf(t testing.TB, err error) exchange.Reason {
	t.Helper()
	if err == nil {
		return ""
	}
	deferred, ok := errors.AsType[*exchange.Deferred](err)
	if !ok {
		t.Fatalf("%v is no deferral", err)
	}
	if deferred.Detail == "" {
		t.Errorf("%s says nothing", deferred.Reason)
	}
	return deferred.Reason
}

func prices(outs ...uint64) []exchange.Price {
	var list []exchange.Price
	for _, out := range outs {
		list = append(list, exchange.Price{In: 1_000, Out: out})
	}
	return list
}

func TestAccept(t *testing.T) {
	good := exchange.Quote{
		Order: exchange.Order{Amount: 1_000}, In: 1_000, Out: 1_000, MinimumOut: 970, PriceImpactBps: 500, ValidUntil: noon.Add(1),
	}
	tests := []struct {
		name    string
		change  func(q *exchange.Quote)
		earlier []exchange.Price
		want    exchange.Reason
	}{
		{"everything at its limit", func(*exchange.Quote) {}, nil, ""},
		{"does not say how long", func(q *exchange.Quote) { q.ValidUntil = time.Time{} }, nil, ""},
		{"has just ended", func(q *exchange.Quote) { q.ValidUntil = noon }, nil, exchange.Expired},
		{"impact", func(q *exchange.Quote) { q.PriceImpactBps = 501 }, nil, exchange.PriceImpact},
		{"slippage", func(q *exchange.Quote) { q.MinimumOut = 969 }, nil, exchange.Slippage},
		{"minimum over the quote", func(q *exchange.Quote) { q.MinimumOut = 1_001 }, nil, exchange.Unsafe},
		{"another amount", func(q *exchange.Quote) { q.In = 999 }, nil, exchange.Unsafe},
		{"nothing", func(q *exchange.Quote) { q.Out, q.MinimumOut = 0, 0 }, nil, exchange.Unsafe},
		{"negative impact", func(q *exchange.Quote) { q.PriceImpactBps = -1 }, nil, exchange.Unsafe},
		{"two earlier prices are too few", func(*exchange.Quote) {}, prices(9_000, 9_000), ""},
		{"30% below the median", func(q *exchange.Quote) { q.Out, q.MinimumOut = 700, 700 }, prices(1_000, 1, 9_000), ""},
		{"more than 30% below", func(q *exchange.Quote) { q.Out, q.MinimumOut = 699, 699 }, prices(1_000, 1, 9_000), exchange.BelowFloor},
		{"above the median", func(q *exchange.Quote) { q.Out, q.MinimumOut = 50_000, 50_000 }, prices(1_000, 1_000, 1_000), ""},
		{"old prices do not count", func(*exchange.Quote) {}, slices.Concat(prices(9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000), prices(1_000, 1_000, 1_000, 1_000, 1_000)), ""},
		{"a fall of four runs is not followed", func(*exchange.Quote) {}, prices(9_000, 9_000, 9_000, 9_000, 9_000, 1_000, 1_000, 1_000, 1_000), exchange.BelowFloor},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := good
			test.change(&q)
			if got := reasonOf(t, exchange.DefaultLimits().Accept(q, test.earlier, noon)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// Prices compare as fractions do, also where their products are over 64 bits.
func TestPricesCompareAsFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string) exchange.Price {
			return exchange.Price{In: rapid.Uint64Min(1).Draw(t, name+" in"), Out: rapid.Uint64().Draw(t, name+" out")}
		}
		fraction := func(p exchange.Price) *big.Rat {
			return new(big.Rat).SetFrac(new(big.Int).SetUint64(p.Out), new(big.Int).SetUint64(p.In))
		}
		p, q := some("p"), some("q")
		if got, want := p.Compare(q), fraction(p).Cmp(fraction(q)); got != want {
			t.Fatalf("%v and %v compare as %d, want %d", p, q, got, want)
		}
		amount := rapid.Uint64().Draw(t, "amount")
		exact := new(big.Int).SetUint64(amount)
		exact.Mul(exact, new(big.Int).SetUint64(p.Out)).Div(exact, new(big.Int).SetUint64(p.In))
		want := uint64(math.MaxUint64)
		if exact.IsUint64() {
			want = exact.Uint64()
		}
		if got := p.Of(amount); got != want {
			t.Fatalf("%v of %d is %d, want %d", p, amount, got, want)
		}
	})
}

// Half of the prices are not above the median and half not below it, in whatever
// order they come.
func TestMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) exchange.Price {
			return exchange.Price{In: rapid.Uint64Range(1, 9).Draw(t, "in"), Out: rapid.Uint64Range(0, 9).Draw(t, "out")}
		}), 1, 12).Draw(t, "prices")
		given := slices.Clone(list)
		median := exchange.Median(list)
		if !slices.Equal(list, given) {
			t.Fatal("the prices are changed")
		}
		var below, above int
		for _, p := range list {
			switch p.Compare(median) {
			case -1:
				below++
			case 1:
				above++
			}
		}
		if 2*below > len(list) || 2*above > len(list) {
			t.Fatalf("%v is the median of %v", median, list)
		}
	})
}
