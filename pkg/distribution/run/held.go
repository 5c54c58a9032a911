package run

import (
	"context"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// wait settles a run of which no holder held the token in the snapshot before: nothing is burned
// or sold, and its proof has the snapshot that the next run compares with. One that was
// skipped would leave that as it is, and no one would ever share.
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
