package payout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MaxStripe is the maximum number of batches in a chunk.
const MaxStripe = 64

// Work advances the batches of a chunk concurrently by one safe step, and returns Done when all
// batches are decided. After the phase's deadline, Work cancels the batches that are not bound. Work
// returns Done for a frozen token. If the ledger turns out to be older than the journal, Work freezes
// the token and returns Done.
func (e Engine) Work(ctx context.Context, w Work) (Next, error) {
	next, err := e.work(ctx, w)
	switch {
	case err == nil:
		return next, nil
	case errors.Is(err, ErrFrozen):
		return Next{Done: true}, nil
	case errors.Is(err, ErrRestored):
		if err = e.Stop(ctx, w.Mint, w.Run, err); err == nil {
			return Next{Done: true}, nil
		}
	}
	id := ID{Run: w.Run, Kind: w.Kind, Leg: w.Leg, Batch: w.Chunk}
	if next, ok := e.passes(ctx, err, id); ok {
		return next, nil
	}
	return Next{}, fmt.Errorf("work on stripe %d of %s leg %d of run %s: %w", w.Chunk, w.Kind, w.Leg, w.Run, err)
}

// Stop freezes a token whose ledger is older than its journal. The alarm is logged before the write:
// a crash in between duplicates the alarm instead of losing it.
func (e Engine) Stop(ctx context.Context, mint solana.PublicKey, run string, cause error) error {
	e.alarm(ctx, "the ledger is older than its journal; the token is frozen until the ledger is restored",
		slog.String(terms.LogMint, mint.String()), slog.String(terms.LogRun, run), slog.String("cause", cause.Error()))
	if e.Freeze == nil {
		return nil
	}
	if err := e.Freeze(ctx, mint, OlderThanJournal); err != nil {
		return fmt.Errorf("freeze %s: %w", mint, err)
	}
	return nil
}

func (e Engine) work(ctx context.Context, w Work) (Next, error) {
	phase, err := e.Phases.Phase(ctx, w)
	if err != nil {
		return Next{}, err
	}
	if w.MessageGeneration < phase.MessageGeneration {
		return Next{Done: true}, nil // a newer message does the same work
	}
	if w.Chunk < 0 || w.Chunk >= phase.Chunks() {
		return Next{}, fmt.Errorf("the phase has %d stripes", phase.Chunks())
	}
	open, err := e.open(ctx, phase, w)
	if err != nil {
		return Next{}, err
	}
	if len(open) == 0 {
		if err := e.Store.ChunkDone(ctx, w); err != nil {
			return Next{}, fmt.Errorf("write that stripe %d is done: %w", w.Chunk, err)
		}
		return Next{Done: true}, nil
	}
	return e.together(ctx, phase, open)
}

// atOnce is the maximum number of payments of a chunk that advance concurrently.
const atOnce = 32

// together advances payments concurrently by one step, and returns the shortest pause. A failed
// payment does not stop the other payments.
func (e Engine) together(ctx context.Context, phase Phase, open []Payment) (Next, error) {
	b, recent := batch{engine: e, phase: phase}, e.recent(phase.Wallet)
	late := !e.Now().Before(phase.Deadline)
	nexts, errs := make([]Next, len(open)), make([]error, len(open))
	parallel.Each(len(open), atOnce, func(n int) {
		_, nexts[n], errs[n] = e.advance(ctx, b.movement(open[n], recent, late))
	})
	waiting := slices.DeleteFunc(nexts, func(n Next) bool { return n.Done })
	if len(waiting) == 0 {
		return Next{}, errors.Join(errs...)
	}
	return slices.MinFunc(waiting, func(a, b Next) int { return cmp.Compare(a.After, b.After) }), errors.Join(errs...)
}

func (b batch) movement(p Payment, recent func(ctx context.Context) (chainState, error), late bool) movement {
	plan := p
	if p.Version == 0 {
		plan = Payment{ID: p.ID, Mint: p.Mint, Asset: p.Asset, From: p.From, To: p.To}
	}
	return movement{
		wallet: b.phase.Wallet, plan: plan, late: late, version: b.phase.version(p.size()), recent: recent,
		bind: b.bind, build: b.build, hold: b.hold,
	}
}

// open returns the undecided payments of a chunk, stored or planned.
func (e Engine) open(ctx context.Context, phase Phase, w Work) ([]Payment, error) {
	from, to := phase.chunk(w.Chunk)
	stored, err := e.Store.Batches(ctx, w.Run, w.Kind, w.Leg, from, to)
	if err != nil {
		return nil, fmt.Errorf("read stripe %d: %w", w.Chunk, err)
	}
	var open []Payment
	for number := range Undecided(phase, from, to, stored) {
		open = append(open, number)
	}
	return open, nil
}

// Undecided iterates over the undecided payments of the batches from to to of a phase, stored or
// planned. stored are all payments of these batches in the ledger.
func Undecided(phase Phase, from, to int, stored []Payment) func(yield func(Payment) bool) {
	parts := map[int]map[string]Payment{}
	for _, p := range stored {
		if parts[p.ID.Batch] == nil {
			parts[p.ID.Batch] = map[string]Payment{}
		}
		parts[p.ID.Batch][p.ID.Part] = p
	}
	return func(yield func(Payment) bool) {
		for number := from; number < to; number++ {
			for _, p := range undecided(phase.batch(number), parts[number]) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// batch returns the plan of a batch of the phase.
func (p Phase) batch(number int) Payment {
	whole := Payment{
		ID: ID{Run: p.Run, Kind: p.Kind, Leg: p.Leg, Batch: number}, Mint: p.Mint,
		From: uint32(number) * p.BatchSize, //nolint:gosec // below Batches
	}
	if p.Kind == Pay {
		whole.Asset = p.Asset
	}
	whole.To = min(whole.From+p.BatchSize, p.Records)
	return whole
}

// Planned returns the plan of the payment with the given ID. It returns false if the phase has no
// such payment.
func (p Phase) Planned(id ID) (Payment, bool) {
	if id.Run != p.Run || id.Kind != p.Kind || id.Leg != p.Leg || id.Batch < 0 || id.Batch >= p.Batches() {
		return Payment{}, false
	}
	planned := p.batch(id.Batch)
	for _, half := range id.Part {
		switch {
		case planned.size() < 2:
			return Payment{}, false
		case half == '0':
			planned = planned.halves()[0]
		case half == '1':
			planned = planned.halves()[1]
		default:
			return Payment{}, false
		}
	}
	return planned, true
}

// undecided returns the undecided payments of a batch or of a part. A part that is not stored, but
// has stored parts, was split, because the halves of a batch are always the same.
func undecided(p Payment, parts map[string]Payment) []Payment {
	stored, ok := parts[p.ID.Part]
	switch {
	case ok && stored.Status() != Split:
		if stored.Status().Decided() {
			return nil
		}
		return []Payment{stored}
	case !ok && !hasParts(p, parts):
		return []Payment{p}
	}
	var open []Payment
	for _, half := range p.halves() {
		open = append(open, undecided(half, parts)...)
	}
	return open
}

func hasParts(p Payment, parts map[string]Payment) bool {
	for part := range parts {
		if strings.HasPrefix(part, p.ID.Part) {
			return true
		}
	}
	return false
}
