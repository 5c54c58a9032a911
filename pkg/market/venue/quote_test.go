package venue_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// reasonOf returns why an order is deferred; empty when it is not.
func reasonOf(t testing.TB, err error) exchange.Reason {
	t.Helper()
	if err == nil {
		return ""
	}
	deferred, ok := errors.AsType[*exchange.Deferred](err)
	if !ok || deferred.Detail == "" {
		t.Fatalf("%v is not a sentence about a decision", err)
	}
	return deferred.Reason
}

// The proceeds of a sale for SOL are the constant product's output for the amount after tax.
func TestSaleOfTaxedToken(t *testing.T) {
	for _, first := range []bool{true, false} {
		on, pools := planted(t)
		c := taxed("token", 500, first)
		c.plant(on)
		c.cpmm(t, on, 800_000*tokens, 100*sol)
		const amount = 10_000 * tokens
		q, err := pools.Quote(t.Context(), c.order(amount, terms.SOL))
		must.Do(t, err)
		arrives := uint64(amount) - c.tax(amount)
		want := product(arrives, 800_000*tokens, 100*sol)
		if q.In != amount || q.Out != want || q.MinimumOut != want-want*300/10_000 || q.Venue != venue.Name || q.Order.Amount != amount {
			t.Errorf("%+v, want %d out", q, want)
		}
		// 9,476.25 of 809,476.25 are 1.1707 percent.
		if q.PriceImpactBps != 118 {
			t.Errorf("a price impact of %d basis points", q.PriceImpactBps)
		}
		if q.ValidUntil.Sub(noon) <= 0 || q.ValidUntil.Sub(noon) > 30*time.Second {
			t.Errorf("valid until %s", q.ValidUntil)
		}
		if on.calls != 1 {
			t.Errorf("%d calls", on.calls)
		}
		must.Do(t, exchange.DefaultLimits().Accept(q, nil, noon))
	}
}

// A fee for the pool's creator reduces the proceeds and does not count as price impact.
func TestPoolCreatorFee(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	data := c.cpmm(t, on, 800_000*tokens, 100*sol)
	o := c.order(10_000*tokens, terms.SOL)
	without, err := pools.Quote(t.Context(), o)
	must.Do(t, err)
	binary.LittleEndian.PutUint64(on.accounts[raydium.Mainnet.Config].Data[configCreatorFee:], 20_000) // 2 percent
	same, err := pools.Quote(t.Context(), o)
	must.Do(t, err)
	data[cpmmHasCreatorFee] = 1
	with, err := pools.Quote(t.Context(), o)
	must.Do(t, err)
	if same.Out != without.Out || with.Out > without.Out-without.Out/55 || with.Out < without.Out-without.Out/45 {
		t.Errorf("%d without the fee, %d and %d with it", without.Out, same.Out, with.Out)
	}
	if with.PriceImpactBps < without.PriceImpactBps-3 || with.PriceImpactBps > without.PriceImpactBps {
		t.Errorf("a price impact of %d basis points, and of %d without the fee", with.PriceImpactBps, without.PriceImpactBps)
	}
}

// The token's tax changes with the next epoch.
func TestTaxOfEpoch(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	binary.LittleEndian.PutUint64(on.accounts[solana.SysVarClockPubkey].Data[16:], epoch+1)
	_, err := pools.Quote(t.Context(), c.order(tokens, terms.SOL)) // all of it is tax
	if reason := reasonOf(t, err); reason != exchange.NoRoute {
		t.Errorf("Quote() of a tax of 100 percent: reason %q, %v; want NoRoute", reason, err)
	}
}

// The pool that pays more is used: for small amounts the pool with the lower fee, for large amounts
// the larger pool.
func TestBetterPoolIsUsed(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	c.cpmm(t, on, 8_000*tokens, 1*sol)
	c.damm(t, on, 800_000*tokens, 100*sol)
	tests := []struct {
		amount uint64
		want   solana.PublicKey
	}{{10 * tokens, raydium.Mainnet.Program}, {1_000 * tokens, meteora.Program}}
	for _, test := range tests {
		q, err := pools.Quote(t.Context(), c.order(test.amount, terms.SOL))
		must.Do(t, err)
		s, err := pools.Swap(t.Context(), q)
		must.Do(t, err)
		if len(s.Programs) != 1 || s.Programs[0] != test.want {
			t.Errorf("%d are sold by %v", test.amount, s.Programs)
		}
	}
}

