package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// ReadManifest reads the manifest with the given content id.
func ReadManifest(ctx context.Context, source Source, cid string) (Manifest, error) {
	body, err := Open(ctx, source, content.ProofManifest, cid)
	if err != nil {
		return Manifest{}, err
	}
	return DecodeManifest(body)
}

// leg returns the leg of an asset, and the index of the leg's first line.
func (m Manifest) leg(a terms.Asset) (leg int, first uint64, ok bool) {
	name := a.String()
	for i, l := range m.Legs {
		if l.Asset == name {
			return i, first, true
		}
		first += l.Rows
	}
	return 0, 0, false
}

// rowPlace returns leg and owner of a row. leftOutPlace and transactionPlace do the same for the lines
// of the other lists.
func (m Manifest) rowPlace(r allocation.Row) (leg int, owner string) {
	leg, _, _ = m.leg(r.Asset)
	return leg, r.Owner.String()
}

func leftOutPlace(l LeftOut) (leg int, owner string) { return 0, l.Owner.String() }

// AllTransactions iterates over the transactions that the manifest names.
func (m Manifest) AllTransactions(ctx context.Context, source Source) iter.Seq2[Transaction, error] {
	return walk(ctx, source, m.Transactions, TransactionHeader, 0, ParseTransaction, transactionPlace)
}

func transactionPlace(Transaction) (leg int, owner string) { return 0, "" }

// RowsOf iterates over the rows of an asset, in the order of the owners' bytes. A run without a leg of
// the asset has no rows.
func (m Manifest) RowsOf(ctx context.Context, source Source, a terms.Asset) iter.Seq2[allocation.Row, error] {
	return func(yield func(allocation.Row, error) bool) {
		i, first, ok := m.leg(a)
		if !ok {
			return
		}
		left := m.Legs[i].Rows
		if left == 0 {
			return
		}
		header, parse := m.rowForm()
		for row, err := range walk(ctx, source, m.Rows, header, first, parse, m.rowPlace) {
			if err == nil && row.Asset != a {
				err = fmt.Errorf("a row of %s among those of %s", row.Asset, a)
			}
			if err != nil {
				yield(allocation.Row{}, err)
				return
			}
			left--
			if !yield(row, nil) || left == 0 {
				return
			}
		}
		yield(allocation.Row{}, fmt.Errorf("%d rows of %s are missing", left, a))
	}
}

// Owing iterates over the amounts that the run leaves owed, and the totals received, in an asset: the
// opening amounts of the next run.
func (m Manifest) AmountsOwed(ctx context.Context, source Source, a terms.Asset) iter.Seq2[allocation.AmountsOwed, error] {
	return func(yield func(allocation.AmountsOwed, error) bool) {
		for row, err := range m.RowsOf(ctx, source, a) {
			if err != nil {
				yield(allocation.AmountsOwed{}, err)
				return
			}
			if (row.Carried > 0 || row.Total > 0) && !yield(row.AmountsOwed(), nil) {
				return
			}
		}
	}
}

// Inclusion is an inclusion proof of a line in the rows of a proof, for a reader with the root of the
// anchor's memo.
type Inclusion struct {
	Line  string
	Index uint64 // the index of the line, from 0
	Size  uint64 // the number of lines
	Path  []merkle.Hash
}

// Shown reports whether the inclusion proof is valid for the root.
func (i Inclusion) Shown(root merkle.Hash) bool {
	return merkle.Verify(root, merkle.Leaf([]byte(i.Line)), i.Index, i.Size, i.Path)
}

// Found is an owner's row with the row's inclusion proof.
type Found struct {
	Row       allocation.Row
	Inclusion Inclusion
}

var errNotFound = errors.New("not found")

