// Package dispatch turns the events of the schedules into runs: an event names a
// slot, a slot is cut into shards, and every due token of a shard becomes one
// message of the run queue. Long shards are each a message of their own. It waits for no run. Messages that come twice, late
// or again after a failure queue runs that are queued already, which does no
// harm: opening a run is conditional (see package run).
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

// Receives is how often a message of the run and payout queues is tried before it
// is set aside: with Pause, for some 20 minutes.
const Receives = 10

// Pause is how long a message waits after its n-th failure, n from 1.
func Pause(n int) time.Duration {
	return backoff.Pause(5*time.Second, 5*time.Minute, n)
}

// Shards is how many parts the list of due tokens of an interval has. It never
// changes: tokens are stored under their shard.
const Shards = 16

// MostSpread is the longest delay that SQS gives a message (Amazon SQS,
// SendMessage, DelaySeconds), 15 minutes.
const MostSpread = 15 * time.Minute

// reserve is what is left of the caller's time when a shard stops and leaves the
// rest to another message.
const reserve = 8 * time.Second

// short is the number of tokens that a shard has at most for the call that opens the slot to queue
// their runs itself.
const short = 100

// Slot is a moment at which the tokens of an interval are due.
type Slot struct {
	Interval terms.Interval
	At       time.Time // a boundary of the interval
}

// Shard is a part of the tokens of a slot: those of one number that come after
// After in the list, all of them if it is empty.
type Shard struct {
	Slot
	Number int // 0 to Shards-1
	After  string
}

// Run asks for the run of a token in a slot to be opened or advanced.
type Run struct {
	Mint solana.PublicKey
	Slot time.Time
	// Version is that of the run when its worker queued it again; zero in messages
	// from elsewhere.
	Version int64
	// Swept says that a sweep found the run overdue; sweeps come again.
	Swept bool
	// Claim asks for holders' claims to be paid; the run has no slot yet.
	Claim bool
}

// Delayed is a run that is to be looked at after a delay, in whole seconds from 0
// to 15 minutes.
type Delayed struct {
	Run
	Delay time.Duration
}

// Due lists the tokens that are due in a slot, shard by shard.
type Due interface {
	// Page gives a part of a shard, in the list's order, after the place that the
	// page before gave (empty at the beginning), and its own place; that is empty
	// when nothing comes after it. A page may be empty and not be the last.
	Page(ctx context.Context, slot Slot, shard int, after string) ([]solana.PublicKey, string, error)
}

// Ledger knows the active runs.
type Ledger interface {
	// Overdue lists active runs of which nothing was heard for too long, the longest
	// silent first, at most limit.
	Overdue(ctx context.Context, now time.Time, limit int) ([]Run, error)
	// ClaimsDue lists tokens of which holders' claims wait for too long, the longest first,
	// at most limit.
	ClaimsDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error)
	// LooksDue lists tokens with undecided payments about which the providers are to be asked
	// again, the longest due first, at most limit.
	LooksDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error)
}

// Earliest is a slot before those of all runs. A message with it opens no run: undecided
// payments are looked at.
var Earliest = time.Unix(0, 0).UTC()

// ShardQueue takes parts of a slot for another call.
type ShardQueue interface {
	SendShards(ctx context.Context, shards []Shard) error
}

// RunQueue takes runs, any number at a time. When it fails some of them may be
// queued.
type RunQueue interface {
	SendRuns(ctx context.Context, runs []Delayed) error
}

// ShardOf is the shard of a token in the lists of all intervals.
func ShardOf(mint solana.PublicKey) int { return int(spread("shard", mint) % Shards) }

// Delay is how long a token's run waits after its slot has begun: its own time,
// the same in every slot, anywhere in the first half of the interval and within
// most, which is MostSpread at most. So the runs of a slot begin one after the
// other, also at midnight, when all intervals are due.
func Delay(interval terms.Interval, mint solana.PublicKey, most time.Duration) time.Duration {
	within := min(interval.Duration()/2, most, MostSpread) / time.Second
	if within <= 0 {
		return 0
	}
	return time.Duration(spread("delay", mint)) % within * time.Second
}

// spread is a number that depends on a purpose and a mint and looks random.
func spread(purpose string, mint solana.PublicKey) uint32 {
	sum := sha256.Sum256(append([]byte(purpose), mint[:]...))
	return binary.BigEndian.Uint32(sum[:])
}

// Dispatcher does the work of the messages. Every field is required.
type Dispatcher struct {
	Due    Due
	Ledger Ledger
	Shards ShardQueue
	Runs   RunQueue
	Now    func() time.Time
	// Spread is the time over which the runs of a slot are spread; see Delay.
	Spread time.Duration
	// MostOverdue bounds the runs that one sweep queues.
	MostOverdue int
}

// Queued says what became of a slot or a shard.
type Queued struct {
	Tokens, Pages int
	// Done is false when a part was left to another message.
	Done bool
}

// OpenSlot queues the runs of the shards whose lists are short, and hands out the other shards by
// messages: a slot without tokens takes one call. A shard that cannot be read or queued, and what
// the time of ctx leaves no room for, is handed out too, so that no shard holds up another.
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

// late says whether the time that ctx gives is nearly over.
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

// QueueShard queues the runs of a shard's tokens, page by page. When the time
// that ctx gives is nearly over it queues the rest of the shard, and it has done
// one page by then at least.
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

// Sweep queues the active runs that are overdue: those whose message was lost, or
// given up after too many failures. It also queues claims that wait, and tokens with undecided
// payments that are due for a look. It returns how many.
func (d Dispatcher) Sweep(ctx context.Context) (int, error) {
	overdue, err := d.Ledger.Overdue(ctx, d.Now(), d.MostOverdue)
	if err != nil {
		return 0, fmt.Errorf("list the overdue runs: %w", err)
	}
	runs := make([]Delayed, len(overdue))
	for i, run := range overdue {
		run.Swept = true
		runs[i] = Delayed{Run: run}
	}
	claims, unlisted := d.Ledger.ClaimsDue(ctx, d.Now(), d.MostOverdue)
	if unlisted != nil {
		unlisted = fmt.Errorf("list the claims that wait: %w", unlisted)
	}
	looks, err := d.Ledger.LooksDue(ctx, d.Now(), d.MostOverdue)
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
