// Package distributor handles the messages of the run queue. Each message advances one run. The
// function spends a short wait in the call, and queues the run again with a delay for a long wait.
// While the payer works on chunks, no message is queued. The last chunk sends a message, and the
// sweep sends a message for a run without recent progress.
//
// A run's messages and waits form a chain, and a run needs only one chain. Each message has the
// run's version after the sender's work. If the run has a newer version, another chain has the run,
// and this chain ends. A call that has waited checks the version for the same reason. A message
// from a schedule, the payer or the sweep starts a chain only if the run has something to do.
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
	"tokenlaunch.example/service/pkg/token/terms"
)

// Reserve is the minimum remaining time for a step of a run. The function starts no step with less
// time.
const Reserve = 150 * time.Second

// Machine advances runs; see run.Machine.
type Machine interface {
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (payout.Next, error)
	// OpenClaim opens a run for holders who requested a claim, and returns the run's slot; zero if
	// no run can be opened now.
	OpenClaim(ctx context.Context, mint solana.PublicKey) (time.Time, error)
}

// ClaimWait is the delay of a slot's message while a claim is in progress.
const ClaimWait = 15 * time.Second

// Ledger reads runs; see run.Store.
type Ledger interface {
	Head(ctx context.Context, mint solana.PublicKey) (run.Head, error)
	Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (run.Run, error)
}

// Queue queues runs for another call; see sqsqueue.Runs.
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
	// Waiting bounds the waits in a call.
	Waiting batch.Waiting
}

// Advance does the task of a message, for a batch.Handler. If a swept run fails, the next sweep
// retries the run.
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

// About returns the attributes of a message for the log.
func (e Endpoint) About(body string) []slog.Attr {
	asked, err := e.Read(body)
	if err != nil {
		return nil
	}
	if asked.Claim {
		return []slog.Attr{slog.String(terms.LogMint, asked.Mint.String())}
	}
	return []slog.Attr{
		slog.String(terms.LogMint, asked.Mint.String()), slog.Time("slot", asked.Slot),
		slog.String(terms.LogRun, terms.RunID(asked.Mint, asked.Slot)),
	}
}

// advance advances the run as far as possible. again reports that the message was received before,
// so the message's chain may have ended early.
func (e Endpoint) advance(ctx context.Context, asked dispatch.Run, again bool) error {
	if asked.Claim {
		slot, err := e.claim(ctx, asked.Mint, again)
		if err != nil || slot.IsZero() {
			return err // the next sweep retries the order
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
		// Slots that pass during a run are part of the next run.
		e.Log.InfoContext(ctx, "another run is at work", "active", active)
		return nil
	case asked.Version != 0 && before > asked.Version:
		e.Log.DebugContext(ctx, "another message has the run", "version", before)
		return nil
	}
	chain := chain{asked: asked, begins: asked.Version == 0 && !again, before: before}
	next, err := e.steps(ctx, &chain)
	if err != nil || next.Done || next.After >= run.OverdueAfter {
		return err
	}
	if ends, err := e.ends(ctx, &chain); ends || err != nil {
		return err
	}
	asked.Version, asked.Swept = chain.version, false
	if err := e.Queue.SendRuns(ctx, []dispatch.Delayed{{Run: asked, Delay: next.After}}); err != nil {
		return fmt.Errorf("queue the run of %s again: %w", asked.Mint, err)
	}
	return nil
}

// claim opens a claim. If the message was received before, claim may return the claim that the
// first delivery opened.
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

// chain is the work on a run of a message and the following messages.
type chain struct {
	asked dispatch.Run
	// begins reports that the message came from a schedule, the payer or the sweep, and must start
	// a chain only if the run has something to do. before is the run's version at the start.
	begins bool
	before int64
	// slot and version are the run's slot and version at the last read.
	slot    time.Time
	version int64
}

// ends reads the run before a wait, and reports whether a starting chain ends because the run has
// nothing to do.
func (e Endpoint) ends(ctx context.Context, c *chain) (bool, error) {
	var err error
	if c.slot, c.version, _, err = e.active(ctx, c.asked.Mint); err != nil {
		return false, err
	}
	if c.begins && !c.slot.IsZero() && c.version == c.before {
		e.Log.DebugContext(ctx, "nothing to do but wait, which another message does", "version", c.version)
		return true, nil
	}
	return false, nil
}

// steps advances the run in steps, with short waits, until the run is done or needs a long wait,
// another chain has the run, or the time is nearly over.
func (e Endpoint) steps(ctx context.Context, c *chain) (payout.Next, error) {
	for {
		next, err := e.Machine.Run(ctx, c.asked.Mint, c.asked.Slot)
		if err != nil || next.Done || !e.Waiting.Here(ctx, e.Now(), next.After, Reserve) {
			return next, err
		}
		if next.After == 0 {
			continue
		}
		if ends, err := e.ends(ctx, c); ends || err != nil {
			return payout.Next{Done: true}, err
		}
		if err := e.Waiting.Wait(ctx, next.After); err != nil {
			return next, fmt.Errorf("wait for the run of %s: %w", c.asked.Mint, err)
		}
		if c.slot.IsZero() {
			continue // the next step opens the run
		}
		r, err := e.Ledger.Run(ctx, c.asked.Mint, c.slot)
		if err != nil {
			return next, err
		}
		if r.Version > c.version {
			e.Log.DebugContext(ctx, "another message has the run", "version", r.Version)
			return payout.Next{Done: true}, nil
		}
	}
}

// active returns the slot and version of the token's active run, and reports whether the run is a
// claim. The slot is zero without an active run.
func (e Endpoint) active(ctx context.Context, mint solana.PublicKey) (active time.Time, version int64, claim bool, err error) {
	head, err := e.Ledger.Head(ctx, mint)
	if err != nil || head.Active.IsZero() {
		return time.Time{}, 0, false, err
	}
	r, err := e.Ledger.Run(ctx, mint, head.Active)
	if err != nil {
		return time.Time{}, 0, false, err
	}
	return head.Active, r.Version, r.Kind() != run.Distribution, nil
}
