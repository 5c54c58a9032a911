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

// AbandonedAfter is how long after its expiry a launch that was not submitted, or after its
// submission one that failed, loses its metadata file: of the former while its record, which
// is kept for a day, still says which file that is.
const AbandonedAfter = 22 * time.Hour

// Launches keeps the launches.
type Launches interface {
	// Abandoned lists up to most launches, by their ids, that were not submitted or failed
	// and are due at now, the longest due first. The list may lag.
	Abandoned(ctx context.Context, now time.Time, most int) ([]string, error)
	// Launch is that of launch.Store.
	Launch(ctx context.Context, id string) (launch.Launch, error)
	// Forget ends the looks at such a launch.
	Forget(ctx context.Context, id string) error
}

// Drafts removes the metadata of launches that were never submitted, and of those that
// failed. A metadata file names its mint, so no other launch has the same one; what was not
// submitted before its expiry never will be; and one that failed can land no more. So
// nothing refers to the file. Every field is required.
type Drafts struct {
	Launches Launches
	Files    Sweeper
	Most     int
	Now      func() time.Time
}

// Step is the part of a run that removes such metadata.
func (d Drafts) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "drafts", Within: within, Run: d.Run}
}

// Run removes what is due, Most at the most.
func (d Drafts) Run(ctx context.Context) (sweep.Counts, error) {
	due, err := d.Launches.Abandoned(ctx, d.Now(), d.Most)
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

// remove reads the launch itself, for the list may lag.
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

// Abandoned says whether a launch can never land, and has been over for long enough.
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
