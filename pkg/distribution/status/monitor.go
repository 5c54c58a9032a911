package status

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// Nonces reads the pool of nonce accounts, which is small.
type Nonces interface {
	// Size returns the number of accounts. Ready returns the number of accounts that launches can
	// use at once.
	Size(ctx context.Context) (int, error)
	Ready(ctx context.Context, now time.Time) (int, error)
	// Balance returns the balance of the nonce authority, in lamports.
	Balance(ctx context.Context) (uint64, error)
}

// LaunchStore reads the launch table: one page of the index for every list.
type LaunchStore interface {
	// Oldest returns the due time of the launch or transaction that has been due for longest; zero
	// if no launch and no transaction is due.
	Oldest(ctx context.Context, now time.Time) (time.Time, error)
}

// Ledger reads the active runs, at most some pages of an index.
type Ledger interface {
	Active(ctx context.Context, now time.Time) (Runs, error)
}

// Node reads the chain at finalized.
type Node interface {
	// FinalizedClock returns the slot and time of the newest finalized block.
	FinalizedClock(ctx context.Context) (slot uint64, at time.Time, err error)
}

// Backlog returns the numbers of waiting messages.
type Backlog interface {
	Waiting(ctx context.Context) (notices, pins, givenUp int, err error)
}

// Store stores the record.
type Store interface {
	// Status returns the record; zero before the first record.
	Status(ctx context.Context) (Record, error)
	PutStatus(ctx context.Context, r Record) error
}

// Monitor checks the service. Every field except Meter is required.
type Monitor struct {
	Nonces   Nonces
	Launches LaunchStore
	Ledger   Ledger
	Node     Node
	Queues   Backlog
	Store    Store
	// Within limits the time of the checks, so that there is time to write the record.
	Within time.Duration
	Now    func() time.Time
	Log    *slog.Logger
	Meter  *metric.Meter
}

// writeWithin limits the time of writing the record.
const writeWithin = 5 * time.Second

// Run checks all parts concurrently, emits metrics and writes the record. A part that cannot be
// read is unknown, and does not stop the other parts. The error names the part.
func (m Monitor) Run(ctx context.Context) error {
	defer m.Meter.Flush(ctx, m.Log)
	now := m.Now().UTC()
	looking, cancel := context.WithTimeout(ctx, m.Within)
	defer cancel()
	var before, found Record
	var failures [5]error
	var all sync.WaitGroup
	for i, look := range []func() error{
		func() (err error) { found.Chain, err = m.chain(looking, now); return err },
		func() (err error) { found.Launches, err = m.launches(looking, now); return err },
		func() (err error) { found.Runs, err = m.runs(looking, now); return err },
		func() (err error) { found.Queues, err = m.queues(looking); return err },
		func() (err error) { before, err = m.Store.Status(looking); return err },
	} {
		all.Go(func() { failures[i] = look() })
	}
	all.Wait()
	found.At, found.LastSlot = now, before.LastSlot
	if found.Runs != nil && found.Runs.NewestSlot.After(found.LastSlot) {
		found.LastSlot = found.Runs.NewestSlot
	}
	metric.Emit(ctx, m.Log, found.values(now))
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeWithin)
	defer cancel()
	return errors.Join(append(failures[:], m.Store.PutStatus(writing, found))...)
}

func (m Monitor) chain(ctx context.Context, now time.Time) (*Chain, error) {
	slot, at, err := m.Node.FinalizedClock(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the chain: %w", err)
	}
	return &Chain{Slot: slot, LagSeconds: seconds(now.Sub(at))}, nil
}

// launches returns a result even if the balance of the authority is not known.
func (m Monitor) launches(ctx context.Context, now time.Time) (*Launches, error) {
	var l Launches
	var due time.Time
	var err error
	if l.Nonces, err = m.Nonces.Size(ctx); err == nil {
		if l.NoncesFree, err = m.Nonces.Ready(ctx, now); err == nil {
			due, err = m.Launches.Oldest(ctx, now)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read what launches wait for: %w", err)
	}
	if !due.IsZero() {
		l.LateSeconds = seconds(now.Sub(due))
	}
	has, err := m.Nonces.Balance(ctx)
	if err != nil {
		return &l, fmt.Errorf("read the balance of the nonce authority: %w", err)
	}
	l.AuthorityLamports = &has
	return &l, nil
}

func (m Monitor) runs(ctx context.Context, now time.Time) (*Runs, error) {
	r, err := m.Ledger.Active(ctx, now)
	if err != nil {
		return nil, fmt.Errorf("read the runs at work: %w", err)
	}
	return &r, nil
}

func (m Monitor) queues(ctx context.Context) (*Queues, error) {
	var q Queues
	var err error
	if q.Notices, q.Pins, q.GivenUp, err = m.Queues.Waiting(ctx); err != nil {
		return nil, fmt.Errorf("read the queues: %w", err)
	}
	return &q, nil
}

// values returns the metrics of the parts that were read.
func (r Record) values(now time.Time) (values []metric.Value) {
	if c := r.Chain; c != nil {
		values = append(values, SlotLagSeconds.Is(c.LagSeconds))
	}
	if l := r.Launches; l != nil {
		values = append(values, NonceAccounts.Is(int64(l.Nonces)), NoncesFree.Is(int64(l.NoncesFree)),
			OldestLaunchSeconds.Is(l.LateSeconds))
		if l.AuthorityLamports != nil {
			values = append(values, AuthorityLamports.Is(int64(*l.AuthorityLamports))) //nolint:gosec // all lamports there are fit
		}
	}
	if a := r.Runs; a != nil {
		values = append(values, RunsActive.Is(int64(a.Active())), RunsOverdue.Is(int64(a.Overdue)),
			OldestRunSeconds.Is(a.oldestSeconds(now)))
	}
	if q := r.Queues; q != nil {
		values = append(values, GivenUp.Is(int64(q.GivenUp)))
	}
	return values
}

// oldestSeconds returns the age of the oldest slot of an active run, zero without an active run.
func (r Runs) oldestSeconds(now time.Time) int64 {
	if r.OldestSlot.IsZero() {
		return 0
	}
	return seconds(now.Sub(r.OldestSlot))
}

// seconds returns whole seconds, at least zero: clocks may differ.
func seconds(d time.Duration) int64 { return max(0, int64(d/time.Second)) }
