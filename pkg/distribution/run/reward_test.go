package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// Who is paid what in a token, in whole runs.
func TestRewardsInTokens(t *testing.T) {
	t.Parallel()
	type env = runworld.Env
	legacy := func(g *env) runworld.Currency { return g.Legacy(t, false) }
	listed := func(g *env) runworld.Currency { return g.Legacy(t, true) }
	plain := func(g *env) runworld.Currency { return g.Currency(t, 0) }
	taxed := func(g *env) runworld.Currency { return g.Currency(t, 1_000) }
	for _, c := range []struct {
		name string
		coin func(*env) runworld.Currency
		test func(*testing.T, *runworld.Fixture, runworld.Currency)
	}{
		{"the Token program: accounts that exist and that are made", legacy, accounts},
		{"Token-2022: accounts that exist and that are made", plain, accounts},
		{"a taxed coin", taxed, accounts},
		{"a frozen account", listed, frozenAccount},
		{"a closed account", plain, closedAccount},
		{"an account that was handed over", legacy, handedOver},
		{"an account that asks for memos", plain, memoRequired},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := runworld.NewEnv(t)
			coin := c.coin(g)
			w := g.Fixture(t)
			w.Token.Settings.RewardToken = coin.Mint.String()
			c.test(t, w, coin)
		})
	}
}

// has returns an owner's balance of a coin.
func has(t *testing.T, w *runworld.Fixture, c runworld.Currency, owner solana.PublicKey) uint64 {
	t.Helper()
	return w.Tokens(t, owner, c.Mint, c.Program)
}

// tax returns the amount withheld of a transfer of a coin.
func tax(c runworld.Currency, amount uint64) uint64 {
	return token2022.TransferFee{BasisPoints: c.FeeBps, MaximumFee: 1 << 60}.On(amount)
}

// accounts: holders with an account of the coin are paid, however little; for the others one is
// made when that is worth it, at their cost; the creator's is made at the wallet's.
func accounts(t *testing.T, w *runworld.Fixture, c runworld.Currency) {
	w.Token.Settings.DeveloperFeeBps = 1_000
	// A unit of the coin is worth a lamport, and so much is distributed that some are
	// owed more than ten times the rent of an account.
	creator := solana.NewWallet().PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	open, large, small := holder(t, w, 190_000*tokens).PublicKey(), holder(t, w, 700_000*tokens).PublicKey(), holder(t, w, 90_000*tokens).PublicKey()
	w.Open(t, c, open)
	r := w.Settle(t)
	leg := r.Payment.Legs[0]
	asset := c.Asset()

	row := paid(t, w, r, asset, open)
	same(t, "sent to who has an account", row.Paid, row.Share)
	same(t, "arrived at who has an account", has(t, w, c, open), row.Paid-tax(c, row.Paid))
	same(t, "stated as arrived", row.Received, row.Paid-tax(c, row.Paid))

	row = paid(t, w, r, asset, large)
	same(t, "charged for an account", row.Charged, leg.AccountCharge)
	same(t, "arrived in the new account", has(t, w, c, large), row.Received)
	same(t, "stated as arrived in it", row.Received, row.Paid-tax(c, row.Paid))
	if leg.AccountCharge == 0 || row.Share < leg.RentFloor {
		t.Errorf("an account was made for %d, at %d, from %d on", row.Share, leg.AccountCharge, leg.RentFloor)
	}

	late := carried(t, w, r, asset, small, allocation.AccountMissingTooSmall)
	if late.Share >= leg.RentFloor {
		t.Errorf("no account was made for %d, from %d on", late.Share, leg.RentFloor)
	}
	same(t, "arrived at the creator's", has(t, w, c, creator), r.Payment.CreatorShare-tax(c, r.Payment.CreatorShare))

	w.Open(t, c, small)
	w.Give(t, open, 1_000*tokens)
	r = w.Settle(t)
	row = paid(t, w, r, asset, small)
	same(t, "owed from before", row.Owed, late.Carried)
	same(t, "charged to a holder who has opened an account", row.Charged, 0)
	same(t, "arrived there", has(t, w, c, small), row.Received)
}

// refused is a holder whose account cannot be paid, whatever is done; after change
// it can, and everything arrives.
func refused(t *testing.T, w *runworld.Fixture, c runworld.Currency, reason allocation.Reason, spoil, change func(holder solana.PrivateKey)) {
	t.Helper()
	bad, good := holder(t, w, 100_000*tokens), holder(t, w, 100_000*tokens).PublicKey()
	w.Open(t, c, bad.PublicKey())
	w.Open(t, c, good)
	spoil(bad)
	r := w.Settle(t)
	first := carried(t, w, r, c.Asset(), bad.PublicKey(), reason)
	paid(t, w, r, c.Asset(), good)
	w.Give(t, good, 10_000*tokens)
	r = w.Settle(t)
	again := carried(t, w, r, c.Asset(), bad.PublicKey(), reason)
	same(t, "owed from before", again.Owed, first.Carried)
	same(t, "arrived", has(t, w, c, bad.PublicKey()), 0)
	paid(t, w, r, c.Asset(), good)

	change(bad)
	w.Give(t, good, 10_000*tokens)
	r = w.Settle(t)
	row := paid(t, w, r, c.Asset(), bad.PublicKey())
	same(t, "owed from before", row.Owed, again.Carried)
	same(t, "arrived at last", has(t, w, c, bad.PublicKey()), row.Paid)
}

func frozenAccount(t *testing.T, w *runworld.Fixture, c runworld.Currency) {
	refused(t, w, c, allocation.AccountFrozen,
		func(h solana.PrivateKey) { w.Freeze(t, c, h.PublicKey()) }, func(h solana.PrivateKey) { w.Thaw(t, c, h.PublicKey()) })
}

func closedAccount(t *testing.T, w *runworld.Fixture, c runworld.Currency) {
	refused(t, w, c, allocation.AccountMissingTooSmall,
		func(h solana.PrivateKey) { w.Close(t, c, h) }, func(h solana.PrivateKey) { w.Open(t, c, h.PublicKey()) })
}

// memoRequired: a holder and a wallet of the creator's whose accounts require a memo are paid
// with one, and the proof verifies.
func memoRequired(t *testing.T, w *runworld.Fixture, c runworld.Currency) {
	creator, with, without := solana.NewWallet().PrivateKey, holder(t, w, 100_000*tokens), holder(t, w, 100_000*tokens).PublicKey()
	w.Token.Settings.DeveloperFeeBps, w.Token.Settings.DeveloperWallet = 1_000, creator.PublicKey()
	for _, owner := range []solana.PublicKey{creator.PublicKey(), with.PublicKey(), without} {
		w.Open(t, c, owner)
	}
	w.AskForMemos(t, c, creator, true)
	w.AskForMemos(t, c, with, true)
	r := w.Settle(t)
	row := paid(t, w, r, c.Asset(), with.PublicKey())
	same(t, "arrived with a memo", has(t, w, c, with.PublicKey()), row.Received)
	paid(t, w, r, c.Asset(), without)
	same(t, "arrived at the creator's", has(t, w, c, creator.PublicKey()), r.Payment.CreatorShare)
}

func handedOver(t *testing.T, w *runworld.Fixture, c runworld.Currency) {
	thief := solana.NewWallet().PrivateKey
	refused(t, w, c, allocation.AccountNotOwned,
		func(h solana.PrivateKey) { w.HandOver(t, c, c.Account(t, h.PublicKey()), h, thief.PublicKey()) },
		func(h solana.PrivateKey) { w.HandOver(t, c, c.Account(t, h.PublicKey()), thief, h.PublicKey()) })
}
