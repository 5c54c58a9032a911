package distributor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/api/endpoint/distributor"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	mint = solana.WrappedSol
)

// fixture has one token. Its runs take some steps, after each of which there may be
// something to wait for. Time goes by with steps and between messages.
type fixture struct {
	now     time.Time
	active  time.Time
	last    time.Time
	version int64
	steps   int // of a run
	left    int // of the active run
	step    time.Duration
	// wait is the duration from each step until the next can be done.
	wait    time.Duration
	readyAt time.Time
	fail    error
	ledger  error
	queue   error
	// claim is the slot at which one can be opened; claiming reports that the active run is one.
	claim    time.Time
	claiming bool

	calls int
	sent  []dispatch.Delayed
	// waits are the pauses within calls; meanwhile, if set, runs during each.
	waits     []time.Duration
	meanwhile func()
}

func (w *fixture) Head(context.Context, solana.PublicKey) (run.Head, error) {
	return run.Head{Mint: mint, Active: w.active, LastSlot: w.last}, w.ledger
}

func (w *fixture) Run(_ context.Context, _ solana.PublicKey, slot time.Time) (run.Run, error) {
	if !slot.Equal(w.active) {
		return run.Run{}, run.ErrNotFound
	}
	r := run.Run{Mint: mint, Slot: slot, Version: w.version}
	if w.claiming {
		r.Claim = &run.Claim{}
	}
	return r, nil
}

func (w *fixture) OpenClaim(context.Context, solana.PublicKey) (time.Time, error) {
	if w.claim.IsZero() || !w.active.IsZero() {
		return time.Time{}, w.fail
	}
	w.active, w.last, w.version, w.left, w.claiming = w.claim, w.claim, 1, w.steps, true
	return w.claim, w.fail
}

// machine is the fixture as the machine; it has a method of the same name.
type machine struct{ *fixture }

func (m machine) Run(_ context.Context, _ solana.PublicKey, slot time.Time) (payout.Next, error) {
	w := m.fixture
	w.calls++
	w.now = w.now.Add(w.step)
	switch {
	case w.fail != nil:
		return payout.Next{}, w.fail
	case w.active.IsZero() && !slot.After(w.last):
		return payout.Next{Done: true}, nil
	case w.active.IsZero():
		w.active, w.last, w.version, w.left = slot, slot, 1, w.steps
		w.readyAt = w.now.Add(w.wait)
		return payout.Next{After: w.wait}, nil
	case w.now.Before(w.readyAt):
		return payout.Next{After: w.readyAt.Sub(w.now)}, nil
	case w.left == 0:
		w.active = time.Time{}
		return payout.Next{Done: true}, nil
	}
	w.left--
	w.version++
	w.readyAt = w.now.Add(w.wait)
	return payout.Next{After: w.wait}, nil
}

func (w *fixture) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	if w.queue == nil {
		w.sent = append(w.sent, runs...)
	}
	return w.queue
}

func (w *fixture) endpoint(asked dispatch.Run) distributor.Endpoint {
	return distributor.Endpoint{
		Machine: machine{w}, Ledger: w, Queue: w, Log: slog.New(slog.DiscardHandler),
		Read: func(string) (dispatch.Run, error) { return asked, nil },
		Now:  func() time.Time { return w.now },
		Waiting: batch.Waiting{Below: batch.ShortWait, Wait: func(ctx context.Context, d time.Duration) error {
			w.waits = append(w.waits, d)
			w.now = w.now.Add(d)
			if w.meanwhile != nil {
				w.meanwhile()
			}
			return ctx.Err()
		}},
	}
}

func (w *fixture) advance(ctx context.Context, asked dispatch.Run, receives int) error {
	return w.endpoint(asked).Advance(ctx, batch.Message{Receives: receives})
}

var asked = dispatch.Run{Mint: mint, Slot: noon}

func TestWaitingRunIsRequeued(t *testing.T) {
	w := &fixture{now: noon, steps: 2, wait: 7 * time.Second}
	if err := w.advance(t.Context(), asked, 1); err != nil {
		t.Fatal(err)
	}
	want := dispatch.Delayed{Run: dispatch.Run{Mint: mint, Slot: noon, Version: 1}, Delay: 7 * time.Second}
	if len(w.sent) != 1 || w.sent[0] != want {
		t.Errorf("queued %+v, want %+v", w.sent, want)
	}
}

func TestRunWithoutWaitCompletesAtOnce(t *testing.T) {
	w := &fixture{now: noon, steps: 20}
	if err := w.advance(t.Context(), asked, 1); err != nil || len(w.sent) != 0 || !w.active.IsZero() {
		t.Errorf("after advance: %+v, %v; want a completed run and no message", w, err)
	}
}

