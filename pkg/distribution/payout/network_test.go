package payout_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// only gives the one intent of the payment.
func (l *life) only(t *testing.T) payout.Intent {
	t.Helper()
	list := l.Intents(t, payout.Pay, 0)
	if len(list) != 1 {
		t.Fatalf("%d intents: %+v", len(list), list)
	}
	return list[0]
}

// reading makes a life for tests that look at attempts.
func lifeOf(t *testing.T, fate func(tx wire.Transaction, n int) payouttest.Fate) *life {
	t.Helper()
	return newLife(t, payouttest.NewEnv(t), fate)
}

func TestARaisedFeeStandsOnTheSameValueAndLandsOnce(t *testing.T) {
	// The first attempt is dropped; the second has twice the price, and then both land
	// at once.
	l := lifeOf(t, once(payouttest.Drops))
	l.run(t)
	l.check(t)
	i := l.only(t)
	if i.Status() != payout.Settled || len(i.Attempts) != 2 || i.Attempts[1].PriceMicroLamports != 2*i.Attempts[0].PriceMicroLamports {
		t.Fatalf("%s after the attempts %+v", i.Status(), i.Attempts)
	}
	if i.Outcome.Signature != i.Attempts[1].Signature {
		t.Errorf("%s landed, want the second attempt", i.Outcome.Signature)
	}
	var kept []payout.Intent
	for k, err := range l.Journal.All(t.Context(), l.Mint) {
		if err != nil {
			t.Fatal(err)
		}
		if k.ID == i.ID {
			kept = append(kept, k)
		}
	}
	if len(kept) != 2 {
		t.Fatalf("the journal has %d attempts, want 2", len(kept))
	}
	for _, k := range kept {
		for _, a := range k.Attempts {
			tx, err := wire.ParseTransaction(a.Bytes)
			if err != nil || tx.Message().Recent() != i.Value {
				t.Errorf("an attempt stands on another value, %v", err)
			}
			_ = l.Chain.Send(t.Context(), a.Bytes) // late, and again
		}
	}
	l.check(t)
}

func TestWhatNeverLandsIsCancelledAndCarried(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	l.run(t)
	paid, _ := l.check(t)
	i := l.only(t)
	if paid != 0 || i.Status() != payout.Failed || !i.Outcome.Cancelled || len(i.Skips) != 0 {
		t.Errorf("%d paid; %s by %+v, skips %+v", paid, i.Status(), i.Outcome, i.Skips)
	}
	lane, err := l.Store.Lane(t.Context(), l.Mint, 0)
	if err != nil || !lane.Free() || lane.Value == i.Value {
		t.Errorf("the lane is %+v, %v", lane, err)
	}
	// The payment that was dropped comes late, and does nothing.
	for k, err := range l.Journal.All(t.Context(), l.Mint) {
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Chain.Send(t.Context(), k.Attempts[0].Bytes)
	}
	l.check(t)
}

func TestALostReplyAfterLanding(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.run(t, func(p *fault.Process) { p.On(fault.Operation(fault.Solana, fault.SendTransaction), fault.ReplyLost) })
	if paid, _ := l.check(t); paid != 3 || len(l.only(t).Attempts) != 1 {
		t.Errorf("%d paid by %d attempts", paid, len(l.only(t).Attempts))
	}
}

func TestAFailedTransactionThatSpendsItsValueIsSplit(t *testing.T) {
	l := lifeOf(t, once(payouttest.Fails))
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	whole, err := l.Store.Intent(t.Context(), payout.ID{Run: l.Run, Kind: payout.Pay})
	if err != nil || whole.Status() != payout.Split || whole.Outcome.Failed == "" || whole.Outcome.FeeLamports == 0 {
		t.Errorf("the whole is %s by %+v, %v", whole.Status(), whole.Outcome, err)
	}
}

