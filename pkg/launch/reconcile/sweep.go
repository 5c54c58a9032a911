package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// AbandonedAfter is how long after its expiry a launch that was not submitted
// loses its metadata file: while its record, which is kept for a day, still says
// which file that is.
const AbandonedAfter = 22 * time.Hour

// Files removes metadata files.
type Files interface {
	// RemoveMetadata removes a file; that there is none is no error.
	RemoveMetadata(ctx context.Context, cid string) error
}

// sweep removes the metadata of launches that were never submitted. A metadata
// file names its mint, so no other launch has the same one; and what was not
// submitted before its expiry never will be. So nothing refers to the file.
func (r Reconciler) sweep(ctx context.Context, report *Report) error {
	abandoned, err := r.Launches.Abandoned(ctx, r.Now(), r.MostLaunches)
	if err != nil {
		return fmt.Errorf("list abandoned launches: %w", err)
	}
	var failures []error
	for _, id := range abandoned {
		if ctx.Err() != nil {
			break // the next run's
		}
		if err := r.remove(ctx, id); err != nil {
			failures = append(failures, fmt.Errorf("abandoned launch %s: %w", id, err))
			continue
		}
		report.Swept++
	}
	return errors.Join(failures...)
}

// remove reads the launch itself, for the list may lag.
func (r Reconciler) remove(ctx context.Context, id string) error {
	l, err := r.Launches.Launch(ctx, id)
	if errors.Is(err, launch.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !Abandoned(l, r.Now()) {
		return fmt.Errorf("it is %s", l.Status)
	}
	if err := r.Files.RemoveMetadata(ctx, l.Token.MetadataCID); err != nil {
		return err
	}
	return r.Launches.Forget(ctx, id)
}

// Abandoned says whether a launch has not been submitted and never can be.
func Abandoned(l launch.Launch, now time.Time) bool {
	switch l.Status {
	case transaction.Pending, transaction.Superseded:
		return !now.Before(l.ExpiresAt.Add(AbandonedAfter))
	case transaction.Submitted, transaction.Confirmed, transaction.Failed:
	}
	return false
}
