package payout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// Rebuilt counts the payments that Rebuild brought up to date.
type Rebuilt struct {
	// Landed payments got their outcome. Open payments may still land, and later steps check
	// them like any other payment. Split payments have signed halves.
	Landed, Open, Split int
}

// Rebuild brings the payments of a mint up to date from the journal, after an old backup was
// restored. It is idempotent. Rebuild signs and sends nothing: payments that may still land are
// decided by the chain when the run continues.
func (e Engine) Rebuild(ctx context.Context, mint solana.PublicKey) (Rebuilt, error) {
	kept := map[ID][]Payment{}
	for p, err := range e.Journal.All(ctx, mint) {
		if err != nil {
			return Rebuilt{}, fmt.Errorf("read the journal of %s: %w", mint, err)
		}
		kept[p.ID] = append(kept[p.ID], p)
	}
	ids := make([]ID, 0, len(kept))
	split := map[ID]bool{}
	for id := range kept {
		ids = append(ids, id)
		for whole := id; whole.Part != ""; {
			whole.Part = whole.Part[:len(whole.Part)-1]
			split[whole] = true
		}
	}
	// A whole batch comes before its parts.
	slices.SortFunc(ids, func(a, b ID) int {
		return cmp.Or(cmp.Compare(len(a.Part), len(b.Part)), strings.Compare(a.String(), b.String()))
	})
	var done Rebuilt
	for _, id := range ids {
		if err := e.rebuild(ctx, kept[id], split[id], &done); err != nil {
			return done, fmt.Errorf("rebuild payment %s: %w", id, err)
		}
	}
	return done, nil
}

// rebuild brings one payment up to date with the journal's records of the payment. split reports
// that parts of the payment were signed, so the payment had ended.
func (e Engine) rebuild(ctx context.Context, kept []Payment, split bool, done *Rebuilt) error {
	newest := slices.MaxFunc(kept, func(a, b Payment) int {
		return cmp.Or(cmp.Compare(a.generation(), b.generation()), boolean(a.Outcome != nil)-boolean(b.Outcome != nil), cmp.Compare(len(a.Attempts), len(b.Attempts)))
	})
	for _, other := range kept {
		newest = newest.with(other)
	}
	stored, err := e.stored(ctx, Payment{ID: newest.ID})
	if err != nil || stored.Status().Decided() && stored.Status() != Unknown {
		return err
	}
	if stored.generation() > newest.generation() && newest.Outcome == nil && !split { // the journal's receipt is blocked
		done.Open++
		return nil
	}
	newest.Version = stored.Version
	if stored.Status() == Planned || stored.generation() < newest.generation() {
		bound := newest
		bound.Attempts, bound.Outcome = nil, nil
		if err := e.Store.Bind(ctx, bound); err != nil {
			return err
		}
		newest.Version++
	}
	switch {
	case newest.Outcome != nil && newest.Outcome.Moved():
		done.Landed++
		return e.Store.End(ctx, newest)
	case split:
		done.Split++
		if newest.Split = true; newest.Outcome == nil {
			newest.DeadAt = e.Now().UTC()
		}
		return e.Store.End(ctx, newest)
	case newest.Outcome != nil: // void
		newest.Refused = ReasonExpired
		return e.Store.End(ctx, newest)
	case stored.Status() == Unknown:
		return nil
	case stored.has(newest.Attempts[len(newest.Attempts)-1]) && len(stored.Attempts) >= len(newest.Attempts):
		done.Open++
		return nil
	}
	done.Open++
	return e.Store.Record(ctx, newest)
}

// Enter writes the final result of a payment's newest attempt into the journal. Ledger and journal
// may lack the attempt. All providers must agree on the effect of the landing. Rebuild then writes
// the result into the ledger. Enter signs and sends nothing.
func (e Engine) Enter(ctx context.Context, p Payment, landing Landing) error {
	if landing.Failed != "" {
		return e.Journal.Attempt(ctx, p)
	}
	effect, err := e.effect(ctx, landing)
	if err != nil {
		return fmt.Errorf("read what %s did: %w", landing.Signature, err)
	}
	p.Outcome = p.outcome(landing, effect, e.Now())
	return e.Journal.Landed(ctx, p)
}

func (p Payment) generation() int {
	if p.Receipt == nil {
		return 0
	}
	return p.Receipt.Generation
}

func boolean(is bool) int {
	if is {
		return 1
	}
	return 0
}
