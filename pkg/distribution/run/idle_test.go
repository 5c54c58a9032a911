package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Slots in which there is nothing to do, or not enough.
func TestEmptySlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"an empty slot costs two calls and nothing else", emptySlot},
		{"a stranger's transfers cost the wallet nothing", strangersUnits},
		{"a token without a market rests", withoutMarket},
		{"a market that was made ends the rest", marketMade},
		{"new settings end the rest", newSettings},
		{"tax that is to be seen ends the rest", taxSeen},
		{"a token without a price that needs no market", priceless},
		{"a coin for which alone there is a market", marketForCoin},
		{"a wallet that is too poor is not tried again and again", poorWallet},
		{"a node that lists nothing hides nothing", forgetfulNode},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// quiet lets slots pass until two in a row have no run.
func quiet(t *testing.T, w *runworld.Fixture) {
	t.Helper()
	for range 40 {
		if len(w.Pass(t, 2)) == 0 {
			return
		}
	}
	t.Fatalf("there are always runs: %+v", w.Head(t).Look)
}

// nothing fails when calls cost more than a look.
func nothing(t *testing.T, calls []fault.Call, units meter.Units) {
	t.Helper()
	node, db := callsOf(calls, fault.Solana), callsOf(calls, "dynamodb")
	if total(node) > 2 || db["TransactWriteItems"]+db["PutItem"]+db["UpdateItem"] > 0 || units.Write > 0 {
		t.Errorf("the node %v, the ledger %v, %+v", node, db, units)
	}
	for _, service := range []string{"s3", "kms"} {
		if calls := callsOf(calls, service); len(calls) > 0 {
			t.Errorf("%s: %v", service, calls)
		}
	}
}

// emptySlot also measures what a slot costs: one that is empty, and one that scans and
// finds nothing.
func emptySlot(t *testing.T, w *runworld.Fixture) {
	holder(t, w, 1_000*tokens)
	w.Settle(t)
	w.Meter.Take()
	process := fault.NewProcess()
	slot := w.Slot()
	w.Drive(t, func() *fault.Process { return process })
	if r := w.Look(t, slot); r.Status() == run.Settled {
		slot = w.Slot() // what was withheld of the sale; the next one finds nothing
		w.Meter.Take()
		process = fault.NewProcess()
		w.Drive(t, func() *fault.Process { return process })
		if r := w.Look(t, slot); r.Status() != run.Skipped {
			t.Fatalf("%s: %+v", r.Status(), r.End)
		}
	}
	show(t, "a slot whose run scans and finds too little", process.Calls(), w.Meter.Take())
	quiet(t, w)
	wallet := w.Lamports(t, w.Token.Wallet.Address)
	for range 3 {
		w.Meter.Take()
		calls := w.Idle(t)
		units := w.Meter.Take()
		nothing(t, calls, units)
		show(t, "an empty slot", calls, units)
	}
	same(t, "lamports of the wallet", w.Lamports(t, w.Token.Wallet.Address), wallet)
}

func show(t *testing.T, what string, calls []fault.Call, units meter.Units) {
	t.Helper()
	figures.Show(t, "run: %s: node %d (%s); DynamoDB %.1f units of reading and %.0f of writing in %d calls; S3 %d (%s)", what,
		total(callsOf(calls, fault.Solana)), methods(callsOf(calls, fault.Solana)), units.Read, units.Write, units.Calls,
		total(callsOf(calls, "s3")), methods(callsOf(calls, "s3")))
}

// strangersUnits: a transfer of next to nothing in every slot is scanned more and
// more rarely, and moves no lamport of the wallet's.
func strangersUnits(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Settle(t)
	quiet(t, w)
	stranger := holder(t, w, 20).PublicKey()
	quiet(t, w)
	wallet := w.Lamports(t, w.Token.Wallet.Address)
	runs := 0
	const slots = 33
	for range slots {
		w.Give(t, stranger, 20)
		runs += len(w.Pass(t, 1))
	}
	if runs == 0 || runs > 6 {
		t.Errorf("%d scans in %d slots", runs, slots)
	}
	same(t, "lamports of the wallet", w.Lamports(t, w.Token.Wallet.Address), wallet)
	rest, resting := w.Head(t).Rest(w.Token, w.Clock.Now())
	if !resting || rest.Code != run.CodeNothing && rest.Code != run.CodeBelowCost {
		t.Errorf("resting %v: %+v", resting, rest)
	}

	// Tax that counts is found when the rest is over, a day later at most.
	w.Give(t, h, 10_000*tokens)
	for range run.LongestRest / w.Token.Settings.Interval.Duration() {
		for _, r := range w.Pass(t, 1) {
			if r.Status() == run.Settled {
				return
			}
			t.Fatalf("%s: %+v", r.Status(), r.End)
		}
	}
	t.Error("the rest has no end")
}

