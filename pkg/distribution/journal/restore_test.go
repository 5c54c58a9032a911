package journal_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
)

// mirrored is a ledger in memory with copies in a real bucket.
type mirrored struct {
	*runtest.Store

	copied journal.Runs
}

func (m mirrored) Open(ctx context.Context, h run.Head, r run.Run) error {
	return m.copied.Open(ctx, h, r)
}
func (m mirrored) Save(ctx context.Context, r run.Run) error { return m.copied.Save(ctx, r) }

func (m mirrored) SaveBurn(ctx context.Context, r run.Run, b run.Burn) error {
	return m.copied.SaveBurn(ctx, r, b)
}

func (m mirrored) End(ctx context.Context, r run.Run, h run.Head) error {
	return m.copied.End(ctx, r, h)
}

func (m mirrored) SaveHead(ctx context.Context, h run.Head) error { return m.copied.SaveHead(ctx, h) }

func TestMirroredStoreKeepsContract(t *testing.T) {
	runtest.Contract(t, func(t *testing.T, now func() time.Time) runtest.Ledger {
		store := runtest.NewStore(now)
		copied := newFixture(t).store(nil)
		copied.Store = store
		return mirrored{store, copied}
	})
}

// TestEveryBackupIsBroughtForward: the ledger is restored as it was after each of
// the writes of a life. Nothing is written to it before it is brought forward,
// and then it equals the original.
func TestEveryBackupIsBroughtForward(t *testing.T) {
	for n := range len((&fixture{}).life()) + 1 {
		t.Run(fmt.Sprintf("after %d writes", n), func(t *testing.T) {
			w := newFixture(t)
			life := w.life()
			backup := w.items()
			for i, write := range life {
				if i == n {
					backup = w.items()
				}
				must.Do(t, write.do(w.store(nil)))
			}
			truth, want := w.items(), w.head()
			if n == len(life) {
				backup = truth
			}
			w.restoreBackup(backup)
			if n < len(life) {
				w.refusesWrites(life[n])
			}
			w.restore()
			if changed := differing(facts(truth), facts(w.items()), same); len(changed) > 0 {
				t.Errorf("restored, and not the same: %q", changed)
			}
			got := w.head()
			if got.Version <= want.Version {
				t.Errorf("version %d of the head after %d", got.Version, want.Version)
			}
			got.Version = want.Version
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the head is %+v, want %+v", got, want)
			}
			// And it continues, with copies.
			last := first.Add((runs - 1) * time.Hour)
			must.Do(t, w.save(w.store(nil), last))
			must.Do(t, w.end(w.store(nil), last))
			must.Do(t, w.open(w.store(nil), last.Add(time.Hour)))
			if w.log.Len() > 0 {
				t.Error(w.log.String())
			}
		})
	}
}

// refusesWrites checks that a ledger which is behind takes neither the write that
// came next nor another run.
func (w *fixture) refusesWrites(next write) {
	w.Helper()
	before := w.items()
	if err := next.do(w.store(nil)); !errors.Is(err, journal.ErrBehind) {
		w.Errorf("%s on a ledger that is behind: %v", next.name, err)
	}
	if err := w.open(w.store(nil), first.Add(100*time.Hour)); !errors.Is(err, journal.ErrBehind) && !errors.Is(err, run.ErrConflict) {
		w.Errorf("another run on a ledger that is behind: %v", err)
	}
	if changed := differing(before, w.items(), same); len(changed) > 0 {
		w.Errorf("a ledger that is behind was written: %q", changed)
	}
	if !strings.Contains(w.log.String(), `msg="ALARM: the ledger is older`) {
		w.Error("a ledger that is behind rings no alarm")
	}
	w.log.Reset()
}

// stuck is a ledger that takes no runs.
type stuck struct{ journal.Ledger }

func (stuck) Advance(context.Context, run.Run) error { return errInterrupted }

var errInterrupted = errors.New("interrupted")

// restore brings the ledger forward. It is interrupted twice: before the first run
// of a newer version is written, and while the payments are rebuilt.
func (w *fixture) restore() {
	w.Helper()
	rebuilt := errInterrupted
	restorer := journal.Restorer{Copies: w.files, Rebuild: func(ctx context.Context, mint solana.PublicKey) error {
		_, err := w.store(nil).Head(ctx, mint)
		if !errors.Is(err, journal.ErrRestoring) || !errors.Is(err, payout.ErrFrozen) {
			w.Errorf("a run may go on while the ledger is restored: %v", err)
		}
		return rebuilt
	}}
	for _, ledger := range []journal.Ledger{stuck{w.raw}, w.raw} {
		restorer.Ledger = ledger
		if _, err := restorer.Restore(w.Context(), w.mint); !errors.Is(err, errInterrupted) {
			w.Errorf("a restoration that was interrupted: %v", err)
		}
	}
	rebuilt = nil
	done, err := restorer.Restore(w.Context(), w.mint)
	must.Do(w, err)
	if len(done.Runs) != 0 || done.Head.From != done.Head.To {
		w.Errorf("the third time it restored %+v", done)
	}
}