// The quote of Meteora's pool equals the formula, except for the rounding of its prices.
func TestSaleInConcentratedPool(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	c.damm(t, on, 800_000*tokens, 100*sol)
	const amount = 10_000 * tokens
	q, err := pools.Quote(t.Context(), c.order(amount, terms.SOL))
	must.Do(t, err)
	arrives := uint64(amount) - c.tax(amount)
	want := mul(arrives, 100*sol, 800_000*tokens+arrives, false)
	want -= mul(want, 1, 100, true)
	if q.Out > want || want-q.Out > 2 {
		t.Errorf("%d, want %d", q.Out, want)
	}
	// 9,500 of 809,500 are 1.1736 percent.
	if q.PriceImpactBps != 118 {
		t.Errorf("a price impact of %d basis points", q.PriceImpactBps)
	}
}

// The second swap spends exactly the SOL of the first. The minimum is half of the slippage below
// the expected proceeds.
func TestSaleForAnotherToken(t *testing.T) {
	on, pools := planted(t)
	c, reward := taxed("token", 500, true), taxed("reward", 100, false)
	c.plant(on)
	reward.plant(on)
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	reward.cpmm(t, on, 50_000*tokens, 500*sol)
	const amount = 10_000 * tokens
	q, err := pools.Quote(t.Context(), c.order(amount, reward.asset()))
	must.Do(t, err)
	between := product(amount-c.tax(amount), 800_000*tokens, 100*sol)
	between -= between * 150 / 10_000
	out := product(between, 500*sol, 50_000*tokens)
	out -= reward.tax(out)
	if q.In != amount || q.Out != out || q.MinimumOut != out-out*150/10_000 {
		t.Errorf("%+v, want %d out", q, out)
	}
	// Both swaps together may lose the order's slippage.
	ideal := product(product(amount-c.tax(amount), 800_000*tokens, 100*sol), 500*sol, 50_000*tokens)
	ideal -= reward.tax(ideal)
	if q.MinimumOut < ideal-ideal*300/10_000 {
		t.Errorf("at least %d, where %d is 3 percent less than the price now", q.MinimumOut, ideal-ideal*300/10_000)
	}
	// 118 and, of 1.15 SOL in 501.15, 23 basis points.
	if q.PriceImpactBps != 141 {
		t.Errorf("a price impact of %d basis points", q.PriceImpactBps)
	}
	if on.calls != 1 {
		t.Errorf("%d calls", on.calls)
	}
	must.Do(t, exchange.DefaultLimits().Accept(q, nil, noon))
}

