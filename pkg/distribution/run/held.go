package run

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// before is the newest snapshot that a proof has. A head that was written before heads had it
// is of a token whose last run is one with a snapshot.
func (m Machine) before(ctx context.Context, head Head) (*SnapshotBefore, error) {
	if head.Snapshot != nil || head.Last == nil {
		return head.Snapshot, nil
	}
	last, err := m.Store.Run(ctx, head.Mint, head.Last.Slot)
	if err == nil && (last.ID != head.Last.Run || last.Snapshot == nil) {
		err = fmt.Errorf("run %s has no snapshot", last.ID)
	}
	if err != nil {
		return nil, fmt.Errorf("read the snapshot of the last run of %s: %w", head.Mint, err)
	}
	s := last.Snapshot
	return &SnapshotBefore{
		Run: last.ID, Number: head.Last.Number, Manifest: head.Last.Manifest, File: s.File, SHA256: s.SHA256, ChainSlot: s.ChainSlot,
	}, nil
}

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
