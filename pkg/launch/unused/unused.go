// Package unused removes files that nothing refers to: pictures that no launch used within
// a week, the metadata of launches that failed or were never submitted, a day later, and
// what operations took down. Removed is removed from the object store and unpinned.
//
// A picture goes in three steps, of which each may fail and is repeated by a later run: its
// record says that it goes, by a write that holds only while no launch uses it and no caller
// has uploaded it again; the file and its pin are removed; the record forgets it. A launch that
// is submitted between them is refused by the record, and an upload of the same picture
// waits until Lease is over.
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
	// Lease is how long a removal may take that has begun: more than a run, and a clock
	// that is wrong.
	Lease = 2 * time.Minute
	// again is when a removal is tried again that failed.
	again = 10 * time.Minute
	// atOnce is how many files are removed at a time.
	atOnce = 8
)

// ErrTaken: the file is used, was uploaded again, or another run has it.
var ErrTaken = errors.New("the file is taken")

// File is a file that may be removed.
type File struct {
	CID string
	// Due is since when: a record with another time has changed.
	Due time.Time
	// Blocked: operations took it down. Its record stays.
	Blocked bool
	// UnpinOnly: it stays in the object store.
	UnpinOnly bool
}

// Files keeps the records of pictures, and of what was taken down.
type Files interface {
	// Due lists up to most files that may be removed at now, the longest due first. The
	// list may lag: Condemn decides.
	Due(ctx context.Context, now time.Time, most int) ([]File, error)
	// Condemn makes a file that nothing uses, or that is blocked, unusable, and puts the
	// next look at it off. Nothing that was stored before until counts. ErrTaken when
	// that is not so any more.
	Condemn(ctx context.Context, f File, until, next time.Time) error
	// Removed ends the looks at a file that was condemned until then. It does nothing
	// where something happened to it since.
	Removed(ctx context.Context, f File, until, next, now time.Time) error
}

// Sweeper removes files from the store and their pins; see content.Sweeper.
type Sweeper interface {
	Remove(ctx context.Context, kind content.Kind, cid string) error
	Unpin(ctx context.Context, cid string) error
}

// Pictures removes pictures, and what was taken down. Every field is required.
type Pictures struct {
	Records Files
	Files   Sweeper
	Most    int
	Now     func() time.Time
}

// Step is the part of a run that removes pictures.
func (p Pictures) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "pictures", Within: within, Run: p.Run}
}

// Run removes what is due, Most at the most.
func (p Pictures) Run(ctx context.Context) (sweep.Counts, error) {
	now := p.Now().UTC().Truncate(time.Millisecond)
	due, err := p.Records.Due(ctx, now, p.Most)
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

// each does something with each of a list, some at a time, and counts what was done and
// what was taken. What is not begun when the time is over is the next run's.
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
