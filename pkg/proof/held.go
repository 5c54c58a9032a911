package proof

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// NotHeld is why owners are left out whose balance has the minimum, and the lesser of it and
// that in the snapshot before has not.
const NotHeld = "not_held"

// The first lines of the lists where the reward basis is "held": they have what each owner
// held in the snapshot before.
const (
	heldRowHeader     = "asset,owner,balance,before,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature"
	heldLeftOutHeader = "owner,balance,before,why"
)

// Held is how what owners held in the snapshot before counts.
type Held struct {
	// Before names the last proof before that has a snapshot; absent in a token's first, where
	// nothing has been held before.
	Before *SnapshotBefore `json:"before,omitempty"`
	// Weight is the sum of the lesser balances of those who share.
	Weight Amount `json:"weight"`
}

// SnapshotBefore is the proof that has the snapshot before.
type SnapshotBefore struct {
	RunID     string `json:"runId"`
	Number    uint64 `json:"number"`
	Manifest  string `json:"manifest"` // content id
	ChainSlot uint64 `json:"chainSlot"`
}

// held says whether the lesser of two balances counts.
func (m Manifest) held() bool { return m.Snapshot.Held != nil }

// terms says how a leg of the manifest is shared out.
func (m Manifest) terms(number int) allocation.Terms {
	t := allocation.Terms{Total: uint64(m.Legs[number].Total), Minimum: max(1, uint64(m.Settings.MinimumHolding)), Held: m.held()}
	switch {
	case number > 0:
	case m.held():
		t.Eligible = uint64(m.Snapshot.Held.Weight)
	default:
		t.Eligible = uint64(m.Snapshot.Eligible.Balance)
	}
	return t
}

// rowForm is how the rows of the manifest are written.
func (m Manifest) rowForm() (header string, parse func([]byte) (allocation.Row, error)) {
	header = rowHeader
	if m.held() {
		header = heldRowHeader
	}
	return header, func(line []byte) (allocation.Row, error) {
		r, err := ParseRow(line)
		if err == nil && r.Held != m.held() {
			err = fmt.Errorf("read a row: %w", errSpelling)
		}
		return r, err
	}
}

// leftOutForm is how those are written who are left out.
func (m Manifest) leftOutForm() (header string, parse func([]byte) (LeftOut, error)) {
	header = leftOutHeader
	if m.held() {
		header = heldLeftOutHeader
	}
	return header, func(line []byte) (LeftOut, error) {
		l, err := ParseLeftOut(line)
		if err == nil && l.Held != m.held() {
			err = fmt.Errorf("read an owner who is left out: %w", errSpelling)
		}
		return l, err
	}
}

func (m Manifest) allRows(ctx context.Context, source Source) iter.Seq2[allocation.Row, error] {
	header, parse := m.rowForm()
	return walk(ctx, source, m.Rows, header, 0, parse, m.rowPlace)
}

func (m Manifest) allLeftOut(ctx context.Context, source Source) iter.Seq2[LeftOut, error] {
	header, parse := m.leftOutForm()
	return walk(ctx, source, m.LeftOut, header, 0, parse, leftOutPlace)
}

