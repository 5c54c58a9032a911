package run_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A token that is wound down is handed over, keeps what holders can claim, and returns the float when
// the order is final. Without the operator's release in the signer's table, a function that writes the
// ledger empties no wallet, to no one.
func TestTokenIsWoundDown(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newOwed(t, g, 2)
	c.Pay(t, c.poor[0], rentExempt) // the other one has no account, and cannot be paid
	c.Give(t, c.rich, much/20)      // tax since the last distribution
	c.OrderWindDown(t, c.Creator.PublicKey())
	c.WindDown(t, false, nil)

	head := c.Head(t)
	for _, r := range c.Settled(t) {
		c.Look(t, r.Slot)
	}
	c.arrived(t, c.poor[0])
	if has := c.Collector(t); has != c.Creator.PublicKey() || head.HandedOver == nil {
		t.Errorf("the authority over the tax is with %s", has)
	}
	// Who cannot be paid keeps the float with the wallet, until the order is final.
	if head.Owed[terms.SOL] == 0 || !head.WindDown.Released.IsZero() || c.Lamports(t, c.Token.Wallet.Address) < head.Owed[terms.SOL] {
		t.Errorf("owed are %d, and released is %s", head.Owed[terms.SOL], head.WindDown.Released)
	}
	had, wallet := c.Lamports(t, c.Creator.PublicKey()), c.Lamports(t, c.Token.Wallet.Address)

	// A ledger that names another creator, or another launch, empties nothing.
	c.Token.WindDown.Final = true
	honest, thief := c.Token.Creator, solana.NewWallet().PublicKey()
	c.Token.Creator = thief
	worker := c.Worker(t, nil)
	var err error
	for range 100 {
		var next payout.Next
		if next, err = worker.Machine.Run(t.Context(), c.Token.Mint, c.Clock.Now().Truncate(time.Second)); err != nil {
			break
		}
		c.Clock.Pass(max(next.After, time.Second))
	}
	if err == nil || !strings.Contains(err.Error(), "not to the creator") || c.Lamports(t, c.Token.Wallet.Address) < wallet {
		t.Fatalf("a thief's release continues with %v, and the wallet has %d", err, c.Lamports(t, c.Token.Wallet.Address))
	}
	r, err := c.Runs.Run(t.Context(), c.Token.Mint, c.Head(t).Active)
	must.Do(t, err)
	r.Release.To = honest
	must.Do(t, c.Runs.Save(t.Context(), r))
	c.Token.Creator = honest

	c.WindDown(t, true, nil)
	c.Released(t, c.Creator.PublicKey())
	if got := c.Lamports(t, c.Creator.PublicKey()) - had; got+20_000 < wallet {
		t.Errorf("the creator got %d back of %d", got, wallet)
	}
	last, err := c.Runs.Run(t.Context(), c.Token.Mint, c.Head(t).LastSlot)
	must.Do(t, err)
	if last.Status() != run.Skipped || last.End.Code != run.CodeWoundDown || last.Release.Refunded.Amount == 0 {
		t.Errorf("the last run is %s: %+v", last.Status(), last.End)
	}
	// Nothing opens a run any more.
	c.Slot()
	c.Claim(t, c.poor[1])
	c.Drive(t, nil)
	if again := c.Head(t); !again.LastSlot.Equal(last.Slot) {
		t.Errorf("a run of %s was opened", again.LastSlot)
	}
}

// TestTwentyTokensAreWoundDownWithKills kills the process of each of twenty tokens at another call of the
// wind-down, before the call or after it, and lets others go on.
func TestTwentyTokensAreWoundDownWithKills(t *testing.T) {
	begin := func(t *testing.T, g *runworld.Env) *runworld.Fixture {
		t.Helper()
		w := g.Fixture(t)
		w.Holders(t, 1, much)
		w.OrderWindDown(t, w.Creator.PublicKey())
		return w
	}
	recorded := fault.NewProcess()
	w := begin(t, runworld.NewEnv(t))
	w.WindDown(t, false, func() *fault.Process { return recorded })
	w.Released(t, w.Creator.PublicKey())
	var calls []fault.Call
	for _, call := range recorded.Calls() {
		if !fault.Reads(call) {
			calls = append(calls, call)
		}
	}
	const tokens = 20
	play := func(t *testing.T, g *runworld.Env, n int) {
		t.Helper()
		call, hit := calls[n*len(calls)/tokens], hits[n%len(hits)]
		if n >= tokens/2 { // half of the kills are in the release, which is the last sixth
			call = calls[len(calls)-1-(tokens-1-n)*len(calls)/6/(tokens/2)]
		}
		w, killed := begin(t, g), 0
		w.WindDown(t, false, func() *fault.Process {
			p := fault.NewProcess()
			if killed++; killed == 1 {
				hit.on(p, fault.Exactly(call))
			}
			return p
		})
		w.Released(t, w.Creator.PublicKey())
		if head := w.Head(t); head.WindDown.Released.IsZero() || head.Frozen != "" || killed < 2 {
			t.Errorf("%s %s: %+v, frozen %q, %d processes", hit.name, call, head.WindDown, head.Frozen, killed)
		}
		for _, r := range w.Settled(t) {
			w.Look(t, r.Slot)
		}
		if t.Failed() {
			t.Fatalf("token %d, %s %s", n, hit.name, call)
		}
	}
	const atOnce = 4 // a chain with a long history is slow
	for from := 0; from < tokens && !t.Failed(); from += atOnce {
		t.Run(fmt.Sprint("from ", from), func(t *testing.T) {
			g := runworld.NewEnv(t)
			for n := from; n < from+atOnce; n++ {
				play(t, g, n)
			}
		})
	}
}
