package runtest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token/terms"
)

// racers is the number of concurrent callers of the same operation.
const racers = 50

// Contract checks that a ledger meets its contract. The ledger is initially empty, and reads the
// time from now.
func Contract(t *testing.T, newLedger func(t *testing.T, now func() time.Time) Ledger) {
	t.Helper()
	for name, test := range map[string]func(*bench){
		"what is opened is there":                      opens,
		"only one run is active":                       opensOneOnly,
		"slots only move on":                           movesOn,
		"what is frozen opens nothing":                 freezes,
		"a run may end as it opens":                    endsAtOnce,
		"facts are kept, amounts to the last unit":     keepsFacts,
		"who has read an older version writes nothing": refusesTheStale,
		"a burn is counted once":                       countsBurnsOnce,
		"what has ended stays as it is":                endsForEver,
		"a head cannot open or end a run":              headsAlone,
		"runs are found, the newest first":             listsRuns,
		"a silent run is overdue":                      findsTheSilent,
		"one of many at once opens the run":            racesToOpen,
		"one of many at once writes":                   racesToSave,
	} {
		t.Run(name, func(t *testing.T) {
			b := &bench{T: t, mint: solana.NewWallet().PublicKey(), now: first}
			b.ledger = newLedger(t, func() time.Time { return b.now })
			test(b)
		})
	}
}

// first is the slot of the first run.
var first = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

