package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What each of the creator's wallets gets, to the unit: one that is not paid keeps what is
// owed to it, and the first one inherits from those that are the creator's no more.
func TestTheCreatorsShareIsSplit(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.DeveloperFeeBps = 1_000
	var wallets []solana.PublicKey
	for range 4 {
		wallets = append(wallets, solana.NewWallet().PublicKey())
	}
	split := func(bps ...int) {
		var list []terms.Split
		for i, one := range bps {
			if one > 0 {
				list = append(list, terms.Split{Wallet: wallets[i], Bps: one})
			}
		}
		w.Token.Settings.CreatorSplits = terms.NewSplits(list)
		w.Token.SettingsVersion++
	}
	open := holder(t, w, 200_000*tokens).PublicKey()

	split(6_666, 3_333, 1)
	r := w.Settle(t)
	w.Verify(t, r)
	share := r.Payment.CreatorShare
	parts := r.CreatorParts(0)
	second, third := allocation.Part(share, 3_333), allocation.Part(share, 1)
	same(t, "the first, with what rounding leaves over", w.Lamports(t, wallets[0]), share-second-third)
	same(t, "the second", w.Lamports(t, wallets[1]), second)
	same(t, "the third, which is below its cost", w.Lamports(t, wallets[2]), 0)
	if third == 0 || parts[2].Paid.Reason != "below_cost" {
		t.Fatalf("the third is to wait for %d: %+v", third, parts[2].Paid)
	}
	figures.Show(t, "splits: %d lamports of the creator's are %d, %d and %d, the last carried", share, share-second-third, second, third)

	// The third keeps its own, whatever place it has now.
	w.Give(t, open, 1_000*tokens)
	split(0, 5_000, 2, 4_998)
	r = w.Settle(t)
	w.Verify(t, r)
	parts = r.CreatorParts(0)
	same(t, "owed to the third, which is the second now", parts[1].Owed, third)
	same(t, "owed to the others", parts[0].Owed+parts[2].Owed, 0)
	carried := parts[1].Amount()

	// It is the creator's no more, and the first one inherits.
	w.Give(t, open, 1_000*tokens)
	before := w.Lamports(t, wallets[3])
	split(0, 5_000, 0, 5_000)
	r = w.Settle(t)
	w.Verify(t, r)
	parts = r.CreatorParts(0)
	same(t, "owed to the first one, from a wallet that is gone", parts[0].Owed, carried)
	same(t, "the other gets its part alone", w.Lamports(t, wallets[3])-before, allocation.Part(r.Payment.CreatorShare, 5_000))
	same(t, "the wallet that is gone", w.Lamports(t, wallets[2]), 0)

	// Without a split one wallet gets all of it.
	w.Give(t, open, 1_000*tokens)
	w.Token.Settings.CreatorSplits, w.Token.Settings.DeveloperWallet = "", wallets[3]
	w.Token.SettingsVersion++
	before = w.Lamports(t, wallets[3])
	r = w.Settle(t)
	w.Verify(t, r)
	same(t, "one wallet alone", w.Lamports(t, wallets[3])-before, r.Payment.CreatorShare)
}

// In a token, a wallet is paid from what makes an account worth its rent: changing splits must
// not farm rent. The other one waits.
func TestASplitInATokenMakesNoAccountForLittle(t *testing.T) {
	t.Parallel()
	g := runworld.NewEnv(t)
	coin := g.Coin(t, 1_000)
	w := g.Fixture(t)
	w.Token.Settings.RewardToken, w.Token.Settings.DeveloperFeeBps = coin.Mint.String(), 9_000
	large, small := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	w.Token.Settings.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: large, Bps: 7_000}, {Wallet: small, Bps: 3_000}})
	holder(t, w, 900_000*tokens)
	r := w.Settle(t)
	w.Verify(t, r)
	leg, parts := r.Payment.Legs[0], r.CreatorParts(0)
	if parts[0].Amount() < leg.RentFloor || parts[1].Amount() >= leg.RentFloor {
		t.Fatalf("an account is made from %d on; these are %+v", leg.RentFloor, parts)
	}
	same(t, "arrived in the account that was made", has(t, w, coin, large), parts[0].Amount()-tax(coin, parts[0].Amount()))
	same(t, "arrived where no account is made", has(t, w, coin, small), 0)
	same(t, "paid to the creator in all", leg.CreatorPaid.Amount, parts[0].Amount())
	if parts[1].Paid.Reason != "below_cost" {
		t.Errorf("the small part: %+v", parts[1].Paid)
	}
}

// What is signed goes to the wallets that the run's settings name, in their order, and to no
// other, whatever the ledger says of the parts.
func TestOnlyTheSettingsWalletsArePaid(t *testing.T) {
	t.Parallel()
	a, b, thief := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	of := func(wallets ...solana.PublicKey) run.Run {
		leg := run.Leg{Creator: 10}
		for _, wallet := range wallets {
			leg.Parts = append(leg.Parts, run.CreatorPart{Wallet: wallet, Bps: 5_000, Share: 5})
		}
		return run.Run{
			ID: "r", Settings: terms.Settings{DeveloperWallet: thief, CreatorSplits: terms.NewSplits([]terms.Split{{Wallet: a, Bps: 5_000}, {Wallet: b, Bps: 5_000}})},
			Payment: &run.Payment{Legs: []run.Leg{leg}},
		}
	}
	for name, c := range map[string]struct {
		run   run.Run
		batch int
		ok    bool
	}{
		"the first": {of(a, b), 0, true}, "the second": {of(a, b), 1, true}, "one too many": {of(a, b), 2, false}, "none": {of(a, b), -1, false},
		"another wallet": {of(a, thief), 1, false}, "exchanged": {of(b, a), 0, false}, "one more": {of(a, b, thief), 2, false},
		"one more, the first": {of(a, b, thief), 0, false}, "one alone": {of(a), 0, false}, "without parts": {of(), 0, false},
	} {
		_, asset, amount, err := c.run.Fixed(payout.ID{Run: "r", Kind: payout.Creator, Batch: c.batch})
		if (err == nil) != c.ok || c.ok && (amount != 5 || !asset.IsSOL()) {
			t.Errorf("%s: %d %s, %v", name, amount, asset, err)
		}
	}
	if _, _, _, err := of(a, b).Fixed(payout.ID{Run: "r", Kind: payout.Creator, Part: "0"}); err == nil {
		t.Error("half a payment is one")
	}
}
