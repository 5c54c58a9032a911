// Package payer handles the messages of the payout queue. Each message advances the batches of one
// chunk. The function spends a short wait in the call, and queues the chunk again with a delay
// for a long wait. After the end of a chunk, the function sends a message for the run.
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

// Reserve is the minimum remaining time for a step of a chunk. The function starts no step with
// less time.
const Reserve = 25 * time.Second

// Engine advances chunks; see payout.Engine.
type Engine interface {
	Work(ctx context.Context, work payout.Work) (payout.Next, error)
}

// Queue queues chunks for another call; see sqsqueue.Payouts.
type Queue interface {
	SendWork(ctx context.Context, after time.Duration, chunks ...payout.Work) error
}

// Runs queues runs that can continue; see sqsqueue.Runs.
type Runs interface {
	SendRuns(ctx context.Context, runs []dispatch.Delayed) error
}

// Endpoint advances chunks. Every field is required.
type Endpoint struct {
	Engine Engine
	Queue  Queue
	Runs   Runs
	Read   func(body string) (payout.Work, error)
	Now    func() time.Time
	Log    *slog.Logger
	// Waiting bounds the waits in a call.
	Waiting batch.Waiting
}

// Advance does the task of a message, for a batch.Handler.
func (e Endpoint) Advance(ctx context.Context, m batch.Message) error {
	work, err := e.Read(m.Body)
	if err != nil {
		return err
	}
	for {
		next, err := e.Engine.Work(ctx, work)
		if err != nil {
			return fmt.Errorf("stripe %d of the run %s: %w", work.Chunk, work.Run, err)
		}
		if next.Done {
			return e.chunkDone(ctx, work)
		}
		if !e.Waiting.Here(ctx, e.Now(), next.After, Reserve) {
			if err := e.Queue.SendWork(ctx, next.After, work); err != nil {
				return fmt.Errorf("queue stripe %d of the run %s again: %w", work.Chunk, work.Run, err)
			}
			return nil
		}
		if next.After > 0 {
			if err := e.Waiting.Wait(ctx, next.After); err != nil {
				return fmt.Errorf("wait for stripe %d of the run %s: %w", work.Chunk, work.Run, err)
			}
		}
	}
}

// About returns the attributes of a message for the log.
func (e Endpoint) About(body string) []slog.Attr {
	work, err := e.Read(body)
	if err != nil {
		return nil
	}
	return []slog.Attr{
		slog.String(terms.LogMint, work.Mint.String()), slog.String(terms.LogRun, work.Run), slog.Int("stripe", work.Chunk),
	}
}

// chunkDone queues the run, which checks whether all chunks have ended.
func (e Endpoint) chunkDone(ctx context.Context, work payout.Work) error {
	e.Log.InfoContext(ctx, "stripe done", "kind", work.Kind, "leg", work.Leg)
	err := e.Runs.SendRuns(ctx, []dispatch.Delayed{{Run: dispatch.Run{Mint: work.Mint, Slot: work.Slot}}})
	if err != nil {
		return fmt.Errorf("tell the run %s that stripe %d is done: %w", work.Run, work.Chunk, err)
	}
	return nil
}
