package unstick_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// rentExempt is what a wallet has to have on the local chain, in lamports.
const rentExempt = 890_880

// owing is an office of which two holders more are owed what the run before could not pay
// them, and can be paid now. It gives them, too.
func owing(t *testing.T) (*office, []solana.PublicKey) {
	t.Helper()
	o := open(t)
	o.Token.Settings.SellBps = terms.FullBps // nothing is left for the run after
	var poor []solana.PublicKey
	for range 2 {
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

// claimed fails unless the newest run is a claim, and gives it.
func (o *office) claimed(t *testing.T) run.Run {
	t.Helper()
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must(t, err)
	r := o.Look(t, head.LastSlot)
	if r.Claim == nil {
		t.Fatalf("the run of %s is no claim", r.Slot)
	}
	return r
}

// TestAClaimWhoseBooksDidNotBalanceIsResumed: it had paid, so what it paid is owed no more.
func TestAClaimWhoseBooksDidNotBalanceIsResumed(t *testing.T) {
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
	if c.Frozen == "" || c.Run == nil || c.Run.ID != r.ID || len(c.Lacks) != 1 || c.Lacks[0].Missing != gone {
		t.Fatalf("%+v", c)
	}
	o.resolve(t, unstick.Order{Reason: "a test took it"})
	o.Unheld(true) // what the wallet signed is no payment of ours, whatever the word
	if r = o.goOn(t, r.Slot); r.Status() != run.Settled {
		t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
	}
	o.Unheld(false)
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must(t, err)
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