func TestShortWaitsAreSpentInTheCall(t *testing.T) {
	w := &fixture{now: noon, steps: 2, wait: 300 * time.Millisecond}
	if err := w.advance(t.Context(), asked, 1); err != nil || len(w.sent) != 0 || !w.active.IsZero() || len(w.waits) != 3 {
		t.Errorf("Advance() queues %+v and waits %v, %v; want 3 waits to the end of the run", w.sent, w.waits, err)
	}
	w = &fixture{now: noon, steps: 2, wait: batch.ShortWait}
	if err := w.advance(t.Context(), asked, 1); err != nil || len(w.sent) != 1 || len(w.waits) != 0 {
		t.Errorf("Advance() queues %+v and waits %v, %v; want a message", w.sent, w.waits, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w = &fixture{now: noon, steps: 2, wait: time.Second}
	if err := w.advance(ended, asked, 1); !errors.Is(err, context.Canceled) || len(w.sent) != 0 {
		t.Errorf("Advance() = %v, queues %+v; want that the message comes again", err, w.sent)
	}
}

// A call that waits ends if another message takes over the run. A call that finds only a short wait
// starts no second chain.
func TestWaitsKeepOneChain(t *testing.T) {
	w := &fixture{now: noon, steps: 5, wait: time.Second}
	w.meanwhile = func() {
		if len(w.waits) == 2 {
			w.version++ // by another
		}
	}
	if err := w.advance(t.Context(), asked, 1); err != nil || len(w.sent) != 0 || len(w.waits) != 2 || w.active.IsZero() {
		t.Errorf("Advance() queues %+v and waits %v, %v; want an end after 2 waits", w.sent, w.waits, err)
	}
	for name, c := range map[string]struct {
		run      dispatch.Run
		receives int
		ends     bool
	}{
		"from elsewhere":  {asked, 1, true},
		"from the sweep":  {dispatch.Run{Mint: mint, Slot: noon, Swept: true}, 1, true},
		"received before": {asked, 2, false},
		"of the chain":    {dispatch.Run{Mint: mint, Slot: noon, Version: 5}, 1, false},
	} {
		w := &fixture{now: noon, active: noon, last: noon, version: 5, left: 1, readyAt: noon.Add(time.Second)}
		if err := w.advance(t.Context(), c.run, c.receives); err != nil || len(w.sent) != 0 || (len(w.waits) == 0) != c.ends {
			t.Errorf("%s: queues %+v and waits %v, %v", name, w.sent, w.waits, err)
		}
	}
}

// Chunks at the payer are not polled: the end of the last chunk, or the sweep, queues the run.
func TestRunThatWaitsForChunksQueuesNothing(t *testing.T) {
	w := &fixture{now: noon, steps: 2, wait: run.OverdueAfter}
	if err := w.advance(t.Context(), asked, 1); err != nil || len(w.sent) != 0 || w.active.IsZero() {
		t.Errorf("Advance() queues %+v, %v", w.sent, err)
	}
}

// deadline is a context whose deadline is of the fixture's time.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

func TestNoStepNearTimeout(t *testing.T) {
	w := &fixture{now: noon, steps: 20, step: 40 * time.Second}
	ctx := deadline{t.Context(), noon.Add(300 * time.Second)}
	if err := w.advance(ctx, asked, 1); err != nil {
		t.Fatal(err)
	}
	if w.calls != 4 || len(w.sent) != 1 || w.sent[0].Delay != 0 || w.sent[0].Version != 4 {
		t.Errorf("%d steps, then queued %+v", w.calls, w.sent)
	}
	// Nor does a wait that leaves a step too little.
	w = &fixture{now: noon, steps: 20, step: 39 * time.Second, wait: time.Second}
	if err := w.advance(deadline{t.Context(), noon.Add(300 * time.Second)}, asked, 1); err != nil {
		t.Fatal(err)
	}
	if w.calls != 4 || len(w.waits) != 3 || len(w.sent) != 1 || w.sent[0].Delay != time.Second {
		t.Errorf("%d steps and waits %v, then queued %+v", w.calls, w.waits, w.sent)
	}
}

// Every other slot is part of the next run; and a message whose run has gone on
// without it is not the one that drives it.
func TestDuplicateMessagesDoNothing(t *testing.T) {
	for name, c := range map[string]struct {
		run      dispatch.Run
		receives int
		calls    int
		sent     int
	}{
		"a later slot":                    {dispatch.Run{Mint: mint, Slot: noon.Add(time.Hour)}, 1, 0, 0},
		"an earlier slot":                 {dispatch.Run{Mint: mint, Slot: noon.Add(-time.Hour)}, 1, 0, 0},
		"an older version":                {dispatch.Run{Mint: mint, Slot: noon, Version: 4}, 1, 0, 0},
		"this version":                    {dispatch.Run{Mint: mint, Slot: noon, Version: 5}, 1, 1, 1},
		"from elsewhere, while it waits":  {asked, 1, 1, 0},
		"received before, while it waits": {asked, 2, 1, 1},
		"from the sweep, while it waits":  {dispatch.Run{Mint: mint, Slot: noon, Swept: true}, 1, 1, 0},
		"a version lost by a restoration": {dispatch.Run{Mint: mint, Slot: noon, Version: 9}, 1, 1, 1},
	} {
		w := &fixture{now: noon, active: noon, last: noon, version: 5, left: 3, readyAt: noon.Add(time.Minute)}
		if err := w.advance(t.Context(), c.run, c.receives); err != nil || w.calls != c.calls || len(w.sent) != c.sent {
			t.Errorf("%s: %d steps, %+v queued, %v; want %d and %d", name, w.calls, w.sent, err, c.calls, c.sent)
		}
	}
}

// A failed run that a sweep queued is retried by the next sweep, not by its own message.
func TestFailures(t *testing.T) {
	away := errors.New("away")
	for name, break_ := range map[string]func(*fixture){
		"the machine": func(w *fixture) { w.fail = away }, "the ledger": func(w *fixture) { w.ledger = away },
		"the queue": func(w *fixture) { w.queue = away },
	} {
		w := &fixture{now: noon, steps: 2, wait: 3 * time.Second}
		break_(w)
		if err := w.advance(t.Context(), asked, 1); !errors.Is(err, away) {
			t.Errorf("without %s: %v", name, err)
		}
		if err := w.advance(t.Context(), dispatch.Run{Mint: mint, Slot: noon, Swept: true}, 1); err != nil {
			t.Errorf("a swept run without %s: %v", name, err)
		}
	}
	e := (&fixture{}).endpoint(asked)
	e.Read = func(string) (dispatch.Run, error) { return dispatch.Run{}, away }
	if err := e.Advance(t.Context(), batch.Message{}); !errors.Is(err, away) {
		t.Errorf("a malformed message: %v", err)
	}
}

// However many messages a run is begun and disturbed by, it ends, and messages do
// not multiply: one remains as soon as the run has gone on.
func TestOneChainRemains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &fixture{
			now: noon, steps: rapid.IntRange(0, 6).Draw(t, "steps"),
			wait: time.Duration(rapid.IntRange(1, 1_799).Draw(t, "wait")) * 100 * time.Millisecond,
		}
		type letter struct {
			dispatch.Run
			at time.Time
		}
		var letters []letter
		for range rapid.IntRange(1, 5).Draw(t, "duplicates") {
			letters = append(letters, letter{asked, noon})
		}
		kicks := rapid.IntRange(0, 30).Draw(t, "kicks")
		for i := range kicks {
			at := noon.Add(time.Duration(rapid.IntRange(0, 1000).Draw(t, fmt.Sprint("kick ", i))) * time.Second)
			letters = append(letters, letter{dispatch.Run{Mint: mint, Slot: noon, Swept: rapid.Bool().Draw(t, fmt.Sprint("swept ", i))}, at})
		}
		began := len(letters)
		for handled := 0; len(letters) > 0; handled++ {
			first := 0
			for i := range letters {
				if letters[i].at.Before(letters[first].at) {
					first = i
				}
			}
			next := letters[first]
			letters = append(letters[:first], letters[first+1:]...)
			if next.at.After(w.now) {
				w.now = next.at
			}
			w.sent = nil
			if err := w.advance(context.Background(), next.Run, 1); err != nil {
				t.Fatal(err)
			}
			for _, s := range w.sent {
				letters = append(letters, letter{s.Run, w.now.Add(s.Delay)})
			}
			if limit := began + 2*(w.steps+2) + kicks; handled > limit {
				t.Fatalf("%d messages for a run of %d steps", handled, w.steps)
			}
		}
		if !w.active.IsZero() || !w.last.Equal(noon) {
			t.Fatalf("the run did not end: %+v", w)
		}
	})
}