// A pool that does not trade, or is not a valid pool, is skipped. If no other pool exists, the
// order is deferred.
func TestUnusablePools(t *testing.T) {
	c := taxed("token", 500, true)
	pool, err := raydium.Mainnet.Addresses(c.mint)
	must.Do(t, err)
	u64 := func(n uint64) func([]byte) { return func(b []byte) { binary.LittleEndian.PutUint64(b, n) } }
	other := func(b []byte) { b[0]++ }
	set := func(value byte) func([]byte) { return func(b []byte) { b[0] = value } }
	tests := []struct {
		name       string
		cpmm, damm bool
		at         int
		change     func(field []byte)
		leave      func(on *chain)
		want       exchange.Reason
	}{
		{name: "nothing is there", want: exchange.NoVenue},
		{name: "CPMM", cpmm: true},
		{name: "CPMM: it opens now", cpmm: true, at: cpmmOpenTime, change: u64(uint64(noon.Unix()))},
		{name: "CPMM: it opens later", cpmm: true, at: cpmmOpenTime, change: u64(uint64(noon.Unix()) + 1), want: exchange.NoVenue},
		{name: "CPMM: swaps are stopped", cpmm: true, at: cpmmStatus, change: set(4), want: exchange.NoVenue},
		{name: "CPMM: deposits are stopped", cpmm: true, at: cpmmStatus, change: set(3)},
		{name: "CPMM: another configuration", cpmm: true, at: cpmmConfig, change: other, want: exchange.NoVenue},
		{name: "CPMM: another vault of the token", cpmm: true, at: cpmmVault0, change: other, want: exchange.NoVenue},
		{name: "CPMM: another vault of SOL", cpmm: true, at: cpmmVault0 + 32, change: other, want: exchange.NoVenue},
		{name: "CPMM: another token", cpmm: true, at: cpmmMint0, change: other, want: exchange.NoVenue},
		{name: "CPMM: another observation", cpmm: true, at: cpmmObservation, change: other, want: exchange.NoVenue},
		{name: "CPMM: it owes all that it has", cpmm: true, at: cpmmProtocolFee0, change: u64(1 << 60), want: exchange.NoRoute},
		{name: "CPMM: another kind of account", cpmm: true, change: other, want: exchange.Unreadable},
		{name: "CPMM: another program's", cpmm: true, leave: func(on *chain) { on.accounts[pool.Pool].Owner = key("stranger") }, want: exchange.NoVenue},
		{name: "CPMM: no vault", cpmm: true, leave: func(on *chain) { delete(on.accounts, pool.TokenVault) }, want: exchange.NoVenue},
		{name: "CPMM: a vault that is none", cpmm: true, leave: func(on *chain) { on.accounts[pool.SOLVault].Data = nil }, want: exchange.NoVenue},
		{name: "CPMM: a vault of the token that is none", cpmm: true, leave: func(on *chain) { on.accounts[pool.TokenVault].Owner = key("stranger") }, want: exchange.NoVenue},
		{name: "CPMM: no configuration", cpmm: true, leave: func(on *chain) { delete(on.accounts, raydium.Mainnet.Config) }, want: exchange.NoVenue},
		{name: "CPMM: a configuration that is none", cpmm: true, leave: func(on *chain) { on.accounts[raydium.Mainnet.Config].Data = nil }, want: exchange.Unreadable},
		{name: "CPMM: an empty vault", cpmm: true, leave: func(on *chain) { on.accounts[pool.SOLVault].Data = vault(solana.WrappedSol, 2_000) }, want: exchange.NoRoute},

		{name: "DAMM", damm: true},
		{name: "DAMM: disabled", damm: true, at: dammStatus, change: set(1), want: exchange.NoVenue},
		{name: "DAMM: it opens later", damm: true, at: dammActivation, change: u64(uint64(noon.Unix()) + 1), want: exchange.NoVenue},
		{name: "DAMM: it opens in a later slot", damm: true, at: dammByTime, change: set(0), want: exchange.NoVenue},
		{name: "DAMM: fees in both tokens", damm: true, at: dammCollect, change: set(0), want: exchange.NoVenue},
		{name: "DAMM: a compounding pool", damm: true, at: dammCollect, change: set(2), want: exchange.NoVenue},
		{name: "DAMM: a fee that follows volatility", damm: true, at: dammDynamic, change: set(1), want: exchange.NoVenue},
		{name: "DAMM: a fee that depends on the amount", damm: true, at: dammMode, change: set(2), want: exchange.NoVenue},
		{name: "DAMM: the token is token B", damm: true, at: dammMintA, change: func(b []byte) {
			copy(b, solana.WrappedSol[:])
			copy(b[32:], c.mint[:])
		}, want: exchange.NoVenue},
		{name: "DAMM: another token", damm: true, at: dammMintA, change: other, want: exchange.NoVenue},
		{name: "DAMM: another vault", damm: true, at: dammVaultA, change: other, want: exchange.NoVenue},
		{name: "DAMM: another vault of SOL", damm: true, at: dammVaultA + 32, change: other, want: exchange.NoVenue},
		{name: "DAMM: nothing below this price", damm: true, at: dammMin, change: func(b []byte) { copy(b[:16], b[dammSqrt-dammMin:]) }, want: exchange.NoRoute},
		{name: "DAMM: its liquidity was withdrawn", damm: true, at: dammLiquidity, change: func(b []byte) { clear(b[:16]) }, want: exchange.NoRoute},
		{name: "DAMM: another kind of account", damm: true, change: other, want: exchange.Unreadable},

		{name: "no such token", cpmm: true, leave: func(on *chain) { delete(on.accounts, c.mint) }, want: exchange.NoVenue},
		{name: "the token is no token", cpmm: true, leave: func(on *chain) { on.accounts[c.mint].Data = make([]byte, 9) }, want: exchange.NoVenue},
		{name: "the token has a hook", cpmm: true, leave: func(on *chain) {
			on.accounts[c.mint].Data = append(on.accounts[c.mint].Data, append([]byte{14, 0, 64, 0}, make([]byte, 64)...)...)
		}, want: exchange.NoVenue},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			on, pools := planted(t)
			c.plant(on)
			var data []byte
			if test.cpmm {
				data = c.cpmm(t, on, 800_000*tokens, 100*sol)
			}
			if test.damm {
				data = c.damm(t, on, 800_000*tokens, 100*sol)
			}
			if test.change != nil {
				test.change(data[test.at:])
			}
			if test.leave != nil {
				test.leave(on)
			}
			q, err := pools.Quote(t.Context(), c.order(1_000*tokens, terms.SOL))
			if reason := reasonOf(t, err); reason != test.want {
				t.Errorf("%q, want %q: %+v %v", reason, test.want, q, err)
			}
		})
	}
}