type bench struct {
	*testing.T

	ledger Ledger
	mint   solana.PublicKey
	now    time.Time
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// conflict checks that a write is rejected because another process wrote.
func (b *bench) conflict(err error) {
	b.Helper()
	if !errors.Is(err, run.ErrConflict) {
		b.Errorf("%v, want %v", err, run.ErrConflict)
	}
}

func (b *bench) head() run.Head {
	b.Helper()
	head, err := b.ledger.Head(b.Context(), b.mint)
	b.must(err)
	return head
}

func (b *bench) run(slot time.Time) run.Run {
	b.Helper()
	r, err := b.ledger.Run(b.Context(), b.mint, slot)
	b.must(err)
	return r
}

// New returns a run in its initial state.
func New(mint solana.PublicKey, slot time.Time) run.Run {
	return run.Run{
		ID: terms.RunID(mint, slot), Mint: mint, Slot: slot,
		OpenedAt: slot.Add(time.Second), Deadline: slot.Add(4 * time.Minute),
	}
}

func (b *bench) tryOpen(head run.Head, slot time.Time) error {
	head.Active, head.LastSlot = slot, slot
	return b.ledger.Open(context.WithoutCancel(b.Context()), head, New(b.mint, slot))
}

func (b *bench) open(slot time.Time) run.Run {
	b.Helper()
	b.must(b.tryOpen(b.head(), slot))
	return b.run(slot)
}

func (b *bench) end(slot time.Time) {
	b.Helper()
	r, head := b.run(slot), b.head()
	r.End, head.Active = &run.End{At: b.now}, time.Time{}
	b.must(b.ledger.End(b.Context(), r, head))
}

func opens(b *bench) {
	if head := b.head(); !reflect.DeepEqual(head, run.Head{Mint: b.mint}) {
		b.Errorf("the head of a token without runs is %+v", head)
	}
	if _, err := b.ledger.Run(b.Context(), b.mint, first); !errors.Is(err, run.ErrNotFound) {
		b.Errorf("a run that is not there: %v", err)
	}
	got, want := b.open(first), New(b.mint, first)
	want.Version = 1
	if !reflect.DeepEqual(got, want) {
		b.Errorf("%+v, want %+v", got, want)
	}
	if head := b.head(); !head.Active.Equal(first) || !head.LastSlot.Equal(first) || head.Version != 1 {
		b.Errorf("the head is %+v", head)
	}
	byID, err := b.ledger.RunByID(b.Context(), b.mint, want.ID)
	if err != nil || !reflect.DeepEqual(byID, want) {
		b.Errorf("by its id: %+v, %v", byID, err)
	}
	for _, other := range []struct {
		mint solana.PublicKey
		id   string
	}{{solana.NewWallet().PublicKey(), want.ID}, {b.mint, "other"}} {
		if _, err := b.ledger.RunByID(b.Context(), other.mint, other.id); !errors.Is(err, run.ErrNotFound) {
			b.Errorf("run %s of %s: %v", other.id, other.mint, err)
		}
	}
}

func opensOneOnly(b *bench) {
	b.open(first)
	b.conflict(b.tryOpen(b.head(), first.Add(5*time.Minute)))
	b.conflict(b.tryOpen(b.head(), first))
	b.conflict(b.tryOpen(run.Head{Mint: b.mint}, first))
	if head := b.head(); !head.Active.Equal(first) || head.Version != 1 {
		b.Errorf("the head is %+v", head)
	}
	if _, err := b.ledger.Run(b.Context(), b.mint, first.Add(5*time.Minute)); !errors.Is(err, run.ErrNotFound) {
		b.Errorf("what was refused is there: %v", err)
	}
}

func movesOn(b *bench) {
	b.open(first)
	b.end(first)
	b.conflict(b.tryOpen(b.head(), first))
	b.conflict(b.tryOpen(b.head(), first.Add(-5*time.Minute)))
	later := b.head()
	later.LastSlot = first.Add(time.Minute)
	b.must(b.ledger.SaveHead(b.Context(), later))
	b.conflict(b.tryOpen(b.head(), later.LastSlot))
	b.open(first.Add(time.Hour))
}

func freezes(b *bench) {
	head := b.head()
	head.Frozen = "people have to look"
	b.must(b.ledger.SaveHead(b.Context(), head))
	b.conflict(b.tryOpen(b.head(), first))
	thawed := b.head()
	thawed.Frozen = ""
	b.conflict(b.tryOpen(thawed, first))
	b.must(b.ledger.SaveHead(b.Context(), thawed))
	b.open(first)
}

func endsAtOnce(b *bench) {
	head, r := b.head(), New(b.mint, first)
	head.LastSlot, r.End = first, &run.End{At: b.now, Code: run.CodePaused}
	b.must(b.ledger.Open(b.Context(), head, r))
	if got := b.run(first); got.Status() != run.Skipped {
		b.Errorf("the run is %s", got.Status())
	}
	if head := b.head(); !head.Active.IsZero() || !head.LastSlot.Equal(first) {
		b.Errorf("the head is %+v", head)
	}
	b.conflict(b.tryOpen(b.head(), first))
	b.open(first.Add(time.Hour))
}

func keepsFacts(b *bench) {
	r := b.open(first)
	Fill(&r, 1)
	r.Mint, r.Slot, r.ID, r.Version, r.End = b.mint, first, terms.RunID(b.mint, first), 1, nil
	r.Opening.Owed[terms.SOL] = math.MaxUint64
	r.Burn.Amount = math.MaxUint64 - 1
	b.must(b.ledger.Save(b.Context(), r))
	r.Version = 2
	if got := b.run(first); !reflect.DeepEqual(got, r) {
		b.Errorf("%+v, want %+v", got, r)
	}
	head := b.head()
	Fill(&head, 2)
	head.Mint, head.Active, head.LastSlot, head.Version, head.Burned = b.mint, first, first, 1, math.MaxUint64
	b.must(b.ledger.SaveHead(b.Context(), head))
	head.Version = 2
	if got := b.head(); !reflect.DeepEqual(got, head) {
		b.Errorf("%+v, want %+v", got, head)
	}
}

func refusesTheStale(b *bench) {
	stale, staleHead := b.open(first), b.head()
	b.must(b.ledger.Save(b.Context(), stale))
	b.conflict(b.ledger.Save(b.Context(), stale))
	b.conflict(b.ledger.SaveBurn(b.Context(), stale, run.Burn{Mint: b.mint, Run: stale.ID, Amount: 1}))
	// First only the run is stale, then only the head: either way, no part is written.
	ended := stale
	ended.End = &run.End{At: b.now}
	free := staleHead
	free.Active = time.Time{}
	b.conflict(b.ledger.End(b.Context(), ended, free))
	b.must(b.ledger.SaveHead(b.Context(), staleHead))
	ended.Version = 2
	b.conflict(b.ledger.End(b.Context(), ended, free))
	b.conflict(b.ledger.SaveHead(b.Context(), staleHead))
	if r, head := b.run(first), b.head(); r.Version != 2 || r.End != nil || head.Version != 2 || head.Active.IsZero() || head.Burned != 0 {
		b.Errorf("the run is %+v, the head %+v", r, head)
	}
	missing := New(b.mint, first.Add(time.Hour))
	missing.Version = 1
	b.conflict(b.ledger.Save(b.Context(), missing))
}

func countsBurnsOnce(b *bench) {
	r, staleHead := b.open(first), b.head()
	burn := run.Burn{Mint: b.mint, Run: r.ID, Amount: 1 << 62, Signature: solana.Signature{1}, ChainSlot: 5, At: b.now}
	r.Burn = &run.Movement{Amount: burn.Amount, Signature: burn.Signature, ChainSlot: 5, At: b.now}
	b.must(b.ledger.SaveBurn(b.Context(), r, burn))
	b.conflict(b.ledger.SaveBurn(b.Context(), r, burn))
	b.conflict(b.ledger.SaveHead(b.Context(), staleHead)) // the head is stale: it lacks the burn
	if head := b.head(); head.Burned != 1<<62 || head.Version != 2 {
		b.Errorf("burned %d, version %d", head.Burned, head.Version)
	}
	if got := b.run(first); got.Burn == nil || *got.Burn != *r.Burn {
		b.Errorf("the run's burn is %+v", got.Burn)
	}
	b.end(first)
	second := b.open(first.Add(time.Hour))
	burn.Run = second.ID
	b.must(b.ledger.SaveBurn(b.Context(), second, burn))
	if head := b.head(); head.Burned != 1<<63 {
		b.Errorf("burned %d", head.Burned)
	}
}

func endsForEver(b *bench) {
	b.open(first)
	b.end(first)
	r, head := b.run(first), b.head()
	if r.Status() != run.Settled || !head.Active.IsZero() || !head.LastSlot.Equal(first) {
		b.Errorf("the run is %s, the head %+v", r.Status(), head)
	}
	b.conflict(b.ledger.End(b.Context(), r, head))
	r.End = nil
	b.conflict(b.ledger.Save(b.Context(), r))
	b.conflict(b.ledger.SaveBurn(b.Context(), r, run.Burn{Mint: b.mint, Run: r.ID, Amount: 1}))
	if got := b.run(first); got.Version != 2 || got.End == nil {
		b.Errorf("the run is %+v", got)
	}
}

func headsAlone(b *bench) {
	head := b.head()
	head.Active = first
	b.conflict(b.ledger.SaveHead(b.Context(), head))
	b.open(first)
	for _, change := range []func(*run.Head){
		func(h *run.Head) { h.Active = time.Time{} },
		func(h *run.Head) { h.Active = first.Add(time.Hour) },
		func(h *run.Head) { h.LastSlot = first.Add(-time.Hour) },
	} {
		head := b.head()
		change(&head)
		b.conflict(b.ledger.SaveHead(b.Context(), head))
	}
}

func listsRuns(b *bench) {
	const runs = 5
	for i := range runs {
		slot := first.Add(time.Duration(i) * time.Hour)
		b.open(slot)
		b.end(slot)
	}
	for limit := 1; limit <= runs+1; limit++ {
		var before time.Time
		seen, pages := 0, 0
		for {
			page, next, err := b.ledger.Page(b.Context(), b.mint, before, limit)
			b.must(err)
			pages++
			for _, r := range page {
				seen++
				if want := first.Add(time.Duration(runs-seen) * time.Hour); !r.Slot.Equal(want) || r.End == nil || r.Version != 2 {
					b.Errorf("limit %d, run %d: %+v", limit, seen, r)
				}
			}
			if before = next; next.IsZero() {
				break
			}
		}
		if want := (runs + limit - 1) / limit; seen != runs || pages != want {
			b.Errorf("limit %d: %d runs on %d pages, want %d on %d", limit, seen, pages, runs, want)
		}
	}
	page, next, err := b.ledger.Page(b.Context(), solana.NewWallet().PublicKey(), time.Time{}, 10)
	if err != nil || len(page) != 0 || !next.IsZero() {
		b.Errorf("a token without runs: %+v, %s, %v", page, next, err)
	}
}

func findsTheSilent(b *bench) {
	overdue := func(limit int, want ...dispatch.Run) {
		b.Helper()
		got, err := b.ledger.Overdue(b.Context(), b.now, limit)
		b.must(err)
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			b.Errorf("overdue are %+v, want %+v", got, want)
		}
	}
	one := dispatch.Run{Mint: b.mint, Slot: first}
	b.open(first)
	b.now = b.now.Add(run.OverdueAfter - time.Millisecond)
	overdue(10)
	b.mint = solana.NewWallet().PublicKey()
	two := dispatch.Run{Mint: b.mint, Slot: first}
	b.open(first)
	b.now = b.now.Add(time.Millisecond)
	overdue(10, one)
	b.now = b.now.Add(run.OverdueAfter)
	overdue(10, one, two)
	overdue(1, one)

	b.mint = one.Mint
	b.must(b.ledger.Save(b.Context(), b.run(first)))
	overdue(10, two)
	b.now = b.now.Add(run.OverdueAfter)
	overdue(10, two, one)
	b.end(first)
	overdue(10, two)
}

