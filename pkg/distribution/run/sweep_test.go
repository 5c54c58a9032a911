package run_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A token that has brought nothing for 90 days pays what it owes once more, and what is worth
// less than sending it can be claimed still.
func TestDeadTokenIsSwept(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newOwed(t, g, 2)
	if earned := c.Head(t).Earned; !earned.Equal(c.Head(t).LastSlot) {
		t.Fatalf("it earned last at %s", earned)
	}
	for c.Distribute(t).Status() == run.Settled { // the tax on what was sold
	}
	for _, owner := range c.poor {
		c.Pay(t, owner, rentExempt)
	}
	owed := c.Head(t).Owed[terms.SOL]
	earned := c.Head(t).Earned

	c.Clock.Pass(earned.Add(run.DeadAfter).Sub(c.Clock.Now()) - 10*time.Minute)
	c.Slot()
	c.Drive(t, nil)
	if head := c.Head(t); head.Owed[terms.SOL] != owed || !head.Swept.IsZero() {
		t.Fatalf("it is swept at %s, before its time", head.Swept)
	}
	c.Clock.Pass(10 * time.Minute)
	slot := c.Slot()
	c.Drive(t, nil)
	r := c.Look(t, slot)
	if r.Status() != run.Settled || r.Claim == nil || !r.Claim.Sweep || c.Manifest(t, r).Kind != format.Claim {
		t.Fatalf("the run is %s, %+v, %+v", r.Status(), r.Claim, r.End)
	}
	for _, owner := range c.poor {
		row := paid(t, c.Fixture, r, terms.SOL, owner)
		same(t, "what is kept of it", row.Charged, 0)
		c.arrived(t, owner)
	}
	// Once: a token that stays dead is not swept again.
	swept := c.Head(t)
	c.Clock.Pass(2 * run.DeadAfter)
	again := c.Slot()
	c.Drive(t, nil)
	if head := c.Head(t); head.Last.Number != swept.Last.Number {
		t.Errorf("it is swept again at %s", again)
	}
}

// TestSweepWithTooLittleTimeIsRepeated tests that holders without a payment in a sweep are paid by the next
// sweep, because most of these holders cannot claim.
func TestSweepWithTooLittleTimeIsRepeated(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newOwed(t, g, payout.SOLBatch+1)
	for c.Distribute(t).Status() == run.Settled { // the tax on what was sold
	}
	for _, owner := range c.poor {
		c.Pay(t, owner, rentExempt)
	}
	head := c.Head(t)
	// What two transactions cost leaves the wallet the rent of one receipt at a time.
	own := c.Lamports(t, c.Token.Wallet.Address) - head.Owed[terms.SOL] - head.Remainder[terms.SOL]
	chunk, chunks := -1, 0
	c.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Costs.Transaction = (own - 3*rentExempt - 200_000) / 5
		// From the second chunk on, a step takes longer than a sweep has.
		worker.Machine.Engine = working{worker.Machine.Engine, func(work payout.Work) {
			if work.Chunk == chunk {
				return
			}
			if chunk = work.Chunk; chunks == 1 {
				c.Clock.Pass(5 * time.Minute)
			}
			chunks++
		}}
	}
	c.Clock.Pass(head.Earned.Add(run.DeadAfter).Sub(c.Clock.Now()) - 10*time.Minute)
	c.Slot() // is checked
	c.Drive(t, nil)
	c.Clock.Pass(10 * time.Minute)
	for _, paid := range []uint32{payout.SOLBatch, 1} {
		var r run.Run
		for slots := 0; r.Claim == nil; slots++ { // what has moved is checked first
			if slots == 3 {
				t.Fatal("it is not swept")
			}
			slot := c.Slot()
			c.Drive(t, nil)
			r, _ = c.Opened(t, slot)
		}
		if r.Status() != run.Settled || !r.Claim.Sweep || r.Closing.Legs[0].PaidHolders != paid {
			t.Fatalf("the run is %s, %+v, %+v", r.Status(), r.Claim, r.End)
		}
		if has := r.Deadline.Sub(r.OpenedAt); has < 4*time.Minute {
			t.Errorf("a sweep has %s", has)
		}
	}
	for _, owner := range c.poor {
		c.arrived(t, owner)
		if says := c.Says(t, owner, terms.SOL); says.Carried > 0 {
			t.Errorf("%s is owed %d", owner, says.Carried)
		}
	}
}

