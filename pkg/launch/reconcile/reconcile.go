// Package reconcile brings records and the chain together after crashes, lost responses and
// outages. Package reconcile settles launches whose submission ended without an outcome, and keeps
// nonces ready.
//
// Package reconcile promises the following. A launch becomes confirmed only if the chain reports
// that the launch has landed. A launch becomes failed only if a finalized slot proves that the
// launch can no longer land. Until then the launch is sent again. After five minutes the nonce of
// the launch is advanced, which settles the launch in either case. A launch on blockhashes is sent
// until the blockhashes expire. A confirmed launch is checked until its mint is finalized, and sent
// again if the mint is gone. Every step may be repeated, even by two concurrent runs. No step
// waits: a later run checks slow results.
package reconcile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

const (
	// ResendFor is the time for which an unlanded launch is sent again: long enough for a node that
	// is down for some minutes, short enough for a waiting creator.
	ResendFor = 5 * time.Minute
	// lookAgain is the pause between two checks of a launch. The pause is shorter than the minute
	// between two runs, so each run checks the launches that the last run left undecided.
	lookAgain = 45 * time.Second
	// recordWithin bounds a write that must happen although the run's time is over.
	recordWithin = 5 * time.Second
)

// NeverLanded is the reason of a launch that the network did not accept.
const NeverLanded = "The network did not take the transaction, and can take it no more: prepare a new one."

// ErrTaken is returned if the launch has ended, or another run checks the launch.
var ErrTaken = errors.New("launch is taken")

// Due is a submitted launch that is to be checked at a time or later.
type Due struct {
	ID        string
	Signature solana.Signature
	At        time.Time
}

// Launches stores the launches.
type Launches interface {
	// Due lists up to limit launches that are due at now, the longest due first. The list may lag:
	// Claim decides.
	Due(ctx context.Context, now time.Time, limit int) ([]Due, error)
	// Claim postpones the next check and returns the current launch. It returns ErrTaken if the
	// launch is no longer due at d.At.
	Claim(ctx context.Context, d Due, next time.Time) (launch.Launch, error)
	// Confirmed lists up to limit confirmed launches that are not known to be finalized and are
	// due at now, the longest due first. The list may lag.
	Confirmed(ctx context.Context, now time.Time, limit int) ([]launch.Launch, error)
	// Finalize records a confirmed launch as finalized. first is false if the launch was recorded
	// before.
	Finalize(ctx context.Context, id string) (first bool, err error)
	// Postpone postpones the next check of a confirmed launch.
	Postpone(ctx context.Context, id string, next time.Time) error
	// Settle has the contract of launch.Store.
	Settle(ctx context.Context, l launch.Launch, now time.Time) error
}

// Chain is the subset of the RPC API that the reconciler needs.
type Chain interface {
	// Outcomes returns the confirmed outcome of each transaction, old transactions included, in
	// order.
	Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error)
	// Observe reads the two accounts in one finalized slot, not before slot from. A node that has
	// not reached the slot returns an earlier slot, or 0.
	Observe(ctx context.Context, nonceAccount, mint solana.PublicKey, from uint64) (Observation, error)
	// ObserveMint returns the height of the newest finalized block, and whether the mint exists in
	// the slot of the block or a later finalized slot. A node that has not reached the slot returns
	// height 0.
	ObserveMint(ctx context.Context, mint solana.PublicKey) (Observation, error)
	// Finalized reports of each mint, at most MaxConfirmed, whether the mint is finalized, in
	// order.
	Finalized(ctx context.Context, mints ...solana.PublicKey) ([]bool, error)
	// Send sends a signed transaction to the network.
	Send(ctx context.Context, signed []byte) error
}

// Nonces is the pool of nonces.
type Nonces interface {
	// Advance sends a transaction to advance a nonce from n's value, and does not wait for the
	// landing. The transaction never advances the nonce from another value.
	Advance(ctx context.Context, n transaction.Nonce) error
	// Fill creates up to limit nonce accounts, until the given number of free accounts is ready. id
	// identifies the run.
	Fill(ctx context.Context, id string, free, limit int) (nonce.Filled, error)
}

