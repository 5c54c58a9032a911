package solanarpc_test

import (
	"net/http"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

func TestRentsAreAskedForOnceAMinute(t *testing.T) {
	n := newNode(t, result("5"), result("6"), refusal(-32602, "no"), result("7"))
	clock := fault.NewClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	n.Now = clock.Now
	for _, c := range []struct {
		what   string
		pass   time.Duration
		bytes  uint64
		want   uint64
		fails  bool
		asking int32
	}{
		{"the first time", 0, 80, 5, false, 1},
		{"another size", 0, 0, 6, false, 2},
		{"again", time.Minute - 1, 80, 5, false, 2},
		{"again the other size", 0, 0, 6, false, 2},
		{"a minute later, with a failing node", 1, 80, 0, true, 3},
		{"after that", 0, 80, 7, false, 4},
		{"after that again", 0, 80, 7, false, 4},
	} {
		clock.Pass(c.pass)
		got, err := n.MinimumBalance(t.Context(), c.bytes)
		if got != c.want || (err != nil) != c.fails || n.calls.Load() != c.asking {
			t.Errorf("%s: %d, %v, after %d calls", c.what, got, err, n.calls.Load())
		}
	}
	other := n.WithTransport(http.DefaultTransport)
	if got, err := other.MinimumBalance(t.Context(), 80); got != 7 || err != nil || n.calls.Load() != 5 {
		t.Errorf("a separate client: %d, %v, after %d calls", got, err, n.calls.Load())
	}
}
