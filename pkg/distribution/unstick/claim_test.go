package unstick_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// rentExempt is a wallet's minimum balance on the local chain, in lamports.
const rentExempt = 890_880

// owing is an office of which two holders more are owed what the run before could not pay
// them, and can be paid now. It returns them, too.
func owing(t *testing.T) (*office, []solana.PublicKey) {
	t.Helper()
	return owingTo(t, 2)
}

// owingTo is owing for a number of holders.
func owingTo(t *testing.T, holders int) (*office, []solana.PublicKey) {
	t.Helper()
	o := open(t)
	o.Token.Settings.SellBps = terms.FullBps // nothing is left for the run after
	var poor []solana.PublicKey
	for range holders {
		owner := solana.NewWallet().PublicKey()
		o.Give(t, owner, 500*tokens)
		poor = append(poor, owner)
	}
	o.Settle(t)
	for _, owner := range poor {
		if says := o.Says(t, owner, terms.SOL); says.Carried == 0 || says.Received > 0 {
			t.Fatalf("a claimant is owed %+v", says)
		}
		o.Pay(t, owner, rentExempt)
	}
	return o, poor
}

// claimed fails unless the newest run is a claim, and returns it.
func (o *office) claimed(t *testing.T) run.Run {
	t.Helper()
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	r := o.Look(t, head.LastSlot)
	if r.Claim == nil {
		t.Fatalf("the run of %s is no claim", r.Slot)
	}
	return r
}

// TestUnbalancedClaimIsResumed tests that amounts which an unbalanced claim paid are no longer owed.
func TestUnbalancedClaimIsResumed(t *testing.T) {
	o, poor := owing(t)
	const gone = 7_000
	prepare, done := o.Prepare, false
	o.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		worker.Machine.Engine = drain{worker.Machine.Engine, func() {
			if !done {
				done = true
				o.Skim(t, o.Bank.PublicKey(), gone)
			}
		}}
	}
	o.Claim(t, poor...)
	o.Drive(t, nil)
	o.Prepare = prepare
	r := o.claimed(t)
	if r.Status() != run.Failed || r.End.Code != run.CodeBooks {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	for _, owner := range poor {
		if o.Lamports(t, owner) == rentExempt {
			t.Fatal("a claimant was not paid before the books were closed")
		}
	}
	c := o.why(t)
	if c.Frozen == "" || c.Run == nil || c.Run.ID != r.ID || len(c.Discrepancies) != 1 || c.Discrepancies[0].Missing != gone {
		t.Fatalf("%+v", c)
	}
	o.resolve(t, unstick.Order{Reason: "a test took it"})
	o.Unheld(true) // what the wallet signed is not our payment, whatever the word
	if r = o.goOn(t, r.Slot); r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	o.Unheld(false)
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	if head.Ended != "" {
		t.Errorf("the claim is settled, and the token says %s", head.Ended)
	}
	o.paysAgain(t)
	for _, owner := range poor {
		said, got := o.Says(t, owner, terms.SOL), o.Lamports(t, owner)-rentExempt
		if said.Received != got || said.Carried != 0 {
			t.Errorf("a claimant received %d, and the proofs say %+v", got, said)
		}
	}
}

// TestUndecidedClaimIsDecidedLater tests that a payment of a claim arrived, or is owed again, with other
// claims and distributions in between.
func TestUndecidedClaimIsDecidedLater(t *testing.T) {
	for _, c := range []struct {
		fate   runworld.Fate
		landed bool
	}{
		{runworld.Hides, true},
		{runworld.Blocks, false},
		{runworld.BlocksFails, false},
	} {
		t.Run(string(c.fate), func(t *testing.T) {
			o, poor := owing(t)
			o.hasty()
			net := o.NewNetwork(t)
			owed := o.Says(t, poor[0], terms.SOL).Carried
			o.Claim(t, poor[0])
			seeing := func() *fault.Process { return net.Process(c.fate, 1) }
			o.Drive(t, seeing)
			r := o.claimed(t)
			head, err := o.Runs.Head(t.Context(), o.Token.Mint)
			must.Do(t, err)
			if r.Status() != run.Settled || len(head.Unknown) != 1 || head.Unknown[0].ID.Kind != payout.Pay || head.Unknown[0].ID.Run != r.ID {
				t.Fatalf("the claim is %s, and undecided are %v", r.Status(), head.Unknown)
			}
			if says := o.Says(t, poor[0], terms.SOL); says.Reserved != owed || says.Carried != owed || says.Received != 0 {
				t.Fatalf("of %d, the proofs say %+v", owed, says)
			}
			arrived := o.Lamports(t, poor[0]) - rentExempt
			if (arrived > 0) != c.landed {
				t.Fatalf("%d arrived", arrived)
			}

			// Asked again it is not sent again.
			o.Clock.Pass(run.ClaimPause)
			o.Claim(t, poor[0])
			o.Drive(t, nil)
			if r := o.claimed(t); r.Status() != run.Skipped {
				t.Errorf("a claim of what was sent, perhaps, is %s", r.Status())
			}
			order := unstick.Order{}
			if c.fate == runworld.Blocks { // no node tells more yet, and an operator knows it
				engine := o.desk.Engine
				o.desk.Engine = o.Worker(t, seeing()).Engine
				if c, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, order); err != nil || len(c.Unknown) != 1 {
					t.Errorf("where no node knows: %+v, %v", c, err)
				}
				order = unstick.Order{Reason: "a stranger made the receipt", Lost: []string{head.Unknown[0].ID.String()}}
				o.resolve(t, order)
				o.desk.Engine = engine
			}
			o.resolve(t, order)
			if got := o.Lamports(t, poor[0]) - rentExempt; got != arrived {
				t.Fatalf("%d arrived by resolving it", got-arrived)
			}

			// Another's claim takes over what is known, and pays only them.
			o.Clock.Pass(run.ClaimPause)
			o.Claim(t, poor[1])
			o.Drive(t, nil)
			if r = o.claimed(t); r.Status() != run.Settled {
				t.Fatalf("the next claim is %s: %+v", r.Status(), r.End)
			}
			row := o.Row(t, r, terms.SOL, poor[0])
			switch {
			case c.landed && (row.Paid != arrived || row.Charged != owed-arrived || row.Total != arrived || row.Carried != 0):
				t.Errorf("what arrived late is %+v", row)
			case !c.landed && (row.Paid != 0 || row.Carried != owed || row.Reserved != 0 || row.Reason == allocation.Undecided):
				t.Errorf("what never arrived is %+v", row)
			}
			o.paysAgain(t)
			for _, owner := range poor {
				said, got := o.Says(t, owner, terms.SOL), o.Lamports(t, owner)-rentExempt
				if said.Received != got || got == 0 || said.Carried > 0 {
					t.Errorf("a claimant received %d, and the proofs say %+v", got, said)
				}
			}
		})
	}
}

