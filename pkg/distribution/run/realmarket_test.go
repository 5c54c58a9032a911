package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Distributions that exchange in the pools directly, on the exchanges' programs.
func TestRealDistributionsThroughPools(t *testing.T) {
	t.Parallel()
	g := runworld.NewRealEnv(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"SOL through Raydium", realRaydium},
		{"SOL through Meteora's curve, as much as it bears", realCurve},
		{"another token: Raydium, then Raydium", func(t *testing.T, w *runworld.Fixture) {
			realReward(t, w, w.Currency(t, 0), raydiumPool, raydiumPool)
		}},
		{"a taxed token: Raydium, then Meteora", func(t *testing.T, w *runworld.Fixture) {
			realReward(t, w, w.Currency(t, 200), raydiumPool, curvePool)
		}},
		{"a token of the Token program: Meteora, then Raydium", func(t *testing.T, w *runworld.Fixture) {
			realReward(t, w, w.Legacy(t, false), curvePool, raydiumPool)
		}},
		{"another token: Meteora, then Meteora", func(t *testing.T, w *runworld.Fixture) {
			realReward(t, w, w.Currency(t, 0), curvePool, curvePool)
		}},
		{"there is no pool", realNoPool},
		{"the price falls between quote and swap", realFalls},
		{"it falls in one pool, and rises in the other", realMoves},
		{"it falls too far, and too far again", realCollapse},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, g.Fixture(t)) })
	}
}

// entry returns the amount in a run's statement of an asset.
func entry(t *testing.T, w *runworld.Fixture, r run.Run, asset string, name format.Name) uint64 {
	t.Helper()
	for _, s := range w.Manifest(t, r).Statements {
		if s.Asset == asset {
			return uint64(s.Of(name))
		}
	}
	t.Fatalf("no statement of %s", asset)
	return 0
}

// asQuoted fails unless a run's exchange was carried out by one swap, with exactly
// the amounts of its quote.
func asQuoted(t *testing.T, r run.Run, made *runworld.Quotes) exchange.Quote {
	t.Helper()
	quotes := made.Take()
	if len(quotes) != 1 {
		t.Fatalf("%d swaps were made: %+v", len(quotes), r.Exchange)
	}
	q := quotes[0]
	same(t, "proceeds, as quoted", r.Exchange.Proceeds, q.Out)
	if r.Exchange.Deferred != "" || q.PriceImpactBps > exchange.DefaultImpactBps {
		t.Errorf("%+v by %+v", r.Exchange, q)
	}
	return q
}

func realRaydium(t *testing.T, w *runworld.Fixture) {
	made := w.SellInPools()
	const tokensIn, sol = 400_000 * tokens, 400 * solana.LAMPORTS_PER_SOL
	pool := w.Raydium(t, w.Creator, w.Own(), tokensIn, sol)
	h := holder(t, w, 1_000*tokens).PublicKey()

	r := w.Settle(t)
	same(t, "tax collected, also from the vault", r.Collecting.Collected, (20_000+50)*tokens)
	same(t, "sold", r.Exchange.Sold, (20_000+50)*tokens)
	q := asQuoted(t, r, made)
	same(t, "sold, as quoted", r.Exchange.Sold, q.In)
	paid(t, w, r, terms.SOL, h)
	if got := w.LeftOut(t, r, pool.Authority); got != "vault" {
		t.Errorf("the pool's vault is left out as %q", got)
	}
	if row := w.Row(t, r, terms.SOL, pool.Authority); !row.Owner.IsZero() {
		t.Errorf("the pool has a row: %+v", row)
	}
	same(t, "SOL that came otherwise", entry(t, w, r, terms.RewardSOL, format.Deposits), runworld.Funding)

	// The tax of the sale itself lies in the vault; and again.
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	tax := (20_000 + 50) * tokens / uint64(20)
	same(t, "tax of the sale, collected", r.Collecting.Collected, tax+500*tokens)
	asQuoted(t, r, made)
	paid(t, w, r, terms.SOL, h)
}