func TestAnUnknownEndFreezesItsLaneAndIsNeverPaidAgain(t *testing.T) {
	for _, fate := range []payouttest.Fate{payouttest.Hides, payouttest.Vanishes} {
		t.Run(string(fate), func(t *testing.T) {
			l := lifeOf(t, once(fate))
			var log telemetrytest.Log
			l.Log = log.Logger(slog.LevelError)
			l.run(t)
			if sums := log.Sum(t); sums["Undecided"] != 1 || sums["HoldersPaid"] != 0 {
				t.Errorf("measured %v", sums)
			}
			if _, unknown := l.check(t); unknown != 3 {
				t.Errorf("%d unknown", unknown)
			}
			lane, err := l.Store.Lane(t.Context(), l.Mint, 0)
			if err != nil || lane.Frozen == "" || l.only(t).Amount != l.list[0].Amount+l.list[1].Amount+l.list[2].Amount {
				t.Errorf("the lane is %+v, %v", lane, err)
			}
			l.run(t) // a redriven message changes nothing
			l.check(t)

			// Another payment goes on, on a lane that takes the place of the frozen one.
			next := payouttest.SOL(3, 1)
			next.Leg = 1
			more := holders(2, 2_000_000)
			l.Pay(t, l.Engine(t, nil), l.Plan(next, more))
			if i := l.Intents(t, payout.Pay, 1)[0]; i.Status() != payout.Settled || i.Lane != payout.MostLanes {
				t.Errorf("the next is %s on lane %d", i.Status(), i.Lane)
			}

			// The nodes find it after all: the ledger is put right, and the lane goes on.
			rebuilt, err := l.Engine(t, nil).Rebuild(t.Context(), l.Mint, l.Wallet)
			if err != nil {
				t.Fatal(err)
			}
			want := map[payouttest.Fate]payout.Rebuilt{payouttest.Hides: {Decided: 1}, payouttest.Vanishes: {Unknown: 1, Frozen: []int{0}}}[fate]
			if rebuilt.Decided != want.Decided || rebuilt.Unknown != want.Unknown || len(rebuilt.Frozen) != len(want.Frozen) {
				t.Errorf("rebuilt %+v, want %+v", rebuilt, want)
			}
			if fate == payouttest.Hides && l.only(t).Status() != payout.Settled {
				t.Errorf("it is %s", l.only(t).Status())
			}
		})
	}
}

// A fork: a node shows it landed and finalized, and it is gone.
func TestAForkedNodeSettlesNothing(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	fork := &fault.Fork{Commitment: "finalized", Sightings: 3}
	l.run(t, func(p *fault.Process) {
		fork.On(p)
		p.On(func(c fault.Call) bool { return c.Operation == fault.SendTransaction && c.N > 1 },
			func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
				return http.DefaultTransport.RoundTrip(r)
			})
	})
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// behind is a node that has stopped following the network.
func TestALaggingNodeIsWaitedFor(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	var lag fault.Behind
	p := fault.NewProcess()
	lag.On(p)
	e := l.Engine(t, p)
	work := l.First(l.phase, 0)
	step := func() {
		t.Helper()
		next, err := e.Work(t.Context(), work)
		if err != nil {
			t.Fatal(err)
		}
		l.Clock.Pass(next.After)
	}
	step()
	lag.Freeze() // it has seen the value before; the payment lands
	for range 20 {
		step()
		if i := l.only(t); i.Status() != payout.Sent {
			t.Fatalf("it is %s by a node that does not follow", i.Status())
		}
	}
	lag.Thaw()
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// liar is a second node that says what it likes.
type liar struct {
	payout.Chain
	value  solana.Hash
	slot   uint64
	landed []payout.Landing
}

func (n liar) NonceAt(context.Context, solana.PublicKey, uint64) (solana.Hash, uint64, error) {
	return n.value, n.slot, nil
}

func (n liar) Landings(context.Context, ...solana.Signature) ([]payout.Landing, error) {
	return n.landed, nil
}

func (n liar) Effect(context.Context, solana.Signature) (payout.Effect, bool, error) {
	return payout.Effect{}, true, nil
}

func TestALyingNodeSettlesNothingAlone(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	p := fault.NewProcess()
	l.network.On(p)
	e := l.Engine(t, p)
	work := l.First(l.phase, 0)
	if _, err := e.Work(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	// It was dropped, and one of two nodes says that it landed.
	sent := l.only(t)
	lie := liar{value: solana.Hash{7}, slot: 1 << 40, landed: []payout.Landing{{Signature: sent.Attempts[0].Signature, Slot: 9}}}
	e.Chains = append(e.Chains, lie)
	next, err := e.Work(t.Context(), work)
	if i := l.only(t); err != nil || i.Status() != payout.Sent || i.MovedAt.IsZero() || next.After == 0 {
		t.Fatalf("it is %s, moved at %s: %+v, %v", i.Status(), i.MovedAt, next, err)
	}
	// It is honest again: what was seen is forgotten.
	honest := e
	honest.Chains = e.Chains[:1]
	if _, err := honest.Work(t.Context(), work); err != nil || !l.only(t).MovedAt.IsZero() {
		t.Fatalf("moved at %s, %v", l.only(t).MovedAt, err)
	}
	// It goes on lying: then nobody can say, and nothing is paid twice or called paid.
	for range 2 {
		if _, err := e.Work(t.Context(), work); err != nil {
			t.Fatal(err)
		}
		l.Clock.Pass(l.Pace.Patience)
	}
	if i := l.only(t); i.Status() != payout.Unknown {
		t.Errorf("it is %s", i.Status())
	}
	// Without it, people put the ledger right: it may land yet, and is brought to its end.
	if r, err := honest.Rebuild(t.Context(), l.Mint, l.Wallet); err != nil || r.Open != 1 || len(r.Frozen) > 0 {
		t.Errorf("rebuilt %+v, %v", r, err)
	}
	if i := l.only(t); i.Status() != payout.Sent {
		t.Errorf("rebuilt, it is %s", i.Status())
	}
	l.run(t)
	if paid, unknown := l.check(t); paid != 0 || unknown != 0 || !l.only(t).Outcome.Cancelled {
		t.Errorf("%d paid, %d unknown, %+v", paid, unknown, l.only(t).Outcome)
	}
}

func TestTwoNodesThatAgreeSettle(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.Engine(t, nil)
	e.Chains = append(e.Chains, l.Node(t, nil))
	l.Pay(t, e, l.phase)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

func TestManyWorkersOnOneBatch(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			e := l.Engine(t, nil)
			work := l.First(l.phase, 0)
			for range 100 {
				next, err := e.Work(t.Context(), work)
				if err != nil {
					t.Error(err)
					return
				}
				if next.Done {
					return
				}
				work = next.Work
			}
			t.Error("it is not done")
		})
	}
	all.Wait()
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	if i := l.only(t); len(i.Attempts) != 1 {
		t.Errorf("%d attempts", len(i.Attempts))
	}
}

