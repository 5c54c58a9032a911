package run

import (
	"context"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// wait settles a run in which no holder held the token in the previous snapshot. Nothing is burned
// or sold, and the proof has the snapshot for the comparison of the next run. A skipped run would
// keep the old snapshot, so no holder would ever share.
func (m Machine) wait(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if value, known := m.value(ctx, r); known && m.belowCost(value) {
		return m.tooLittle(ctx, head, r, value)
	}
	why := "No holder held the token in the snapshot of the distribution before. The tax waits for the next, for which this one's snapshot counts."
	if r.Opening.Before == nil {
		why = "This is the first snapshot of the holders, so there is none before to compare it with. The tax waits for the next distribution."
	}
	return m.putOff(ctx, r, Movement{At: m.Now().UTC(), Why: why}, why, nil)
}
