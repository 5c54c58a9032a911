package launchtable_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	week      = 7 * 24 * time.Hour
	picture   = "image" // of the launches of books
	lookAgain = 10 * time.Minute
)

// openPictures begins with the real time: the store deletes what expires by its own clock.
func openPictures(t *testing.T) *books {
	t.Helper()
	b := openBooks(t)
	b.now = time.Now().UTC().Truncate(time.Millisecond)
	return b
}

// pictures are the records of the table of these books.
func (b *books) pictures() launchtable.Images { return launchtable.Images(b.launches) }

func (b *books) upload(t *testing.T, at time.Time) error {
	t.Helper()
	return b.pictures().Put(t.Context(), image.Stored{CID: picture, Key: "images/image.jpg", Uploader: "u", CreatedAt: at}, at)
}

// removable returns the files that may be removed at a time.
func (b *books) removable(t *testing.T, at time.Time) []unused.File {
	t.Helper()
	files, err := b.pictures().Due(t.Context(), at, 10)
	must.Do(t, err)
	return files
}

// condemn takes the first step of removing f, at a time.
func (b *books) condemn(t *testing.T, f unused.File, at time.Time) error {
	t.Helper()
	return b.pictures().Condemn(t.Context(), f, at.Add(unused.Lease), at.Add(lookAgain))
}

// TestLaunchRacesSweep submits a launch while a sweep removes its image: exactly one of the two
// succeeds.
func TestLaunchRacesSweep(t *testing.T) {
	b := openPictures(t)
	for round := range 8 {
		must.Do(t, b.upload(t, b.now.Add(-week)))
		listed := b.removable(t, b.now)
		if len(listed) != 1 {
			t.Fatalf("round %d: %v are due", round, listed)
		}
		caller := key()
		l := signedOff(b.issue(t, caller))
		var submitted, condemned error
		var both sync.WaitGroup
		both.Go(func() { submitted = b.launches.Submit(t.Context(), l, b.now) })
		both.Go(func() { condemned = b.condemn(t, listed[0], b.now) })
		both.Wait()
		switch {
		case submitted == nil && errors.Is(condemned, unused.ErrTaken):
			if due := b.removable(t, b.now.Add(10*week)); len(due) != 0 {
				t.Errorf("round %d: the picture of a launch is due: %v", round, due)
			}
			// It fails, so that the next round's picture is unused again.
			must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Failed, "why"), b.now))
		case errors.Is(submitted, launch.ErrNoImage) && condemned == nil:
			must.Do(t, b.pictures().Removed(t.Context(), listed[0], b.now.Add(unused.Lease), b.now.Add(lookAgain), b.now))
			b.now = b.now.Add(week + unused.Lease + time.Second)
		default:
			t.Fatalf("round %d: submitted: %v, condemned: %v", round, submitted, condemned)
		}
	}
}