func withoutMarket(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	wallet := w.Lamports(t, w.Token.Wallet.Address)
	writes, first := int64(0), w.Head(t).Version
	for range 20 {
		w.Idle(t)
	}
	writes = w.Head(t).Version - first
	if writes == 0 || writes > 5 { // after 0, 1, 3, 7 and 15 slots
		t.Errorf("%d writes in 20 slots", writes)
	}
	same(t, "lamports of the wallet", w.Lamports(t, w.Token.Wallet.Address), wallet)
	rest, resting := w.Head(t).Rest(w.Token, w.Clock.Now())
	if !resting || rest.Code != run.CodeNoMarket || !strings.Contains(rest.Detail, "cannot be exchanged") || !rest.Until.After(w.Clock.Now()) {
		t.Errorf("resting %v: %+v", resting, rest)
	}

	// A first sale is a transaction that names the mint.
	price(w, solana.LAMPORTS_PER_SOL)
	w.Idle(t)
	w.Give(t, h, 20)
	r := w.Settle(t)
	paid(t, w, r, terms.SOL, h)
}

// rest lets a token without a market rest for long.
func rest(t *testing.T, w *runworld.Fixture) {
	t.Helper()
	holder(t, w, 1_000*tokens)
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	for range 17 {
		w.Idle(t)
	}
	price(w, solana.LAMPORTS_PER_SOL)
	w.Idle(t)
}

func marketMade(t *testing.T, w *runworld.Fixture) {
	rest(t, w)
	w.Token.Pools = []token.Pool{{Address: solana.NewWallet().PublicKey(), TokenVault: solana.NewWallet().PublicKey()}}
	w.Settle(t)
}

func newSettings(t *testing.T, w *runworld.Fixture) {
	rest(t, w)
	w.Token.Settings.MinimumHolding++
	if _, resting := w.Head(t).Rest(w.Token, w.Clock.Now()); resting {
		t.Error("it rests with new settings")
	}
	w.Settle(t)
}

// taxSeen: what is on the mint is seen without a scan.
func taxSeen(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Settle(t)
	quiet(t, w)
	for w.Head(t).Look.Until.Sub(w.Clock.Now()) < 5*w.Token.Settings.Interval.Duration() {
		w.Give(t, h, 20)
		w.Pass(t, 1)
	}
	w.Give(t, h, 1_000*tokens)
	w.Idle(t)
	w.Execute(t, nil, token2022.HarvestWithheldToMint{Mint: w.Token.Mint, Sources: []solana.PublicKey{w.Account(t, h)}}.Instruction())
	r := w.Settle(t)
	if r.Collecting.Collected < 50*tokens {
		t.Errorf("%+v", r.Collecting)
	}
}

// priceless: holders are paid in the token itself, and there is no price. Whether a run is
// worth its fees is unknown, so there are fewer and fewer.
func priceless(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.RewardToken = w.Token.Mint.String()
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	runs := 0
	for range 20 {
		w.Give(t, h, 1_000*tokens)
		runs += len(w.Pass(t, 1))
	}
	if runs < 3 || runs > 5 {
		t.Errorf("%d runs in 20 slots", runs)
	}
	price(w, solana.LAMPORTS_PER_SOL)
	w.Token.Settings.BurnBps = 100 // which ends the rest
	for range 3 {
		w.Give(t, h, 1_000*tokens)
		w.Settle(t)
	}
}

// marketForCoin: what is sold for a coin needs no price in SOL.
func marketForCoin(t *testing.T, w *runworld.Fixture) {
	c := w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	h := holder(t, w, 0).PublicKey()
	w.Open(t, c, h)
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	for range 4 {
		w.Give(t, h, 10_000*tokens)
		if r := w.Settle(t); r.Exchange.Sold == 0 {
			t.Errorf("%+v", r.Exchange)
		}
	}
}

func poorWallet(t *testing.T, w *runworld.Fixture) {
	holder(t, w, 1_000*tokens)
	leave(t, w, 1_000_000)
	w.Skip(t, run.CodeWalletTooLow)
	for range 3 {
		w.Meter.Take()
		nothing(t, w.Idle(t), w.Meter.Take())
	}
	if rest, resting := w.Head(t).Rest(w.Token, w.Clock.Now()); !resting || rest.Code != run.CodeWalletTooLow {
		t.Errorf("resting %v: %+v", resting, rest)
	}
	w.Clock.Pass(run.LongestRest) // what things cost may have changed
	w.Skip(t, run.CodeWalletTooLow)
	w.Idle(t)
	w.Pay(t, w.Token.Wallet.Address, 10_000_000)
	w.Settle(t)
}

// forgetfulNode: a node without a history answers an empty list.
func forgetfulNode(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Chain = forgetful{worker.Machine.Chain} }
	w.Settle(t)
	for range 3 {
		w.Give(t, h, 1_000*tokens)
		w.Settle(t)
	}
	runs := w.Pass(t, 32)
	if len(runs) < 4 || len(runs) > 8 {
		t.Errorf("%d runs in 32 slots", len(runs))
	}
}

type forgetful struct{ run.Chain }

func (forgetful) Newest(context.Context, solana.PublicKey) (solana.Signature, error) {
	return solana.Signature{}, nil
}
