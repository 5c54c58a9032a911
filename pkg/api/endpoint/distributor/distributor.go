// Package distributor answers the messages of the run queue: each advances one
// run. A short wait is spent in the call; for a long one the run is queued again with a delay.
// While stripes are with the payer nothing is queued: the last of them sends a message, and the
// sweep sends one for a run of which nothing is heard.
//
// A run's messages and waits follow one another like a chain, and it needs one chain only.
// Each message carries the version of the run that its sender left behind: when
// the run has gone on since, another chain has it, and this one ends. A call that has waited
// ends for the same reason. A message from elsewhere (a schedule, the payer, the sweep) begins a
// chain only if it finds something to do.
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

// Queue takes runs for another call; see sqsqueue.Runs.
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
	// Waiting bounds the waits within a call.
	Waiting batch.Waiting
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
		return []slog.Attr{slog.String(terms.LogMint, asked.Mint.String())}
	}
	return []slog.Attr{
		slog.String(terms.LogMint, asked.Mint.String()), slog.Time("slot", asked.Slot),
		slog.String(terms.LogRun, terms.RunID(asked.Mint, asked.Slot)),
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

// chain is the work of a message, and of those that follow it, on a run.
type chain struct {
	asked dispatch.Run
	// begins reports that the message came from elsewhere: without anything to do it begins no
	// chain. before is the version that it found.
	begins bool
	before int64
	// slot and version are the run's when it was last read.
	slot    time.Time
	version int64
}

// ends reads the run before a wait, and reports whether this is the end of a chain that has found
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

// steps does one step after the other, with short waits between them, until the run is done or
// has to wait for long, another chain has the run, or the time is nearly over.
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
			continue // it opens with the next step
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
	return head.Active, r.Version, r.Kind() != run.Distribution, nil
}
