package index_test

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
)

const target = 1000

// grow adds transactions to the history: trades here and elsewhere, failed ones, and
// ones that only name the pool, several in a slot sometimes. The pool is made once;
// before that nothing trades in it.
func (w *fixture) grow(t *rapid.T, made *bool) {
	slot := uint64(1)
	if n := len(w.history); n > 0 {
		slot = w.history[n-1].Slot + 1
	}
	n := rapid.IntRange(0, 25).Draw(t, "transactions")
	for range n {
		if rapid.Bool().Draw(t, "new slot") {
			slot++
		}
		b := block{Listed: index.Listed{Slot: slot, At: genesis.Add(time.Duration(slot) * 37 * time.Second)}}
		binary.BigEndian.PutUint64(b.Signature[:], uint64(len(w.history)+1)*0x9e3779b97f4a7c15) // in no order
		b.Failed = rapid.IntRange(0, 4).Draw(t, "failed") == 0
		if !b.Failed && !*made && rapid.IntRange(0, 2).Draw(t, "made") == 0 {
			b.made, *made = true, true
		}
		if *made {
			for range rapid.IntRange(0, 3).Draw(t, "swaps") {
				s := swap{
					pool: pool, trader: solana.PublicKey{9, rapid.Byte().Draw(t, "trader") % 8}, buy: rapid.Bool().Draw(t, "buy"),
					tokens: rapid.Uint64Range(1, 1000).Draw(t, "tokens"), lamports: rapid.Uint64Range(10, 1000).Draw(t, "lamports"),
					fee: 3, price: rapid.Uint64Range(1, target-1).Draw(t, "price"),
				}
				if rapid.IntRange(0, 5).Draw(t, "reaches") == 0 {
					s.price += target
				}
				if rapid.IntRange(0, 4).Draw(t, "elsewhere") == 0 {
					s.pool = solana.PublicKey{7}
				}
				b.swaps = append(b.swaps, s)
			}
		}
		w.history = append(w.history, b)
	}
}

// last is the newest transaction.
func (w *fixture) last() solana.Signature {
	if len(w.history) == 0 {
		return solana.Signature{}
	}
	return w.history[len(w.history)-1].Signature
}

// holds reports whether what the store has is the truth up to its cursor.
func (m *memory) holds(t *rapid.T, w *fixture) {
	want := w.truth(m.curve.Index.Last, target)
	got := m.curve.Index
	if m.curve.BegunAt.IsZero() { // on the way to the pool's beginning
		want = truth{index: market.Index{Last: got.Last, ChainSlot: got.ChainSlot}}
	}
	if got != want.index || len(m.buyers) != len(want.buyers) {
		t.Fatalf("counted %+v with %d buyers, the truth is %+v with %d", got, len(m.buyers), want.index, len(want.buyers))
	}
	for b := range want.buyers {
		if !m.buyers[b] {
			t.Fatalf("%s bought and is not counted as a buyer", b)
		}
	}
	if !same(m.told, want.told) || !same(m.candles, candles(want.told)) {
		t.Fatalf("indexed %v with candles %v, the truth is %v with %v", m.told, m.candles, want.told, candles(want.told))
	}
	completed := m.curve.State == token.CurveCompleted
	if whole := w.truth(w.last(), target); completed && !whole.held || completed == m.curve.CompletedAt.IsZero() {
		t.Fatalf("%s at %s, and the target was held: %v", m.curve.State, m.curve.CompletedAt, whole.held)
	}
	if !m.curve.BegunAt.Equal(want.begun) {
		t.Fatalf("begun at %s, want %s", m.curve.BegunAt, want.begun)
	}
}

// Whatever crashes, lags, is forgotten or runs concurrently: the counts are right up to the cursor
// after every call of the store, and in the end everything is counted.
func TestEachTradeCountsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &fixture{maximum: rapid.IntRange(1, 9).Draw(t, "listed at once")}
		m := newMemory(newCurve(target))
		now := genesis
		indexer := index.Indexer{
			Store: m, Chain: w, Memory: &index.Memory{}, Share: rapid.IntRange(1, 5).Draw(t, "share"),
			MaxTransactions: rapid.IntRange(1, 20).Draw(t, "most"), PageTransactions: rapid.IntRange(1, 7).Draw(t, "page"),
			WalkPages: rapid.IntRange(2, 4).Draw(t, "walk"),
			Now:       func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		}
		made := false
		nested := 0
		trouble := func(call string) error {
			switch rapid.IntRange(0, 15).Draw(t, "trouble "+call) {
			case 0:
				return errCrash
			case 1:
				w.known = rapid.IntRange(0, len(w.history)).Draw(t, "known")
			case 2:
				w.forgotten = rapid.IntRange(0, len(w.history)).Draw(t, "forgotten")
			case 3:
				if nested == 0 { // another indexer, in the middle of this one
					nested++
					was := now
					now = now.Add(2 * time.Minute)
					_, _ = indexer.Run(context.Background())
					now = was
					nested--
				}
			}
			return nil
		}
		calm := func(string) error { return nil }
		w.before, m.before = trouble, trouble
		m.after = func(call string) error {
			m.holds(t, w)
			return trouble(call)
		}
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			w.grow(t, &made)
			for range rapid.IntRange(0, 6).Draw(t, "runs") {
				now = now.Add(time.Minute)
				if rapid.IntRange(0, 3).Draw(t, "new process") == 0 {
					indexer.Memory = &index.Memory{}
				}
				if _, err := indexer.Run(context.Background()); err != nil && !errors.Is(err, errCrash) {
					t.Fatal(err)
				}
			}
		}
		w.before, m.before, m.after = calm, calm, func(string) error { m.holds(t, w); return nil }
		w.known, w.forgotten = 0, 0
		for !made {
			w.grow(t, &made)
		}
		for range 60 * (len(w.history) + 2) {
			now = now.Add(25 * time.Hour)
			report, err := indexer.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			// Taken: another process counted what this one's memory does not know yet.
			if report.Due == 1 && report.Transactions == 0 && report.Left == 0 && report.Behind == 0 && report.Taken == 0 {
				break
			}
		}
		if m.curve.Index.Last != w.last() {
			t.Fatalf("the cursor is at %s, want %s; walk %s", m.curve.Index.Last, w.last(), m.curve.Walk)
		}
		if w.truth(w.last(), target).price >= target && m.curve.State != token.CurveCompleted {
			t.Fatal("the pool is at the target, and the curve is not complete")
		}
	})
}
