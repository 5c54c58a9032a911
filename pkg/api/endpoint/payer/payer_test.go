package payer_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/api/endpoint/payer"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// lane is an engine with one lane, and both queues.
type lane struct {
	now   time.Time
	step  time.Duration
	nexts []payout.Next
	fail  error
	queue error
	did   []payout.Work

	after time.Duration
	sent  []payout.Work
	runs  []dispatch.Delayed
}

func (l *lane) Work(_ context.Context, work payout.Work) (payout.Next, error) {
	l.did = append(l.did, work)
	l.now = l.now.Add(l.step)
	if len(l.nexts) == 0 {
		return payout.Next{Done: true}, l.fail
	}
	next := l.nexts[0]
	l.nexts = l.nexts[1:]
	return next, nil
}

func (l *lane) SendWork(_ context.Context, after time.Duration, batches ...payout.Work) error {
	l.after = after
	l.sent = append(l.sent, batches...)
	return l.queue
}

func (l *lane) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	l.runs = append(l.runs, runs...)
	return l.queue
}

func (l *lane) endpoint() payer.Endpoint {
	return payer.Endpoint{
		Engine: l, Queue: l, Runs: l, Log: slog.New(slog.DiscardHandler),
		Read: func(string) (payout.Work, error) { return first, nil },
		Now:  func() time.Time { return l.now },
	}
}

var (
	first  = payout.Work{Mint: solana.WrappedSol, Slot: noon, Run: "a-run", Kind: payout.Pay, Lane: 1, Batch: 1}
	second = payout.Work{Mint: solana.WrappedSol, Slot: noon, Run: "a-run", Kind: payout.Pay, Lane: 1, Batch: 5}
)

func TestABatchThatHasToWaitIsQueuedAgain(t *testing.T) {
	l := &lane{nexts: []payout.Next{{Work: second}, {After: 3 * time.Second, Work: second}}}
	if err := l.endpoint().Advance(t.Context(), batch.Message{}); err != nil {
		t.Fatal(err)
	}
	if len(l.did) != 2 || l.did[0] != first || l.did[1] != second {
		t.Errorf("did %+v", l.did)
	}
	if len(l.sent) != 1 || l.sent[0] != second || l.after != 3*time.Second || len(l.runs) != 0 {
		t.Errorf("queued %+v after %s, and the runs %+v", l.sent, l.after, l.runs)
	}
}

func TestTheRunIsToldOfALaneAtItsEnd(t *testing.T) {
	l := &lane{}
	if err := l.endpoint().Advance(t.Context(), batch.Message{}); err != nil || len(l.sent) != 0 {
		t.Errorf("queued %+v, %v", l.sent, err)
	}
	want := dispatch.Delayed{Run: dispatch.Run{Mint: solana.WrappedSol, Slot: noon}}
	if len(l.runs) != 1 || l.runs[0] != want {
		t.Errorf("the runs %+v, want %+v", l.runs, want)
	}
}

// deadline is a context whose deadline is of the lane's time.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

func TestNoStepBeginsWhenTheTimeIsNearlyOver(t *testing.T) {
	l := &lane{now: noon, step: 10 * time.Second, nexts: make([]payout.Next, 100)}
	if err := l.endpoint().Advance(deadline{t.Context(), noon.Add(time.Minute)}, batch.Message{}); err != nil {
		t.Fatal(err)
	}
	if len(l.did) != 4 || len(l.sent) != 1 || l.after != 0 {
		t.Errorf("%d steps, then queued %+v after %s", len(l.did), l.sent, l.after)
	}
}

func TestFailures(t *testing.T) {
	away := errors.New("away")
	for name, l := range map[string]*lane{
		"engine":                       {fail: away},
		"queue of runs":                {queue: away},
		"queue of batches":             {queue: away, nexts: []payout.Next{{After: time.Second}}},
		"time and queue, both at once": {queue: away, nexts: []payout.Next{{After: time.Hour}}},
	} {
		if err := l.endpoint().Advance(t.Context(), batch.Message{}); !errors.Is(err, away) {
			t.Errorf("without the %s: %v", name, err)
		}
	}
	e := (&lane{}).endpoint()
	e.Read = func(string) (payout.Work, error) { return payout.Work{}, away }
	if err := e.Advance(t.Context(), batch.Message{}); !errors.Is(err, away) {
		t.Errorf("a message that is none: %v", err)
	}
}