func TestRestoredSaysWhatItDid(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	must.Do(t, w.save(w.store(nil), first))
	backup := w.items()
	must.Do(t, w.save(w.store(nil), first))
	must.Do(t, w.end(w.store(nil), first))
	must.Do(t, w.open(w.store(nil), first.Add(time.Hour)))
	w.restoreBackup(backup)
	done, err := journal.Restorer{Ledger: w.raw, Copies: w.files}.Restore(t.Context(), w.mint)
	must.Do(t, err)
	want := journal.Restored{Head: journal.Forward{From: 1, To: 3}, Runs: []journal.ForwardRun{
		{Slot: first, Forward: journal.Forward{From: 2, To: 4}},
		{Slot: first.Add(time.Hour), Forward: journal.Forward{To: 1}},
	}}
	if !reflect.DeepEqual(done, want) {
		t.Errorf("%+v, want %+v", done, want)
	}
}

// TestOutdatedLedgerCountsAsFrozen tests that an outdated ledger accepts no write, not even of a head.
func TestOutdatedLedgerCountsAsFrozen(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	backup := w.items()
	must.Do(t, w.saveHead(w.store(nil)))
	w.restoreBackup(backup)
	if err := w.saveHead(w.store(nil)); !errors.Is(err, journal.ErrBehind) || !errors.Is(err, payout.ErrFrozen) {
		t.Errorf("a write of the head: %v", err)
	}
	must.Do(t, run.Phases{Store: w.store(nil)}.Freeze(t.Context(), w.mint, payout.OlderThanJournal))
	if changed := differing(backup, w.items(), same); len(changed) > 0 {
		t.Errorf("written: %q", changed)
	}
}

// TestPeoplesFreezeOutlivesARestoration, interrupted or not.
func TestPeoplesFreezeOutlivesARestoration(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	backup := w.items()
	head := w.head()
	head.Frozen = "people look"
	must.Do(t, w.store(nil).SaveHead(t.Context(), head))
	w.restoreBackup(backup)
	w.restore()
	if head := w.head(); head.Frozen != "people look" {
		t.Errorf("frozen for %q", head.Frozen)
	}
}

// TestFreezeOfOldLedgerEndsWithRestoration tests that a restoration explains and ends the freeze.
func TestFreezeOfOldLedgerEndsWithRestoration(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	head := w.head()
	head.Frozen = payout.OlderThanJournal
	must.Do(t, w.store(nil).SaveHead(t.Context(), head))
	w.restore()
	if head := w.head(); head.Frozen != "" {
		t.Errorf("frozen for %q", head.Frozen)
	}
}

// TestNothingGoesBack: copies that are older than the ledger restore nothing.
func TestNothingGoesBack(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	must.Do(t, w.save(w.raw, first))
	must.Do(t, w.burn(w.raw, first))
	truth, head := w.items(), w.head()
	done, err := journal.Restorer{Ledger: w.raw, Copies: w.files}.Restore(t.Context(), w.mint)
	must.Do(t, err)
	if len(done.Runs) != 0 || done.Head != (journal.Forward{From: head.Version, To: head.Version}) {
		t.Errorf("it restored %+v", done)
	}
	if changed := differing(facts(truth), facts(w.items()), same); len(changed) > 0 {
		t.Errorf("changed: %q", changed)
	}
	must.Do(t, w.end(w.store(nil), first))
}

// meanwhile is a ledger that others write to, once, after its head was read.
type meanwhile struct {
	journal.Ledger

	write func()
}

func (m *meanwhile) Head(ctx context.Context, mint solana.PublicKey) (run.Head, error) {
	head, err := m.Ledger.Head(ctx, mint)
	if write := m.write; write != nil {
		m.write = nil
		write()
	}
	return head, err
}

// TestLedgerInUseIsNotOutdated tests that a ledger with concurrent writers is not taken for an outdated
// ledger, because a restoration would stop the token.
func TestLedgerInUseIsNotOutdated(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	for what, write := range map[string]func(){
		"its head": func() { must.Do(t, w.saveHead(w.store(nil))) },
		"its run":  func() { must.Do(t, w.save(w.store(nil), first)) },
	} {
		ledger := &meanwhile{w.raw, write}
		if behind, err := (journal.Restorer{Ledger: ledger, Copies: w.files}).Behind(t.Context(), w.mint); err != nil || behind || ledger.write != nil {
			t.Errorf("when %s is written: behind %v, %v", what, behind, err)
		}
	}
}

func same(a, b map[string]types.AttributeValue) bool { return reflect.DeepEqual(a, b) }
