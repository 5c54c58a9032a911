package venue_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// reserves are a pool of Raydium's to trade around a swap in, without the fees that it owes.
type reserves struct{ tokens, lamports uint64 }

// attacker is a trader around a swap, with the costs of the token's transfer and of the pool, in
// millionths. The pool costs the owner of all its shares nothing.
type attacker struct {
	coin coin
	fee  uint64
}

const poolFee = 2_500

func (p reserves) curve(fee uint64, selling bool) cpmm.Curve {
	c := cpmm.Curve{In: p.lamports, Out: p.tokens, TradeFeeRate: max(fee, 1), CreatorFeeOnInput: true}
	if selling {
		c.In, c.Out = p.tokens, p.lamports
	}
	return c
}

// sell returns what a sale of tokens brings, and what is left.
func (p reserves) sell(a attacker, tokens uint64) (lamports uint64, after reserves, ok bool) {
	s, err := p.curve(a.fee, true).ExactIn(tokens - a.coin.tax(tokens))
	return s.Out, reserves{p.tokens + s.In, p.lamports - s.Out}, err == nil
}

// buy returns what lamports buy.
func (p reserves) buy(a attacker, lamports uint64) (tokens uint64, after reserves, ok bool) {
	s, err := p.curve(a.fee, false).ExactIn(lamports)
	return s.Out - a.coin.tax(s.Out), reserves{p.tokens - s.Out, p.lamports + s.In}, err == nil
}

// buyBack returns what it costs to receive tokens.
func (p reserves) buyBack(a attacker, tokens uint64) (lamports uint64, ok bool) {
	gross := mul(tokens, 10_000, 10_000-uint64(a.coin.taxBps), true)
	s, err := p.curve(a.fee, false).ExactOut(gross)
	return s.In, err == nil
}

// aroundASale sells the given tokens before a sale, and buys them back after it.
func (p reserves) aroundASale(a attacker, q exchange.Quote, first uint64) (profit *big.Int, brought uint64, ok bool) {
	got, p, ok := p.sell(a, first)
	if !ok {
		return nil, 0, false
	}
	brought, p, ok = p.sell(attacker{a.coin, poolFee}, q.In)
	if !ok || brought < q.MinimumOut {
		return nil, 0, false // the sale fails, and so the attacker has paid for nothing
	}
	paid, ok := p.buyBack(a, first)
	return new(big.Int).Sub(number(got), number(paid)), brought, ok
}

