package unused

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/sweep"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token/content"
)

// AbandonedAfter is the time until a launch loses its metadata file: after the expiry of an
// unsubmitted launch, or after the submission of a failed launch. The record of an unsubmitted
// launch is stored for one day, and AbandonedAfter is shorter, because the record names the file.
const AbandonedAfter = 22 * time.Hour

// Launches stores the launches.
type Launches interface {
	// Abandoned lists the IDs of up to limit launches that were not submitted or failed, and that
	// are due at now, the longest due first. The list may lag.
	Abandoned(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Launch has the contract of launch.Store.
	Launch(ctx context.Context, id string) (launch.Launch, error)
	// Forget ends the checks of such a launch.
	Forget(ctx context.Context, id string) error
}

// Drafts removes the metadata of launches that were never submitted or failed. No other launch has
// the same metadata file, because the file names its mint. An expired launch can no longer be
// submitted, and a failed launch can no longer land. So the file is not referenced. Every field is
// required.
type Drafts struct {
	Launches Launches
	Files    Sweeper
	Max      int
	Now      func() time.Time
}

// Step returns the part of a run that removes such metadata.
func (d Drafts) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "drafts", Within: within, Run: d.Run}
}

// Run removes the due metadata of at most Max launches.
func (d Drafts) Run(ctx context.Context) (sweep.Counts, error) {
	due, err := d.Launches.Abandoned(ctx, d.Now(), d.Max)
	if err != nil {
		return nil, fmt.Errorf("list abandoned launches: %w", err)
	}
	removed, _, err := each(ctx, due, func(ctx context.Context, id string) error {
		if err := d.remove(ctx, id); err != nil {
			return fmt.Errorf("abandoned launch %s: %w", id, err)
		}
		return nil
	})
	return sweep.Counts{{Name: "due", N: len(due)}, {Name: "removed", N: removed}}, err
}

// remove reads the launch itself, because the list may lag.
func (d Drafts) remove(ctx context.Context, id string) error {
	l, err := d.Launches.Launch(ctx, id)
	if errors.Is(err, launch.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !Abandoned(l, d.Now()) {
		return fmt.Errorf("it is %s", l.Status)
	}
	if err := d.Files.Remove(ctx, content.Metadata, l.Token.MetadataCID); err != nil {
		return err
	}
	return d.Launches.Forget(ctx, id)
}

// Abandoned reports whether a launch can no longer land and its grace period is over.
func Abandoned(l launch.Launch, now time.Time) bool {
	switch l.Status {
	case transaction.Pending, transaction.Superseded:
		return !now.Before(l.ExpiresAt.Add(AbandonedAfter))
	case transaction.Failed:
		return !now.Before(l.SubmittedAt.Add(AbandonedAfter))
	case transaction.Submitted, transaction.Confirmed:
	}
	return false
}