func TestALedgerFromAnOldBackupIsFrozenAndRebuilt(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	backup := l.Backup(t)
	l.run(t)
	l.check(t)
	l.Restore(t, backup)

	// Paying the same again is refused: the chain has moved on.
	e := l.Engine(t, nil)
	for range 2 {
		if _, err := e.Work(t.Context(), l.First(l.phase, 0)); !errors.Is(err, payout.ErrRestored) {
			t.Fatalf("%v, want that the ledger is old", err)
		}
	}
	if _, err := e.Lanes(t.Context(), payout.Ground{Run: "another", Mint: l.Mint, Wallet: l.Wallet, Lanes: 1}); !errors.Is(err, payout.ErrRestored) {
		t.Fatalf("%v, want that the ledger is old", err)
	}
	rebuilt, err := e.Rebuild(t.Context(), l.Mint, l.Wallet)
	if err != nil || rebuilt.Decided != 1 || len(rebuilt.Frozen) > 0 {
		t.Fatalf("%+v, %v", rebuilt, err)
	}
	l.Pay(t, e, l.phase)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	again, err := e.Rebuild(t.Context(), l.Mint, l.Wallet)
	if err != nil || again.Decided+again.Open+again.Unknown+len(again.Frozen) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// The ledger is restored to before the wallet's first lane was used, or made.
func TestAnOldBackupFromBeforeTheFirstLane(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.run(t)
	l.Restore(t, nil)
	e := l.Engine(t, nil)
	ground := payout.Ground{Run: "another", Mint: l.Mint, Wallet: l.Wallet, Lanes: 1}
	if _, err := e.Lanes(t.Context(), ground); !errors.Is(err, payout.ErrRestored) {
		t.Fatalf("%v, want that the ledger is old", err)
	}
}

// A movement that nothing of ours explains keeps its lane frozen.
func TestALaneThatSomebodyElseMovedStaysFrozen(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	lane, err := l.Store.Lane(t.Context(), l.Mint, 0)
	if err != nil {
		t.Fatal(err)
	}
	l.network.Spend(lane.Address)
	e := l.Engine(t, nil)
	if _, err := e.Work(t.Context(), l.First(l.phase, 0)); !errors.Is(err, payout.ErrRestored) {
		t.Fatalf("%v, want that the ledger is old", err)
	}
	if r, err := e.Rebuild(t.Context(), l.Mint, l.Wallet); err != nil || len(r.Frozen) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if lane, err = l.Store.Lane(t.Context(), l.Mint, 0); err != nil || !strings.Contains(lane.Frozen, "older") {
		t.Errorf("%+v, %v", lane, err)
	}
}
