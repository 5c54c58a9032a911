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

// NotHeld is the reason for leaving out an owner whose balance reached the minimum only in this
// snapshot, and not in the previous snapshot.
const NotHeld = "not_held"

// The first lines of the lists if the reward basis is "held". The column before is the owner's balance
// in the previous snapshot.
const (
	HeldRowHeader     = "asset,owner,balance,before,share,owed,paid,received,charged,carried,reserved,total,reason,hold,signature"
	HeldLeftOutHeader = "owner,balance,before,why"
)

// Held describes the previous snapshot, if the reward basis is "held".
type Held struct {
	// Before is the latest earlier proof with a snapshot. Before is absent in a token's first
	// proof: all previous balances are then zero.
	Before *SnapshotBefore `json:"before,omitempty"`
	// Weight is the sum of the eligible owners' lesser balances.
	Weight Amount `json:"weight"`
}

// SnapshotBefore identifies the proof with the previous snapshot.
type SnapshotBefore struct {
	RunID     string `json:"runId"`
	Number    uint64 `json:"number"`
	Manifest  string `json:"manifest"` // content id
	ChainSlot uint64 `json:"chainSlot"`
}

// IsHeld reports whether the lesser of two snapshots' balances counts.
func (m Manifest) IsHeld() bool { return m.Snapshot.Held != nil }

// rowForm returns the first line and the parser of the manifest's rows.
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

// leftOutForm returns the first line and the parser of the list of owners who are left out.
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

// AllRows iterates over the rows of all legs, in order.
func (m Manifest) AllRows(ctx context.Context, source Source) iter.Seq2[allocation.Row, error] {
	header, parse := m.rowForm()
	return walk(ctx, source, m.Rows, header, 0, parse, m.rowPlace)
}

// AllLeftOut iterates over the owners who are left out, in order.
func (m Manifest) AllLeftOut(ctx context.Context, source Source) iter.Seq2[LeftOut, error] {
	header, parse := m.leftOutForm()
	return walk(ctx, source, m.LeftOut, header, 0, parse, leftOutPlace)
}

// Holders iterates over all owners of the snapshot, in order: the owners with a share, and the owners
// who are left out. It ends with an error if a list is incomplete.
func (m Manifest) Holders(ctx context.Context, source Source) iter.Seq2[allocation.Holding, error] {
	return func(yield func(allocation.Holding, error) bool) {
		out := Ascending(m.AllLeftOut(ctx, source), func(l LeftOut) solana.PublicKey { return l.Owner })
		defer out.Stop()
		// left yields the left-out owners before the given owner, or all of them if owner is nil.
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
