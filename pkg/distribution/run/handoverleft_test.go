package run_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// dying returns processes of which each dies at a later call than the one before, until most died.
func dying(most int) func() *fault.Process {
	deaths := 0
	return func() *fault.Process {
		p := fault.NewProcess()
		if deaths++; deaths < most {
			at := int64(3 * deaths)
			var calls atomic.Int64
			p.KillAfter(func(fault.Call) bool { return calls.Add(1) == at })
		}
		return p
	}
}

// last returns the distribution that was opened last.
func (h handing) last(t *testing.T) (newest run.Run) {
	t.Helper()
	page, _, err := h.Runs.Page(t.Context(), h.Token.Mint, h.Clock.Now().Add(time.Hour), 100)
	must.Do(t, err)
	for _, r := range page {
		if r.Kind() == run.Distribution && r.Slot.After(newest.Slot) {
			newest = r
		}
	}
	return newest
}

// done fails unless the order is done and the new address has the authority.
func (h handing) done(t *testing.T) {
	t.Helper()
	if s := h.state(t); s.Status() != handover.Done || h.authority(t) != h.to.PublicKey() {
		t.Fatalf("the order is %s, and %s may withdraw", s.Status(), h.authority(t))
	}
}

// newUnsold hands a token over whose collected tax no market buys.
func newUnsold(t *testing.T) handing {
	t.Helper()
	h := newHanding(t, runworld.NewEnv(t))
	h.Maker.SetPrice(terms.SOL, marketmaker.Price{})
	h.order(t, h.Creator, h.to.PublicKey())
	h.sweeps(t, 30*time.Minute, nil)
	h.done(t)
	return h
}

// TestHandoverDistributesWhatIsLeft: tokens that no market buys delay no hand-over, and do not go to the
// new authority. Once a market buys them, holders are paid, by processes that die at every step, although
// distributions are switched off. Later tax stays where it is.
func TestHandoverDistributesWhatIsLeft(t *testing.T) {
	h := newUnsold(t)
	h.Token.Settings.Enabled = false
	wallet := h.Token.Wallet.Address
	left := own(t, h.Fixture, wallet)
	if r := h.last(t); left == 0 || r.Collecting.Collected != left {
		t.Fatalf("%d are left of the %d that the last distribution collected", left, r.Collecting.Collected)
	}
	h.Give(t, h.rich, 10_000*tokens) // tax of the new authority
	h.sweeps(t, 2*time.Hour, nil)
	same(t, "left without a market", own(t, h.Fixture, wallet), left)

	price(h.Fixture, solana.LAMPORTS_PER_SOL)
	had := h.Lamports(t, h.rich)
	h.sweeps(t, 25*time.Hour, dying(60))
	r := h.last(t)
	h.Look(t, r.Slot)
	if r.Status() != run.Settled || r.Exchange.Sold != left || r.Collecting.Accounts != 0 || r.Collecting.Collected != 0 || h.Lamports(t, h.rich) <= had {
		t.Errorf("the run of %s is %s: sold %d of %d, and %+v", r.Slot, r.Status(), r.Exchange.Sold, left, r.Collecting)
	}
	same(t, "left in the wallet", own(t, h.Fixture, wallet), 0)
	same(t, "at the new authority", own(t, h.Fixture, h.to.PublicKey()), 0)
	if s := h.state(t); !s.LeftUntil.IsZero() {
		t.Errorf("tokens are left until %s", s.LeftUntil)
	}
	h.collected(t)
}

// TestHandoverEndsWithoutMarket: tokens without a buyer are given up after a time, and stay in the
// wallet. Nothing lists the token any more.
func TestHandoverEndsWithoutMarket(t *testing.T) {
	h := newUnsold(t)
	h.Clock.Pass(run.LeftFor)
	h.sweeps(t, 2*time.Minute, nil)
	due, err := h.Runs.ClaimsDue(t.Context(), h.Clock.Now().Add(run.LeftFor), 10)
	must.Do(t, err)
	if s := h.state(t); !s.LeftUntil.IsZero() || len(due) > 0 || own(t, h.Fixture, h.Token.Wallet.Address) == 0 {
		t.Errorf("left until %s, due %v, and the wallet has %d", s.LeftUntil, due, own(t, h.Fixture, h.Token.Wallet.Address))
	}
}