func realCurve(t *testing.T, w *runworld.Fixture) {
	made := w.SellInPools()
	const tokensIn = 400_000 * tokens
	pool := w.Curve(t, w.Creator, w.Own(), tokensIn, 300*solana.LAMPORTS_PER_SOL)
	h := holder(t, w, 1_000*tokens).PublicKey()
	// There were no buyers: the curve has no SOL, and nothing can be sold.
	unsold(t, w, made)

	bought := w.Buy(t, solana.NewWallet().PrivateKey, w.Own(), 100*solana.LAMPORTS_PER_SOL)
	r := w.Settle(t)
	of := r.Collecting.Collected - (20_000+50)*tokens
	same(t, "tax collected, also from the vault, and that of the purchase", of, tax(w.Own(), bought+of))
	q := asQuoted(t, r, made)
	same(t, "sold, as quoted", r.Exchange.Sold, q.In)
	// As much as moves the price by 5 percent, and the rest waits.
	left := own(t, w, w.Token.Wallet.Address)
	if left == 0 || q.PriceImpactBps < 400 || r.Exchange.Sold < 5_000*tokens {
		t.Errorf("%d are left, %d were sold at an impact of %d basis points", left, r.Exchange.Sold, q.PriceImpactBps)
	}
	paid(t, w, r, terms.SOL, h)
	if got := w.LeftOut(t, r, meteora.PoolAuthority); got != "vault" || pool.Pool.IsZero() {
		t.Errorf("the curve's vault is left out as %q", got)
	}
	r = w.Settle(t)
	asQuoted(t, r, made)
	if rest := own(t, w, w.Token.Wallet.Address); rest >= left {
		t.Errorf("%d are left, and before it were %d", rest, left)
	}
	paid(t, w, r, terms.SOL, h)
}

// raydiumPool and curvePool make a pool of a coin, where it can be sold and bought.
func raydiumPool(t *testing.T, w *runworld.Fixture, owner solana.PrivateKey, c runworld.Currency) {
	w.Raydium(t, owner, c, 400_000*tokens, 400*solana.LAMPORTS_PER_SOL)
}

func curvePool(t *testing.T, w *runworld.Fixture, owner solana.PrivateKey, c runworld.Currency) {
	w.Curve(t, owner, c, 400_000*tokens, 3_000*solana.LAMPORTS_PER_SOL)
	w.Buy(t, solana.NewWallet().PrivateKey, c, 100*solana.LAMPORTS_PER_SOL)
}

func realReward(t *testing.T, w *runworld.Fixture, c runworld.Currency, sell, buy func(*testing.T, *runworld.Fixture, solana.PrivateKey, runworld.Currency)) {
	w.Token.Settings.RewardToken = c.Mint.String()
	made := w.SellInPools()
	issuer := solana.NewWallet().PrivateKey
	w.Launched(c.Mint, issuer.PublicKey())
	w.Issue(t, c, issuer.PublicKey(), 500_000*tokens)
	buy(t, w, issuer, c)
	sell(t, w, w.Creator, w.Own())
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Open(t, c, h)
	wallet := w.Lamports(t, w.Token.Wallet.Address)

	r := w.Settle(t)
	q := asQuoted(t, r, made)
	// For the price did not fall, less was needed than may have been: by as much as half
	// of the slippage, for prices worsen with the amount.
	if r.Exchange.Sold > q.In || r.Exchange.Sold < q.In-q.In/50 {
		t.Errorf("sold %d, quoted were %d", r.Exchange.Sold, q.In)
	}
	same(t, "what was not sold", r.Split.Sell-r.Exchange.Sold, own(t, w, w.Token.Wallet.Address))
	row := paid(t, w, r, c.Asset(), h)
	same(t, "arrived at the holder's", has(t, w, c, h), row.Received)
	for _, authority := range []solana.PublicKey{authority(t, w), meteora.PoolAuthority} {
		if got := w.LeftOut(t, r, authority); got != "" && got != "vault" {
			t.Errorf("%s is left out as %q", authority, got)
		}
	}
	// The swap leaves no SOL behind, nor takes any but the network's fee.
	same(t, "SOL that came in", entry(t, w, r, terms.RewardSOL, format.Deposits), runworld.Funding)
	if after := w.Lamports(t, w.Token.Wallet.Address); after > wallet {
		t.Errorf("the wallet has %d lamports, before it were %d", after, wallet)
	}

	// What was not sold is sold with what came in since.
	left := r.Split.Sell - r.Exchange.Sold
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	q = asQuoted(t, r, made)
	same(t, "for sale", r.Split.Sell, left+r.Collecting.Collected)
	if most := min(*q.ImpactLimitBps, exchange.DefaultImpactBps); q.In > r.Split.Sell || q.In < r.Split.Sell && q.PriceImpactBps < most/2 {
		t.Errorf("%d of %d are sold, at an impact of %d basis points of %d", q.In, r.Split.Sell, q.PriceImpactBps, most)
	}
	paid(t, w, r, c.Asset(), h)
}

func authority(t *testing.T, w *runworld.Fixture) solana.PublicKey {
	t.Helper()
	at, err := raydium.Mainnet.Addresses(w.Token.Mint)
	must.Do(t, err)
	return at.Authority
}

func realNoPool(t *testing.T, w *runworld.Fixture) {
	made := w.SellInPools()
	h := holder(t, w, 1_000*tokens).PublicKey()
	unsold(t, w, made)
	same(t, "lamports of the holder", w.Lamports(t, h), rentExempt)
}

