package run_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A claim of a taxed coin, by a holder who has no account of it: without a price nothing is paid,
// and what is kept then is worth what the wallet spends.
func TestClaimsOfACurrency(t *testing.T) {
	t.Parallel()
	g := runworld.NewEnv(t)
	coin := g.Currency(t, 1_000)
	w := g.Fixture(t)
	asset := coin.Asset()
	w.Token.Settings.RewardToken, w.Token.Settings.SellBps = coin.Mint.String(), terms.FullBps
	poor := holder(t, w, 400_000*tokens).PublicKey()
	holder(t, w, 400_000*tokens)
	carried(t, w, w.Settle(t), asset, poor, allocation.AccountMissingTooSmall)
	before := w.Head(t)

	// Without a price no one can say what the transactions cost in it.
	g.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	wallet := w.Token.Wallet.Address
	lamports, coins := w.Lamports(t, wallet), has(t, w, coin, wallet)
	w.Claim(t, poor)
	w.Drive(t, nil)
	r := w.Look(t, w.Head(t).LastSlot)
	if r.Claim == nil || r.Status() != run.Skipped || r.End.Code != run.CodeBelowCost || r.End.Detail == "" {
		t.Fatalf("without a price the claim is %s: %+v", r.Status(), r.End)
	}
	same(t, "coins of the wallet, without a price", has(t, w, coin, wallet), coins)
	same(t, "lamports of the wallet, without a price", w.Lamports(t, wallet), lamports)
	if w.Head(t).Last.Number != before.Last.Number {
		t.Error("a claim that paid nothing made a proof")
	}

	// What is worth more by now than ten times an account is paid, and the account with it.
	coinPrice := marketmaker.Price{In: 3, Out: 7} // lamports for units; before, a unit was worth a lamport
	g.Maker.SetPrice(terms.SOL, coinPrice)
	w.Clock.Pass(run.ClaimPause)
	w.Claim(t, poor)
	w.Drive(t, nil)
	r = w.Look(t, w.Head(t).LastSlot)
	if r.Claim == nil || r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	row := paid(t, w, r, asset, poor)

	// What is kept is worth more than all that the wallet spends on it, the return of the
	// anchor's receipt included; what receipts hold comes back.
	var spent, lent uint64
	for p, err := range run.All(t.Context(), w.Payments, r) {
		must.Do(t, err)
		if p.Outcome != nil {
			spent, lent = spent+p.Outcome.FeeLamports, lent+p.Outcome.RentLamports
		}
	}
	for _, s := range w.Manifest(t, r).Statements {
		if s.Asset == terms.RewardSOL {
			spent += s.Of(format.Rent)
			lent -= s.Of(format.ReceiptsReturned)
		}
	}
	same(t, "gone of the wallet's lamports", lamports-w.Lamports(t, wallet), spent+lent)
	const returning = 5_500
	if kept := (row.Charged - tax(coin, row.Charged)) * coinPrice.Out / coinPrice.In; kept < spent+returning {
		t.Errorf("%d lamports are spent, and what is kept is worth %d", spent+returning, kept)
	}
}
