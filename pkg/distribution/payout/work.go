package payout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// Payment is one record of a phase's file: whom to pay how much, or the account to
// collect from.
type Payment struct {
	// Owner is the holder; of a collection it is the token account.
	Owner  solana.PublicKey
	Amount uint64
	// Hold is the fingerprint of the account that could not be paid when it was tried
	// last; zero when it could, or was not tried.
	Hold [8]byte
}

// Records reads a part of a phase's file, from and to counted from 0, to excluded.
type Records interface {
	Records(ctx context.Context, phase Phase, from, to uint32) ([]Payment, error)
}

// Work brings a batch one safe step further, and says what comes next on its lane:
// the same batch after a while, the lane's next batch, or that the lane has nothing
// left to do. Nothing new is begun after the phase's deadline.
func (e Engine) Work(ctx context.Context, w Work) (Next, error) {
	next, err := e.work(ctx, w)
	if err != nil {
		id := ID{Run: w.Run, Kind: w.Kind, Leg: w.Leg, Batch: w.Batch}
		passing, ok := e.passes(ctx, err, id)
		if !ok {
			return Next{}, fmt.Errorf("work on %s: %w", id, err)
		}
		passing.Work = w
		return passing, nil
	}
	return next, nil
}

func (e Engine) work(ctx context.Context, w Work) (Next, error) {
	phase, err := e.Phases.Phase(ctx, w)
	if err != nil {
		return Next{}, err
	}
	if w.Fence < phase.Fence {
		return Next{Done: true}, nil // a newer message does the same
	}
	if phase.Lanes < 1 || w.Lane < 0 || w.Lane >= phase.Lanes || w.Batch < 0 || w.Batch%phase.Lanes != w.Lane {
		return Next{}, fmt.Errorf("batch %d is not one of lane %d of %d", w.Batch, w.Lane, phase.Lanes)
	}
	if w.Batch >= phase.Batches() {
		return e.laneDone(ctx, w)
	}
	plan, err := e.current(ctx, phase, w)
	if err != nil {
		return Next{}, err
	}
	if plan == nil {
		w.Batch += phase.Lanes
		return Next{Work: w}, nil
	}
	if plan.Status() == Planned && !e.Now().Before(phase.Deadline) {
		return e.laneDone(ctx, w)
	}
	b := batch{engine: e, phase: phase, from: plan.From, to: plan.To}
	_, next, err := e.step(ctx, movement{
		wallet: phase.Wallet, plan: *plan, lane: w.Lane, version: phase.version(plan.size()), build: b.build, hold: b.hold,
	})
	next.Work = w
	return next, err
}

func (e Engine) laneDone(ctx context.Context, w Work) (Next, error) {
	if err := e.Store.LaneDone(ctx, w); err != nil {
		return Next{}, fmt.Errorf("write that lane %d is done: %w", w.Lane, err)
	}
	return Next{Done: true}, nil
}

// current gives what of a batch is to be done next: the whole, or the first of its
// parts that is not decided; nil when all is.
func (e Engine) current(ctx context.Context, phase Phase, w Work) (*Intent, error) {
	whole := Intent{
		ID: ID{Run: w.Run, Kind: w.Kind, Leg: w.Leg, Batch: w.Batch}, Mint: phase.Mint,
		From: uint32(w.Batch) * phase.BatchSize, //nolint:gosec // below Batches
	}
	if w.Kind == Pay {
		whole.Asset = phase.Asset
	}
	whole.To = min(whole.From+phase.BatchSize, phase.Records)
	family, err := e.Store.Family(ctx, whole.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("read batch %d: %w", w.Batch, err)
	}
	parts := map[string]Intent{}
	for _, i := range family {
		parts[i.ID.Part] = i
	}
	return open(whole, parts), nil
}

// open gives what of a batch, or a part of it, is to be done next. A part that is
// not stored, and whose own parts are, was split: halves are always the same.
func open(i Intent, parts map[string]Intent) *Intent {
	stored, ok := parts[i.ID.Part]
	switch {
	case ok && stored.Status() != Split:
		if stored.Status().Decided() {
			return nil
		}
		return &stored
	case !ok && !slices.ContainsFunc(slices.Collect(maps.Keys(parts)), func(part string) bool { return strings.HasPrefix(part, i.ID.Part) }):
		return &i
	}
	for _, half := range i.halves() {
		if next := open(half, parts); next != nil {
			return next
		}
	}
	return nil
}
