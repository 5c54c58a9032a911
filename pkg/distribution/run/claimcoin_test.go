package run_test

import (
	"math/big"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Claims of what is owed in a token, by holders who have no account of it.
func TestClaimsOfACoin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		coin func(*runworld.Env) runworld.Coin
	}{
		{"USDC", func(g *runworld.Env) runworld.Coin { return g.Legacy(t, true) }},
		{"a taxed coin of Token-2022", func(g *runworld.Env) runworld.Coin { return g.Coin(t, 1_000) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := runworld.NewEnv(t)
			claimOfACoin(t, g, c.coin(g))
		})
	}
}

// coinPrice is what the maker pays from the claim on: 7 lamports for 3 units. Before, a unit was
// worth a lamport, and so an account more of them.
var coinPrice = marketmaker.Price{In: 3, Out: 7}

// inCoins is what lamports are in the coin, rounded down, by what so many units of it bring,
// after its own tax.
func inCoins(c runworld.Coin, lamports, units uint64) uint64 {
	n := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	out := new(big.Int).Div(new(big.Int).Mul(n(units-tax(c, units)), n(coinPrice.Out)), n(coinPrice.In))
	return out.Div(new(big.Int).Mul(n(lamports), n(units)), out).Uint64()
}

func claimOfACoin(t *testing.T, g *runworld.Env, coin runworld.Coin) {
	w := g.Fixture(t)
	asset := coin.Asset()
	w.Token.Settings.RewardToken, w.Token.Settings.SellBps = coin.Mint.String(), terms.FullBps
	poor, small := holder(t, w, 400_000*tokens).PublicKey(), holder(t, w, 50_000*tokens).PublicKey()
	dust, rich := holder(t, w, 100*tokens).PublicKey(), holder(t, w, 400_000*tokens).PublicKey()
	w.Open(t, coin, dust)
	w.Open(t, coin, rich)
	first := w.Settle(t)
	paid(t, w, first, asset, rich)
	owed := carried(t, w, first, asset, poor, allocation.AccountMissingTooSmall).Carried
	carried(t, w, first, asset, small, allocation.AccountMissingTooSmall)
	carried(t, w, first, asset, dust, allocation.BelowCost)
	before := w.Head(t)

	// Without a price no one can say what the transactions cost in it.
	g.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	wallet := w.Token.Wallet.Address
	lamports, coins := w.Lamports(t, wallet), has(t, w, coin, wallet)
	w.Claim(t, poor, dust)
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
	g.Maker.SetPrice(terms.SOL, coinPrice)
	w.Clock.Pass(run.ClaimPause)
	w.Claim(t, poor, small, dust)
	w.Drive(t, nil)
	r = w.Look(t, w.Head(t).LastSlot)
	if r.Claim == nil || r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	leg, priced := r.Payment.Legs[0], r.Opening.Owed[asset]+r.Opening.Remainder[asset]
	size := uint64(165) // of an account of the Token program, in bytes
	if coin.Program == solana.Token2022ProgramID {
		size = token2022.AssociatedAccountSize
	}
	rent, err := w.Node.MinimumBalance(t.Context(), size)
	must.Do(t, err)
	fee := inCoins(coin, claimFee, priced)
	same(t, "what is kept for the transactions", r.Claim.Fees[asset], fee)
	same(t, "what is kept for the account", leg.AccountCharge, inCoins(coin, rent, priced))

	row := paid(t, w, r, asset, poor)
	same(t, "owed", row.Owed, owed)
	same(t, "kept", row.Charged, fee+leg.AccountCharge)
	same(t, "sent", row.Paid, owed-fee-leg.AccountCharge)
	same(t, "said to have arrived", row.Received, row.Paid-tax(coin, row.Paid))
	same(t, "arrived", has(t, w, coin, poor), row.Received)
	same(t, "gone from the wallet", coins-has(t, w, coin, wallet), row.Paid)
	late := carried(t, w, r, asset, small, allocation.AccountMissingTooSmall)
	if late.Owed < leg.Worth || late.Owed >= leg.RentFloor {
		t.Errorf("%d are carried, worth a claim from %d, and an account from %d on", late.Owed, leg.Worth, leg.RentFloor)
	}
	if row := carried(t, w, r, asset, dust, allocation.BelowCost); row.Owed >= leg.Worth {
		t.Errorf("%d are carried as below the cost, and from %d on they are worth it", row.Owed, leg.Worth)
	}

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
			spent += s.Of(proof.Rent)
			lent -= s.Of(proof.ReceiptsReturned)
		}
	}
	same(t, "gone of the wallet's lamports", lamports-w.Lamports(t, wallet), spent+lent)
	const returning = 5_500
	if kept := (row.Charged - tax(coin, row.Charged)) * coinPrice.Out / coinPrice.In; kept < spent+returning {
		t.Errorf("%d lamports are spent, and what is kept is worth %d", spent+returning, kept)
	}

	// The next distribution pays none of it again.
	w.Give(t, rich, 10_000*tokens)
	next := w.Settle(t)
	row = w.Row(t, next, asset, poor)
	same(t, "owed after the claim", row.Owed, 0)
	for _, owner := range []solana.PublicKey{poor, small, dust, rich} {
		same(t, "arrived in all", has(t, w, coin, owner), w.Says(t, owner, asset).Received)
	}
}
