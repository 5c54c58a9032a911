package run_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// moved fails unless everything of the token is the later wallet's: the authority, the tokens to the
// unit, and the SOL without the fees.
func moved(t *testing.T, w *runworld.Fixture, from, to token.Wallet, tokens, lamports uint64) {
	t.Helper()
	if has := w.Collector(t); has != to.Address {
		t.Errorf("the authority over the tax is %s, want %s", has, to.Address)
	}
	if got := w.Lamports(t, from.Address); got != 0 {
		t.Errorf("the wallet before has %d lamports", got)
	}
	if _, found, err := w.Node.Account(t.Context(), w.Account(t, from.Address)); err != nil || found {
		t.Errorf("the wallet before has an account of the token (%v)", err)
	}
	if got := w.Tokens(t, to.Address, w.Token.Mint, solana.Token2022ProgramID); got != tokens {
		t.Errorf("%d tokens arrived, want %d", got, tokens)
	}
	if got := w.Lamports(t, to.Address); got+100_000 < lamports {
		t.Errorf("%d lamports arrived of %d", got, lamports)
	}
	if head := w.Head(t); head.Rotated == nil || head.Rotated.Wallet != to || head.Frozen != "" || !head.Active.IsZero() {
		t.Errorf("the head says %+v, frozen %q", head.Rotated, head.Frozen)
	}
}

// had returns the tokens and the lamports of a token's wallet.
func had(t *testing.T, w *runworld.Fixture) (tokens, lamports uint64) {
	t.Helper()
	return w.Tokens(t, w.Token.Wallet.Address, w.Token.Mint, solana.Token2022ProgramID), w.Lamports(t, w.Token.Wallet.Address)
}

// TestRotationDuringRun: an order waits for the run in flight. Afterwards the later wallet has all
// balances and the authority, pays what the wallet before owed, and continues to distribute.
func TestRotationDuringRun(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newOwed(t, g, 2)
	from := c.Token.Wallet
	c.Give(t, from.Address, 1_000*tokens) // the wallet's account withholds tax, too
	c.Give(t, c.rich, 10_000*tokens)
	slot := c.Slot()
	ordered := false
	var to token.Wallet
	c.Drive(t, func() *fault.Process {
		p := fault.NewProcess()
		if !ordered && !c.Head(t).Active.IsZero() {
			ordered = true
			to = c.OrderRotation(t)
		}
		p.KillAfter(func(call fault.Call) bool { return !ordered && call.Service == "kms" })
		return p
	})
	if !ordered {
		t.Fatal("no run was in flight")
	}
	if r := c.Look(t, slot); r.Status() != run.Settled || r.Token.Wallet != from {
		t.Fatalf("the run in flight is %s, of wallet %s", r.Status(), r.Token.Wallet.Address)
	}
	before := c.Head(t)
	had, lamports := had(t, c.Fixture)
	withheld := c.withheld(t, from.Address)
	c.Rotate(t, nil)
	moved(t, c.Fixture, from, to, had+withheld, lamports)
	if head := c.Head(t); head.Owed[terms.SOL] != before.Owed[terms.SOL] || head.Last.Number != before.Last.Number {
		t.Errorf("%d are owed, want %d", head.Owed[terms.SOL], before.Owed[terms.SOL])
	}
	c.Token.LaunchWallet, c.Token.Wallet = from, to
	c.Pay(t, c.poor[0], rentExempt)
	c.Give(t, c.rich, 10_000*tokens)
	r := c.Settle(t)
	if r.Token.Wallet != to || r.Split.Slice == 0 {
		t.Errorf("the run is of wallet %s, and takes %d", r.Token.Wallet.Address, r.Split.Slice)
	}
	c.arrived(t, c.poor[0])
	c.Settle(t)
	if head := c.Head(t); len(head.Rotated.Before) > 0 || head.Rotated.Wallet != to {
		t.Errorf("the head says %+v", head.Rotated)
	}
}

// withheld returns the tax that is withheld in an owner's account.
func (c claimants) withheld(t *testing.T, owner solana.PublicKey) uint64 {
	t.Helper()
	account, found, err := c.Node.Account(t.Context(), c.Account(t, owner))
	must.Do(t, err)
	if !found {
		return 0
	}
	state, err := token2022.DecodeAccount(account.Owner, account.Data)
	must.Do(t, err)
	return state.Withheld
}

