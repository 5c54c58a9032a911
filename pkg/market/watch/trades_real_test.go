package watch_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/figures"
)

// made is a trade as the launchpad prepared it, and what its wallet had of the token around it.
type made struct {
	launchpad.Trade

	by     solana.PublicKey
	bought bool
}

// TestRealTradesAreIndexed tests that purchases and sales on the real program are indexed to the
// unit, with the prices around them, and are in the candles of each interval once.
func TestRealTradesAreIndexed(t *testing.T) {
	w := newRealMarkets(t)
	creator, first, second := w.rich(t), w.rich(t), w.rich(t)
	created := w.launches(t, creator, true)
	mint := created.Mint
	var all []made
	trade := func(by solana.PrivateKey, bought bool, tokens uint64) {
		t.Helper()
		prepare := w.launchpad.Sell
		if bought {
			prepare = func(ctx context.Context, by, mint solana.PublicKey, tokens uint64, slippageBps int) (launchpad.Trade, error) {
				return w.launchpad.Buy(ctx, by, mint, launchpad.Amount{Tokens: tokens}, slippageBps)
			}
		}
		prepared, err := prepare(t.Context(), by.PublicKey(), mint, tokens, 0) // at the price of now, or not at all
		payMust(t, err)
		w.lands(t, prepared.Transaction, by)
		all = append(all, made{prepared, by.PublicKey(), bought})
		w.finalize(t)
	}
	trade(first, true, 50_000_000_000)
	trade(second, true, 7_000_000_001)
	trade(creator, false, 1_000_000_003)
	w.indexes(t)
	trade(first, false, 12_345_678_901)
	trade(second, true, 900_000_000_000)
	w.indexes(t)
	w.indexes(t) // which tells nothing twice

	page, err := w.launchpad.Trades(t.Context(), mint, 0, 100)
	payMust(t, err)
	if len(page.Trades) != len(all) || page.Decimals != 6 || page.Next != 0 {
		t.Fatalf("%d trades are indexed of %d: %+v", len(page.Trades), len(all), page)
	}
	price, in, out := created.Curve.StartSqrtPrice, uint64(0), uint64(0)
	sol, tokens := new(big.Int), new(big.Int)
	for i, want := range all {
		got := page.Trades[len(all)-1-i] // the newest first
		if got.Number != uint64(i+1) || got.Trader != want.by || got.Bought != want.bought || got.Tokens != want.Tokens || got.Lamports != want.Lamports {
			t.Errorf("trade %d is indexed as %+v; it was %d tokens for %d lamports by %s", i+1, got, want.Tokens, want.Lamports, want.by)
		}
		if got.SqrtBefore.Cmp(price) != 0 || got.At.IsZero() || time.Since(got.At).Abs() > time.Hour || got.Fee == 0 {
			t.Errorf("trade %d begins at %v, and the one before ended at %v: %+v", i+1, got.SqrtBefore, price, got)
		}
		if outcome, err := w.node.Outcomes(t.Context(), got.Signature); err != nil || outcome[0].State != transaction.Succeeded {
			t.Errorf("its transaction is %+v, %v", outcome, err)
		}
		price = got.SqrtAfter
		if got.Bought {
			in += got.Lamports - got.Fee
		} else {
			out += got.Lamports + got.Fee
		}
		sol.Add(sol, new(big.Int).SetUint64(got.Lamports))
		tokens.Add(tokens, new(big.Int).SetUint64(got.Tokens))
	}
	if p := w.pool(t, mint); p.SqrtPrice.Cmp(price) != 0 || p.ReserveB != in-out {
		t.Errorf("the pool has %d lamports at %v; indexed are %d at %v", p.ReserveB, p.SqrtPrice, in-out, price)
	}
	for _, interval := range market.Intervals() {
		candles, err := w.launchpad.Candles(t.Context(), mint, interval, time.Time{}, 100)
		payMust(t, err)
		sum := market.Candle{Lamports: new(big.Int), Tokens: new(big.Int)}
		for _, c := range candles.Candles {
			sum.Lamports.Add(sum.Lamports, c.Lamports)
			sum.Tokens.Add(sum.Tokens, c.Tokens)
			sum.Trades += c.Trades
		}
		if sum.Lamports.Cmp(sol) != 0 || sum.Tokens.Cmp(tokens) != 0 || sum.Trades != uint64(len(all)) || candles.Candles[0].Close.Cmp(price) != 0 {
			t.Errorf("candles of %s have %d trades of %s lamports and %s tokens; indexed are %d of %s and %s", interval, sum.Trades, sum.Lamports, sum.Tokens, len(all), sol, tokens)
		}
	}
	figures.Show(t, "%d trades of %s lamports are told, the last at %s SOL", len(all), sol, launchpad.SpotPrice(price, 6))
}
