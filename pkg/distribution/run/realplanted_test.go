package run_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Strangers make pools of a token and of its reward, and trade around a sale, on the
// exchanges' own programs: nothing is sold in a stranger's pool, and a sale in the
// creator's loses at most 3 percent of its worth, which costs the stranger more than it
// brings.
func TestRealPlantedPools(t *testing.T) {
	t.Parallel()
	g := runworld.NewRealEnv(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"the only pools are a stranger's", plantedAlone},
		{"a stranger's pool next to the creator's", plantedBeside},
		{"the reward's pools are a stranger's", plantedReward},
		{"a stranger trades around the sale", sandwiched},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, g.Fixture(t)) })
	}
}

const milliSOL = solana.LAMPORTS_PER_SOL / 1_000

// plantCurve makes a stranger's curve of a coin that buys tokens worth many SOL for next to
// nothing: it has a thousandth of one.
func plantCurve(t *testing.T, w *runworld.Fixture, c runworld.Currency, stranger solana.PrivateKey) {
	w.Curve(t, stranger, c, 1_000*tokens, 10*milliSOL)
	w.Buy(t, solana.NewWallet().PrivateKey, c, milliSOL)
}

// unsold lets slots pass in which nothing may be sold: the tokens wait where they are.
func unsold(t *testing.T, w *runworld.Fixture, made *runworld.Quotes) {
	t.Helper()
	for _, r := range w.Pass(t, 2) {
		if r.Exchange != nil && r.Exchange.Sold != 0 {
			t.Errorf("%+v", r.Exchange)
		}
	}
	if look := w.Head(t).Look; look == nil || look.Why != run.CodeNoMarket || look.Detail == "" {
		t.Errorf("the slot says %+v", look)
	}
	if quotes := made.Take(); len(quotes) != 0 {
		t.Errorf("swaps were made: %+v", quotes)
	}
}

// plantedAlone: some 20,000 tokens of tax, and nowhere to sell them but in a stranger's
// pools.
func plantedAlone(t *testing.T, w *runworld.Fixture) {
	made, stranger := w.SellInPools(), holder(t, w, 10_000*tokens)
	plantCurve(t, w, w.Own(), stranger)
	w.Raydium(t, stranger, w.Own(), 1_000*tokens, milliSOL)
	holder(t, w, 390_000*tokens)
	unsold(t, w, made)
	figures.Show(t, "planted pools, on the real programs: where all pools are strangers', nothing of 20,000 tokens of tax is sold")
}

func plantedBeside(t *testing.T, w *runworld.Fixture) {
	made, stranger := w.SellInPools(), holder(t, w, 10_000*tokens)
	plantCurve(t, w, w.Own(), stranger)
	raydiumPool(t, w, w.Creator, w.Own())
	r := w.Settle(t)
	q := asQuoted(t, r, made)
	// The creator's pool begins at a lamport for a thousandth of a token.
	worth := r.Exchange.Sold - tax(w.Own(), r.Exchange.Sold)
	if r.Exchange.Proceeds < worth/1_000*1_000*95/100 || r.Exchange.Proceeds > worth {
		t.Errorf("%d are sold for %d", r.Exchange.Sold, r.Exchange.Proceeds)
	}
	figures.Show(t, "planted pools, on the real programs: next to a stranger's, the creator's pool takes %d base units for %d lamports, as quoted: %d",
		r.Exchange.Sold, r.Exchange.Proceeds, q.Out)
}

func plantedReward(t *testing.T, w *runworld.Fixture) {
	c := w.Currency(t, 0)
	issuer, stranger := solana.NewWallet().PublicKey(), solana.NewWallet().PrivateKey
	w.Launched(c.Mint, issuer)
	w.Issue(t, c, issuer, 500_000*tokens)
	w.Issue(t, c, stranger.PublicKey(), 10_000*tokens)
	plantCurve(t, w, c, stranger)
	w.Raydium(t, stranger, c, 1_000*tokens, milliSOL)
	w.Token.Settings.RewardToken = c.Mint.String()
	made := w.SellInPools()
	raydiumPool(t, w, w.Creator, w.Own())
	r := w.Settle(t) // there is a price in SOL, so that there is a run
	if r.Exchange.Sold != 0 || r.Exchange.Deferred == "" {
		t.Errorf("%+v", r.Exchange)
	}
	if quotes := slices.DeleteFunc(made.Take(), func(q exchange.Quote) bool { return q.Order.Output.IsSOL() }); len(quotes) != 0 {
		t.Errorf("swaps were made: %+v", quotes)
	}
	figures.Show(t, "planted pools, on the real programs: where the reward's pools are a stranger's, %d of %d base units are sold", r.Exchange.Sold, r.Split.Sell)
}

// sandwiched: between the quote and its swap a stranger sells as much as the minimum
// allows, and buys it back afterwards.
func sandwiched(t *testing.T, w *runworld.Fixture) {
	const has, first = 400_000 * tokens, 5_500 * tokens
	at := w.Raydium(t, w.Creator, w.Own(), has, 400*solana.LAMPORTS_PER_SOL)
	stranger := holder(t, w, 2*first)
	kept, earned := w.Tokens(t, stranger.PublicKey(), w.Token.Mint, solana.Token2022ProgramID), uint64(0)
	made := move(w, func() {
		before := w.Lamports(t, stranger.PublicKey())
		w.Trade(t, stranger, w.Token.Mint, first, terms.SOL)
		earned += w.Lamports(t, stranger.PublicKey()) - before - solana.LAMPORTS_PER_SOL // the bank's gift
	})
	r := w.Settle(t)
	quotes := made.Take()
	if len(quotes) != 1 {
		t.Fatalf("%d swaps were made: %+v", len(quotes), r.Exchange)
	}
	q := quotes[0]
	sold := kept - w.Tokens(t, stranger.PublicKey(), w.Token.Mint, solana.Token2022ProgramID)
	paid := w.BuyBack(t, stranger, w.Own(), at, sold, 20*solana.LAMPORTS_PER_SOL)
	loss := 10_000 - r.Exchange.Proceeds*10_000/q.Out
	if r.Exchange.Proceeds < q.MinimumOut || loss > 300 || loss == 0 {
		t.Errorf("%d came in, quoted were %d: a loss of %d basis points", r.Exchange.Proceeds, q.Out, loss)
	}
	if paid <= earned {
		t.Errorf("the stranger sold for %d and bought back for %d: it pays", earned, paid)
	}
	figures.Show(t, "planted pools, on the real programs: trading around a sale of %d lamports takes %d.%02d %% off it, and costs its author %d lamports (sold for %d, bought back for %d)",
		q.Out, loss/100, loss%100, paid-earned, earned, paid)
}
