package books

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/content"
)

// owner is one of a snapshot, with what they held in the one before.
type owner struct {
	snapshot.Row

	before uint64
}

// shareTerms say who of a run's snapshot counts. Total and Eligible are the leg's.
func shareTerms(r run.Run) allocation.Terms {
	_, held := r.HeldBefore()
	return allocation.Terms{Minimum: r.Settings.MinimumHolding, Held: held}
}

// holding is what counts of an owner by the terms, if anything does.
func (o owner) holding(t allocation.Terms) (h allocation.Holding, counts bool) {
	h = allocation.Holding{Owner: o.Owner, Balance: o.Balance, Before: o.before}
	return h, o.Standing == snapshot.Eligible && t.Counts(t.Weight(h.Balance, h.Before))
}

// why says why an owner does not share.
func (o owner) why() string {
	if o.Standing == snapshot.Eligible {
		return format.NotHeld
	}
	return o.Standing.String()
}

// owners gives all of a run's snapshot, in order. Where what they held before counts, it
// reads the snapshot before beside it: both are in the same order, so neither is in memory.
func (k Bookkeeper) owners(ctx context.Context, r run.Run) iter.Seq2[owner, error] {
	return func(yield func(owner, error) bool) {
		then, stop := iter.Pull2(k.rowsBefore(ctx, r))
		defer stop()
		before, errBefore, moreBefore := then()
		for row, err := range k.rows(ctx, r.Snapshot.File, "") {
			for err == nil && errBefore == nil && moreBefore && bytes.Compare(before.Owner[:], row.Owner[:]) < 0 {
				before, errBefore, moreBefore = then()
			}
			if err == nil && moreBefore {
				err = errBefore
			}
			o := owner{Row: row}
			if moreBefore && before.Owner == row.Owner {
				o.before = before.Balance
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
		// The file is known to be whole only when it was read to its end.
		for moreBefore && errBefore == nil {
			_, errBefore, moreBefore = then()
		}
		if moreBefore {
			yield(owner{}, errBefore)
		}
	}
}

// rowsBefore gives the snapshot that counts beside the run's own; nothing when none does.
func (k Bookkeeper) rowsBefore(ctx context.Context, r run.Run) iter.Seq2[snapshot.Row, error] {
	before, _ := r.HeldBefore()
	if before == nil {
		return none[snapshot.Row]()
	}
	return func(yield func(snapshot.Row, error) bool) {
		rows := k.rows(ctx, before.File, before.SHA256)
		if _, err := snapshot.ReadSummary(ctx, k.Files, before.File); errors.Is(err, content.ErrNoObject) {
			rows = k.proven(ctx, before.Manifest)
		}
		rows(yield)
	}
}

// proven gives what a proof says of who held the token: the ledger's file of it is gone.
func (k Bookkeeper) proven(ctx context.Context, manifest string) iter.Seq2[snapshot.Row, error] {
	return func(yield func(snapshot.Row, error) bool) {
		source := Source{k.Public}
		m, err := format.ReadManifest(ctx, source, manifest)
		if err != nil {
			yield(snapshot.Row{}, fmt.Errorf("read the snapshot before in its proof: %w", err))
			return
		}
		for h, err := range m.Holders(ctx, source) {
			if !yield(snapshot.Row{Owner: h.Owner, Balance: h.Balance}, err) || err != nil {
				return
			}
		}
	}
}

// rows reads a snapshot, which has this digest unless that is empty.
func (k Bookkeeper) rows(ctx context.Context, file, digest string) iter.Seq2[snapshot.Row, error] {
	return func(yield func(snapshot.Row, error) bool) {
		list, err := snapshot.Open(ctx, k.Files, file)
		if err != nil {
			yield(snapshot.Row{}, fmt.Errorf("read the snapshot: %w", err))
			return
		}
		defer func() { _ = list.Close() }()
		if is := hex.EncodeToString(list.Digest[:]); digest != "" && is != digest {
			yield(snapshot.Row{}, fmt.Errorf("read the snapshot before, %s: it is another one than that of its run, %s", is, digest))
			return
		}
		for row, err := range list.Rows() {
			if err != nil {
				err = fmt.Errorf("read the snapshot: %w", err)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// holdings are the owners who share.
func holdings(owners iter.Seq2[owner, error], t allocation.Terms) iter.Seq2[allocation.Holding, error] {
	return func(yield func(allocation.Holding, error) bool) {
		for o, err := range owners {
			h, counts := o.holding(t)
			if err == nil && !counts {
				continue
			}
			if !yield(h, err) || err != nil {
				return
			}
		}
	}
}

// weigh finds out what counts of a snapshot, once it is taken.
func (k Bookkeeper) weigh(ctx context.Context, r run.Run, into *run.Snapshot) error {
	t := shareTerms(r)
	r.Snapshot = into
	sum, _, err := t.Sum(holdings(k.owners(ctx, r), t))
	if err != nil {
		return err
	}
	into.NotHeld = into.Eligible - sum.Owners
	into.Eligible, into.EligibleBalance, into.EligibleWeight = sum.Owners, sum.Sum, sum.Weight
	return nil
}

// heldIn says what of the snapshot counts, in the manifest's words.
func heldIn(r run.Run) *format.Held {
	before, held := r.HeldBefore()
	if !held {
		return nil
	}
	h := &format.Held{Weight: format.Amount(r.Snapshot.EligibleWeight)}
	if before != nil {
		h.Before = &format.SnapshotBefore{RunID: before.Run, Number: before.Number, Manifest: before.Manifest, ChainSlot: before.ChainSlot}
	}
	return h
}