// TestEachOrderOfLaunchAndSweep plays the interleavings one by one.
func TestEachOrderOfLaunchAndSweep(t *testing.T) {
	t.Run("launched first", func(t *testing.T) {
		b := openPictures(t)
		must.Do(t, b.upload(t, b.now.Add(-week)))
		listed := b.removable(t, b.now)
		first := signedOff(b.issue(t, key()))
		must.Do(t, b.launches.Submit(t.Context(), first, b.now))
		if err := b.condemn(t, listed[0], b.now); !errors.Is(err, unused.ErrTaken) {
			t.Errorf("a picture that a launch uses: %v", err)
		}
		// A second launch of the same picture fails: the first still uses it.
		second := signedOff(b.issue(t, key()))
		must.Do(t, b.launches.Submit(t.Context(), second, b.now))
		must.Do(t, b.launches.Settle(t.Context(), settled(second, transaction.Failed, "why"), b.now))
		must.Do(t, b.launches.Settle(t.Context(), settled(second, transaction.Failed, "why"), b.now)) // counted once
		again := b.removable(t, b.now.Add(week))
		if len(again) != 1 || !errors.Is(b.condemn(t, again[0], b.now.Add(week)), unused.ErrTaken) {
			t.Errorf("after another launch failed: %v", again)
		}
		if due := b.removable(t, b.now.Add(10*week)); len(due) != 0 {
			t.Errorf("it never stops being due: %v", due)
		}
		if err := b.pictures().Hold(t.Context(), picture, b.now.Add(20*week)); err != nil {
			t.Errorf("the picture of a launch after months: %v", err)
		}
	})
	t.Run("condemned first", func(t *testing.T) {
		b := openPictures(t)
		must.Do(t, b.upload(t, b.now.Add(-week)))
		listed := b.removable(t, b.now)
		must.Do(t, b.condemn(t, listed[0], b.now))
		if err := b.launches.Submit(t.Context(), signedOff(b.issue(t, key())), b.now); !errors.Is(err, launch.ErrNoImage) {
			t.Errorf("a launch of a picture that is being removed: %v", err)
		}
		if err := b.pictures().Hold(t.Context(), picture, b.now); !errors.Is(err, image.ErrNotFound) {
			t.Errorf("it can be launched with: %v", err)
		}
		if err := b.condemn(t, listed[0], b.now); !errors.Is(err, unused.ErrTaken) {
			t.Errorf("by another run too: %v", err)
		}
	})
	t.Run("prepared first", func(t *testing.T) {
		b := openPictures(t)
		must.Do(t, b.upload(t, b.now.Add(-week)))
		listed := b.removable(t, b.now)
		must.Do(t, b.pictures().Hold(t.Context(), picture, b.now))
		if err := b.condemn(t, listed[0], b.now); !errors.Is(err, unused.ErrTaken) {
			t.Errorf("a picture that a launch was just prepared with: %v", err)
		}
		if due := b.removable(t, b.now.Add(time.Hour)); len(due) != 0 {
			t.Errorf("within the hour: %v", due)
		}
		must.Do(t, b.launches.Submit(t.Context(), signedOff(b.issue(t, key())), b.now))
	})
}

// TestUploadRacesSweep tests that an upload before a removal began does not count. Otherwise the
// record would promise a file that is removed a moment later.
func TestUploadRacesSweep(t *testing.T) {
	b := openPictures(t)
	must.Do(t, b.upload(t, b.now.Add(-week)))
	listed := b.removable(t, b.now)
	until, next := b.now.Add(unused.Lease), b.now.Add(lookAgain)
	must.Do(t, b.pictures().Condemn(t.Context(), listed[0], until, next))

	passing := b.upload(t, b.now.Add(time.Second))
	if refusal, ok := errors.AsType[*apperr.Error](passing); !ok || refusal.Kind() != apperr.Unavailable || refusal.RetryAfter < unused.Lease-2*time.Second {
		t.Errorf("an upload while it is removed: %v", passing)
	}
	if err := b.pictures().Allowed(t.Context(), picture, b.now); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("one that begins then: %v", err)
	}
	// The removal ends, but the file of that upload is there: the sweep looks again.
	must.Do(t, b.pictures().Removed(t.Context(), listed[0], until, next, b.now))
	if due := b.removable(t, b.now.Add(time.Hour)); len(due) != 1 {
		t.Errorf("a concurrent upload is forgotten: %v", due)
	}
	// The caller retries after Retry-After.
	later := until.Add(time.Second)
	must.Do(t, b.pictures().Allowed(t.Context(), picture, later))
	must.Do(t, b.upload(t, later))
	if due := b.removable(t, later.Add(week-time.Second)); len(due) != 0 {
		t.Errorf("it does not stay a week: %v", due)
	}
	must.Do(t, b.pictures().Hold(t.Context(), picture, later))
}

