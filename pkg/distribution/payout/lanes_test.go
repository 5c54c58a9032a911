package payout_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// before is what payout.MostLanes once was.
const before = 16

// A wallet from the time of sixteen lanes, one of which is frozen and has another in its
// place, goes on with all that it has, and a restored backup of it is rebuilt.
func TestAWalletFromTheTimeOfSixteenLanes(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	w.Ready(t, before+2) // 16 and 17 were in the places of 0 and 1
	frozen, err := w.Store.Lane(t.Context(), w.Mint, 0)
	if err != nil {
		t.Fatal(err)
	}
	frozen.Frozen = "nobody can say"
	if err := w.Store.PutLane(t.Context(), frozen); err != nil {
		t.Fatal(err)
	}
	backup := w.Backup(t)
	const lanes = before + 2
	list := holders(2*lanes, 1_000_000)
	w.Pay(t, w.Engine(t, nil), w.Plan(payouttest.SOL(2, lanes), list))
	used := map[int]bool{}
	for _, i := range w.Intents(t, payout.Pay, 0) {
		if i.Status() != payout.Settled {
			t.Errorf("intent %s is %s", i.ID, i.Status())
		}
		used[i.Lane] = true
	}
	if len(used) != lanes || used[0] || !used[before] || !used[payout.MostLanes] {
		t.Errorf("the lanes %v were used", used)
	}
	// The payments, and the making of the lane in the place of the frozen one.
	w.Restore(t, backup)
	rebuilt, err := w.Engine(t, nil).Rebuild(t.Context(), w.Mint, w.Wallet)
	if err != nil || rebuilt.Decided != lanes+1 || rebuilt.Open+rebuilt.Unknown+len(rebuilt.Frozen) != 0 {
		t.Errorf("rebuilt %+v, %v", rebuilt, err)
	}
	w.Pay(t, w.Engine(t, nil), w.Plan(payouttest.SOL(2, lanes), list)) // pays nobody again
	for _, h := range list {
		if got := w.Lamports(t, h.Owner); got != h.Amount {
			t.Errorf("%s has %d, want %d", h.Owner, got, h.Amount)
		}
	}
}
