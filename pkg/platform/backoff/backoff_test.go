package backoff_test

import (
	"math"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/backoff"
)

func TestPause(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]time.Duration{
		math.MinInt: 30 * time.Second, 0: 30 * time.Second, 1: 30 * time.Second, 2: time.Minute, 5: 8 * time.Minute,
		6: 15 * time.Minute, 7: 15 * time.Minute, math.MaxInt: 15 * time.Minute,
	} {
		if got := backoff.Pause(30*time.Second, 15*time.Minute, n); got != want {
			t.Errorf("after failure %d: %s, want %s", n, got, want)
		}
	}
	if got := backoff.Pause(time.Minute, time.Second, 1); got != time.Second {
		t.Errorf("%s, want the longest", got)
	}
}