func TestClaimRunSettles(t *testing.T) {
	w := &fixture{now: noon, steps: 2, wait: 7 * time.Second, claim: noon.Add(-time.Minute)}
	ask := dispatch.Run{Mint: mint, Claim: true}
	if err := w.advance(t.Context(), ask, 1); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 1 || !w.sent[0].Slot.Equal(w.claim) || w.sent[0].Claim || w.sent[0].Version != 2 {
		t.Fatalf("queued: %+v", w.sent)
	}
	if err := w.advance(t.Context(), ask, 1); err != nil || len(w.sent) != 1 {
		t.Errorf("a second hint: %v, %+v", err, w.sent)
	}
	w.now = w.now.Add(w.wait)
	if err := w.advance(t.Context(), ask, 2); err != nil || len(w.sent) != 2 || !w.sent[1].Slot.Equal(w.claim) {
		t.Errorf("a hint from before: %v, %+v", err, w.sent)
	}
	none := &fixture{now: noon}
	if err := none.advance(t.Context(), ask, 2); err != nil || none.calls > 0 || len(none.sent) > 0 {
		t.Errorf("no waiting claims: %v, %d calls, %+v", err, none.calls, none.sent)
	}
}

func TestSlotWaitsForClaim(t *testing.T) {
	w := &fixture{now: noon, active: noon.Add(-time.Minute), last: noon.Add(-time.Minute), claiming: true, version: 4}
	if err := w.advance(t.Context(), asked, 1); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 1 || !w.sent[0].Slot.Equal(noon) || w.sent[0].Delay != distributor.ClaimWait || w.calls > 0 {
		t.Errorf("queued: %+v, after %d calls", w.sent, w.calls)
	}
}