// TestRotationNeedsAnOperator: a false ledger moves nothing. Without the operator's order, to another
// address than the derived one, by an order for another wallet, and by an old order, the signer signs
// nothing.
func TestRotationNeedsAnOperator(t *testing.T) {
	g := runworld.NewEnv(t)
	w := g.Fixture(t)
	w.Holders(t, 1, much)
	w.Settle(t)
	from := w.Token.Wallet
	to := w.Rotation(t)
	thief := solana.NewWallet().PublicKey()
	refused := func(what, why string) {
		t.Helper()
		lamports := w.Lamports(t, from.Address)
		worker := w.Worker(t, nil)
		var err error
		for range 60 {
			next, failed := worker.Machine.Run(t.Context(), w.Token.Mint, w.Clock.Now().Truncate(time.Second))
			if err = failed; err != nil || next.Done {
				break
			}
			w.Clock.Pass(max(next.After, time.Second))
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", what, err)
		}
		if w.Collector(t) != from.Address || w.Lamports(t, from.Address) < lamports || w.Lamports(t, thief) > 0 {
			t.Fatalf("%s moves the token", what)
		}
	}
	refused("a ledger without an order", "no operator has ordered")
	change := func(change func(r *run.Run)) {
		t.Helper()
		r, err := w.Runs.Run(t.Context(), w.Token.Mint, w.Head(t).Active)
		must.Do(t, err)
		change(&r)
		must.Do(t, w.Runs.Save(t.Context(), r))
	}
	redirected := func(address solana.PublicKey) func(*run.Run) {
		return func(r *run.Run) { r.Release.To, r.Release.Into.Address = address, address }
	}
	must.Do(t, w.Caps().Rotate(t.Context(), w.Token.Mint, from.Address, to.Address, "an operator", "the root leaked"))
	w.Clock.Pass(13 * time.Hour)
	refused("an old order", "has to order it again")
	must.Do(t, w.Caps().Rotate(t.Context(), w.Token.Mint, from.Address, thief, "an operator", "the root leaked"))
	refused("an order for another wallet", "no operator has ordered")
	change(redirected(thief))
	refused("an order to an address that no root derives", "not "+thief.String())
	change(redirected(to.Address))
	must.Do(t, w.Caps().Rotate(t.Context(), w.Token.Mint, from.Address, to.Address, "an operator", "the root leaked"))
	w.Rotate(t, nil)
	if has := w.Collector(t); has != to.Address {
		t.Errorf("the authority over the tax is %s, want %s", has, to.Address)
	}
}

// TestRotationGivesNoCredit: what a rotation brings does not count as income of the later wallet, not
// even if a taken-over function had the signer look at the wallet before.
func TestRotationGivesNoCredit(t *testing.T) {
	g := runworld.NewEnv(t)
	w := g.Fixture(t)
	w.Holders(t, 1, much)
	w.Settle(t)
	w.Pay(t, w.Token.Wallet.Address, 3*solana.LAMPORTS_PER_SOL)
	core := w.Signer(w.Config(nil))
	to := w.Rotation(t)
	limit := signing.ForPayments(core.Limits.RunLamports)
	room := func() uint64 {
		t.Helper()
		r, err := w.Runs.Run(t.Context(), w.Token.Mint, w.Head(t).LastSlot)
		must.Do(t, err)
		head := w.Head(t)
		r.Token.Wallet, r.End, r.Release = to, nil, nil
		head.Active = r.Slot
		core.Runs = madeUp{head, r}
		answer, err := core.Do(t.Context(), signing.Request{Rooms: []signing.RoomOrder{{Mint: w.Token.Mint, Run: r.ID, Asset: terms.SOL}}})
		must.Do(t, err)
		must.Do(t, answer.Rooms[0].Err())
		return answer.Rooms[0].Room
	}
	if got := room(); got > limit {
		t.Fatalf("an empty wallet has room for %d", got)
	}
	w.OrderRotation(t)
	w.Rotate(t, nil)
	if w.Lamports(t, to.Address) < 3*solana.LAMPORTS_PER_SOL {
		t.Fatal("nothing was moved")
	}
	if got := room(); got > limit {
		t.Errorf("right after the rotation there is room for %d, want at most %d", got, limit)
	}
	w.Clock.Pass(25 * time.Hour)
	w.Heights.Block()
	if got := room(); got > limit {
		t.Errorf("a day after the rotation there is room for %d, want at most %d", got, limit)
	}
	w.Pay(t, to.Address, solana.LAMPORTS_PER_SOL)
	if got := room(); got <= limit {
		t.Errorf("income later leaves room for %d only", got)
	}
}

