package payout_test

import (
	"errors"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// TestABackupInTheMiddleOfALanePaysNobodyTwice: the backup knows the first batch as
// sent, and after it two more were paid on the same lane. The first one's end leads
// the old ledger past their values, so that the lane looks as it should: what was
// signed for the second batch stops it. So it does when the backup has the lane newer
// than the batch, as a backup may that is not of one moment.
func TestABackupInTheMiddleOfALanePaysNobodyTwice(t *testing.T) {
	for name, skewed := range map[string]bool{"sent": false, "lane newer than batch": true} {
		t.Run(name, func(t *testing.T) {
			l := lifeOf(t, fates["landed"])
			l.phase = l.Plan(payouttest.SOL(1, 1), l.list)
			before := l.Backup(t)
			e := l.Engine(t, nil)
			first := l.First(l.phase, 0)
			if _, err := e.Work(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			backup := l.Backup(t)
			l.run(t)
			if paid, _ := l.check(t); paid != 3 {
				t.Fatalf("%d paid", paid)
			}
			if skewed {
				lane, err := l.Store.Lane(t.Context(), l.Mint, 0)
				if err != nil {
					t.Fatal(err)
				}
				backup = before
				l.Restore(t, backup)
				old, err := l.Store.Lane(t.Context(), l.Mint, 0)
				if err != nil {
					t.Fatal(err)
				}
				lane.Version = old.Version
				if err := l.Store.PutLane(t.Context(), lane); err != nil {
					t.Fatal(err)
				}
			} else {
				l.Restore(t, backup)
			}

			err := error(nil)
			for work, step := first, 0; err == nil; step++ {
				var next payout.Next
				if next, err = e.Work(t.Context(), work); next.Done || step == 100 {
					t.Fatalf("the old ledger goes on to its end, %+v", next)
				}
				work = next.Work
				l.Clock.Pass(next.After)
			}
			if !errors.Is(err, payout.ErrRestored) {
				t.Fatalf("%v, want that the ledger is old", err)
			}
			if rebuilt, err := e.Rebuild(t.Context(), l.Mint, l.Wallet); err != nil || rebuilt.Decided < 2 || len(rebuilt.Frozen) > 0 {
				t.Fatalf("%+v, %v", rebuilt, err)
			}
			l.Pay(t, e, l.phase)
			if paid, _ := l.check(t); paid != 3 {
				t.Errorf("%d paid", paid)
			}
		})
	}
}
