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

// owner is an owner of a snapshot, with the owner's balance in the previous snapshot.
type owner struct {
	snapshot.Row

	before uint64
}

// shareTerms returns the terms that decide which owners of a run's snapshot count. The caller sets
// Total and Eligible for a leg.
func shareTerms(r run.Run) allocation.Terms {
	_, held := r.HeldBefore()
	return allocation.Terms{Minimum: r.Settings.MinimumHolding, Held: held}
}

// holding returns the holding of an owner. counts reports whether the holding counts by the terms.
func (o owner) holding(t allocation.Terms) (h allocation.Holding, counts bool) {
	h = allocation.Holding{Owner: o.Owner, Balance: o.Balance, Before: o.before}
	return h, o.Standing == snapshot.Eligible && t.Counts(t.Weight(h.Balance, h.Before))
}

// why returns the reason why an owner does not share.
func (o owner) why() string {
	if o.Standing == snapshot.Eligible {
		return format.NotHeld
	}
	return o.Standing.String()
}

// owners returns all owners of a run's snapshot, in order. If previous balances count, owners
// merges the previous snapshot. Both snapshots are in the same order, so neither is in memory as a
// whole.
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
		// The file is verified only after its last row.
		for moreBefore && errBefore == nil {
			_, errBefore, moreBefore = then()
		}
		if moreBefore {
			yield(owner{}, errBefore)
		}
	}
}

// rowsBefore returns the rows of the snapshot that counts in addition to the run's own snapshot;
// empty without such a snapshot.
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

// proven returns the holders of a proof, for a snapshot whose file in the ledger is gone.
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

// rows reads a snapshot, and verifies the digest unless digest is empty.
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

// holdings returns the owners that share.
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

// weigh sets the counting balances of a new snapshot.
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

// heldIn returns the counting balances of the snapshot for the manifest.
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
