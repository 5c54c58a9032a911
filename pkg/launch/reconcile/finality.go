package reconcile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// MaxConfirmed is the maximum number of confirmed launches that a run checks. All their mints are
// read in one call (solanarpc.MaxAccounts).
const MaxConfirmed = 100

// finality checks confirmed launches until their mints are finalized. A confirmed block has never
// been abandoned on mainnet, but a node on a fork can report a block that will be abandoned. In
// that case finality sends the launch again. The launch's nonce still has the launch's value, and
// is not leased meanwhile, because the pool knows the value as used. So the same mint is created
// after all. A launch on a blockhash can land again until the blockhash expires. If the launch can
// no longer land, finality returns an error in every run, because the reported confirmation is
// wrong.
func (r Reconciler) finality(ctx context.Context, report *Report) error {
	due, err := r.Launches.Confirmed(ctx, r.Now(), MaxConfirmed)
	if err != nil {
		return fmt.Errorf("list confirmed launches: %w", err)
	}
	if len(due) == 0 {
		return nil
	}
	mints := make([]solana.PublicKey, len(due))
	for i, l := range due {
		mints[i] = l.Mint
	}
	finalized, err := r.Chain.Finalized(ctx, mints...)
	if err != nil {
		return fmt.Errorf("look for %d finalized mints: %w", len(mints), err)
	}
	var failures []error
	for i, l := range due {
		if ctx.Err() != nil {
			break // the next run's
		}
		if finalized[i] {
			report.Finalized++
			failures = append(failures, r.finalize(ctx, l))
			continue
		}
		report.Unfinalized++
		r.Log.WarnContext(ctx, "confirmed launch is not finalized", "transactionId", l.ID, "mint", l.Mint.String(), "signature", l.Signature.String())
		failures = append(failures, r.Launches.Postpone(ctx, l.ID, r.Now().Add(lookAgain)), r.reviveConfirmed(ctx, l))
	}
	return errors.Join(failures...)
}

// reviveConfirmed sends a confirmed launch whose mint is not finalized.
func (r Reconciler) reviveConfirmed(ctx context.Context, l launch.Launch) error {
	if !l.OnNonce() {
		observed, err := r.Chain.ObserveMint(ctx, l.Mint)
		if err != nil {
			return fmt.Errorf("look for the mint of launch %s: %w", l.ID, err)
		}
		if observed.Height > l.LastValid() && !observed.MintFound {
			return fmt.Errorf("launch %s was confirmed, and its mint %s is not there and can come no more", l.ID, l.Mint)
		}
	}
	return r.sendAll(ctx, l)
}

// finalize records that a launch is final, and counts the launch the first time. A crash in between
// leaves the launch uncounted.
func (r Reconciler) finalize(ctx context.Context, l launch.Launch) error {
	first, err := r.Launches.Finalize(ctx, l.ID)
	if first {
		line := metric.Line{Values: []metric.Value{LaunchesFinal.Is(1)}}
		metric.Log(ctx, r.Log, "launch finalized", line, slog.String("transactionId", l.ID), slog.String("mint", l.Mint.String()))
	}
	return err
}
