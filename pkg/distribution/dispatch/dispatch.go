// Package dispatch converts the events of the schedules into runs. An event names a slot, a slot
// has shards, and each due token of a shard becomes a message in the run queue. A long shard gets
// its own message. The package does not wait for runs. A message that is repeated, late or redriven
// queues the same runs again, which is harmless because the opening of a run is conditional (see
// package run).
package dispatch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/backoff"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Receives is the maximum number of attempts for a message of the run and payout queues, before the
// dead-letter queue. With Pause the attempts take some 20 minutes.
const Receives = 10

// Pause returns the pause after the n-th failure of a message, n from 1.
func Pause(n int) time.Duration {
	return backoff.Pause(5*time.Second, 5*time.Minute, n)
}

// Shards is the number of parts of an interval's list of due tokens. It must never change, because
// tokens are stored under the number of the shard.
const Shards = 16

// MaxSpread is the maximum delay of a message, 15 minutes (Amazon SQS, SendMessage, DelaySeconds).
const MaxSpread = 15 * time.Minute

// reserve is the remaining time at which the dispatcher stops and queues the rest of a shard.
const reserve = 8 * time.Second

// short is the maximum number of tokens in a shard that OpenSlot queues itself.
const short = 100

// Slot is a time at which the tokens of an interval are due.
type Slot struct {
	Interval terms.Interval
	At       time.Time // a boundary of the interval
}

// Shard is a part of the tokens of a slot: the tokens of one shard that follow After in the list.
// An empty After means all tokens of the shard.
type Shard struct {
	Slot
	Number int // 0 to Shards-1
	After  string
}

// Run is a request to open or advance the run of a token in a slot.
type Run struct {
	Mint solana.PublicKey
	Slot time.Time
	// Version is the run's version when the run's worker queued this message. It is zero in
	// messages from other senders.
	Version int64
	// Swept reports whether a sweep found the run overdue. Later sweeps repeat the request.
	Swept bool
	// Claim requests the payment of holders' claims. The run has no slot yet.
	Claim bool
}

// Delayed is a run with the delay of its message, in whole seconds from 0 to 15 minutes.
type Delayed struct {
	Run
	Delay time.Duration
}

// Due lists the due tokens of a slot, shard by shard.
type Due interface {
	// Page returns a page of a shard, in the order of the list, and the cursor of the next page.
	// after is the cursor, or empty for the first page. The returned cursor is empty after the last
	// page. A page may be empty without being the last.
	Page(ctx context.Context, slot Slot, shard int, after string) ([]solana.PublicKey, string, error)
}

// Ledger reads the active runs.
type Ledger interface {
	// Overdue returns up to limit active runs without progress for too long, the longest wait
	// first.
	Overdue(ctx context.Context, now time.Time, limit int) ([]Run, error)
	// ClaimsDue returns up to limit tokens with overdue claims of holders, the longest wait first.
	ClaimsDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error)
	// LooksDue returns up to limit tokens with undecided payments that are due for another check
	// with the providers, the longest wait first.
	LooksDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error)
}

// Earliest is a slot before the slots of all runs. A message with this slot opens no run, and only
// checks undecided payments.
var Earliest = time.Unix(0, 0).UTC()

// ShardQueue queues parts of a slot for another call.
type ShardQueue interface {
	SendShards(ctx context.Context, shards []Shard) error
}

// RunQueue queues any number of runs. After an error, some runs may be queued.
type RunQueue interface {
	SendRuns(ctx context.Context, runs []Delayed) error
}

// ShardOf returns the shard of a token, for all intervals.
func ShardOf(mint solana.PublicKey) int { return int(spread("shard", mint) % Shards) }

// Delay returns the delay of a token's run after the start of the slot. The delay is the same in
// every slot, and within the first half of the interval, most and MaxSpread. The delays spread the
// runs of a slot, even at midnight, when all intervals are due.
func Delay(interval terms.Interval, mint solana.PublicKey, most time.Duration) time.Duration {
	within := min(interval.Duration()/2, most, MaxSpread) / time.Second
	if within <= 0 {
		return 0
	}
	return time.Duration(spread("delay", mint)) % within * time.Second
}

// spread returns a pseudorandom number for a purpose and a mint.
func spread(purpose string, mint solana.PublicKey) uint32 {
	sum := sha256.Sum256(append([]byte(purpose), mint[:]...))
	return binary.BigEndian.Uint32(sum[:])
}

// Dispatcher processes the messages. Every field is required.
type Dispatcher struct {
	Due    Due
	Ledger Ledger
	Shards ShardQueue
	Runs   RunQueue
	Now    func() time.Time
	// Spread is the period over which the runs of a slot are spread; see Delay.
	Spread time.Duration
	// MaxOverdue is the maximum length of each of a sweep's lists.
	MaxOverdue int
}

