package payer_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/api/endpoint/payer"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// chunk is an engine with one chunk, and both queues.
type chunk struct {
	now   time.Time
	step  time.Duration
	nexts []payout.Next
	fail  error
	queue error
	did   []payout.Work

	after time.Duration
	waits []time.Duration // within calls
	sent  []payout.Work
	runs  []dispatch.Delayed
}

func (s *chunk) Work(_ context.Context, work payout.Work) (payout.Next, error) {
	s.did = append(s.did, work)
	s.now = s.now.Add(s.step)
	if len(s.nexts) == 0 {
		return payout.Next{Done: true}, s.fail
	}
	next := s.nexts[0]
	s.nexts = s.nexts[1:]
	return next, nil
}

func (s *chunk) SendWork(_ context.Context, after time.Duration, chunks ...payout.Work) error {
	s.after = after
	s.sent = append(s.sent, chunks...)
	return s.queue
}

func (s *chunk) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	s.runs = append(s.runs, runs...)
	return s.queue
}

func (s *chunk) endpoint() payer.Endpoint {
	return payer.Endpoint{
		Engine: s, Queue: s, Runs: s, Log: slog.New(slog.DiscardHandler),
		Read: func(string) (payout.Work, error) { return work, nil },
		Now:  func() time.Time { return s.now },
		Waiting: batch.Waiting{Below: batch.ShortWait, Wait: func(ctx context.Context, d time.Duration) error {
			s.waits, s.now = append(s.waits, d), s.now.Add(d)
			return ctx.Err()
		}},
	}
}

var work = payout.Work{Mint: solana.WrappedSol, Slot: noon, Run: "a-run", Kind: payout.Pay, Chunk: 5}

func TestWaitingChunkIsRequeued(t *testing.T) {
	s := &chunk{nexts: []payout.Next{{}, {After: 3 * time.Second}}}
	if err := s.endpoint().Advance(t.Context(), batch.Message{}); err != nil {
		t.Fatal(err)
	}
	if len(s.did) != 2 || s.did[0] != work || s.did[1] != work {
		t.Errorf("did %+v", s.did)
	}
	if len(s.sent) != 1 || s.sent[0] != work || s.after != 3*time.Second || len(s.runs) != 0 {
		t.Errorf("queued %+v after %s, and the runs %+v", s.sent, s.after, s.runs)
	}
}

func TestShortWaitsAreSpentInTheCall(t *testing.T) {
	s := &chunk{nexts: []payout.Next{{After: 300 * time.Millisecond}, {}, {After: time.Second}}}
	if err := s.endpoint().Advance(t.Context(), batch.Message{}); err != nil || len(s.sent) != 0 || len(s.runs) != 1 || len(s.did) != 4 || len(s.waits) != 2 {
		t.Errorf("Advance() = %v after %d steps and the waits %v; queues %+v", err, len(s.did), s.waits, s.sent)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s = &chunk{nexts: []payout.Next{{After: time.Second}}}
	if err := s.endpoint().Advance(ended, batch.Message{}); !errors.Is(err, context.Canceled) || len(s.sent) != 0 {
		t.Errorf("Advance() = %v, queues %+v; want that the message comes again", err, s.sent)
	}
}

func TestRunIsNotifiedOfSettledChunk(t *testing.T) {
	s := &chunk{}
	if err := s.endpoint().Advance(t.Context(), batch.Message{}); err != nil || len(s.sent) != 0 {
		t.Errorf("queued %+v, %v", s.sent, err)
	}
	want := dispatch.Delayed{Run: dispatch.Run{Mint: solana.WrappedSol, Slot: noon}}
	if len(s.runs) != 1 || s.runs[0] != want {
		t.Errorf("the runs %+v, want %+v", s.runs, want)
	}
}

// deadline is a context whose deadline is of the chunk's time.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

func TestNoStepNearTimeout(t *testing.T) {
	s := &chunk{now: noon, step: 10 * time.Second, nexts: make([]payout.Next, 100)}
	if err := s.endpoint().Advance(deadline{t.Context(), noon.Add(time.Minute)}, batch.Message{}); err != nil {
		t.Fatal(err)
	}
	if len(s.did) != 4 || len(s.sent) != 1 || s.after != 0 {
		t.Errorf("%d steps, then queued %+v after %s", len(s.did), s.sent, s.after)
	}
	s = &chunk{now: noon, nexts: slices.Repeat([]payout.Next{{After: time.Second}}, 100)}
	if err := s.endpoint().Advance(deadline{t.Context(), noon.Add(time.Minute)}, batch.Message{}); err != nil {
		t.Fatal(err)
	}
	if len(s.waits) != 35 || len(s.sent) != 1 || s.after != time.Second {
		t.Errorf("%d waits, then queued %+v after %s", len(s.waits), s.sent, s.after)
	}
}

func TestFailures(t *testing.T) {
	away := errors.New("away")
	for name, s := range map[string]*chunk{
		"engine":                       {fail: away},
		"queue of runs":                {queue: away},
		"queue of stripes":             {queue: away, nexts: []payout.Next{{After: 3 * time.Second}}},
		"time and queue, both at once": {queue: away, nexts: []payout.Next{{After: time.Hour}}},
	} {
		if err := s.endpoint().Advance(t.Context(), batch.Message{}); !errors.Is(err, away) {
			t.Errorf("without the %s: %v", name, err)
		}
	}
	e := (&chunk{}).endpoint()
	e.Read = func(string) (payout.Work, error) { return payout.Work{}, away }
	if err := e.Advance(t.Context(), batch.Message{}); !errors.Is(err, away) {
		t.Errorf("a malformed message: %v", err)
	}
}
