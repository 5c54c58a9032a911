package run_test

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What comes of the exchange, of the tax, and of a wallet that has too little.
func TestMarketsAndWallets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"there is no price: nothing is burned", noPrice},
		{"only a part can be sold", partialSale},
		{"what came in is worth too little", belowCost},
		{"what came in is worth too little, whatever the reward", belowCostOfAny},
		{"the wallet is too low", walletTooLow},
		{"the wallet buys its own fuel", fuel},
		{"strangers' dust with tax withheld", strangersDust},
		{"a stranger harvests the tax", harvested},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// price sets what the maker pays in SOL, in lamports for a thousand tokens.
func price(w *runworld.Fixture, lamports uint64) {
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 1_000 * tokens, Out: lamports})
}

func noPrice(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.BurnBps = 2_000
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	w.Idle(t)
	same(t, "supply", w.Supply(t), runworld.Supply)
	same(t, "tokens that were collected", own(t, w, w.Token.Wallet.Address), 0)
	price(w, solana.LAMPORTS_PER_SOL)
	r := w.Settle(t)
	same(t, "burned", r.Burn.Amount, 10*tokens)
	same(t, "sold", r.Exchange.Sold, 40*tokens)
	paid(t, w, r, terms.SOL, h)

	// A market that is gone again costs nothing either.
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	w.Give(t, h, 1_000*tokens)
	lamports := w.Lamports(t, w.Token.Wallet.Address)
	if runs := w.Pass(t, 5); len(runs) > 0 {
		t.Errorf("%d runs without a market: %+v", len(runs), runs)
	}
	same(t, "lamports of the wallet", w.Lamports(t, w.Token.Wallet.Address), lamports)
}

func partialSale(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.BurnBps = 2_000
	h := holder(t, w, 10_000*tokens).PublicKey()
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 1_000 * tokens, Out: solana.LAMPORTS_PER_SOL, Depth: 2_000 * tokens})
	r := w.Settle(t)
	same(t, "burned", r.Burn.Amount, 100*tokens)
	// 5 percent of impact are 105 of 2,000 tokens that arrive.
	if r.Exchange.Sold < 90*tokens || r.Exchange.Sold > 111*tokens {
		t.Errorf("sold %d", r.Exchange.Sold)
	}
	left := 400*tokens - r.Exchange.Sold
	same(t, "unsold tokens", own(t, w, w.Token.Wallet.Address), left)
	price(w, solana.LAMPORTS_PER_SOL)
	again := w.Settle(t)
	// The new tax was withheld in the maker's account.
	same(t, "burned of the new tax alone", again.Burn.Amount, again.Collecting.Collected/5)
	same(t, "sold of both", again.Exchange.Sold, left+again.Collecting.Collected-again.Burn.Amount)
	paid(t, w, again, terms.SOL, h)
}

func belowCost(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 30*tokens).PublicKey() // 1.5 tokens of tax: 1,425,000 lamports, of which costs may be 28,500
	w.Skip(t, run.CodeBelowCost)
	same(t, "tokens that were collected", own(t, w, w.Token.Wallet.Address), 0)
	w.Give(t, h, 1_000*tokens)
	r := w.Settle(t)
	same(t, "sold", r.Exchange.Sold, 51_500_000)
	paid(t, w, r, terms.SOL, h)
}

func belowCostOfAny(t *testing.T, w *runworld.Fixture) {
	c, s := w.Currency(t, 0), &w.Token.Settings
	h := holder(t, w, 30*tokens).PublicKey()
	w.Open(t, c, h)
	s.RewardToken = c.Mint.String()
	w.Skip(t, run.CodeBelowCost)
	wallet := w.Lamports(t, w.Token.Wallet.Address)
	s.RewardToken = w.Token.Mint.String()
	w.Skip(t, run.CodeBelowCost)
	s.BurnBps = terms.FullBps
	w.Idle(t) // no transfer since the last scan
	same(t, "lamports after runs that are not worth it", w.Lamports(t, w.Token.Wallet.Address), wallet)
	same(t, "tokens that were collected", own(t, w, w.Token.Wallet.Address), 0)
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{}) // who knows what it is worth
	w.Give(t, h, tokens)
	r := w.Settle(t)
	same(t, "burned", r.Burn.Amount, 1_550_000)
}

