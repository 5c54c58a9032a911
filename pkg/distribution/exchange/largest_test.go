package exchange_test

import (
	"context"
	"errors"
	"math/bits"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// pool is a venue with one pool of a constant product: what is sold makes the
// price worse, and beyond a bound there is no route at all.
type pool struct {
	tokens, lamports uint64
	bound            uint64 // zero: none
	failFrom         int    // the first call that is not answered; zero: none
	calls            int
}

var errAway = errors.New("the venue is away")

func (p *pool) Quote(_ context.Context, o exchange.Order) (exchange.Quote, error) {
	p.calls++
	if p.failFrom != 0 && p.calls >= p.failFrom {
		return exchange.Quote{}, errAway
	}
	if o.Amount == 0 || p.bound != 0 && o.Amount > p.bound {
		return exchange.Quote{}, exchange.Defer(exchange.NoRoute, "no market for %d", o.Amount)
	}
	out := scale(o.Amount, p.lamports, p.tokens+o.Amount)
	impact := int(scale(o.Amount, terms.FullBps, p.tokens+o.Amount))
	return exchange.Quote{Order: o, In: o.Amount, Out: out, MinimumOut: out, PriceImpactBps: impact}, nil
}

func (p *pool) Swap(context.Context, exchange.Quote) (exchange.Swap, error) {
	return exchange.Swap{}, errAway
}

func scale(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}

func clock() time.Time { return noon }

const quotes = 6

// What is found fits, takes no more quotes than allowed, and is not much less
// than the most that fits, whatever the pool's size.
func TestLargestAmountThatFits(t *testing.T) {
	limits := exchange.DefaultLimits()
	rapid.Check(t, func(t *rapid.T) {
		p := &pool{
			tokens:   rapid.Uint64Range(1_000_000_000, 1<<50).Draw(t, "tokens"),
			lamports: rapid.Uint64Range(1<<50, 1<<55).Draw(t, "lamports"),
		}
		o := exchange.Order{Amount: rapid.Uint64Range(1_000_000, 1<<52).Draw(t, "amount")}
		most := min(o.Amount, p.tokens/19) // an impact of 5%: a/(tokens+a)
		var bounded bool
		if bounded = rapid.Bool().Draw(t, "bounded"); bounded {
			p.bound = rapid.Uint64Range(o.Amount/8+1, o.Amount).Draw(t, "bound")
			most = min(most, p.bound)
		}
		if most < o.Amount/16 && bounded {
			t.Skip("more halves than quotes")
		}
		q, err := exchange.LargestThatFits(t.Context(), p, o, limits, nil, quotes, clock)
		if err != nil {
			t.Fatalf("nothing of %d fits, %d would: %v", o.Amount, most, err)
		}
		if err := limits.Accept(q, nil, noon); err != nil {
			t.Fatal(err)
		}
		if q.In > most+most/400+1 { // impacts are rounded down
			t.Fatalf("%d fit, %d are sold", most, q.In)
		}
		if q.In < most/2 {
			t.Fatalf("%d would fit, %d are sold", most, q.In)
		}
		if p.calls > quotes {
			t.Fatalf("%d quotes", p.calls)
		}
	})
}

func TestSearchEnds(t *testing.T) {
	fallen := []exchange.Price{{In: 1, Out: 1_000}, {In: 1, Out: 1_000}, {In: 1, Out: 1_000}}
	tests := []struct {
		name    string
		pool    pool
		earlier []exchange.Price
		amount  uint64
		want    uint64 // at least
		calls   int    // at most
		reason  exchange.Reason
		err     error
	}{
		{name: "all of it fits", pool: pool{tokens: 1_000_000, lamports: 1_000_000}, amount: 100, want: 100, calls: 1},
		{name: "nothing does", pool: pool{tokens: 1, lamports: 1_000_000_000}, amount: 1_000, calls: quotes, reason: exchange.PriceImpact},
		{name: "the price has fallen", pool: pool{tokens: 1 << 40, lamports: 1 << 40}, earlier: fallen, amount: 1_000, calls: quotes, reason: exchange.BelowFloor},
		{name: "away", pool: pool{failFrom: 1}, amount: 5, calls: 1, err: errAway},
		{name: "away before anything fits", pool: pool{tokens: 1_000, lamports: 1_000, bound: 1, failFrom: 2}, amount: 500, calls: 2, err: errAway},
		{name: "away after something fits", pool: pool{tokens: 1_000_000, lamports: 1_000_000, failFrom: 3}, amount: 500_000, want: 40_000, calls: 3},
		{name: "one unit", pool: pool{tokens: 1, lamports: 1}, amount: 1, calls: quotes, reason: exchange.Unsafe},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q, err := exchange.LargestThatFits(t.Context(), &test.pool, exchange.Order{Amount: test.amount}, exchange.DefaultLimits(), test.earlier, quotes, clock)
			if test.err != nil {
				if !errors.Is(err, test.err) {
					t.Error(err)
				}
			} else if reason := reasonOf(t, err); reason != test.reason {
				t.Errorf("%q, want %q", reason, test.reason)
			}
			if q.In < test.want || err != nil && q.In != 0 || test.pool.calls > test.calls {
				t.Errorf("sells %d after %d quotes", q.In, test.pool.calls)
			}
		})
	}
}