// A token without a pool can be neither sold nor bought.
func TestOrdersWithoutAPool(t *testing.T) {
	on, pools := planted(t)
	c, reward := taxed("token", 500, true), taxed("reward", 0, false)
	c.plant(on)
	reward.plant(on)
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	wrapped := coin{mint: solana.WrappedSol}
	for name, o := range map[string]exchange.Order{
		"the reward has none":    c.order(tokens, reward.asset()),
		"the token has none":     reward.order(tokens, c.asset()),
		"wrapped SOL for SOL":    wrapped.order(tokens, terms.SOL),
		"wrapped SOL for tokens": wrapped.order(tokens, c.asset()),
		"tokens for wrapped SOL": c.order(tokens, wrapped.asset()),
		"tokens for themselves":  c.order(tokens, c.asset()),
	} {
		_, err := pools.Quote(t.Context(), o)
		if reason := reasonOf(t, err); reason != exchange.NoVenue {
			t.Errorf("Quote(), %s: reason %q, %v; want NoVenue", name, reason, err)
		}
	}
	// Too little is not a matter of pools.
	_, err := pools.Quote(t.Context(), c.order(1, terms.SOL))
	if reason := reasonOf(t, err); reason != exchange.NoRoute {
		t.Errorf("Quote() of one unit: reason %q, %v; want NoRoute", reason, err)
	}
}

// A node that does not respond decides nothing.
func TestNodeDown(t *testing.T) {
	c := taxed("token", 500, true)
	for name, spoil := range map[string]func(*chain){
		"it fails":       func(on *chain) { on.err = apperr.Upstream("node", errors.New("away")) },
		"no clock":       func(on *chain) { delete(on.accounts, solana.SysVarClockPubkey) },
		"a short clock":  func(on *chain) { on.accounts[solana.SysVarClockPubkey].Data = make([]byte, 39) },
		"both of a kind": func(on *chain) { on.accounts[solana.SysVarClockPubkey].Data = nil },
	} {
		on, pools := planted(t)
		c.plant(on)
		c.cpmm(t, on, 800_000*tokens, 100*sol)
		spoil(on)
		_, err := pools.Quote(t.Context(), c.order(tokens, terms.SOL))
		if failure, ok := errors.AsType[*apperr.Error](err); !ok || failure.Kind() != apperr.Unavailable {
			t.Errorf("Quote(), %s: %v, want an error of kind Unavailable", name, err)
		}
	}
}

