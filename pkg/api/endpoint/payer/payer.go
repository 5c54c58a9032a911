// Package payer answers the messages of the payout queue: each advances the batches of
// one stripe. A short wait is spent in the call; for a long one the stripe is queued again with
// a delay. A stripe that is at its end tells the run.
package payer

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Reserve is what a step of a stripe has at least: the function begins none later
// than this before its time is over.
const Reserve = 25 * time.Second

// Engine advances stripes; see payout.Engine.
type Engine interface {
	Work(ctx context.Context, work payout.Work) (payout.Next, error)
}

// Queue takes stripes for another call; see sqsqueue.Payouts.
type Queue interface {
	SendWork(ctx context.Context, after time.Duration, stripes ...payout.Work) error
}

// Runs is told of runs that can go on; see sqsqueue.Runs.
type Runs interface {
	SendRuns(ctx context.Context, runs []dispatch.Delayed) error
}

// Endpoint advances stripes. Every field is required.
type Endpoint struct {
	Engine Engine
	Queue  Queue
	Runs   Runs
	Read   func(body string) (payout.Work, error)
	Now    func() time.Time
	Log    *slog.Logger
	// Waiting bounds the waits within a call.
	Waiting batch.Waiting
}

// Advance does what a message asks for: it is what a batch.Handler does.
func (e Endpoint) Advance(ctx context.Context, m batch.Message) error {
	work, err := e.Read(m.Body)
	if err != nil {
		return err
	}
	for {
		next, err := e.Engine.Work(ctx, work)
		if err != nil {
			return fmt.Errorf("stripe %d of the run %s: %w", work.Stripe, work.Run, err)
		}
		if next.Done {
			return e.stripeDone(ctx, work)
		}
		if !e.Waiting.Here(ctx, e.Now(), next.After, Reserve) {
			if err := e.Queue.SendWork(ctx, next.After, work); err != nil {
				return fmt.Errorf("queue stripe %d of the run %s again: %w", work.Stripe, work.Run, err)
			}
			return nil
		}
		if next.After > 0 {
			if err := e.Waiting.Wait(ctx, next.After); err != nil {
				return fmt.Errorf("wait for stripe %d of the run %s: %w", work.Stripe, work.Run, err)
			}
		}
	}
}

// About says what a message is about, for the lines of the log.
func (e Endpoint) About(body string) []slog.Attr {
	work, err := e.Read(body)
	if err != nil {
		return nil
	}
	return []slog.Attr{
		slog.String(terms.LogMint, work.Mint.String()), slog.String(terms.LogRun, work.Run), slog.Int("stripe", work.Stripe),
	}
}

// stripeDone lets the run look whether all stripes are at their ends.
func (e Endpoint) stripeDone(ctx context.Context, work payout.Work) error {
	e.Log.InfoContext(ctx, "stripe done", "kind", work.Kind, "leg", work.Leg)
	err := e.Runs.SendRuns(ctx, []dispatch.Delayed{{Run: dispatch.Run{Mint: work.Mint, Slot: work.Slot}}})
	if err != nil {
		return fmt.Errorf("tell the run %s that stripe %d is done: %w", work.Run, work.Stripe, err)
	}
	return nil
}
