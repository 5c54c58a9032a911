package run_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Runs that take too long, and runs after one another.
func TestRunsInTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"a run that is longer than its interval", longerThanItsInterval},
		{"who had no time is paid though the new tax is too little", lateWithLittleTax},
		{"who had no time is paid though no holder shares", lateWithoutHolders},
		{"the creator's wallet is the distribution wallet", creatorIsTheWallet},
		{"five runs", fiveRuns},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// late settles a run that has no time to pay any holder; slots come while it is at
// work.
func late(t *testing.T, w *runworld.Fixture) run.Run {
	t.Helper()
	interval := w.Token.Settings.Interval.Duration()
	slot := time.Time{}
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Books = plans{worker.Machine.Books, func() {
			w.Clock.Pass(interval * 3 / 2)
			w.Again(slot.Add(interval))
			w.Again(slot)
		}}
	}
	slot = w.Slot()
	w.Drive(t, nil)
	w.Prepare = nil
	r := w.Look(t, slot)
	if r.Status() != run.Settled {
		t.Fatalf("%+v", r.End)
	}
	return r
}

func longerThanItsInterval(t *testing.T, w *runworld.Fixture) {
	list := w.Holders(t, 25, 200*tokens) // two batches, and the creator
	r := late(t, w)
	var owed uint64
	for _, h := range list {
		owed += carried(t, w, r, terms.SOL, h, allocation.TimeOver).Carried
		same(t, "lamports of who had no time", w.Lamports(t, h), rentExempt)
	}
	owed += carried(t, w, r, terms.SOL, w.Creator.PublicKey(), allocation.TimeOver).Carried
	same(t, "owed", r.Closing.Owed[terms.SOL], owed)
	same(t, "late", uint64(r.Closing.Late), 26)

	// The slot that came meanwhile had come when the first was at work.
	same(t, "runs", uint64(len(w.Settled(t))), 1)
	w.Give(t, list[0], 1_000*tokens)
	r = w.Settle(t)
	for _, h := range list {
		row := paid(t, w, r, terms.SOL, h)
		same(t, "lamports of who was late", w.Lamports(t, h), rentExempt+row.Paid)
		if row.Owed == 0 || row.Paid != row.Owed+row.Share {
			t.Errorf("%+v", row)
		}
	}
	same(t, "owed before it", r.Opening.Owed[terms.SOL], owed)
	same(t, "owed after it", r.Closing.Owed[terms.SOL], 0)
}

func lateWithLittleTax(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	r := late(t, w)
	owed := carried(t, w, r, terms.SOL, h, allocation.TimeOver).Carried
	price(w, solana.LAMPORTS_PER_SOL/2) // of 2.5 tokens that were withheld of those that were sold
	r = w.Settle(t)
	paid(t, w, r, terms.SOL, h)
	same(t, "lamports of who was late", w.Lamports(t, h), rentExempt+owed)
	same(t, "sold", r.Exchange.Sold, 0)
	same(t, "tokens that were collected", own(t, w, w.Token.Wallet.Address), 0)
}

func lateWithoutHolders(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.BurnBps = 1_000
	h := holder(t, w, 1_000*tokens).PublicKey()
	r := late(t, w)
	owed := carried(t, w, r, terms.SOL, h, allocation.TimeOver).Carried
	w.Token.Settings.MinimumHolding = runworld.Supply + 1
	w.Give(t, h, 1_000*tokens)
	supply := w.Supply(t)
	r = w.Settle(t)
	paid(t, w, r, terms.SOL, h)
	same(t, "lamports of who was late", w.Lamports(t, h), rentExempt+owed)
	same(t, "sold", r.Exchange.Sold, 0)
	same(t, "burned", supply-w.Supply(t), 0)
}

func creatorIsTheWallet(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.DeveloperFeeBps = 1_000
	w.Token.Settings.DeveloperWallet = w.Token.Wallet.Address
	h := holder(t, w, 1_000*tokens).PublicKey()
	r := w.Settle(t)
	paid(t, w, r, terms.SOL, h)
	leg := w.Manifest(t, r).Legs[0].Creators[0]
	same(t, "paid to the wallet directly", uint64(leg.Paid), 0)
	same(t, "kept for the creator", uint64(leg.Carried), r.Payment.CreatorShare)
}

// fiveRuns: with trades between them, the sums of what the runs report are equal to what the
// chain has.
func fiveRuns(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps, w.Token.Settings.SellBps = 1_500, 700, 8_000
	creator := holder(t, w, 0).PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	list := append(w.Holders(t, 3, 3_000*tokens), solana.NewWallet().PublicKey())
	for n := range 5 {
		w.Give(t, list[n%len(list)], uint64(n+1)*700*tokens)
		w.Settle(t)
	}
	runs := w.Settled(t)
	if len(runs) != 5 {
		t.Fatalf("%d runs", len(runs))
	}
	var collected, burned, sold, proceeds, fees, rent, toCreator, toHolders uint64
	for i, r := range runs {
		collected += r.Collecting.Collected
		burned += r.Burn.Amount
		sold += r.Exchange.Sold
		proceeds += r.Exchange.Proceeds
		toHolders += r.Closing.Legs[0].Paid
		m := w.Manifest(t, r)
		toCreator += uint64(m.Legs[0].Creators[0].Paid)
		for _, s := range m.Statements {
			if s.Asset == terms.RewardSOL {
				fees += s.Of("fees")
				rent += s.Of("rent")
			}
		}
		if i > 0 && m.Previous != runs[i-1].Closing.Manifest {
			t.Errorf("run %d follows %s", i, m.Previous)
		}
	}
	wallet, last := w.Token.Wallet.Address, runs[4]
	same(t, "burned of the supply", burned, runworld.Supply-w.Supply(t))
	same(t, "tokens in the wallet", own(t, w, wallet), collected-burned-sold)
	same(t, "lamports of the creator", w.Lamports(t, creator), rentExempt+toCreator)
	var received uint64
	for i, h := range list {
		had := uint64(rentExempt)
		if i == len(list)-1 {
			had = 0
		}
		says := w.Says(t, h, terms.SOL)
		same(t, "lamports of a holder", w.Lamports(t, h), had+says.Received)
		received += says.Received
	}
	for _, other := range []solana.PublicKey{w.Creator.PublicKey(), w.Maker.Address} {
		received += w.Says(t, other, terms.SOL).Received
	}
	same(t, "paid to holders", received, toHolders)
	// The anchor of the last run is in the next one's books, which there is not yet.
	anchor := last.Closing.Lamports - w.Lamports(t, wallet)
	same(t, "lamports of the wallet", w.Lamports(t, wallet)+anchor, runworld.Funding+proceeds-toHolders-toCreator-fees-rent)
	if anchor > 6_000+rentExempt { // its fee, and what it lends to its receipt
		t.Errorf("the anchor has cost %d lamports", anchor)
	}
	same(t, "proceeds that are with the wallet", proceeds-toHolders-toCreator,
		last.Closing.Owed[terms.SOL]+last.Closing.Remainder[terms.SOL]+kept(runs))
}

// kept returns the part of the proceeds that is the wallet's own, or the creator's still.
func kept(runs []run.Run) (lamports uint64) {
	for _, r := range runs {
		lamports += r.Payment.FuelKept
	}
	return lamports + runs[len(runs)-1].Closing.Legs[0].CreatorOwed
}