// Reconciler does one run at a time. Several runs may be concurrent.
type Reconciler struct {
	Launches Launches
	Chain    Chain
	Nonces   Nonces
	// MaxLaunches and MaxNonces bound a run by count, Within by time. The next run does the
	// remaining work. MaxLaunches is at most 256, because one RPC call returns all outcomes.
	MaxLaunches int
	MaxNonces   int
	Within      time.Duration
	// FreeNonces is the number of nonce accounts to keep ready.
	FreeNonces int
	// Steps run concurrently with the launches: the watchers of markets and promotions, the index
	// of curves, and the removal of unused files.
	Steps []sweep.Step
	Now   func() time.Time
	NewID func() string
	Log   *slog.Logger
	// Meter has the measurements of a run, for the log; nil means no measurements.
	Meter *metric.Meter
}

// Report counts the results of a run.
type Report struct {
	Due       int // launches that were due
	Confirmed int
	Failed    int
	Resent    int
	Advanced  int // nonces advanced to end a launch
	Unclear   int // launches whose node is behind
	Waiting   int // launches whose creators may submit another message
	Taken     int // launches that ended in between, or that another run has
	Errors    int // launches whose check failed
	// Finalized counts final launches. Unfinalized counts confirmed launches without finality,
	// which were sent again.
	Finalized   int
	Unfinalized int
	Nonces      nonce.Filled
}

// Run handles the due launches and nonces, and runs the further steps concurrently. It returns the
// errors of all parts; an error does not stop the other parts. Run logs one line with the counts.
func (r Reconciler) Run(ctx context.Context) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Within)
	defer cancel()
	began := r.Now()
	var line []any
	var stepErr error
	var steps sync.WaitGroup
	steps.Go(func() { line, stepErr = sweep.Run(ctx, r.Steps) })
	report, err := r.own(ctx)
	steps.Wait()
	line = append([]any{
		"due", report.Due, "confirmed", report.Confirmed, "failed", report.Failed,
		"resent", report.Resent, "advanced", report.Advanced, "unclear", report.Unclear, "waiting", report.Waiting, "taken", report.Taken,
		"errors", report.Errors, "finalized", report.Finalized, "unfinalized", report.Unfinalized,
		"noncesFree", report.Nonces.Free, "noncesMade", report.Nonces.Made,
		"milliseconds", r.Now().Sub(began).Milliseconds(),
	}, line...)
	r.Log.InfoContext(ctx, "reconciled", line...)
	r.Meter.Flush(ctx, r.Log)
	return report, errors.Join(err, stepErr)
}

// own handles launches and nonces.
func (r Reconciler) own(ctx context.Context) (Report, error) {
	var report Report
	err := errors.Join(r.launches(ctx, &report), r.finality(ctx, &report))
	var fillErr error
	if report.Nonces, fillErr = r.Nonces.Fill(ctx, r.NewID(), r.FreeNonces, r.MaxNonces); fillErr != nil {
		err = errors.Join(err, fmt.Errorf("fill the nonce pool: %w", fillErr))
	}
	return report, err
}

func (r Reconciler) launches(ctx context.Context, report *Report) error {
	due, err := r.Launches.Due(ctx, r.Now(), r.MaxLaunches)
	if err != nil {
		return fmt.Errorf("list submitted launches: %w", err)
	}
	report.Due = len(due)
	if len(due) == 0 {
		return nil
	}
	signatures := make([]solana.Signature, len(due))
	for i, d := range due {
		signatures[i] = d.Signature
	}
	outcomes, err := r.Chain.Outcomes(ctx, signatures...)
	if err != nil {
		return fmt.Errorf("ask for the outcome of %d launches: %w", len(due), err)
	}
	var failures []error
	for i, d := range due {
		if ctx.Err() != nil {
			break // the next run's
		}
		if err := r.look(ctx, d, outcomes[i], report); err != nil {
			report.Errors++
			failures = append(failures, fmt.Errorf("launch %s: %w", d.ID, err))
		}
	}
	return errors.Join(failures...)
}

