package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
)

// contended is a store whose head another worker writes before each of the next writes,
// or that refuses them.
type contended struct {
	*runtest.Store

	others  int
	refuses error
}

func (c *contended) SaveHead(ctx context.Context, head run.Head) error {
	if c.refuses != nil {
		return c.refuses
	}
	if c.others > 0 {
		c.others--
		other, err := c.Head(ctx, head.Mint)
		if err != nil {
			return err
		}
		other.Unsold++
		if err := c.Store.SaveHead(ctx, other); err != nil {
			return err
		}
	}
	return c.Store.SaveHead(ctx, head)
}

func TestFrozenTokenHasNoPhases(t *testing.T) {
	ctx, mint, slot := t.Context(), solana.PublicKey{3}, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	store := &contended{Store: runtest.NewStore(func() time.Time { return slot }), others: 3}
	r := runtest.New(mint, slot)
	r.Collecting = &run.Collecting{Accounts: 3, BatchSize: 2, Chunks: run.Chunks{Size: 1}}
	opened := run.Head{Mint: mint, Active: slot, LastSlot: slot}
	must.Do(t, store.Open(ctx, opened, r))
	phases := run.Phases{Store: store}
	work := payout.Work{Mint: mint, Slot: slot, Run: r.ID, Kind: payout.Collect}
	phase, err := phases.Phase(ctx, work)
	if err != nil || phase.Batches() != 2 {
		t.Fatalf("%+v, %v", phase, err)
	}

	must.Do(t, phases.Freeze(ctx, mint, "for a reason"))
	must.Do(t, phases.Freeze(ctx, mint, "for another")) // it is frozen already
	head, err := store.Head(ctx, mint)
	must.Do(t, err)
	if head.Frozen != "for a reason" || head.Unsold != 3 || !head.Active.Equal(slot) {
		t.Errorf("%+v", head)
	}
	if _, err := phases.Phase(ctx, work); !errors.Is(err, payout.ErrFrozen) {
		t.Errorf("of a frozen token: %v", err)
	}
	head.Frozen = ""
	must.Do(t, store.SaveHead(ctx, head))
	if _, err := phases.Phase(ctx, work); err != nil {
		t.Errorf("after it was resolved: %v", err)
	}
}

func TestFailedFreezeIsReported(t *testing.T) {
	mint, away := solana.PublicKey{3}, errors.New("away")
	store := &contended{Store: runtest.NewStore(time.Now), others: 1000}
	if err := (run.Phases{Store: store}).Freeze(t.Context(), mint, "why"); !errors.Is(err, run.ErrConflict) {
		t.Errorf("while others write: %v", err)
	}
	for refusal, want := range map[error]error{away: away, fmt.Errorf("nothing is written: %w", payout.ErrFrozen): nil} {
		store.refuses = refusal
		if err := (run.Phases{Store: store}).Freeze(t.Context(), mint, "why"); !errors.Is(err, want) {
			t.Errorf("%v: %v", refusal, err)
		}
	}
}