// madeUp is a ledger that a function has made up.
type madeUp struct {
	head run.Head
	run  run.Run
}

func (o madeUp) Head(context.Context, solana.PublicKey) (run.Head, error) { return o.head, nil }

func (o madeUp) Run(context.Context, solana.PublicKey, time.Time) (run.Run, error) { return o.run, nil }

// TestRotationCosts prints the figures of docs/operations.md: the calls of one rotation, and the time by the
// test's clock, which passes each pause of the machine.
func TestRotationCosts(t *testing.T) {
	g := runworld.NewEnv(t)
	w := g.Fixture(t)
	w.Holders(t, 1, much)
	w.Settle(t)
	w.OrderRotation(t)
	recorded, began := fault.NewProcess(), w.Clock.Now()
	w.Rotate(t, func() *fault.Process { return recorded })
	took, by := w.Clock.Now().Sub(began), map[string]int{}
	for _, call := range recorded.Calls() {
		by[call.Service]++
		if call.Operation == "sendTransaction" {
			by["transactions"]++
		}
	}
	t.Logf("a rotation takes %s and these calls: %v", took, by)
	if by["transactions"] > 6 {
		t.Errorf("a rotation sends %d transactions, want at most 6", by["transactions"])
	}
}

// TestRotationWithKills kills the process of a token at each call of the rotation, before the call or
// after it, and lets others go on. Short of `make matrices`, a part of the calls.
func TestRotationWithKills(t *testing.T) {
	g := runworld.NewEnv(t)
	begin := func() (*runworld.Fixture, token.Wallet, token.Wallet, uint64, uint64) {
		w := g.Fixture(t)
		w.Holders(t, 1, much)
		w.Settle(t)
		w.Give(t, w.Token.Wallet.Address, 500*tokens)
		from, to := w.Token.Wallet, w.OrderRotation(t)
		has, lamports := had(t, w)
		return w, from, to, has + 25*tokens, lamports // 5 percent are withheld in the account
	}
	recorded := fault.NewProcess()
	w, from, to, has, lamports := begin()
	w.Rotate(t, func() *fault.Process { return recorded })
	moved(t, w, from, to, has, lamports)
	var calls []fault.Call
	for _, call := range recorded.Calls() {
		if !fault.Reads(call) {
			calls = append(calls, call)
		}
	}
	step := 1
	if !nightly.Whole(t) {
		step = max(len(calls)/8, 1)
	}
	for n := 0; n < len(calls); n += step {
		for i, hit := range hits {
			if step > 1 && i != n/step%len(hits) {
				continue
			}
			w, from, to, has, lamports := begin()
			killed := 0
			w.Rotate(t, func() *fault.Process {
				p := fault.NewProcess()
				if killed++; killed == 1 {
					hit.on(p, fault.Exactly(calls[n]))
				}
				return p
			})
			moved(t, w, from, to, has, lamports)
			if t.Failed() {
				t.Fatalf("call %d of %d: %s %s", n, len(calls), hit.name, calls[n])
			}
		}
	}
}

// TestRotationProofShowsTheft: what left the wallet before on the way is named by the next proof.
func TestRotationProofShowsTheft(t *testing.T) {
	g := runworld.NewEnv(t)
	w := g.Fixture(t)
	rich := w.Holders(t, 1, much)[0]
	w.Settle(t)
	from, thief := w.Token.Wallet, solana.NewWallet().PublicKey()
	w.Skim(t, thief, 1_000_000)
	to := w.OrderRotation(t)
	w.Rotate(t, nil)
	w.Token.LaunchWallet, w.Token.Wallet = from, to
	w.Unheld(true)
	w.Give(t, rich, 10_000*tokens)
	r := w.Settle(t)
	for _, c := range w.Report(t, r).Checks {
		if c.Name == "rotation" && c.Verdict == verify.Failed {
			return
		}
	}
	t.Error("the proof does not name the theft")
}