// look advances a launch by one step. look first postpones the launch, so that a launch on which a
// run fails or crashes does not delay the other launches.
func (r Reconciler) look(ctx context.Context, d Due, outcome transaction.Outcome, report *Report) error {
	l, err := r.Launches.Claim(ctx, d, r.Now().Add(lookAgain))
	if errors.Is(err, ErrTaken) {
		report.Taken++
		return nil
	}
	if err != nil {
		return err
	}
	if outcome.State == transaction.Succeeded {
		l.Signature = d.Signature
		return r.settle(ctx, l, transaction.Confirmed, "", report)
	}
	if !l.OnNonce() {
		return r.lookOnBlockhash(ctx, l, report)
	}
	observed, err := r.Chain.Observe(ctx, l.Nonce.Account, l.Mint, l.SubmittedSlot)
	if err != nil {
		return fmt.Errorf("read its nonce and mint: %w", err)
	}
	switch Decide(l, observed) {
	case Landed:
		return r.settle(ctx, l, transaction.Confirmed, "", report)
	case Dead:
		return r.markDead(ctx, l, report)
	case MayLand:
		return r.press(ctx, l, outcome, report)
	case Unclear, Waiting:
	}
	report.Unclear++
	r.Log.WarnContext(ctx, "launch not decided: the node is behind", "transactionId", l.ID, "mint", l.Mint.String(),
		"slot", observed.Slot, "submittedSlot", l.SubmittedSlot, "nonceFound", observed.NonceFound)
	return nil
}

// press sends a launch again, or makes the landing impossible.
func (r Reconciler) press(ctx context.Context, l launch.Launch, outcome transaction.Outcome, report *Report) error {
	// The transaction landed with an error and without advancing the nonce, as on the local chain.
	refused := outcome.State == transaction.Refused
	if !refused && r.Now().Sub(l.SubmittedAt) < ResendFor {
		report.Resent++
		return r.sendAll(ctx, l)
	}
	if err := r.Nonces.Advance(ctx, l.Nonce); err != nil {
		return fmt.Errorf("advance its nonce: %w", err)
	}
	report.Advanced++
	return nil
}

// markDead settles a launch that can no longer land, and reads the reason. markDead queries the chain
// again, and settles nothing if the outcome contradicts the proof.
func (r Reconciler) markDead(ctx context.Context, l launch.Launch, report *Report) error {
	outcomes, err := r.Chain.Outcomes(ctx, l.Signature)
	if err != nil {
		return fmt.Errorf("ask for its outcome: %w", err)
	}
	reason := NeverLanded
	switch outcomes[0].State {
	case transaction.Succeeded:
		return fmt.Errorf("the node reports that %s has landed, and that its mint does not exist", l.Signature)
	case transaction.Refused:
		reason = outcomes[0].Detail
	case transaction.Unknown:
	}
	return r.settle(ctx, l, transaction.Failed, reason, report)
}

// sendAll sends the submitted messages of a launch again.
func (r Reconciler) sendAll(ctx context.Context, l launch.Launch) error {
	for _, m := range l.Submitted() {
		if err := r.Chain.Send(ctx, m.Signed); err != nil {
			return fmt.Errorf("send launch %s again: %w", l.ID, err)
		}
	}
	return nil
}

func (r Reconciler) settle(ctx context.Context, l launch.Launch, status transaction.Status, reason string, report *Report) error {
	l.Status, l.Reason = status, reason
	record, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if err := r.Launches.Settle(record, l, r.Now()); err != nil {
		return err
	}
	if status == transaction.Confirmed {
		report.Confirmed++
	} else {
		report.Failed++
	}
	r.Log.InfoContext(ctx, "launch settled", "transactionId", l.ID, "mint", l.Mint.String(), "signature", l.Signature.String(),
		"status", string(status), "reason", reason)
	return nil
}
