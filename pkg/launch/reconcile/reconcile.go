// Package reconcile brings records and the chain together after crashes, lost
// answers and outages: it ends launches that were submitted and whose submission
// did not see the end, and keeps nonces ready.
//
// What it promises: a launch is called confirmed when the chain says that it has
// landed, and failed only when a finalized slot proves that it can land no more;
// until then it is sent again, and after five minutes its nonce is advanced, which
// ends the matter one way or the other. One on blockhashes is sent for as long as they
// live. A confirmed launch is looked at until it is finalized, and sent again if it has
// gone. Every step may be repeated, also by
// two runs at once. Nothing waits here: what takes time is looked at by a later
// run.
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
	// ResendFor is how long a launch that does not land is sent again: long enough
	// for a node that is away for some minutes, short enough for a creator who waits.
	ResendFor = 5 * time.Minute
	// lookAgain lies between two looks at a launch: less than the minute between
	// two runs, so that each run looks at what the last one left undecided.
	lookAgain = 45 * time.Second
	// recordWithin bounds a write that must happen although the run's time is over.
	recordWithin = 5 * time.Second
)

// NeverLanded is the reason of a launch that the network did not take.
const NeverLanded = "The network did not take the transaction, and can take it no more: prepare a new one."

// ErrTaken: the launch has ended, or another run looks at it.
var ErrTaken = errors.New("launch is taken")

// Due is a submitted launch that is to be looked at from a time on.
type Due struct {
	ID        string
	Signature solana.Signature
	At        time.Time
}

// Launches keeps the launches.
type Launches interface {
	// Due lists up to most launches that are due at now, the longest due first. The
	// list may lag: Claim decides.
	Due(ctx context.Context, now time.Time, most int) ([]Due, error)
	// Claim puts the next look off and gives the launch as it is now; ErrTaken when
	// it is not due at d.At any more.
	Claim(ctx context.Context, d Due, next time.Time) (launch.Launch, error)
	// Confirmed lists up to most confirmed launches that are not known to be
	// finalized and are due at now, the longest due first. The list may lag.
	Confirmed(ctx context.Context, now time.Time, most int) ([]launch.Launch, error)
	// Finalize records that a confirmed launch is finalized; first says that it was not
	// recorded before.
	Finalize(ctx context.Context, id string) (first bool, err error)
	// Postpone puts the next look at a confirmed launch off.
	Postpone(ctx context.Context, id string, next time.Time) error
	// Settle is that of launch.Store.
	Settle(ctx context.Context, l launch.Launch, now time.Time) error
}

// Chain is what is asked of the network.
type Chain interface {
	// Outcomes gives the outcome of each transaction at confirmed, old ones
	// included, in order.
	Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error)
	// Observe reads the two accounts in one finalized slot, not before slot from. A
	// node that has not come there gives an earlier slot, or 0.
	Observe(ctx context.Context, nonceAccount, mint solana.PublicKey, from uint64) (Observation, error)
	// ObserveMint gives the height of the newest finalized block, and whether the mint
	// exists in that block's slot or a later finalized one. A node that is behind itself
	// gives height 0.
	ObserveMint(ctx context.Context, mint solana.PublicKey) (Observation, error)
	// Finalized tells of each mint, MostConfirmed at most, whether it is there for
	// good, in order.
	Finalized(ctx context.Context, mints ...solana.PublicKey) ([]bool, error)
	// Send hands a signed transaction to the network.
	Send(ctx context.Context, signed []byte) error
}

// Nonces is the pool of nonces.
type Nonces interface {
	// Advance sends what makes a nonce that has n's value move on, and does not
	// wait for it. It never moves the nonce from any other value.
	Advance(ctx context.Context, n transaction.Nonce) error
	// Fill makes nonce accounts until so many are free, most of them at once; id
	// names the run.
	Fill(ctx context.Context, id string, free, most int) (nonce.Filled, error)
}

// Reconciler does one run at a time; several may run at once.
type Reconciler struct {
	Launches Launches
	Chain    Chain
	Nonces   Nonces
	// MostLaunches and MostNonces bound a run by count, Within by time; what is
	// left is the next run's. At most 256 launches: the chain is asked about them
	// in one call.
	MostLaunches int
	MostNonces   int
	Within       time.Duration
	// FreeNonces is how many nonce accounts are kept ready.
	FreeNonces int
	// Steps run beside the launches: the watchers of markets and promotions, the index of
	// curves, and what removes unused files.
	Steps []sweep.Step
	Now   func() time.Time
	NewID func() string
	Log   *slog.Logger
	// Meter has what was measured during a run, for the log; nil: nothing is measured.
	Meter *metric.Meter
}

// Report counts what a run did.
type Report struct {
	Due       int // launches that were due
	Confirmed int
	Failed    int
	Resent    int
	Advanced  int // nonces advanced to end a launch
	Unclear   int // launches whose node is behind
	Waiting   int // launches whose creators may submit another message
	Taken     int // launches that ended meanwhile, or that another run has
	Errors    int // launches that could not be looked after
	// Finalized are confirmed launches that are there for good; Unfinalized those
	// that are not and were sent again.
	Finalized   int
	Unfinalized int
	Nonces      nonce.Filled
}

// Run does what is due, and the further steps at the same time. It fails when
// anything did; the rest is done all the same. It writes one line to the log, with
// the counts.
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

// own is what the reconciler does itself, for launches and nonces.
func (r Reconciler) own(ctx context.Context) (Report, error) {
	var report Report
	err := errors.Join(r.launches(ctx, &report), r.finality(ctx, &report))
	var fillErr error
	if report.Nonces, fillErr = r.Nonces.Fill(ctx, r.NewID(), r.FreeNonces, r.MostNonces); fillErr != nil {
		err = errors.Join(err, fmt.Errorf("fill the nonce pool: %w", fillErr))
	}
	return report, err
}

func (r Reconciler) launches(ctx context.Context, report *Report) error {
	due, err := r.Launches.Due(ctx, r.Now(), r.MostLaunches)
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

// look takes one launch a step further. It is put off first, so that a launch on
// which a run fails or dies does not stand in the way of the others.
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
		return r.bury(ctx, l, report)
	case MayLand:
		return r.press(ctx, l, outcome, report)
	case Unclear, Waiting:
	}
	report.Unclear++
	r.Log.WarnContext(ctx, "launch not decided: the node is behind", "transactionId", l.ID, "mint", l.Mint.String(),
		"slot", observed.Slot, "submittedSlot", l.SubmittedSlot, "nonceFound", observed.NonceFound)
	return nil
}

// press makes a launch that may still land do so, or makes it impossible.
func (r Reconciler) press(ctx context.Context, l launch.Launch, outcome transaction.Outcome, report *Report) error {
	// Landed with an error and the nonce as it was: the local chain does that.
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

// bury settles a launch that can land no more, and finds out why. The chain is
// asked once more: an answer that contradicts the proof settles nothing.
func (r Reconciler) bury(ctx context.Context, l launch.Launch, report *Report) error {
	outcomes, err := r.Chain.Outcomes(ctx, l.Signature)
	if err != nil {
		return fmt.Errorf("ask for its outcome: %w", err)
	}
	reason := NeverLanded
	switch outcomes[0].State {
	case transaction.Succeeded:
		return fmt.Errorf("the node says that %s has landed, and that its mint does not exist", l.Signature)
	case transaction.Refused:
		reason = outcomes[0].Detail
	case transaction.Unknown:
	}
	return r.settle(ctx, l, transaction.Failed, reason, report)
}

// sendAll sends again what was submitted of a launch.
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
