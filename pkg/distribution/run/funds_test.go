package run_test

import (
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Wallets that have too little for a part of what is to be done.
func TestShortOfFunds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"too little for its own accounts", tooLowForAccounts},
		{"too little for the account of a holder", tooLowForHolder},
		{"too little in addition to its debts", owedIsNotOwn},
		{"too little for an account in addition to its debts", noAccountFromOwed},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// leave lets the distribution wallet have the given lamports, as if the rest had been
// spent; only before its first run, or books do not balance.
func leave(t *testing.T, w *runworld.Fixture, lamports uint64) {
	t.Helper()
	w.Leave(t, lamports)
}

// unfloated lets runs run without a float, so that wallets do not help themselves.
func unfloated(w *runworld.Fixture) {
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Costs.Float = 0 }
}

// topUp sends the wallet what the sentence of a skipped run asks for, and no more.
func topUp(t *testing.T, w *runworld.Fixture) {
	t.Helper()
	why := w.Skip(t, run.CodeWalletTooLow)
	_, text, found := strings.Cut(why, "Send at least ")
	text, _, _ = strings.Cut(text, " SOL")
	if !found || !strings.HasSuffix(why, " to "+w.Token.Wallet.Address.String()+".") {
		t.Fatalf("the reason is %q", why)
	}
	var lamports uint64
	for _, digit := range strings.ReplaceAll(text, ".", "") {
		lamports = lamports*10 + uint64(digit-'0')
	}
	w.Pay(t, w.Token.Wallet.Address, lamports)
}

func tooLowForAccounts(t *testing.T, w *runworld.Fixture) {
	unfloated(w)
	c := w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	h := holder(t, w, 200_000*tokens).PublicKey()
	w.Open(t, c, h)
	leave(t, w, 6_000_000) // enough for the receipts, and for no account of a token
	topUp(t, w)
	r := w.Settle(t) // what it says is enough
	row := paid(t, w, r, c.Asset(), h)
	same(t, "the holder's coins", has(t, w, c, h), row.Paid)
}

func tooLowForHolder(t *testing.T, w *runworld.Fixture) {
	unfloated(w)
	w.Token.Settings.BurnBps = 1_000 // whose receipt is out meanwhile
	c := w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	large, open := holder(t, w, 700_000*tokens).PublicKey(), holder(t, w, 200_000*tokens).PublicKey()
	w.Open(t, c, open)
	leave(t, w, 6_000_000)
	topUp(t, w)
	r := w.Settle(t)
	row := w.Row(t, r, c.Asset(), large)
	if row.Paid != 0 || row.Carried != row.Share || row.Reason != "wallet_too_low" || row.Share < r.Payment.Legs[0].RentFloor {
		t.Errorf("%+v", row)
	}
	paid(t, w, r, c.Asset(), open)
	w.Pay(t, w.Token.Wallet.Address, 10_000_000)
	w.Give(t, open, 10_000*tokens)
	r = w.Settle(t)
	row = paid(t, w, r, c.Asset(), large)
	same(t, "the coins of who got an account", has(t, w, c, large), row.Paid)
}

// owedIsNotOwn: what the wallet owes is nothing that it can pay fees with.
func owedIsNotOwn(t *testing.T, w *runworld.Fixture) {
	holder(t, w, 1_000*tokens)
	r := late(t, w)
	owed := r.Closing.Owed[terms.SOL] + r.Closing.Remainder[terms.SOL]
	leave(t, w, owed+900_000)
	why := w.Skip(t, run.CodeWalletTooLow)
	// Its own rent, that of five receipts, and 10 transactions.
	if !strings.Contains(why, "has 0.000900000 SOL and needs 0.005400280 SOL") || owed < 40_000_000 {
		t.Errorf("with %d owed, the reason is %q", owed, why)
	}
}

// noAccountFromOwed: the rent of a holder's account is not taken from SOL that is
// owed to others.
func noAccountFromOwed(t *testing.T, w *runworld.Fixture) {
	c := w.Currency(t, 0)
	h := holder(t, w, 1_000*tokens).PublicKey()
	leave(t, w, 7_600_000)
	w.Token.Settings.RewardToken = terms.RewardSOL
	r := late(t, w)
	owed := r.Closing.Owed[terms.SOL]
	unfloated(w)
	w.Token.Settings.RewardToken = c.Mint.String()
	large := holder(t, w, 700_000*tokens).PublicKey()
	r = w.Distribute(t)
	if r.Status() == run.Skipped {
		w.Give(t, h, tokens)
		topUp(t, w)
		r = w.Settle(t)
	}
	if own := r.Opening.Lamports - owed; own > 6_000_000 || owed < 40_000_000 {
		t.Fatalf("the wallet has %d of its own in addition to %d", own, owed)
	}
	carried(t, w, r, c.Asset(), large, allocation.AccountMissingTooSmall)
	paid(t, w, r, terms.SOL, h)
	w.Pay(t, w.Token.Wallet.Address, 10_000_000)
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	paid(t, w, r, c.Asset(), large)
}
