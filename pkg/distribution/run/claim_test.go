package run_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// claimFee is a claim's fee in the fixture, in lamports: see run.Costs.
const claimFee = 4 * 5_500

// much and little are the amounts that holders get: a share of little is worth a claim, and less
// than a wallet must have.
const (
	much   = 100_000 * tokens
	little = 150 * tokens
)

// claimants are holders whose wallets did not exist when they were to be paid: they are owed
// each share since, and can be paid now. One more was paid.
type claimants struct {
	*runworld.Fixture
	// poor are owed, rich was paid.
	poor []solana.PublicKey
	rich solana.PublicKey
}

func newClaimants(t *testing.T, g *runworld.Env, n int) claimants {
	t.Helper()
	c := newOwed(t, g, n)
	for _, owner := range c.poor {
		c.Pay(t, owner, rentExempt)
	}
	return c
}

// newOwed is newClaimants before the holders can be paid.
func newOwed(t *testing.T, g *runworld.Env, n int) claimants {
	t.Helper()
	c := claimants{Fixture: g.Fixture(t)}
	c.Token.Settings.SellBps = terms.FullBps // so that nothing is left for the run after
	c.rich = c.Holders(t, 1, much)[0]
	for range n {
		owner := solana.NewWallet().PublicKey()
		c.poor = append(c.poor, owner)
		c.Give(t, owner, little)
	}
	r := c.Settle(t)
	for _, owner := range c.poor {
		carried(t, c.Fixture, r, terms.SOL, owner, allocation.BelowRentFloor)
	}
	return c
}

// claimed returns the newest run, which is to be a claim.
func (c claimants) claimed(t *testing.T) run.Run {
	t.Helper()
	r := c.Look(t, c.Head(t).LastSlot)
	if r.Claim == nil {
		t.Fatalf("the run of %s is no claim", r.Slot)
	}
	return r
}

// arrived fails unless an owner has the sum that all proofs report as received, in addition to
// their wallet's rent.
func (c claimants) arrived(t *testing.T, owner solana.PublicKey) {
	t.Helper()
	same(t, "what arrived at "+owner.String(), c.Lamports(t, owner)-rentExempt, c.Says(t, owner, terms.SOL).Received)
}

func TestClaimsThatComeTooOftenWait(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 2)
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	first := c.claimed(t)
	// Their second order finds nothing owed; the other's waits for the pause.
	c.Claim(t, c.poor...)
	c.Drive(t, nil)
	if r := c.claimed(t); r.ID != first.ID {
		t.Fatalf("a claim was opened %s after the one before", r.OpenedAt.Sub(first.OpenedAt))
	}
	c.Clock.Pass(first.OpenedAt.Add(run.ClaimPause).Sub(c.Clock.Now()))
	due, err := c.Runs.ClaimsDue(t.Context(), c.Clock.Now(), 10)
	must.Do(t, err)
	if len(due) != 1 || due[0] != c.Token.Mint {
		t.Fatalf("the sweep asks for %v", due)
	}
	c.Claim(t)
	c.Drive(t, nil)
	second := c.claimed(t)
	paid(t, c.Fixture, second, terms.SOL, c.poor[1])
	if row := c.Row(t, second, terms.SOL, c.poor[0]); row.Owed+row.Paid > 0 || row.Total == 0 {
		t.Errorf("who was paid is paid again: %+v", row)
	}
	for _, owner := range c.poor {
		c.arrived(t, owner)
	}
	if due, err := c.Runs.ClaimsDue(t.Context(), c.Clock.Now().Add(time.Hour), 10); err != nil || len(due) > 0 {
		t.Errorf("orders are left: %v, %v", due, err)
	}
}

// TestClaimAfterSettingsChange tests a claim in a slot before the change, for which no distribution has the
// settings of the slot.
func TestClaimAfterSettingsChange(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 2)
	versions := terms.Versions{{Settings: c.Token.Settings, Number: terms.LaunchVersion}}
	c.Prepare = func(worker *runworld.Worker) { worker.Machine.Tokens = history{c.Fixture, &versions} }
	change := func(bps int) {
		s := versions.Newest().Settings
		s.BurnBps, s.Interval = bps, terms.Every24Hours
		opened := c.Head(t).LastSlot
		versions = versions.Change(versions.Next(s, c.Clock.Now(), opened), opened)
	}
	for i, owner := range c.poor { // the second time the last slot is a claim's
		change(100 * (i + 1))
		c.Clock.Pass(time.Second)
		change(150 * (i + 1))
		c.Clock.Pass(run.ClaimPause)
		c.Claim(t, owner)
		c.Drive(t, nil)
		r := c.claimed(t)
		if r.SettingsVersion != terms.LaunchVersion {
			t.Errorf("the claim has version %d of the settings", r.SettingsVersion)
		}
		paid(t, c.Fixture, r, terms.SOL, owner)
		c.arrived(t, owner)
	}
}

// TestClaimKeepsNothingForCreator tests that a wallet with enough for the claim pays the claim, however many
// wallets the creator has. Distributions pay the creator.
func TestClaimKeepsNothingForCreator(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 1)
	var splits []terms.Split
	for range 4 {
		splits = append(splits, terms.Split{Wallet: solana.NewWallet().PublicKey(), Bps: terms.FullBps / 4})
	}
	c.Token.Settings.CreatorSplits = terms.NewSplits(splits)
	head := c.Head(t)
	own := c.Lamports(t, c.Token.Wallet.Address) - head.Owed[terms.SOL] - head.Remainder[terms.SOL]
	c.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Costs.Transaction = (own - 3*rentExempt) / 5 // of a claim, and receipts' rent
	}
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	r := c.claimed(t)
	if r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	paid(t, c.Fixture, r, terms.SOL, c.poor[0])
	c.arrived(t, c.poor[0])
}