// Queued is the progress of a slot or a shard.
type Queued struct {
	Tokens, Pages int
	// Done is false if a part was left to another message.
	Done bool
}

// OpenSlot queues the runs of short shards, and queues the other shards as messages, so that a slot
// without tokens takes one call. If a shard cannot be read or queued, or if the time of ctx is
// nearly over, the shard becomes a message, too. A failing shard therefore delays no other shard.
func (d Dispatcher) OpenSlot(ctx context.Context, slot Slot) (Queued, error) {
	var queued Queued
	var left []Shard
	for number := range Shards {
		shard := Shard{Slot: slot, Number: number}
		if d.late(ctx) {
			left = append(left, shard)
			continue
		}
		mints, next, err := d.Due.Page(ctx, slot, number, "")
		if err != nil || next != "" || len(mints) > short || d.queue(ctx, shard, mints) != nil {
			left = append(left, shard)
			continue
		}
		queued.Tokens += len(mints)
		queued.Pages++
	}
	queued.Done = len(left) == 0
	if queued.Done {
		return queued, nil
	}
	if err := d.Shards.SendShards(ctx, left); err != nil {
		return queued, fmt.Errorf("open the slot %s of %s: %w", slot.At.Format(time.RFC3339), slot.Interval, err)
	}
	return queued, nil
}

// late reports whether the time of ctx is nearly over.
func (d Dispatcher) late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && deadline.Sub(d.Now()) < reserve
}

// queue queues the runs of tokens of a shard.
func (d Dispatcher) queue(ctx context.Context, shard Shard, mints []solana.PublicKey) error {
	if len(mints) == 0 {
		return nil
	}
	runs := make([]Delayed, len(mints))
	for i, mint := range mints {
		runs[i] = Delayed{Run: Run{Mint: mint, Slot: shard.At}, Delay: Delay(shard.Interval, mint, d.Spread)}
	}
	if err := d.Runs.SendRuns(ctx, runs); err != nil {
		return fmt.Errorf("queue %d runs of shard %d: %w", len(runs), shard.Number, err)
	}
	return nil
}

// QueueShard queues the runs of a shard's tokens, page by page. If the time of ctx is nearly over,
// it queues the rest of the shard as a message, after at least one page.
func (d Dispatcher) QueueShard(ctx context.Context, shard Shard) (Queued, error) {
	var queued Queued
	for {
		mints, next, err := d.Due.Page(ctx, shard.Slot, shard.Number, shard.After)
		if err != nil {
			return queued, fmt.Errorf("list the tokens due every %s in shard %d: %w", shard.Interval, shard.Number, err)
		}
		if err := d.queue(ctx, shard, mints); err != nil {
			return queued, err
		}
		queued.Tokens += len(mints)
		queued.Pages++
		if next == "" {
			queued.Done = true
			return queued, nil
		}
		shard.After = next
		if d.late(ctx) {
			if err := d.Shards.SendShards(ctx, []Shard{shard}); err != nil {
				return queued, fmt.Errorf("queue the rest of shard %d: %w", shard.Number, err)
			}
			return queued, nil
		}
	}
}

// Sweep queues overdue active runs, whose message was lost or moved to the dead-letter queue. It
// also queues overdue claims, and tokens with undecided payments that are due for a check. It
// returns the number of queued runs.
func (d Dispatcher) Sweep(ctx context.Context) (int, error) {
	overdue, err := d.Ledger.Overdue(ctx, d.Now(), d.MaxOverdue)
	if err != nil {
		return 0, fmt.Errorf("list the overdue runs: %w", err)
	}
	runs := make([]Delayed, len(overdue))
	for i, run := range overdue {
		run.Swept = true
		runs[i] = Delayed{Run: run}
	}
	claims, unlisted := d.Ledger.ClaimsDue(ctx, d.Now(), d.MaxOverdue)
	if unlisted != nil {
		unlisted = fmt.Errorf("list the claims that wait: %w", unlisted)
	}
	looks, err := d.Ledger.LooksDue(ctx, d.Now(), d.MaxOverdue)
	if err != nil {
		unlisted = errors.Join(unlisted, fmt.Errorf("list the undecided payments that are due: %w", err))
	}
	for _, mint := range looks {
		runs = append(runs, Delayed{Run: Run{Mint: mint, Slot: Earliest, Swept: true}})
	}
	for _, mint := range claims {
		runs = append(runs, Delayed{Run: Run{Mint: mint, Swept: true, Claim: true}})
	}
	if err := d.Runs.SendRuns(ctx, runs); err != nil {
		return 0, fmt.Errorf("queue %d overdue runs: %w", len(runs), err)
	}
	return len(runs), unlisted
}
