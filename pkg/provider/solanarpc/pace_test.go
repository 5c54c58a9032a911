package solanarpc_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// methods dispatches to a handler for each method, and rejects all others.
func methods(by map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for method, answer := range by {
			if strings.Contains(string(body), `"`+method+`"`) {
				answer(w, r)
				return
			}
		}
		refusal(-32601, "Method not found")(w, r)
	}
}

// paced returns a client of a chain whose slots pass while the client pauses, a second each
// time.
func paced(t *testing.T, samples http.HandlerFunc, perSecond int) (n *node, now *time.Time) {
	t.Helper()
	var slot atomic.Int64
	slot.Store(500)
	now = new(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	n = newNode(t, methods(map[string]http.HandlerFunc{
		"getRecentPerformanceSamples": samples,
		"getEpochInfo": func(w http.ResponseWriter, r *http.Request) {
			result(fmt.Sprintf(`{"absoluteSlot":%d,"blockHeight":%d}`, slot.Load(), slot.Load()-100))(w, r)
		},
	}))
	n.Now = func() time.Time { return *now }
	n.Pause = func(ctx context.Context, d time.Duration) error {
		*now = now.Add(d)
		slot.Add(int64(perSecond) * int64(d/time.Second))
		return ctx.Err()
	}
	return n, now
}

func sample(slots, seconds int) string {
	return fmt.Sprintf(`{"slot":1,"numSlots":%d,"numTransactions":1,"samplePeriodSecs":%d}`, slots, seconds)
}

func TestSlotTime(t *testing.T) {
	list := func(samples ...string) http.HandlerFunc { return result("[" + strings.Join(samples, ",") + "]") }
	for name, c := range map[string]struct {
		samples   http.HandlerFunc
		perSecond int
		want      time.Duration
	}{
		"200 ms":                      {list(sample(300, 60)), 1, 200 * time.Millisecond},
		"250 ms":                      {list(sample(240, 60), sample(240, 60), sample(240, 60)), 1, 250 * time.Millisecond},
		"400 ms":                      {list(sample(150, 60)), 1, 400 * time.Millisecond},
		"one minute was slow":         {list(sample(240, 60), sample(10, 60), sample(240, 60)), 1, 250 * time.Millisecond},
		"no slot in a minute":         {list(sample(0, 60), sample(300, 60)), 1, 200 * time.Millisecond},
		"the network does not move":   {list(sample(1, 60)), 1, time.Second},
		"faster than can be believed": {list(sample(60_000, 60)), 1, 50 * time.Millisecond},
		"samples of a second":         {list(sample(1, 1), sample(1, 1)), 5, 200 * time.Millisecond},
		"no samples":                  {list(), 4, 250 * time.Millisecond},
		"the node does not offer any": {refusal(-32601, "Method not found"), 5, 200 * time.Millisecond},
		"no slot passes":              {list(), 0, time.Second},
	} {
		n, _ := paced(t, c.samples, c.perSecond)
		if got, err := n.SlotTime(t.Context()); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// The slot time is measured once a minute, and from the client's own count over an ever longer
// time.
func TestSlotTimeIsMeasuredAgain(t *testing.T) {
	n, now := paced(t, result("[]"), 4)
	want := func(want time.Duration, calls int32) {
		t.Helper()
		if got, err := n.SlotTime(t.Context()); err != nil || got != want || n.calls.Load() != calls {
			t.Errorf("%s, %v after %d calls, want %s after %d", got, err, n.calls.Load(), want, calls)
		}
	}
	want(250*time.Millisecond, 3)
	*now = now.Add(59 * time.Second) // without a slot
	want(250*time.Millisecond, 3)
	*now = now.Add(2 * time.Second)
	want(time.Second, 5) // four slots in 62 seconds, without another pause
	*now = now.Add(10 * time.Minute)
	want(250*time.Millisecond, 8) // what was seen is too old: measured again
}

// Finality is measured every 10 s, and no node's response makes it longer than 150 slots.
func TestFinalTimeIsMeasuredAgain(t *testing.T) {
	lag := 0
	n := newNode(t, methods(map[string]http.HandlerFunc{
		"getRecentPerformanceSamples": result("[" + sample(300, 60) + "]"),
		`finalized`: func(w http.ResponseWriter, r *http.Request) {
			result(fmt.Sprintf(`{"absoluteSlot":%d,"blockHeight":1}`, 1_000-lag))(w, r)
		},
		`processed`: result(`{"absoluteSlot":1000,"blockHeight":1}`),
	}))
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	n.Now = func() time.Time { return now }
	for _, c := range []struct {
		after time.Duration
		lag   int
		want  time.Duration
	}{
		{0, 32, 6_400 * time.Millisecond},
		{9 * time.Second, 1, 6_400 * time.Millisecond},
		{2 * time.Second, 1, 200 * time.Millisecond},
		{11 * time.Second, -5, 0},
		{11 * time.Second, 900, 30 * time.Second},
	} {
		now, lag = now.Add(c.after), c.lag
		if got, err := n.FinalTime(t.Context()); err != nil || got != c.want {
			t.Errorf("FinalTime() %d slots behind = %s, %v; want %s", c.lag, got, err, c.want)
		}
	}
	if got, err := newNode(t, hangUp).FinalTime(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != 0 {
		t.Errorf("FinalTime() without a node = %s, %v", got, err)
	}
}

func TestSlotTimeWithoutANode(t *testing.T) {
	n := newNode(t, hangUp)
	if got, err := n.SlotTime(t.Context()); apperr.KindOf(err) != apperr.Unavailable || got != 0 {
		t.Errorf("SlotTime() without a node = %s, %v; want an error of kind Unavailable", got, err)
	}
}

// TestSlotTimeOfAChain tests that the slots of a real chain take the configured time, as far as a
// busy machine allows.
func TestSlotTimeOfAChain(t *testing.T) {
	for _, slot := range []time.Duration{200 * time.Millisecond, 250 * time.Millisecond, 400 * time.Millisecond} {
		t.Run(slot.String(), func(t *testing.T) {
			l := localnet.Chain(t, localnet.WithClock(slot))
			client, err := solanarpc.New(l.RPCURL)
			if err != nil {
				t.Fatal(err)
			}
			got, err := client.SlotTime(within(t))
			if err != nil || got < slot/2 || got > 3*slot {
				t.Errorf("SlotTime() = %s, %v; want about %s", got, err, slot)
			}
		})
	}
}
