package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// shareTerms returns the allocation terms of a leg of the manifest.
func shareTerms(m format.Manifest, number int) allocation.Terms {
	t := allocation.Terms{Total: uint64(m.Legs[number].Total), Minimum: max(1, uint64(m.Settings.MinimumHolding)), Held: m.IsHeld()}
	switch {
	case number > 0:
	case m.IsHeld():
		t.Eligible = uint64(m.Snapshot.Held.Weight)
	default:
		t.Eligible = uint64(m.Snapshot.Eligible.Balance)
	}
	return t
}

// checkHeld checks that the manifest names a previous snapshot exactly if the settings require a
// previous snapshot, and that the named snapshot can be the previous snapshot.
func checkHeld(m format.Manifest, r *rules) {
	s, h := m.Snapshot, m.Snapshot.Held
	want := terms.Basis(m.Settings.RewardBasis) == terms.BasisHeld && m.Kind == format.Distribution
	r.hold(want == m.IsHeld(), "the reward basis is %q, and what counts follows another one", terms.Basis(m.Settings.RewardBasis))
	if h == nil {
		return
	}
	r.hold(h.Weight <= s.Eligible.Balance && (h.Weight > 0) == (s.Eligible.Owners > 0),
		"of %d that %d owners have, %d count", s.Eligible.Balance, s.Eligible.Owners, h.Weight)
	b := h.Before
	if b == nil {
		r.hold(m.Previous == "" && h.Weight == 0, "no snapshot before is named, and there is one, or %d count without it", h.Weight)
		return
	}
	r.hold(b.Number > 0 && b.Number < m.Number && (b.Number+1 == m.Number) == (b.Manifest == m.Previous) && b.ChainSlot > 0 && b.ChainSlot < s.ChainSlot,
		"the snapshot before is said to be of proof %d, %s, at slot %d", b.Number, b.Manifest, b.ChainSlot)
}

const checkHeldBefore = "held before"

// checkHeldBefore compares the owners' stated earlier balances with the proof of the previous
// snapshot.
func (v *verifier) checkHeldBefore(ctx context.Context) {
	if !v.m.IsHeld() {
		return
	}
	named := v.m.Snapshot.Held.Before
	if named == nil {
		v.report.note(checkHeldBefore, checkThen(v.m, ctx, v.source, nil), "there is no snapshot before, so nothing counts yet")
		return
	}
	before, err := (*format.Manifest)(nil), format.ErrNoFile
	if v.previous != nil {
		before, err = v.snapshotBefore(ctx)
	}
	if err == nil {
		err = isSnapshotBefore(*named, before)
	}
	if err == nil {
		err = checkThen(v.m, ctx, v.source, before)
	}
	if errors.Is(err, format.ErrNoFile) {
		v.report.skip(checkHeldBefore, "the files of the snapshot before are not here, so what owners held then is taken as it is said")
		return
	}
	v.report.note(checkHeldBefore, err, "each owner's balance before equals the snapshot of proof %d", named.Number)
}

// isSnapshotBefore returns an error unless the named proof is the last earlier proof with a
// snapshot.
func isSnapshotBefore(b format.SnapshotBefore, before *format.Manifest) error {
	if before == nil {
		return errors.New("no proof before has a snapshot")
	}
	encoded, err := format.EncodeManifest(*before)
	if err != nil {
		return err
	}
	if want := (format.SnapshotBefore{
		RunID: before.RunID, Number: before.Number, Manifest: format.CID(sha256.Sum256(encoded)), ChainSlot: before.Snapshot.ChainSlot,
	}); b != want {
		return fmt.Errorf("the snapshot before is of proof %d, %s, at slot %d, and this proof names %d, %s, at slot %d",
			want.Number, want.Manifest, want.ChainSlot, b.Number, b.Manifest, b.ChainSlot)
	}
	return nil
}

// checkThen checks that every owner's stated earlier balance is the balance in the previous
// snapshot, or zero without a previous snapshot.
func checkThen(m format.Manifest, ctx context.Context, source format.Source, before *format.Manifest) error {
	stream := iter.Seq2[allocation.Holding, error](func(func(allocation.Holding, error) bool) {})
	if before != nil {
		stream = before.Holders(ctx, source)
	}
	then := format.Ascending(stream, func(h allocation.Holding) solana.PublicKey { return h.Owner })
	defer then.Stop()
	for now, err := range m.Holders(ctx, source) {
		if err != nil {
			return err
		}
		balance, err := heldBy(then, now.Owner)
		if err != nil {
			return fmt.Errorf("the snapshot before: %w", err)
		}
		if now.Before != balance {
			return fmt.Errorf("%s is said to have held %d before, and held %d", now.Owner, now.Before, balance)
		}
	}
	return nil
}

// heldBy skips a snapshot's owners up to owner, and returns the owner's balance.
func heldBy(then *format.Ordered[allocation.Holding], owner solana.PublicKey) (uint64, error) {
	for {
		h, more, err := then.Peek()
		if err != nil || !more || bytes.Compare(h.Owner[:], owner[:]) > 0 {
			return 0, err
		}
		then.Ahead = nil
		if h.Owner == owner {
			return h.Balance, nil
		}
	}
}
