package unstick_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// lagging is a token with one payment of which no provider shows what landed.
type lagging struct {
	*office

	net *runworld.Network
	of  payout.ID
}

// lag settles a token's second run, in which the transaction of this number, of those with a
// receipt, lands and no provider shows it. What the wallet was given is in the first proof.
func lag(t *testing.T, number int) *lagging {
	t.Helper()
	o := &lagging{office: open(t)}
	o.Settle(t)
	o.Give(t, o.holders[0], 2_000*tokens)
	o.net = o.NewNetwork(t)
	slot := o.Slot()
	o.Drive(t, func() *fault.Process { return o.net.Process(runworld.Hides, number) })
	if r := o.Look(t, slot); r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	unknown := o.head(t).Unknown
	if len(unknown) != 1 || unknown[0].Since.IsZero() {
		t.Fatalf("undecided are %+v", unknown)
	}
	o.of = unknown[0].ID
	if o.of.Kind == payout.Creator {
		o.late = uint64(o.Manifest(t, o.Look(t, slot)).Legs[0].Creator().Reserved)
	}
	return o
}

func (o *lagging) head(t *testing.T) run.Head {
	t.Helper()
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	return head
}

// hiding is a process that sees the network, whose providers still show nothing.
func (o *lagging) hiding() *fault.Process { return o.net.Process(runworld.Hides) }

// sweep has the undecided payments checked that are due, as the dispatcher does.
func (o *lagging) sweep(t *testing.T, start func() *fault.Process) {
	t.Helper()
	due, err := o.Runs.LooksDue(t.Context(), o.Clock.Now(), 10)
	must.Do(t, err)
	if slices.Contains(due, o.Token.Mint) {
		o.Again(dispatch.Earliest)
		o.Drive(t, start)
	}
}

// alarms counts the lines that fire the alarm.
func (o *lagging) alarms(t *testing.T) float64 {
	t.Helper()
	return o.Log.Sum(t)["Undecided"]
}

// A payment of which no provider shows what landed is settled without a person once they all
// show it, and no alarm fires.
func TestUndecidedPaymentSettlesItself(t *testing.T) {
	kinds := map[payout.Kind]bool{}
	for number := 3; number <= 4; number++ { // to a wallet of the creator's, and to holders
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			o := lag(t, number)
			kinds[o.of.Kind] = true
			o.sweep(t, o.hiding)
			head := o.head(t)
			if len(head.Unknown) != 1 || !head.Unknown[0].Next.After(o.Clock.Now()) {
				t.Fatalf("while the providers lag, undecided are %+v", head.Unknown)
			}
			o.sweep(t, nil)
			if again := o.head(t); again.Version != head.Version {
				t.Error("it is checked before it is due")
			}
			o.Clock.Pass(head.Unknown[0].Next.Sub(o.Clock.Now()))
			o.sweep(t, nil)
			if head := o.head(t); len(head.Unknown) > 0 || (len(head.Resolved) > 0) != (o.of.Kind == payout.Pay) {
				t.Fatalf("once the providers agree, undecided are %+v, resolved %+v", head.Unknown, head.Resolved)
			}
			if n := o.alarms(t); n > 0 {
				t.Errorf("%v alarms fired", n)
			}
			o.paysAgain(t)
			o.paysAgain(t)
		})
	}
	if !testing.Short() && (!kinds[payout.Pay] || !kinds[payout.Creator]) {
		t.Errorf("undecided were %v", kinds)
	}
}

// A payment that stays undecided is checked with growing pauses, and an alarm fires when it
// is as old as UndecidedAfter, not before.
func TestUndecidedPaymentAlarmsAfterHours(t *testing.T) {
	o := lag(t, 4)
	since, looks := o.head(t).Unknown[0].Since, 0
	for o.alarms(t) == 0 && looks < 20 {
		next := o.head(t).Unknown[0].Next
		if wait := next.Sub(o.Clock.Now()); wait > 0 {
			o.Clock.Pass(wait)
		}
		o.sweep(t, o.hiding)
		looks++
	}
	if age := o.Clock.Now().Sub(since); age != run.UndecidedAfter || looks > 10 {
		t.Errorf("the alarm fires after %s and %d looks, want %s and at most 10", age, looks, run.UndecidedAfter)
	}
	if c := o.why(t); len(c.Unknown) != 1 {
		t.Errorf("undecided are %+v", c.Unknown)
	}
}

