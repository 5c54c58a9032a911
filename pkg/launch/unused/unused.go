// Package unused removes unreferenced files: pictures that no launch used within a week, the
// metadata of failed or unsubmitted launches after AbandonedAfter, and content that operators took
// down. A removed file is deleted from the object store and unpinned.
//
// The removal of a picture has three steps. Each step may fail, and a later run repeats the step.
// First the picture's record announces the removal. This write succeeds only if no launch uses the
// picture and no caller has uploaded the picture again. Then the file and its pin are removed. Then
// the record is cleared. In between, the record rejects a new launch with the picture, and an
// upload of the same picture waits until the end of Lease.
package unused

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/platform/sweep"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	// Lease is the maximum time of a removal: longer than a run plus the error of a clock.
	Lease = 2 * time.Minute
	// again is the pause before a failed removal is retried.
	again = 10 * time.Minute
	// atOnce is the maximum number of files removed concurrently.
	atOnce = 8
)

// ErrTaken is returned if the file is used, was uploaded again, or another run removes the file.
var ErrTaken = errors.New("the file is taken")

// File is a file that may be removed.
type File struct {
	CID string
	// Due is the time since which the file is due. A record with another time has changed.
	Due time.Time
	// Blocked reports that operators took the file down. The file's record stays.
	Blocked bool
	// UnpinOnly reports that the file stays in the object store.
	UnpinOnly bool
}

// Files stores the records of pictures, and of taken-down content.
type Files interface {
	// Due lists up to limit files that may be removed at now, the longest due first. The list may
	// lag: Condemn decides.
	Due(ctx context.Context, now time.Time, limit int) ([]File, error)
	// Condemn makes an unused or blocked file unusable until the time until, and postpones the next
	// check to next. An upload before until does not count. It returns ErrTaken if the file is no
	// longer unused or blocked.
	Condemn(ctx context.Context, f File, until, next time.Time) error
	// Removed ends the checks of a file that was condemned until the time until. It does nothing if
	// the record has changed since.
	Removed(ctx context.Context, f File, until, next, now time.Time) error
}

// Sweeper removes files from the store, and pins; see content.Sweeper.
type Sweeper interface {
	Remove(ctx context.Context, kind content.Kind, cid string) error
	Unpin(ctx context.Context, cid string) error
}

// Pictures removes pictures and taken-down content. Every field is required.
type Pictures struct {
	Records Files
	Files   Sweeper
	Max     int
	Now     func() time.Time
}

// Step returns the part of a run that removes pictures.
func (p Pictures) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "pictures", Within: within, Run: p.Run}
}

// Run removes the due files, at most Max.
func (p Pictures) Run(ctx context.Context) (sweep.Counts, error) {
	now := p.Now().UTC().Truncate(time.Millisecond)
	due, err := p.Records.Due(ctx, now, p.Max)
	if err != nil {
		return nil, fmt.Errorf("list unused pictures: %w", err)
	}
	removed, taken, err := each(ctx, due, func(ctx context.Context, f File) error {
		if err := p.remove(ctx, f, now); err != nil {
			return fmt.Errorf("picture %s: %w", f.CID, err)
		}
		return nil
	})
	return sweep.Counts{{Name: "due", N: len(due)}, {Name: "removed", N: removed}, {Name: "taken", N: taken}}, err
}

func (p Pictures) remove(ctx context.Context, f File, now time.Time) error {
	until, next := now.Add(Lease), now.Add(again)
	if err := p.Records.Condemn(ctx, f, until, next); err != nil {
		return err
	}
	var err error
	if f.UnpinOnly {
		err = p.Files.Unpin(ctx, f.CID)
	} else {
		err = p.Files.Remove(ctx, content.Image, f.CID)
	}
	if err != nil {
		return err
	}
	return p.Records.Removed(ctx, f, until, next, now)
}

// each calls do for each item of a list, atOnce items concurrently. It returns the number of
// successes and the number of ErrTaken. Items that are not started before the end of the context
// are left to the next run.
func each[T any](ctx context.Context, list []T, do func(context.Context, T) error) (done, taken int, err error) {
	var (
		mu       sync.Mutex
		failures []error
		group    errgroup.Group
	)
	group.SetLimit(atOnce)
	for _, one := range list {
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			err := do(ctx, one)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, ErrTaken):
				taken++
			case err != nil:
				failures = append(failures, err)
			default:
				done++
			}
			return nil
		})
	}
	err = group.Wait()
	return done, taken, errors.Join(append(failures, err)...)
}
