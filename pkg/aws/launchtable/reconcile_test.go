package launchtable_test

import (
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// submitted brings a new launch so far that its end is open.
func (b *books) submitted(t *testing.T) transaction.Prepared {
	t.Helper()
	l := signedOff(b.issue(t, key()))
	l.SubmittedAt, l.SubmittedSlot = b.now, 1234
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	return l.Prepared
}

func TestSubmittedLaunchesAreDueUntilTheyEnd(t *testing.T) {
	b := openBooks(t)
	l := b.submitted(t)
	due := func(after time.Duration) []reconcile.Due {
		t.Helper()
		found, err := b.launches.Due(t.Context(), b.now.Add(after), 10)
		must.Do(t, err)
		return found
	}
	if early := due(29 * time.Second); len(early) != 0 {
		t.Errorf("due while its request runs: %+v", early)
	}
	want := []reconcile.Due{{ID: l.ID, Signature: l.Signature, At: b.now.Add(30 * time.Second)}}
	if got := due(30 * time.Second); !reflect.DeepEqual(got, want) {
		t.Fatalf("due %+v, want %+v", got, want)
	}
	claimed, err := b.launches.Claim(t.Context(), want[0], b.now.Add(time.Hour))
	must.Do(t, err)
	if !reflect.DeepEqual(claimed.Prepared, l) {
		t.Errorf("claimed %+v, want %+v", claimed.Prepared, l)
	}
	if now := due(time.Minute); len(now) != 0 {
		t.Errorf("due although it is deferred: %+v", now)
	}
	must.Do(t, b.launches.Settle(t.Context(), settled(claimed, transaction.Failed, "why"), b.now))
	if now := due(24 * time.Hour); len(now) != 0 {
		t.Errorf("due after its end: %+v", now)
	}
	_, err = b.launches.Claim(t.Context(), reconcile.Due{ID: l.ID, At: b.now.Add(time.Hour)}, b.now.Add(2*time.Hour))
	if !errors.Is(err, reconcile.ErrTaken) {
		t.Errorf("a claim after the end: %v, want ErrTaken", err)
	}
	if _, err = b.launches.Claim(t.Context(), reconcile.Due{ID: "none"}, b.now); !errors.Is(err, reconcile.ErrTaken) {
		t.Errorf("a claim of an unknown one: %v, want ErrTaken", err)
	}
}

func TestDueListsLongestFirst(t *testing.T) {
	b := openBooks(t)
	var want []string
	for range 3 {
		want = append(want, b.submitted(t).ID)
		b.now = b.now.Add(time.Second)
	}
	found, err := b.launches.Due(t.Context(), b.now.Add(time.Minute), 2)
	must.Do(t, err)
	if len(found) != 2 || found[0].ID != want[0] || found[1].ID != want[1] {
		t.Errorf("due %+v, want the first two of %v", found, want)
	}
}

func TestOneOfManyClaimsALaunch(t *testing.T) {
	b := openBooks(t)
	b.submitted(t)
	due, err := b.launches.Due(t.Context(), b.now.Add(time.Minute), 1)
	must.Do(t, err)
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			_, err := b.launches.Claim(t.Context(), due[0], b.now.Add(time.Hour+time.Duration(i)*time.Second))
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, reconcile.ErrTaken):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d claims succeeded, want 1", won.Load())
	}
}