// moving is a venue at which something happens between the quote and its swap.
type moving struct {
	exchange.Venue
	before func()
}

func (m moving) Swap(ctx context.Context, q exchange.Quote) (exchange.Swap, error) {
	m.before()
	return m.Venue.Swap(ctx, q)
}

// move lets something happen between every quote of a run and its swap.
func move(w *runworld.Fixture, before func()) *runworld.Quotes {
	made := &runworld.Quotes{Venue: moving{w.Pools(), before}}
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Venue = made }
	return made
}

// realFalls: the pool's price falls by 1 percent, which the minimum allows.
func realFalls(t *testing.T, w *runworld.Fixture) {
	raydiumPool(t, w, w.Creator, w.Own())
	h, stranger := holder(t, w, 1_000*tokens).PublicKey(), holder(t, w, 3_000*tokens)
	made := move(w, func() { w.Trade(t, stranger, w.Token.Mint, 2_000*tokens, terms.SOL) })
	r := w.Settle(t)
	quotes := made.Take()
	if len(quotes) != 1 {
		t.Fatalf("%d swaps were made: %+v", len(quotes), r.Exchange)
	}
	q := quotes[0]
	same(t, "sold", r.Exchange.Sold, q.In)
	if r.Exchange.Proceeds >= q.Out || r.Exchange.Proceeds < q.MinimumOut {
		t.Errorf("%d came in, quoted were %d and at least %d", r.Exchange.Proceeds, q.Out, q.MinimumOut)
	}
	paid(t, w, r, terms.SOL, h)
}

// realMoves: what the first swap lacks is made up for by more tokens, so that the
// second brings the quoted amount; then the second brings less.
func realMoves(t *testing.T, w *runworld.Fixture) {
	c := w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	raydiumPool(t, w, w.Creator, w.Own())
	issuer := solana.NewWallet().PrivateKey
	w.Launched(c.Mint, issuer.PublicKey())
	w.Issue(t, c, issuer.PublicKey(), 500_000*tokens)
	raydiumPool(t, w, issuer, c)
	h, stranger := holder(t, w, 1_000*tokens).PublicKey(), holder(t, w, 20_000*tokens)
	w.Open(t, c, h)

	made := move(w, func() { w.Trade(t, stranger, w.Token.Mint, 2_000*tokens, terms.SOL) })
	r := w.Settle(t)
	q := asQuoted(t, r, made)
	if r.Exchange.Sold > q.In || r.Exchange.Sold < q.In-q.In/100 {
		t.Errorf("sold %d, quoted were %d at most", r.Exchange.Sold, q.In)
	}
	paid(t, w, r, c.Asset(), h)

	made = move(w, func() { w.Trade(t, stranger, w.Token.Mint, 2_000*tokens, c.Asset()) })
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	quotes := made.Take()
	if len(quotes) != 1 {
		t.Fatalf("%d swaps were made: %+v", len(quotes), r.Exchange)
	}
	if q = quotes[0]; r.Exchange.Proceeds >= q.Out || r.Exchange.Proceeds < q.MinimumOut {
		t.Errorf("%d came in, quoted were %d and at least %d", r.Exchange.Proceeds, q.Out, q.MinimumOut)
	}
	same(t, "SOL that came otherwise", entry(t, w, r, terms.RewardSOL, format.Deposits), 0)
	paid(t, w, r, c.Asset(), h)
}

// realCollapse: each time that a swap is about to be signed the price has fallen by 6
// percent. Nothing is sold, and nothing is lost.
func realCollapse(t *testing.T, w *runworld.Fixture) {
	raydiumPool(t, w, w.Creator, w.Own())
	h, stranger := holder(t, w, 1_000*tokens).PublicKey(), holder(t, w, 100_000*tokens)
	made := move(w, func() { w.Trade(t, stranger, w.Token.Mint, 12_000*tokens, terms.SOL) })
	r := w.Settle(t)
	same(t, "sold", r.Exchange.Sold, 0)
	same(t, "tries", uint64(r.Exchange.Tries), 3)
	same(t, "swaps that were made", uint64(len(made.Take())), 3)
	if !strings.Contains(r.Exchange.Deferred, "would fail") {
		t.Errorf("deferred because of %q", r.Exchange.Deferred)
	}
	same(t, "tokens that wait", own(t, w, w.Token.Wallet.Address), r.Split.Sell)
	same(t, "lamports of the holder", w.Lamports(t, h), rentExempt)
	w.SellInPools()
	r = w.Settle(t)
	if r.Exchange.Sold == 0 {
		t.Errorf("%+v", r.Exchange)
	}
	paid(t, w, r, terms.SOL, h)
}
