package payout_test

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Every combination of facts, also those that should never come together.
func TestStatusIsDerivedFromEveryCombinationOfFacts(t *testing.T) {
	moved, failed, cancelled := &payout.Outcome{}, &payout.Outcome{Failed: "so"}, &payout.Outcome{Cancelled: true}
	seen := map[payout.Status]int{}
	for bits := range 1 << 5 {
		for _, outcome := range []*payout.Outcome{nil, moved, failed, cancelled} {
			var i payout.Intent
			has := func(n int) bool { return bits&(1<<n) != 0 }
			bound, attempted, unknown, split, refused := has(0), has(1), has(2), has(3), has(4)
			if bound {
				i.BoundAt = time.Unix(1, 0)
			}
			if attempted {
				i.Attempts = []payout.Attempt{{}}
			}
			if unknown {
				i.UnknownSince = time.Unix(2, 0)
			}
			i.Split, i.Outcome = split, outcome
			if refused {
				i.Refused = payout.ReasonFunds
			}
			// The table, most important line first.
			var want payout.Status
			for _, line := range []struct {
				when bool
				is   payout.Status
			}{
				{outcome == moved, payout.Settled},
				{outcome != nil && split, payout.Split},
				{outcome != nil, payout.Failed},
				{unknown, payout.Unknown},
				{attempted, payout.Sent},
				{split, payout.Split},
				{refused, payout.Refused},
				{bound, payout.Bound},
				{true, payout.Planned},
			} {
				if line.when {
					want = line.is
					break
				}
			}
			if got := i.Status(); got != want {
				t.Errorf("bound %v, attempted %v, unknown %v, split %v, refused %v, outcome %+v: %s, want %s",
					bound, attempted, unknown, split, refused, outcome, got, want)
			}
			if may := attempted && outcome == nil && !unknown; may && i.Status().Decided() {
				t.Errorf("%s is decided while a transaction may land", fmt.Sprint(i.Status()))
			}
			seen[i.Status()]++
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d states were seen: %v", len(seen), seen)
	}
}