// TestHandoverFollowsLastDistribution: a slot that is idle, that is missed, or for which the wallet has too
// few lamports is no last distribution. The tax is collected before the authority leaves.
func TestHandoverFollowsLastDistribution(t *testing.T) {
	g := runworld.NewEnv(t)
	for name, play := range map[string]func(t *testing.T, h handing){
		"idle": func(t *testing.T, h handing) {
			t.Helper()
			h.order(t, h.Creator, h.to.PublicKey())
			for h.state(t).Status() != handover.Begun {
				h.Pass(t, 1)
				h.Claim(t)
				h.Drive(t, nil)
			}
			h.Maker.SetPrice(terms.SOL, marketmaker.Price{})
			h.Give(t, h.rich, 10_000*tokens)
			h.Pass(t, 1) // the schedule is faster than the sweep, and no market buys
		},
		"missed": func(t *testing.T, h handing) {
			t.Helper()
			h.order(t, h.Creator, h.to.PublicKey())
			for h.state(t).Status() != handover.Begun {
				h.sweeps(t, time.Minute, nil)
			}
			h.Clock.Pass(time.Hour)
		},
		"too few lamports": func(t *testing.T, h handing) {
			t.Helper()
			had := h.Lamports(t, h.Token.Wallet.Address)
			h.Leave(t, rentExempt)
			h.order(t, h.Creator, h.to.PublicKey())
			h.sweeps(t, time.Hour, nil)
			if s := h.state(t); s.Status() != handover.Begun || h.authority(t) != h.Token.Wallet.Address {
				t.Fatalf("the order is %s", s.Status())
			}
			h.Leave(t, had)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHanding(t, g)
			play(t, h)
			h.sweeps(t, 3*time.Hour, nil)
			h.done(t)
			if r := h.last(t); !r.Slot.Equal(h.state(t).LastSlot) || r.Collecting == nil || r.Collecting.Collected == 0 {
				t.Errorf("the last distribution, of %s, is %s, and collected nothing", r.Slot, r.Status())
			}
		})
	}
}

// TestHandoverWithUnpayableReward: a reward that cannot be paid any more delays neither the hand-over, nor
// payments in other assets.
func TestHandoverWithUnpayableReward(t *testing.T) {
	g := runworld.NewEnv(t)
	h := newHanding(t, g)
	coin := g.Currency(t, 0)
	g.Unpayable(t, coin)
	h.Token.Settings.RewardToken = coin.Mint.String()
	h.order(t, h.Creator, h.to.PublicKey())
	h.sweeps(t, 30*time.Minute, dying(30))
	h.done(t)
	if r := h.last(t); r.End == nil || r.End.Code != run.CodeReward {
		t.Errorf("the last distribution is %s: %+v", r.Status(), r.End)
	}
	h.arrived(t, h.poor[0])
	h.Pay(t, h.poor[1], rentExempt)
	h.Claim(t, h.poor[1])
	h.Drive(t, nil)
	h.arrived(t, h.poor[1])
	if h.Lamports(t, h.poor[1]) == rentExempt {
		t.Error("what is owed is not paid by a claim")
	}
}

// TestHandoverCountsNoTaxOfNewAuthority tests that unsold tokens below the cost of a run wait. Tax that is withheld after
// the hand-over, also on the mint, belongs to the new authority and does not add to the value of the unsold tokens.
func TestHandoverCountsNoTaxOfNewAuthority(t *testing.T) {
	h := newUnsold(t)
	h.Give(t, h.rich, 300_000*tokens)
	h.Execute(t, nil, token2022.HarvestWithheldToMint{Mint: h.Token.Mint, Sources: []solana.PublicKey{h.Account(t, h.rich)}}.Instruction())
	const worth = 400_000 // lamports for 1,000 tokens: some 200,000 for the unsold tokens, and 6,000,000 for the new tax
	price(h.Fixture, worth)
	before := h.last(t).Slot
	h.sweeps(t, 25*time.Hour, nil)
	if r := h.last(t); r.Slot.After(before) {
		t.Errorf("a run of %s was opened: %s %+v", r.Slot, r.Status(), r.End)
	}
}