// hasty lets the engine give up on a payment after a minute.
func (o *office) hasty() {
	prepare := o.Prepare
	o.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		worker.Engine.Pace = payout.Pace{Soonest: time.Second, Resend: time.Second, Look: 5 * time.Second, Cancel: time.Minute, Patience: time.Minute}
		worker.Machine.Engine = worker.Engine
	}
}

// TestUndecidedClaimOfCurrencyIsDecidedLater tests that the row of the proof which takes a claim over has the
// amounts kept for the claim's transactions and account.
func TestUndecidedClaimOfCurrencyIsDecidedLater(t *testing.T) {
	o := open(t)
	o.hasty()
	coin := o.Currency(t, 0)
	asset := coin.Asset()
	s := &o.Token.Settings
	s.RewardToken, s.SellBps, s.DeveloperFeeBps, s.CreatorSplits = coin.Mint.String(), terms.FullBps, 0, ""
	poor, rich := solana.NewWallet().PublicKey(), o.holders[0]
	o.Give(t, poor, 400_000*tokens)
	o.Give(t, rich, 400_000*tokens)
	o.Open(t, coin, rich)
	o.Settle(t)
	owed := o.Says(t, poor, asset).Carried

	o.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 1, Out: 2}) // so an account is worth it
	net := o.NewNetwork(t)
	o.Claim(t, poor)
	o.Drive(t, func() *fault.Process { return net.Process(runworld.Hides, 1) })
	r := o.claimed(t)
	arrived := o.Tokens(t, poor, coin.Mint, coin.Program)
	kept := r.Claim.Fees[asset] + r.Payment.Legs[0].AccountCharge
	if r.Status() != run.Settled || r.Claim.Fees[asset] == 0 || r.Payment.Legs[0].AccountCharge == 0 || arrived != owed-kept {
		t.Fatalf("the claim is %s: of %d, %d arrived, and %d were to be kept", r.Status(), owed, arrived, kept)
	}
	if says := o.Says(t, poor, asset); says.Reserved != owed || says.Received != 0 {
		t.Fatalf("of %d, the proofs say %+v", owed, says)
	}
	before, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	o.resolve(t, unstick.Order{})
	after, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	if got := before.Owed[asset] - after.Owed[asset]; got != owed {
		t.Errorf("%d are owed less, not %d", got, owed)
	}

	o.Give(t, rich, 10_000*tokens)
	next := o.Settle(t)
	if row := o.Row(t, next, asset, poor); row.Paid != arrived || row.Received != arrived || row.Charged != kept || row.Owed != owed || row.Reserved != 0 {
		t.Errorf("what arrived late is %+v", row)
	}
	o.Give(t, rich, 10_000*tokens)
	o.Settle(t)
	if said, got := o.Says(t, poor, asset), o.Tokens(t, poor, coin.Mint, coin.Program); said.Received != got || got == arrived || said.Carried > 0 {
		t.Errorf("the claimant received %d, and the proofs say %+v", got, said)
	}
}

