package payout_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// onePhase returns a phase, or fails.
type onePhase struct {
	phase payout.Phase
	err   error
}

func (o *onePhase) Phase(context.Context, payout.Work) (payout.Phase, error) { return o.phase, o.err }

// still is an engine over two batches, whose time is over: neither needs the chain.
func still(ledger *payouttest.Memory, phases payout.Phases, log *strings.Builder) payout.Engine {
	return payout.Engine{
		Store: ledger, Journal: ledger, Phases: phases,
		Now: func() time.Time { return time.Unix(1_800_000_000, 0) }, Log: slog.New(slog.NewTextHandler(log, nil)),
	}
}

func stillPhase() (payout.Phase, payout.Work) {
	w := payout.Work{Mint: solana.PublicKey{7}, Run: "a-run", Kind: payout.Pay}
	return payout.Phase{Run: w.Run, Mint: w.Mint, Kind: w.Kind, Records: 2, BatchSize: 1, Chunk: 2}, w
}

func TestOfAFrozenTokenNothingIsDone(t *testing.T) {
	var ledger payouttest.Memory
	var log strings.Builder
	phase, work := stillPhase()
	phases := &onePhase{phase, fmt.Errorf("read the head: %w", payout.ErrFrozen)}
	e := still(&ledger, phases, &log)
	e.Freeze = func(context.Context, solana.PublicKey, string) error {
		t.Error("it is frozen again")
		return nil
	}
	if next, err := e.Work(t.Context(), work); err != nil || next != (payout.Next{Done: true}) {
		t.Errorf("%+v, %v", next, err)
	}
	if n := written(t, &ledger, work); n != 0 {
		t.Errorf("%d payments are written", n)
	}
	phases.err = nil // resolved
	if _, err := e.Work(t.Context(), work); err != nil || written(t, &ledger, work) != 2 {
		t.Errorf("%d payments are decided, %v", written(t, &ledger, work), err)
	}
}

func TestLedgerOlderThanJournalFreezesToken(t *testing.T) {
	away := errors.New("away")
	for name, c := range map[string]struct {
		freeze error
		none   bool
		want   error
	}{"frozen": {}, "the freeze fails": {freeze: away, want: away}, "nothing freezes": {none: true}} {
		t.Run(name, func(t *testing.T) {
			var ledger payouttest.Memory
			var log strings.Builder
			phase, work := stillPhase()
			forgotten := payout.Payment{
				ID: payout.ID{Run: work.Run, Kind: work.Kind}, Mint: work.Mint, To: 1, Attempts: []payout.Attempt{{Signature: solana.Signature{1}}},
			}
			if err := ledger.Attempt(t.Context(), forgotten); err != nil {
				t.Fatal(err)
			}
			e := still(&ledger, &onePhase{phase: phase}, &log)
			frozen := ""
			if !c.none {
				e.Freeze = func(_ context.Context, mint solana.PublicKey, why string) error {
					frozen = mint.String() + " " + why
					return c.freeze
				}
			}
			next, err := e.Work(t.Context(), work)
			if !errors.Is(err, c.want) || next.Done != (c.want == nil) {
				t.Errorf("%+v, %v", next, err)
			}
			if want := work.Mint.String() + " " + payout.OlderThanJournal; !c.none && frozen != want {
				t.Errorf("frozen %q, want %q", frozen, want)
			}
			if !strings.Contains(log.String(), "ALARM: the ledger is older than its journal") {
				t.Errorf("no alarm in %s", log.String())
			}
			if _, err := ledger.Payment(t.Context(), forgotten.ID); !errors.Is(err, payout.ErrNotFound) {
				t.Errorf("what was forgotten is decided again: %v", err)
			}
		})
	}
}

func written(t *testing.T, ledger *payouttest.Memory, work payout.Work) (n int) {
	t.Helper()
	for _, err := range ledger.Payments(t.Context(), work.Run, work.Kind, work.Leg) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}