// TestRemovedFileIsForgotten tests that the record stays for a day, so that no launch prepared
// before can be submitted, and is then deleted.
func TestRemovedFileIsForgotten(t *testing.T) {
	b := openPictures(t)
	must.Do(t, b.upload(t, b.now.Add(-week)))
	if due := b.removable(t, b.now.Add(-time.Second)); len(due) != 0 {
		t.Errorf("before a week is over: %v", due)
	}
	f := b.removable(t, b.now)[0]
	until, next := b.now.Add(unused.Lease), b.now.Add(lookAgain)
	must.Do(t, b.pictures().Condemn(t.Context(), f, until, next))
	if due := b.removable(t, next); len(due) != 1 {
		t.Errorf("a removal that did not end is not tried again: %v", due)
	}
	must.Do(t, b.pictures().Removed(t.Context(), f, until, next, b.now))
	if due := b.removable(t, b.now.Add(week)); len(due) != 0 {
		t.Errorf("it is still due: %v", due)
	}
	if _, err := b.pictures().Get(t.Context(), picture); !errors.Is(err, image.ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	if err := b.launches.Submit(t.Context(), signedOff(b.issue(t, key())), b.now); !errors.Is(err, launch.ErrNoImage) {
		t.Errorf("a launch of it: %v", err)
	}
}

// TestBlockedPictureRefusedByEachWrite includes writers that read the record before the block.
func TestBlockedPictureRefusedByEachWrite(t *testing.T) {
	b := openPictures(t)
	blocks := launchtable.Blocks(b.launches)
	must.Do(t, b.upload(t, b.now))
	used := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), used, b.now))
	prepared := signedOff(b.issue(t, key()))
	for range 2 {
		if uses, err := blocks.BlockFile(t.Context(), picture, false, b.now); err != nil || uses != 1 {
			t.Fatalf("%d uses, %v", uses, err)
		}
	}
	if err := b.launches.Submit(t.Context(), prepared, b.now); !errors.Is(err, launch.ErrNoImage) {
		t.Errorf("a launch that was prepared before: %v", err)
	}
	for what, err := range map[string]error{
		"held": b.pictures().Hold(t.Context(), picture, b.now), "allowed": b.pictures().Allowed(t.Context(), picture, b.now),
		"uploaded": b.upload(t, b.now.Add(time.Hour)),
	} {
		if !errors.Is(err, content.ErrBlocked) {
			t.Errorf("%s: %v, want ErrBlocked", what, err)
		}
	}
	// The image is removed although a launch uses it, again after another upload, and its block
	// stays.
	at := b.now.Add(time.Hour)
	f := b.removable(t, at)[0]
	must.Do(t, b.condemn(t, f, at))
	must.Do(t, b.pictures().Removed(t.Context(), f, at.Add(unused.Lease), at.Add(lookAgain), at))
	if due := b.removable(t, at.Add(week)); len(due) != 0 || !f.Blocked {
		t.Errorf("%+v, then due: %v", f, due)
	}
	if err := b.upload(t, at); !errors.Is(err, content.ErrBlocked) {
		t.Errorf("uploaded once it is removed: %v", err)
	}
	if due := b.removable(t, at); len(due) != 1 {
		t.Errorf("the file of such an upload stays: %v", due)
	}
	// Taken back, it has to be uploaded again; the launch still uses it.
	for range 2 {
		must.Do(t, blocks.AllowFile(t.Context(), picture))
	}
	if err := b.pictures().Hold(t.Context(), picture, at); !errors.Is(err, image.ErrNotFound) {
		t.Errorf("before it is uploaded again: %v", err)
	}
	must.Do(t, b.upload(t, at.Add(time.Hour)))
	must.Do(t, b.pictures().Hold(t.Context(), picture, at.Add(time.Hour)))
	if err := b.condemn(t, b.removable(t, at.Add(2*week))[0], at.Add(2*week)); !errors.Is(err, unused.ErrTaken) {
		t.Errorf("the launch's picture is removed: %v", err)
	}
}