// Find returns an owner's row in an asset, or false if the owner has no such row. It reads the pages
// and one file.
func (m Manifest) Find(ctx context.Context, source Source, a terms.Asset, owner solana.PublicKey) (Found, bool, error) {
	leg, _, ok := m.leg(a)
	if !ok {
		return Found{}, false, nil
	}
	header, parse := m.rowForm()
	at, err := find(ctx, source, m.Rows, header, leg, owner, func(line []byte) (int, solana.PublicKey, error) {
		row, err := parse(line)
		if err != nil {
			return 0, solana.PublicKey{}, err
		}
		i, _, ok := m.leg(row.Asset)
		if !ok {
			return 0, solana.PublicKey{}, fmt.Errorf("a row of %s, which is not paid", row.Asset)
		}
		return i, row.Owner, nil
	})
	if errors.Is(err, errNotFound) {
		return Found{}, false, nil
	}
	if err != nil {
		return Found{}, false, err
	}
	line := at.shard.lines[at.line]
	row, err := parse(line)
	if err != nil {
		return Found{}, false, err
	}
	path := append(merkle.Path(at.shard.leaves, at.line), merkle.Path(at.roots, at.file)...)
	index := uint64(at.file)*ShardLines + uint64(at.line) //nolint:gosec // indexes are not negative
	return Found{Row: row, Inclusion: Inclusion{Line: string(line), Index: index, Size: m.Rows.Lines, Path: path}}, true, nil
}

// FindLeftOut returns the reason why an owner has no share, or false if the owner is not in the list
// of owners who are left out.
func (m Manifest) FindLeftOut(ctx context.Context, source Source, owner solana.PublicKey) (LeftOut, bool, error) {
	header, parse := m.leftOutForm()
	at, err := find(ctx, source, m.LeftOut, header, 0, owner, func(line []byte) (int, solana.PublicKey, error) {
		l, err := parse(line)
		return 0, l.Owner, err
	})
	if errors.Is(err, errNotFound) {
		return LeftOut{}, false, nil
	}
	if err != nil {
		return LeftOut{}, false, err
	}
	l, err := parse(at.shard.lines[at.line])
	return l, err == nil, err
}

// place is the position of a line: the file, and the line in the file.
type place struct {
	shard shard
	file  int
	line  int
	roots []merkle.Hash // the roots of all files
}

// find looks up a line by leg and owner. It returns errNotFound if the list has no such line.
func find(
	ctx context.Context, source Source, t Table, header string, leg int, owner solana.PublicKey,
	key func(line []byte) (int, solana.PublicKey, error),
) (place, error) {
	var files []Part
	var at place
	for part, err := range t.parts(ctx, source) {
		if err != nil {
			return place{}, err
		}
		root, err := merkle.ParseHash(part.Root)
		if err != nil {
			return place{}, err
		}
		files, at.roots = append(files, part), append(at.roots, root)
	}
	after := func(otherLeg int, other solana.PublicKey) int {
		if otherLeg != leg {
			return otherLeg - leg
		}
		return bytes.Compare(other[:], owner[:])
	}
	var failed error
	n, exact := slices.BinarySearchFunc(files, struct{}{}, func(p Part, _ struct{}) int {
		first, err := ParseKey(p.First)
		if err != nil {
			failed = err
		}
		return after(p.Leg, first)
	})
	if !exact {
		n-- // the line is in the file that begins before the line
	}
	if failed != nil || n < 0 {
		return place{}, errors.Join(failed, errNotFound)
	}
	at.file = n
	var err error
	if at.shard, err = openShard(ctx, source, files[n], header); err != nil {
		return place{}, err
	}
	at.line, exact = slices.BinarySearchFunc(at.shard.lines, struct{}{}, func(line []byte, _ struct{}) int {
		lineLeg, lineOwner, err := key(line)
		if err != nil {
			failed = err
		}
		return after(lineLeg, lineOwner)
	})
	switch {
	case failed != nil:
		return place{}, failed
	case !exact:
		return place{}, errNotFound
	}
	return at, nil
}