// checkHeld: the snapshot before is there exactly when the settings ask for it, and can be the
// one before.
func (m Manifest) checkHeld(r *rules) {
	s, h := m.Snapshot, m.Snapshot.Held
	want := terms.Basis(m.Settings.RewardBasis) == terms.BasisHeld && m.Kind == Distribution
	r.hold(want == m.held(), "the reward basis is %q, and what counts follows another one", terms.Basis(m.Settings.RewardBasis))
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

// checkHeldBefore holds what owners are said to have held before against the proof that has that
// snapshot.
func (v *verifier) checkHeldBefore(ctx context.Context) {
	if !v.m.held() {
		return
	}
	named := v.m.Snapshot.Held.Before
	if named == nil {
		v.report.note(checkHeldBefore, v.m.checkThen(ctx, v.source, nil), "there is no snapshot before, so nothing counts yet")
		return
	}
	before, err := (*Manifest)(nil), ErrNoFile
	if v.previous != nil {
		before, err = v.snapshotBefore(ctx)
	}
	if err == nil {
		err = named.is(before)
	}
	if err == nil {
		err = v.m.checkThen(ctx, v.source, before)
	}
	if errors.Is(err, ErrNoFile) {
		v.report.skip(checkHeldBefore, "the files of the snapshot before are not here, so what owners held then is taken as it is said")
		return
	}
	v.report.note(checkHeldBefore, err, "what each owner held before is what the snapshot of proof %d says", named.Number)
}

// is fails unless the proof that is named is the last before that has a snapshot.
func (b SnapshotBefore) is(before *Manifest) error {
	if before == nil {
		return errors.New("no proof before has a snapshot")
	}
	encoded, err := EncodeManifest(*before)
	if err != nil {
		return err
	}
	if want := (SnapshotBefore{
		RunID: before.RunID, Number: before.Number, Manifest: CID(sha256.Sum256(encoded)), ChainSlot: before.Snapshot.ChainSlot,
	}); b != want {
		return fmt.Errorf("the snapshot before is of proof %d, %s, at slot %d, and this proof names %d, %s, at slot %d",
			want.Number, want.Manifest, want.ChainSlot, b.Number, b.Manifest, b.ChainSlot)
	}
	return nil
}

// checkThen: every owner held in the snapshot before what is said, and nothing when there was
// none.
func (m Manifest) checkThen(ctx context.Context, source Source, before *Manifest) error {
	stream := iter.Seq2[allocation.Holding, error](func(func(allocation.Holding, error) bool) {})
	if before != nil {
		stream = before.Holders(ctx, source)
	}
	then := ascending(stream, func(h allocation.Holding) solana.PublicKey { return h.Owner })
	defer then.stop()
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

// heldBy passes a snapshot's owners up to one, and gives what they held.
func heldBy(then *ordered[allocation.Holding], owner solana.PublicKey) (uint64, error) {
	for {
		h, more, err := then.peek()
		if err != nil || !more || bytes.Compare(h.Owner[:], owner[:]) > 0 {
			return 0, err
		}
		then.ahead = nil
		if h.Owner == owner {
			return h.Balance, nil
		}
	}
}

// Holders gives all owners of the snapshot, in order: those who share, and those who are left
// out. It ends with an error when the lists do not have them.
func (m Manifest) Holders(ctx context.Context, source Source) iter.Seq2[allocation.Holding, error] {
	return func(yield func(allocation.Holding, error) bool) {
		out := ascending(m.allLeftOut(ctx, source), func(l LeftOut) solana.PublicKey { return l.Owner })
		defer out.stop()
		// left gives those who are left out and come before an owner; all when there is none.
		left := func(owner *solana.PublicKey) bool {
			for {
				l, more, err := out.peek()
				if err != nil {
					yield(allocation.Holding{}, err)
					return false
				}
				if !more || owner != nil && bytes.Compare(l.Owner[:], owner[:]) >= 0 {
					return true
				}
				out.ahead = nil
				if !yield(allocation.Holding{Owner: l.Owner, Balance: l.Balance, Before: l.Before}, nil) {
					return false
				}
			}
		}
		if len(m.Legs) == 0 {
			yield(allocation.Holding{}, errors.New("there is no leg"))
			return
		}
		var number uint64
		for r, err := range m.allRows(ctx, source) {
			if err == nil && number == m.Legs[0].Rows {
				break
			}
			number++
			if err == nil && r.Balance == 0 {
				continue
			}
			if err != nil {
				yield(allocation.Holding{}, err)
				return
			}
			if !left(&r.Owner) || !yield(allocation.Holding{Owner: r.Owner, Balance: r.Balance, Before: r.Before}, nil) {
				return
			}
		}
		left(nil)
	}
}
