package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
)

// NotHeld is why owners are left out whose balance has the minimum, and the lesser of it and
// that in the snapshot before has not.
const NotHeld = "not_held"

// The first lines of the lists where the reward basis is "held": they have what each owner
// held in the snapshot before.
const (
	HeldRowHeader     = "asset,owner,balance,before,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature"
	HeldLeftOutHeader = "owner,balance,before,why"
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

// IsHeld says whether the lesser of two balances counts.
func (m Manifest) IsHeld() bool { return m.Snapshot.Held != nil }

// rowForm is how the rows of the manifest are written.
func (m Manifest) rowForm() (header string, parse func([]byte) (allocation.Row, error)) {
	header = RowHeader
	if m.IsHeld() {
		header = HeldRowHeader
	}
	return header, func(line []byte) (allocation.Row, error) {
		r, err := ParseRow(line)
		if err == nil && r.Held != m.IsHeld() {
			err = fmt.Errorf("read a row: %w", errSpelling)
		}
		return r, err
	}
}

// leftOutForm is how those are written who are left out.
func (m Manifest) leftOutForm() (header string, parse func([]byte) (LeftOut, error)) {
	header = LeftOutHeader
	if m.IsHeld() {
		header = HeldLeftOutHeader
	}
	return header, func(line []byte) (LeftOut, error) {
		l, err := ParseLeftOut(line)
		if err == nil && l.Held != m.IsHeld() {
			err = fmt.Errorf("read an owner who is left out: %w", errSpelling)
		}
		return l, err
	}
}

// AllRows gives the rows of all legs, in order.
func (m Manifest) AllRows(ctx context.Context, source Source) iter.Seq2[allocation.Row, error] {
	header, parse := m.rowForm()
	return walk(ctx, source, m.Rows, header, 0, parse, m.rowPlace)
}

// AllLeftOut gives the owners who are left out, in order.
func (m Manifest) AllLeftOut(ctx context.Context, source Source) iter.Seq2[LeftOut, error] {
	header, parse := m.leftOutForm()
	return walk(ctx, source, m.LeftOut, header, 0, parse, leftOutPlace)
}

// Holders gives all owners of the snapshot, in order: those who share, and those who are left
// out. It ends with an error when the lists do not have them.
func (m Manifest) Holders(ctx context.Context, source Source) iter.Seq2[allocation.Holding, error] {
	return func(yield func(allocation.Holding, error) bool) {
		out := Ascending(m.AllLeftOut(ctx, source), func(l LeftOut) solana.PublicKey { return l.Owner })
		defer out.Stop()
		// left gives those who are left out and come before an owner; all when there is none.
		left := func(owner *solana.PublicKey) bool {
			for {
				l, more, err := out.Peek()
				if err != nil {
					yield(allocation.Holding{}, err)
					return false
				}
				if !more || owner != nil && bytes.Compare(l.Owner[:], owner[:]) >= 0 {
					return true
				}
				out.Ahead = nil
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
		for r, err := range m.AllRows(ctx, source) {
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