// hide lets holders claim of whom no node ever tells that they were paid, in the given number of transactions.
func (o *office) hide(t *testing.T, net *runworld.Network, payments int, owners ...solana.PublicKey) {
	t.Helper()
	o.Claim(t, owners...)
	o.Drive(t, func() *fault.Process { return net.Process(runworld.Hides, []int{1, 2}[:payments]...) })
	r := o.claimed(t)
	if r.Status() != run.Settled || len(r.Closing.Unknown) != payments {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.Closing)
	}
	for _, owner := range owners {
		if o.Lamports(t, owner) == rentExempt {
			t.Fatal("a claimant was not paid")
		}
	}
}

// TestLatePaymentsOfOneRunAreTakenOverTogether: they are to different holders, so each has a row
// for its signature.
func TestLatePaymentsOfOneRunAreTakenOverTogether(t *testing.T) {
	o, poor := owingTo(t, payout.SOLBatch+1)
	o.hasty()
	o.hide(t, o.NewNetwork(t), 2, poor...)
	o.resolve(t, unstick.Order{})
	o.paysAgain(t)
	o.arrived(t, 0, poor)
}

// arrived fails unless the proofs say what owners have, the given number of late payments waits to be taken
// over, and the head owes what the proofs say is neither paid nor set aside.
func (o *office) arrived(t *testing.T, left int, owners []solana.PublicKey) {
	t.Helper()
	var owed uint64
	for _, owner := range owners {
		said, got := o.Says(t, owner, terms.SOL), o.Lamports(t, owner)-rentExempt
		if left == 0 && (said.Received != got || said.Reserved > 0) {
			t.Errorf("a claimant received %d, and the proofs say %+v", got, said)
		}
		owed += said.Carried - said.Reserved
	}
	if head := o.Head(t); len(head.Resolved) != left || head.Owed[terms.SOL] != owed {
		t.Errorf("%d payments are not taken over, and %d are owed, not %d", len(head.Resolved), head.Owed[terms.SOL], owed)
	}
}

// TestWhatHasArrivedIsNotOwedUntilItIsTakenOver: of two runs one at a time is. What the second has
// paid is gone, and is no SOL of the wallet's that it would have to keep.
func TestWhatHasArrivedIsNotOwedUntilItIsTakenOver(t *testing.T) {
	o, poor := owing(t)
	o.hasty()
	net := o.NewNetwork(t)
	for _, owner := range poor {
		o.hide(t, net, 1, owner)
		o.Clock.Pass(run.ClaimPause)
	}
	o.resolve(t, unstick.Order{})
	if owed := o.Head(t).Owed[terms.SOL]; owed > 0 {
		t.Fatalf("%d are owed of what has arrived", owed)
	}
	for left := 1; left >= 0; left-- {
		o.Give(t, o.holders[0], 2_000*tokens)
		o.Settle(t)
		o.arrived(t, left, poor)
	}
}

// TestPaymentIsResolvedWhileBooksAreClosed tests a payment that is undecided by the sums of the run, and
// decided by the rows.
func TestPaymentIsResolvedWhileBooksAreClosed(t *testing.T) {
	for _, c := range []struct {
		fate  runworld.Fate
		want  run.Status
		times int
	}{
		{runworld.Hides, run.Settled, 2},
		{runworld.BlocksFails, run.Skipped, 1}, // it has paid no one
	} {
		t.Run(string(c.fate), func(t *testing.T) {
			o, poor := owing(t)
			o.hasty()
			prepare := o.Prepare
			times := 0
			o.Prepare = func(worker *runworld.Worker) {
				prepare(worker)
				worker.Machine.Books = runworld.Closing{Books: worker.Machine.Books, Before: func() {
					if times++; times == 1 {
						_, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, unstick.Order{})
						must.Do(t, err)
					}
				}}
			}
			net := o.NewNetwork(t)
			o.Claim(t, poor...)
			o.Drive(t, func() *fault.Process { return net.Process(c.fate, 1) })
			o.Prepare = prepare
			r := o.claimed(t)
			if head := o.Head(t); r.Status() != c.want || len(head.Unknown) > 0 || times != c.times {
				t.Fatalf("the claim is %s: %+v, undecided are %v", r.Status(), r.End, head.Unknown)
			}
			o.resolve(t, unstick.Order{})
			o.paysAgain(t)
			o.arrived(t, 0, poor)
		})
	}
}

// TestUndecidedSaleIsSharedWithDebts tests that debts wait for an undecided sale, because otherwise the sale's
// proceeds would have no leg.
func TestUndecidedSaleIsSharedWithDebts(t *testing.T) {
	o, poor := owing(t)
	o.Give(t, o.holders[0], 2_000*tokens)
	net := o.NewNetwork(t)
	slot := o.Slot()
	o.Drive(t, func() *fault.Process { return net.Process(runworld.Hides, 1) })
	if c := o.why(t); len(c.Unknown) != 1 || c.Unknown[0].Payment.ID.Kind != payout.Exchange {
		t.Fatalf("%s", c)
	}
	o.resolve(t, unstick.Order{})
	r := o.goOn(t, slot)
	if r.Status() != run.Settled || r.Exchange.Proceeds == 0 || r.Closing.Owed[terms.SOL] < r.Payment.HoldersShare {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	o.paysAgain(t)
	o.arrived(t, 0, poor)
}