// If an order is too large for the pools, the largest part within the limit of price impact is
// sold.
func TestLargestAmountWithinImpactLimit(t *testing.T) {
	on, pools := planted(t)
	c, reward := taxed("token", 500, true), taxed("reward", 100, false)
	c.plant(on)
	reward.plant(on)
	c.cpmm(t, on, 8_000*tokens, 10*sol)
	reward.damm(t, on, 1_000*tokens, 12*sol)
	limits := exchange.DefaultLimits()
	for _, output := range []terms.Asset{terms.SOL, reward.asset()} {
		o := c.order(5_000*tokens, output)
		whole, err := pools.Quote(t.Context(), o)
		must.Do(t, err)
		if reason := reasonOf(t, limits.Accept(whole, nil, noon)); reason != exchange.PriceImpact {
			t.Errorf("selling everything is accepted, or rejected as %q", reason)
		}
		const quotes = 6
		on.calls = 0
		q, err := exchange.LargestThatFits(t.Context(), pools, o, limits, nil, quotes, pools.Now)
		must.Do(t, err)
		must.Do(t, limits.Accept(q, nil, noon))
		o.Amount = q.In + q.In/8
		more, err := pools.Quote(t.Context(), o)
		must.Do(t, err)
		if more.PriceImpactBps <= min(limits.ImpactBps, *more.ImpactLimitBps) {
			t.Errorf("%d are sold for %s, and %d would be allowed", q.In, output, o.Amount)
		}
		if on.calls > quotes+1 {
			t.Errorf("%d quotes", on.calls)
		}
	}
}

// While a new pool charges early traders a high fee, nothing is sold in this pool.
func TestHighFeeDefersSale(t *testing.T) {
	on, pools := planted(t)
	c := taxed("token", 500, true)
	c.plant(on)
	data := c.damm(t, on, 800_000*tokens, 100*sol)
	binary.LittleEndian.PutUint64(data[8:], 400_000_000) // 40 percent, falling to 1 in a minute
	binary.LittleEndian.PutUint16(data[8+14:], 60)
	binary.LittleEndian.PutUint64(data[8+16:], 1)
	binary.LittleEndian.PutUint64(data[8+24:], 6_500_000)
	sale := func() error {
		_, err := exchange.LargestThatFits(t.Context(), pools, c.order(100*tokens, terms.SOL), exchange.DefaultLimits(), nil, 6, pools.Now)
		return err
	}
	if reason := reasonOf(t, sale()); reason != exchange.PriceImpact {
		t.Errorf("sale with a high fee: reason %q, want PriceImpact", reason)
	}
	binary.LittleEndian.PutUint64(on.accounts[solana.SysVarClockPubkey].Data[32:], uint64(noon.Unix())+60)
	must.Do(t, sale())
}

// For arbitrary pool accounts a quote is valid or absent: never more than the pool has, never a
// minimum above the quote.
func FuzzQuote(f *testing.F) {
	c := taxed("token", 500, true)
	on, _ := planted(f)
	f.Add(c.cpmm(f, on, 800_000*tokens, 100*sol), c.damm(f, on, 800_000*tokens, 100*sol), uint64(1_000*tokens), false)
	f.Add(c.cpmm(f, on, 1, 1), []byte{}, ^uint64(0), true)
	f.Fuzz(func(t *testing.T, cpmm, damm []byte, amount uint64, bought bool) {
		on, pools := planted(t)
		c, other := taxed("token", 500, true), taxed("other", 0, true)
		c.plant(on)
		other.plant(on)
		other.cpmm(t, on, 800_000*tokens, 100*sol)
		c.cpmm(t, on, 800_000*tokens, 100*sol)
		c.damm(t, on, 800_000*tokens, 100*sol)
		at, err := raydium.Mainnet.Addresses(c.mint)
		must.Do(t, err)
		on.accounts[at.Pool].Data = cpmm
		pool, err := meteora.PoolAddress(c.mint, solana.WrappedSol)
		must.Do(t, err)
		on.accounts[pool].Data = damm
		o := c.order(amount, terms.SOL)
		if bought {
			o = other.order(amount, c.asset())
		}
		q, err := pools.Quote(t.Context(), o)
		if err != nil {
			reasonOf(t, err)
			return
		}
		if q.MinimumOut > q.Out || q.Out == 0 || q.PriceImpactBps < 0 || q.PriceImpactBps > terms.FullBps || q.In != amount {
			t.Fatalf("Quote() = %+v, want amounts within their bounds", q)
		}
		if _, err := pools.Swap(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAuthorities(t *testing.T) {
	for _, network := range []raydium.Network{raydium.Mainnet, raydium.Devnet} {
		list, err := venue.Authorities(network)
		must.Do(t, err)
		at, err := network.Addresses(key("any token"))
		must.Do(t, err)
		if len(list) != 2 || list[0] != at.Authority || list[1] != meteora.PoolAuthority {
			t.Errorf("Authorities() = %v, want those of both programs", list)
		}
	}
}