// aroundAPurchase buys for the given lamports before a purchase, and sells after it.
func (p reserves) aroundAPurchase(a attacker, lamports, minimum, first uint64) (profit *big.Int, brought uint64, ok bool) {
	has, p, ok := p.buy(a, first)
	if !ok {
		return nil, 0, false
	}
	brought, p, ok = p.buy(attacker{a.coin, poolFee}, lamports)
	if !ok || brought < minimum {
		return nil, 0, false
	}
	got, _, ok := p.sell(a, has)
	return new(big.Int).Sub(number(got), number(first)), brought, ok
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// steps are the amounts that an attacker tries: from a millionth of what the pool has to
// ten times that, each by a fiftieth larger than the one before.
func steps(has uint64) (list []uint64) {
	for share := 1e-6; share < 10; share *= 1.02 {
		list = append(list, uint64(float64(has)*share))
	}
	return list
}

// worst returns the loss of a swap, in basis points of what was quoted, by the attack that
// pays best; nothing when none pays.
func worst(quoted, has uint64, attack func(first uint64) (*big.Int, uint64, bool)) (lossBps float64) {
	best := new(big.Int)
	for _, first := range steps(has) {
		if profit, brought, ok := attack(first); ok && profit.Cmp(best) > 0 {
			best, lossBps = profit, 10_000*(1-float64(brought)/float64(quoted))
		}
	}
	return math.Max(lossBps, 0)
}

// Whatever the token's tax, trading around the largest sale does not pay, neither for a trader nor
// for the owner of all shares of the pool; nor around the purchase of a reward. Before, the limit
// was an impact of 5 percent, and the minimum's slippage.
func TestTradingAroundASaleDoesNotPay(t *testing.T) {
	const has, lamports, all = 800_000 * tokens, 100 * sol, 400_000 * tokens
	limits := exchange.DefaultLimits()
	for _, taxBps := range []uint16{50, 100, 200, 300, 500, 1000} {
		on, pools := planted(t)
		c := taxed("token", taxBps, true)
		c.plant(on)
		c.cpmm(t, on, has, lamports)
		pool := reserves{has, lamports}
		lose := func(q exchange.Quote, a attacker) float64 {
			return worst(q.Out, has, func(first uint64) (*big.Int, uint64, bool) { return pool.aroundASale(a, q, first) })
		}
		largest := func(v exchange.Venue) exchange.Quote {
			q, err := exchange.LargestThatFits(t.Context(), v, c.order(all, terms.SOL), limits, nil, 40, pools.Now)
			must.Do(t, err)
			return q
		}
		was, is := largest(unlimited{pools}), largest(pools)
		trader, owner := attacker{c, poolFee}, attacker{c, 0}
		before, now := lose(was, trader), lose(is, trader)
		if now > 0 || lose(is, owner) > 0 {
			t.Errorf("tax of %d basis points: the largest sale loses %.1f basis points to a trader, %.1f to the pool's owner",
				taxBps, now, lose(is, owner))
		}
		if is.PriceImpactBps < min(int(taxBps), limits.ImpactBps)*9/10 {
			t.Errorf("tax of %d basis points: the largest sale has an impact of %d", taxBps, is.PriceImpactBps)
		}
		if taxBps <= 100 && before == 0 {
			t.Errorf("tax of %d basis points: the model finds no attack on the earlier limit", taxBps)
		}
		figures.Show(t, "sandwich: tax of %.1f %%: the largest sale of a slot, loss to the attack that pays best: limited to 5 %% of impact alone %.2f SOL (impact %.2f %%), %.2f %% lost; limited to the tax too %.2f SOL (impact %.2f %%), %.2f %% lost",
			float64(taxBps)/100, float64(was.Out)/float64(sol), float64(was.PriceImpactBps)/100, before/100,
			float64(is.Out)/float64(sol), float64(is.PriceImpactBps)/100, now/100)
	}
}

// A purchase of the reward token is bounded by that token's tax, or by its pool's fee.
func TestTradingAroundAPurchaseDoesNotPay(t *testing.T) {
	const has, lamports = 800_000 * tokens, 100 * sol
	for _, taxBps := range []uint16{0, 100, 500} {
		on, pools := planted(t)
		c, reward := taxed("token", 500, true), taxed("reward", taxBps, false)
		c.plant(on)
		reward.plant(on)
		c.cpmm(t, on, 100*has, 100*lamports)
		reward.cpmm(t, on, has, lamports)
		q, err := exchange.LargestThatFits(t.Context(), pools, c.order(20*has, reward.asset()), exchange.DefaultLimits(), nil, 40, pools.Now)
		must.Do(t, err)
		// The purchase is of the minimum proceeds of the sale, and may bring half of the slippage less.
		sale, err := pools.Quote(t.Context(), c.order(q.In, terms.SOL))
		must.Do(t, err)
		between, pool := sale.Out-mul(sale.Out, 150, 10_000, false), reserves{has, lamports}
		if loss := worst(q.Out, lamports, func(first uint64) (*big.Int, uint64, bool) {
			return pool.aroundAPurchase(attacker{reward, poolFee}, between, q.MinimumOut, first)
		}); loss > 0 {
			t.Errorf("tax of %d basis points: a purchase for %d loses %.1f basis points", taxBps, between, loss)
		}
		if twice := worst(2*q.Out, lamports, func(first uint64) (*big.Int, uint64, bool) {
			return pool.aroundAPurchase(attacker{reward, poolFee}, 6*between, 0, first)
		}); taxBps == 0 && twice == 0 {
			t.Error("the model finds no attack on six times as much without a minimum")
		}
	}
}

// unlimited is a venue that does not say which impact is harmless.
type unlimited struct{ venue.Pools }

func (u unlimited) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	q, err := u.Pools.Quote(ctx, o)
	q.ImpactLimitBps = nil
	return q, err
}