// race lets racers do the same concurrently, and returns the number of successes. The failures must
// be conflicts.
func (b *bench) race(try func(racer int) error) int {
	var won atomic.Int64
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			err := try(i)
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, run.ErrConflict) {
				b.Error(err)
			}
		})
	}
	wg.Wait()
	return int(won.Load())
}

func racesToOpen(b *bench) {
	head := b.head()
	if won := b.race(func(i int) error { return b.tryOpen(head, first.Add(time.Duration(i)*time.Minute)) }); won != 1 {
		b.Errorf("%d of %d opened a run", won, racers)
	}
	page, _, err := b.ledger.Page(b.Context(), b.mint, time.Time{}, racers)
	b.must(err)
	if head := b.head(); len(page) != 1 || !page[0].Slot.Equal(head.Active) {
		b.Errorf("%d runs, the head is %+v", len(page), head)
	}
}

func racesToSave(b *bench) {
	r := b.open(first)
	won := b.race(func(i int) error {
		mine := r
		mine.Opening = &run.Opening{Unsold: uint64(i)} //nolint:gosec // not negative
		return b.ledger.Save(context.WithoutCancel(b.Context()), mine)
	})
	if got := b.run(first); won != 1 || got.Version != 2 {
		b.Errorf("%d of %d wrote, the version is %d", won, racers, got.Version)
	}
}