// A claim cannot keep a distribution from its slot, however often holders ask, and the slot
// that comes while a claim is at work has its run as soon as that is over.
func TestClaimsStarveNoSlot(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 6)
	var slots []time.Time
	for i, owner := range c.poor[:5] {
		c.Give(t, c.rich, much)
		c.Clock.Pass(c.Token.Settings.Interval.Next(c.Clock.Now()).Sub(c.Clock.Now()) - time.Second)
		// Five ask a second before the slot: one of them with a new claim each time, the others once more.
		c.Claim(t, owner)
		c.Claim(t, c.poor[:i+1]...)
		slots = append(slots, c.Slot())
		c.Drive(t, nil)
	}
	for _, slot := range slots {
		if r := c.Look(t, slot); r.Status() != run.Settled || r.Claim != nil {
			t.Errorf("the slot %s has a run that is %s", slot, r.Status())
		}
	}
	for _, owner := range c.poor {
		c.arrived(t, owner)
		if says := c.Says(t, owner, terms.SOL); says.Carried > 0 {
			t.Errorf("%s is owed %d", owner, says.Carried)
		}
	}
	page, _, err := c.Runs.Page(t.Context(), c.Token.Mint, time.Time{}, 100)
	must.Do(t, err)
	claims := 0
	for _, r := range page {
		if r.Claim != nil {
			claims++
		}
	}
	t.Logf("%d distributions, %d claims", len(slots), claims)
	if claims == 0 || claims > len(slots)+1 {
		t.Errorf("%d claims in %d slots", claims, len(slots))
	}
}

// What was changed meanwhile holds from the next slot: a claim pays the old reward.
func TestClaimAfterRewardChange(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 1)
	coin := g.Currency(t, 0)
	c.Token.Settings.RewardToken = coin.Mint.String()
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	r := c.claimed(t)
	if r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	row := paid(t, c.Fixture, r, terms.SOL, c.poor[0])
	same(t, "what is kept", row.Charged, claimFee)
	if _, found, err := c.Node.Account(t.Context(), coin.Account(t, c.Token.Wallet.Address)); err != nil || found {
		t.Errorf("the claim has made the wallet an account of the new reward: %v", err)
	}
	c.arrived(t, c.poor[0])
}

// A token that is frozen pays no claim, and the order waits.
func TestFrozenTokenPaysNoClaim(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 1)
	head := c.Head(t)
	head.Frozen = "Something does not add up."
	must.Do(t, c.Runs.SaveHead(t.Context(), head))
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	if got := c.Head(t); !got.LastSlot.Equal(head.LastSlot) {
		t.Fatalf("a run was opened at %s", got.LastSlot)
	}
	head = c.Head(t)
	head.Frozen = ""
	must.Do(t, c.Runs.SaveHead(t.Context(), head))
	c.Claim(t)
	c.Drive(t, nil)
	paid(t, c.Fixture, c.claimed(t), terms.SOL, c.poor[0])
	c.arrived(t, c.poor[0])
}

// A holder whose wallet refuses has lost nothing, and the holder's claim keeps none of the
// others from being paid.
func TestClaimantWhoRejectsPayment(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 2)
	set(t, c.Fixture, c.poor[0], c.Token.Mint)
	c.Unheld(true)
	c.Claim(t, c.poor...)
	c.Drive(t, nil)
	r := c.claimed(t)
	carried(t, c.Fixture, r, terms.SOL, c.poor[0], allocation.NotAWallet)
	paid(t, c.Fixture, r, terms.SOL, c.poor[1])
	c.arrived(t, c.poor[1])
}