func walletTooLow(t *testing.T, w *runworld.Fixture) {
	wallet := w.Token.Wallet.Address
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Leave(t, 1_000_000)
	why := w.Skip(t, run.CodeWalletTooLow)
	// Its own rent, that of five receipts and that of its account of the token, and 10
	// transactions.
	if !strings.Contains(why, "has 0.001000000 SOL") || !strings.Contains(why, "to "+wallet.String()) {
		t.Errorf("the reason is %q", why)
	}
	need := 6*890_880 + 2_157_600 + 10*5_500 - 1_000_000
	if !strings.Contains(why, "at least "+sol(uint64(need))+" SOL") {
		t.Errorf("the reason is %q, and %s SOL are missing", why, sol(uint64(need)))
	}
	same(t, "lamports that are left", w.Lamports(t, wallet), 1_000_000)
	w.Pay(t, wallet, 10_000_000)
	r := w.Settle(t)
	paid(t, w, r, terms.SOL, h)
	// It has kept what it lacked, but a fiftieth of the proceeds at most.
	if kept := r.Payment.FuelKept; kept == 0 || kept > r.Exchange.Proceeds/50 {
		t.Errorf("%d of %d were kept", kept, r.Exchange.Proceeds)
	}
}

func fuel(t *testing.T, w *runworld.Fixture) {
	c := w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	h := holder(t, w, 100_000*tokens).PublicKey()
	w.Open(t, c, h)
	w.Leave(t, 10_500_000)
	r := w.Settle(t)
	if r.Fuel.Sold == 0 || r.Fuel.Proceeds == 0 || r.Fuel.Sold > r.Split.Sell/50 || r.Fuel.Sold+r.Exchange.Sold != 5_000*tokens {
		t.Errorf("%+v %+v", r.Fuel, r.Exchange)
	}
	row := paid(t, w, r, c.Asset(), h)
	same(t, "the holder's coins", has(t, w, c, h), row.Paid)
	if got := w.Lamports(t, w.Token.Wallet.Address); got+rentExempt < runworld.Funding/2-100_000 { // that is lent to the anchor
		t.Errorf("the wallet has %d lamports", got)
	}
	w.Give(t, h, 100_000*tokens)
	r = w.Settle(t)
	if r.Fuel.Proceeds > 200_000 { // only what the run before has cost since
		t.Errorf("%+v", r.Fuel)
	}
}

// drain runs distributions until no tax is left that is worth collecting: of what
// is sold some is withheld in the maker's account.
func drain(t *testing.T, w *runworld.Fixture) {
	t.Helper()
	for range 5 {
		if runs := w.Pass(t, 1); len(runs) == 0 || runs[0].Status() == run.Skipped && runs[0].Collecting.Collected == 0 {
			return
		}
	}
	t.Fatal("there is always some tax to collect")
}

func strangersDust(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Settle(t) // now there is a price
	strangers := make([]solana.PublicKey, 3)
	for i := range strangers {
		strangers[i] = solana.NewWallet().PublicKey()
		w.Give(t, strangers[i], 20_000)
	}
	w.Give(t, h, 1_000*tokens)
	r := w.Settle(t) // one transaction takes them all
	same(t, "accounts that were collected from", uint64(r.Collecting.Accounts), 5)
	w.Give(t, strangers[0], 20_000)
	drain(t, w)
	before := w.Lamports(t, w.Token.Wallet.Address)
	w.Idle(t)
	w.Give(t, strangers[0], 20_000)
	if runs := w.Pass(t, 8); len(runs) == 0 {
		t.Error("nothing was scanned after a transfer")
	}
	same(t, "lamports after a run that is not worth it", w.Lamports(t, w.Token.Wallet.Address), before)
}

func harvested(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	harvest := token2022.HarvestWithheldToMint{Mint: w.Token.Mint, Sources: []solana.PublicKey{w.Account(t, h)}}.Instruction()
	w.Execute(t, nil, harvest)
	r := w.Settle(t)
	same(t, "collected from the mint", r.Collecting.Collected, 50*tokens)
	paid(t, w, r, terms.SOL, h)
	// In addition to tax in accounts, and then less than is worth it.
	w.Give(t, h, 1_000*tokens)
	w.Execute(t, nil, harvest)
	w.Give(t, h, 1_000*tokens)
	r = w.Settle(t)
	if r.Collecting.Collected < 100*tokens {
		t.Errorf("%+v", r.Collecting)
	}
	drain(t, w)
	w.Give(t, h, 20_000)
	w.Execute(t, nil, harvest)
	before := w.Lamports(t, w.Token.Wallet.Address)
	w.Pass(t, 8)
	same(t, "lamports after a run that is not worth it", w.Lamports(t, w.Token.Wallet.Address), before)
}
