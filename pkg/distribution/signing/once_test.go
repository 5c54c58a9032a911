package signing

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

// A worker that dies while it opens a key leaves the others an error, and no panic.
func TestDeadMakerReturnsError(t *testing.T) {
	var keys once[string, int]
	var maker sync.WaitGroup
	maker.Go(func() {
		_, _ = keys.get("wallet", func() (int, error) { runtime.Goexit(); return 1, nil })
	})
	maker.Wait()
	if _, err := keys.get("wallet", func() (int, error) { return 2, nil }); !errors.Is(err, errUnfinished) {
		t.Fatalf("error %v, want errUnfinished", err)
	}
	if v, err := keys.get("other", func() (int, error) { return 3, nil }); v != 3 || err != nil {
		t.Fatalf("got %d, %v; want 3", v, err)
	}
}
