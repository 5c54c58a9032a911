package payout_test

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

func TestLanesAndAccountsAreMadeOnce(t *testing.T) {
	w, c := taxed(t, 0)
	// Anybody can send lamports to the address of a lane that is to be.
	address, err := payout.LaneAddress(w.Wallet.Address, 2)
	if err != nil {
		t.Fatal(err)
	}
	w.Give(t, address, 1_000_000)
	w.Ready(t, 7, c.Own())
	before := w.Lamports(t, w.Wallet.Address)
	w.Ready(t, 7, c.Own())
	if after := w.Lamports(t, w.Wallet.Address); after != before {
		t.Errorf("a second time cost %d lamports", before-after)
	}
	for n := range 8 {
		lane, err := w.Store.Lane(t.Context(), w.Mint, n)
		if made := err == nil && lane.Free() && !lane.Value.IsZero() && lane.Slot > 0; made != (n < 7) {
			t.Errorf("lane %d is %+v, %v", n, lane, err)
		}
	}
	// What it cost is in the intents: rent and fees, to the lamport.
	var cost int64
	for i, err := range w.Store.Intents(t.Context(), w.Run, payout.Setup, 0) {
		if err != nil || i.Status() != payout.Settled || -i.Outcome.Lamports != int64(i.Amount+i.Outcome.FeeLamports) {
			t.Fatalf("%+v, %+v, %v", i, i.Outcome, err)
		}
		cost -= i.Outcome.Lamports
	}
	if w.Lamports(t, w.Wallet.Address) != sol-uint64(cost) {
		t.Errorf("%d lamports are left of %d after %d", w.Lamports(t, w.Wallet.Address), sol, cost)
	}
}

func TestASetupThatExpiresIsMadeAgain(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	lost := fault.NewProcess()
	lost.On(fault.Operation(fault.Solana, fault.SendTransaction), fault.Dropped)
	ground := payout.Ground{Run: w.Run, Mint: w.Mint, Wallet: w.Wallet, Lanes: 1}
	e := w.Engine(t, lost)
	for range 3 {
		next, err := e.Lanes(t.Context(), ground)
		if err != nil || next.Done {
			t.Fatalf("%+v, %v", next, err)
		}
		w.Clock.Pass(next.After)
	}
	w.Clock.Pass(3 * time.Minute)
	if next, err := e.Lanes(t.Context(), ground); err != nil || next.Done { // its blockhash lives
		t.Fatalf("%+v, %v", next, err)
	}
	w.Ledger.PassSlots(t, 151)
	w.Ready(t, 1)
	var states []payout.Status
	for i, err := range w.Store.Intents(t.Context(), w.Run, payout.Setup, 0) {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, i.Status())
	}
	if fmt.Sprint(states) != fmt.Sprint([]payout.Status{payout.Failed, payout.Settled}) {
		t.Errorf("%v", states)
	}
}

// TestSetupCrashMatrix crashes the making of two lanes at every call.
func TestSetupCrashMatrix(t *testing.T) {
	g := payouttest.NewEnv(t)
	prepare := func(w *payouttest.Fixture, p *fault.Process) {
		e := w.Engine(t, p)
		p.Run(func() {
			w.Finish(t, func() (payout.Next, error) {
				return e.Lanes(t.Context(), payout.Ground{Run: w.Run, Mint: w.Mint, Wallet: w.Wallet, Lanes: 2})
			})
		})
	}
	began, whole := time.Now(), fault.NewProcess()
	prepare(g.Fixture(t, sol/10), whole)
	cases := 0
	for _, call := range whole.Calls() {
		for _, after := range []bool{false, true} {
			cases++
			t.Run(fmt.Sprintf("%s/after=%v", call, after), func(t *testing.T) {
				w, p := g.Fixture(t, sol/10), fault.NewProcess()
				if after {
					p.KillAfter(fault.Exactly(call))
				} else {
					p.KillBefore(fault.Exactly(call))
				}
				prepare(w, p)
				if !p.Dead() {
					t.Fatal("it never came to the call")
				}
				prepare(w, fault.NewProcess())
				left := int64(sol / 10)
				for i, err := range w.Store.Intents(t.Context(), w.Run, payout.Setup, 0) {
					if err != nil || !i.Status().Decided() {
						t.Errorf("%s is %s, %v", i.ID, i.Status(), err)
					}
					left += i.Outcome.Lamports
				}
				for n := range 2 {
					if lane, err := w.Store.Lane(t.Context(), w.Mint, n); err != nil || !lane.Free() || lane.Value.IsZero() {
						t.Errorf("lane %d is %+v, %v", n, lane, err)
					}
				}
				if has := w.Lamports(t, w.Wallet.Address); has != uint64(left) {
					t.Errorf("the wallet has %d lamports, by the ledger %d", has, left)
				}
			})
		}
	}
	figures.Show(t, "crash matrix of a wallet's setup: %d cases in %.0f s", cases, time.Since(began).Seconds())
}
