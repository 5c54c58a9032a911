package run_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Each of the first workers dies when it has sent two transactions, of which the node has told it
// nothing. Every holder has what the proof says, once.
func TestKilledPayerPaysOnce(t *testing.T) {
	const kills = 6
	w := runworld.NewEnv(t).Fixture(t)
	w.Payouts = payout.Legacy
	holders := w.Holders(t, 20, 1_000_000_000) // two transactions of payouts
	before := w.LamportsOf(t, holders)
	started, killed := 0, 0
	slot := w.Slot()
	w.Drive(t, func() *fault.Process {
		p := fault.NewProcess()
		if started++; started > 1 {
			killed++
		}
		if started <= kills {
			p.KillAfter(fault.Exactly(fault.Call{Service: fault.Solana, Operation: fault.SendTransaction, N: 2}))
		}
		return p
	})
	r := w.Look(t, slot)
	if killed < 2 || r.Closing == nil || r.Closing.Legs[0].PaidHolders != uint32(len(holders)+1) {
		t.Fatalf("%d workers were killed, and the run is %+v", killed, r.Closing)
	}
	for i, now := range w.LamportsOf(t, holders) {
		if row := w.Row(t, r, terms.SOL, holders[i]); now-before[i] != row.Paid || row.Paid == 0 {
			t.Errorf("holder %d got %d, and the proof says %d", i, now-before[i], row.Paid)
		}
	}
}
