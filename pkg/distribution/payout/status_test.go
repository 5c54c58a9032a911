package payout_test

import (
	"slices"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// TestNoStateIsFollowedByAnEarlierOne: what a store accepts goes forward, except a payment that is
// bound again because of an old backup.
func TestNoStateIsFollowedByAnEarlierOne(t *testing.T) {
	order := []payout.Status{payout.Planned, payout.Bound, payout.Sent, payout.Unknown}
	now := time.Unix(1, 0)
	for _, p := range []payout.Payment{
		{},
		{BoundAt: now},
		{BoundAt: now, Attempts: []payout.Attempt{{}}},
		{Attempts: []payout.Attempt{{}}, UnknownSince: now},
		{Refused: payout.ReasonFunds},
		{Split: true},
		{DeadAt: now},
		{Outcome: &payout.Outcome{}},
		{Outcome: &payout.Outcome{Void: true}},
	} {
		status := p.Status()
		for _, before := range p.Follows() {
			if at := slices.Index(order, status); before.Decided() && before != payout.Unknown || at >= 0 && slices.Index(order, before) > at {
				t.Errorf("%s follows %s", status, before)
			}
		}
		if (len(p.Follows()) == 0) != (status == payout.Planned) {
			t.Errorf("%s follows %v", status, p.Follows())
		}
	}
}

// Every combination of facts, also those that should never come together.
func TestStatusIsDerivedFromEveryCombinationOfFacts(t *testing.T) {
	moved, void := &payout.Outcome{}, &payout.Outcome{Void: true}
	seen := map[payout.Status]int{}
	for bits := range 1 << 6 {
		for _, outcome := range []*payout.Outcome{nil, moved, void} {
			var p payout.Payment
			has := func(n int) bool { return bits&(1<<n) != 0 }
			bound, attempted, unknown, split, refused, dead := has(0), has(1), has(2), has(3), has(4), has(5)
			if bound {
				p.BoundAt = time.Unix(1, 0)
			}
			if attempted {
				p.Attempts = []payout.Attempt{{}}
			}
			if unknown {
				p.UnknownSince = time.Unix(2, 0)
			}
			if dead {
				p.DeadAt = time.Unix(3, 0)
			}
			p.Split, p.Outcome = split, outcome
			if refused {
				p.Refused = payout.ReasonFunds
			}
			// The table, most important line first.
			var want payout.Status
			for _, line := range []struct {
				when bool
				is   payout.Status
			}{
				{outcome == moved, payout.Landed},
				{split && (outcome == void || dead || !attempted), payout.Split},
				{outcome == void, payout.Void},
				{dead, payout.Dead},
				{unknown, payout.Unknown},
				{attempted, payout.Sent},
				{refused, payout.Cancelled},
				{bound, payout.Bound},
				{true, payout.Planned},
			} {
				if line.when {
					want = line.is
					break
				}
			}
			if got := p.Status(); got != want {
				t.Errorf("bound %v, attempted %v, unknown %v, split %v, refused %v, dead %v, outcome %+v: %s, want %s",
					bound, attempted, unknown, split, refused, dead, outcome, got, want)
			}
			if may := attempted && outcome == nil && !unknown && !dead; may && p.Status().Decided() {
				t.Errorf("%s is decided while a transaction may land", p.Status())
			}
			seen[p.Status()]++
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d states were seen: %v", len(seen), seen)
	}
}