// A process that dies at any write of a look leaves a payment that the next look settles once. After a
// write the state is that before the next one.
func TestUndecidedPaymentSettledOnceAfterCrash(t *testing.T) {
	o := lag(t, 4)
	o.Prepare = nil // a worker's own store dies with it
	recorded := fault.NewProcess()
	o.sweep(t, func() *fault.Process { return recorded })
	acts := slices.DeleteFunc(recorded.Calls(), func(c fault.Call) bool { return !payouttest.Acts(c) })
	if len(acts) < 4 {
		t.Fatalf("a look makes the writes %v, want the head twice, the journal and the payment", acts)
	}
	for n, call := range append(acts, acts[len(acts)-1]) {
		name, kill := "before", (*fault.Process).KillBefore
		if n == len(acts) {
			name, kill = "after", (*fault.Process).KillAfter
		}
		t.Run(fmt.Sprintf("%s %s", name, call), func(t *testing.T) {
			o := lag(t, 4)
			o.Prepare = nil
			dying := fault.NewProcess()
			kill(dying, fault.Exactly(call))
			o.sweep(t, fault.First(dying))
			if !dying.Dead() {
				t.Fatal("the process did not come to the write")
			}
			if unknown := o.head(t).Unknown; len(unknown) > 0 { // the next look is due later
				o.Clock.Pass(unknown[0].Next.Sub(o.Clock.Now()))
				o.sweep(t, nil)
			}
			if head := o.head(t); len(head.Unknown) > 0 || len(head.Resolved) != 1 || !head.Resolved[0].Landed() {
				t.Fatalf("undecided are %+v, resolved %+v", head.Unknown, head.Resolved)
			}
			o.paysAgain(t)
			if says := o.Says(t, o.holders[0], terms.SOL); says.Reserved != 0 {
				t.Errorf("the proofs say %+v", says)
			}
		})
	}
}

// A payment whose landing is in the journal is never lost: not if a process died before it
// wrote the end and no provider shows anything any more, and not by an operator's word.
func TestJournaledLandingIsNeverLost(t *testing.T) {
	o := lag(t, 4)
	journaled := false
	dying := fault.NewProcess()
	dying.On(func(c fault.Call) bool { return c.Service == "s3" && c.Operation == "PutObject" }, func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		journaled = journaled || strings.Contains(r.URL.Path, "/landed-")
		return send(r)
	})
	dying.KillBefore(func(c fault.Call) bool { return journaled && payouttest.Acts(c) })
	o.Again(dispatch.Earliest)
	o.Drive(t, fault.First(dying))
	p, err := o.Payments.Payment(t.Context(), o.of)
	must.Do(t, err)
	if p.Status() != payout.Unknown || !dying.Dead() {
		t.Fatalf("after the crash it is %s", p.Status())
	}
	o.Ledger.SetAccount(t, p.Receipt.Address.String(), surfpool.Account{})
	o.Clock.Pass(o.head(t).Unknown[0].Next.Sub(o.Clock.Now()))
	o.sweep(t, o.hiding)
	o.desk.Engine = o.Worker(t, o.hiding()).Engine
	for _, order := range []unstick.Order{{}, {Reason: "no provider has it", Lost: []string{o.of.String()}}} {
		if c, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, order); err != nil || len(c.Unknown) != 1 {
			t.Errorf("with the order %+v: %+v, %v", order, c, err)
		}
	}
	if p, err = o.Payments.Payment(t.Context(), o.of); err != nil || p.Status() != payout.Unknown {
		t.Errorf("payment %s is %s, %v; want unknown", o.of, p.Status(), err)
	}
}
