// Package distributor answers the messages of the run queue: each advances one
// run. A run that has to wait is queued again with a delay; nothing sleeps here.
//
// A run's messages follow one another like a chain, and it needs one chain only.
// Each message carries the version of the run that its sender left behind: when
// the run has gone on since, another chain has it, and this one ends. A message
// from elsewhere (a schedule, the payer, the sweep) begins a chain only if it
// finds something to do.
package distributor

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Reserve is what a step of a run has at least: the function begins none later
// than this before its time is over.
const Reserve = 150 * time.Second

// Machine advances runs; see run.Machine.
type Machine interface {
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (payout.Next, error)
	// OpenClaim opens a run for holders who asked, and gives its slot; zero when none is to be
	// opened now.
	OpenClaim(ctx context.Context, mint solana.PublicKey) (time.Time, error)
}

// ClaimWait is how long a slot's message waits for a claim that is at work.
const ClaimWait = 15 * time.Second

// Ledger reads runs; see run.Store.
type Ledger interface {
	Head(ctx context.Context, mint solana.PublicKey) (run.Head, error)
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (run.Run, error)
}

// Queue takes runs for another call; see queue.Runs.
type Queue interface {
	SendRuns(ctx context.Context, runs []dispatch.Delayed) error
}

// Endpoint advances runs. Every field is required.
type Endpoint struct {
	Machine Machine
	Ledger  Ledger
	Queue   Queue
	Read    func(body string) (dispatch.Run, error)
	Now     func() time.Time
	Log     *slog.Logger
}

// Advance does what a message asks for: it is what a batch.Handler does. A swept
// run that fails is left to the next sweep.
func (e Endpoint) Advance(ctx context.Context, m batch.Message) error {
	asked, err := e.Read(m.Body)
	if err != nil {
		return err
	}
	err = e.advance(ctx, asked, m.Receives > 1)
	if err != nil && asked.Swept {
		e.Log.ErrorContext(ctx, "overdue run not advanced", "cause", err.Error())
		return nil
	}
	return err
}

// About says what a message is about, for the lines of the log.
func (e Endpoint) About(body string) []slog.Attr {
	asked, err := e.Read(body)
	if err != nil {
		return nil
	}
	if asked.Claim {
		return []slog.Attr{slog.String(logctx.Mint, asked.Mint.String())}
	}
	return []slog.Attr{
		slog.String(logctx.Mint, asked.Mint.String()), slog.Time("slot", asked.Slot),
		slog.String(logctx.Run, terms.RunID(asked.Mint, asked.Slot)),
	}
}

// advance takes the run as far as it goes. again says that the message was
// received before, so its chain may have broken off.
func (e Endpoint) advance(ctx context.Context, asked dispatch.Run, again bool) error {
	if asked.Claim {
		slot, err := e.claim(ctx, asked.Mint, again)
		if err != nil || slot.IsZero() {
			return err // the order waits for the next sweep
		}
		asked = dispatch.Run{Mint: asked.Mint, Slot: slot}
	}
	active, before, claim, err := e.active(ctx, asked.Mint)
	if err != nil {
		return err
	}
	switch {
	case claim && asked.Slot.After(active):
		e.Log.InfoContext(ctx, "a claim is at work, for which the slot waits", "active", active)
		if err := e.Queue.SendRuns(ctx, []dispatch.Delayed{{Run: dispatch.Run{Mint: asked.Mint, Slot: asked.Slot}, Delay: ClaimWait}}); err != nil {
			return fmt.Errorf("queue the run of %s again: %w", asked.Mint, err)
		}
		return nil
	case !active.IsZero() && !active.Equal(asked.Slot):
		// The slots that come while a run is at work are part of the next.
		e.Log.InfoContext(ctx, "another run is at work", "active", active)
		return nil
	case asked.Version != 0 && before > asked.Version:
		e.Log.DebugContext(ctx, "another message has the run", "version", before)
		return nil
	}
	next, err := e.steps(ctx, asked)
	if err != nil {
		return err
	}
	if next.Done {
		return nil
	}
	active, now, _, err := e.active(ctx, asked.Mint)
	if err != nil {
		return err
	}
	if asked.Version == 0 && !again && !active.IsZero() && now == before {
		e.Log.DebugContext(ctx, "nothing to do but wait, which another message does", "version", now)
		return nil
	}
	asked.Version, asked.Swept = now, false
	if err := e.Queue.SendRuns(ctx, []dispatch.Delayed{{Run: asked, Delay: next.After}}); err != nil {
		return fmt.Errorf("queue the run of %s again: %w", asked.Mint, err)
	}
	return nil
}

// claim opens a claim, or gives the one that this message has opened when it came before.
func (e Endpoint) claim(ctx context.Context, mint solana.PublicKey, again bool) (time.Time, error) {
	slot, err := e.Machine.OpenClaim(ctx, mint)
	if err != nil || !slot.IsZero() || !again {
		return slot, err
	}
	active, _, claim, err := e.active(ctx, mint)
	if !claim {
		return time.Time{}, err
	}
	return active, err
}

// steps does one step after the other until the run is done or has to wait, or
// the time is nearly over.
func (e Endpoint) steps(ctx context.Context, asked dispatch.Run) (payout.Next, error) {
	for {
		next, err := e.Machine.Run(ctx, asked.Mint, asked.Slot)
		if err != nil || next.Done || next.After > 0 {
			return next, err
		}
		if deadline, ok := ctx.Deadline(); ok && deadline.Sub(e.Now()) < Reserve {
			return next, nil
		}
	}
}

// active gives the slot and version of the token's active run, zero when there is
// none, and says whether it is a claim.
func (e Endpoint) active(ctx context.Context, mint solana.PublicKey) (active time.Time, version int64, claim bool, err error) {
	head, err := e.Ledger.Head(ctx, mint)
	if err != nil || head.Active.IsZero() {
		return time.Time{}, 0, false, err
	}
	r, err := e.Ledger.Run(ctx, mint, head.Active)
	if err != nil {
		return time.Time{}, 0, false, err
	}
	return head.Active, r.Version, r.Claim != nil, nil
}
