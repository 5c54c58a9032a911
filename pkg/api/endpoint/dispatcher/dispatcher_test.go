package dispatcher_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/endpoint/dispatcher"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
)

// work writes down what was asked for, and fails for some of it.
type work struct {
	sync.Mutex
	did  []string
	fail string
}

func (w *work) do(what string) error {
	w.Lock()
	defer w.Unlock()
	w.did = append(w.did, what)
	if what == w.fail {
		return errors.New("away")
	}
	return nil
}

func (w *work) OpenSlot(_ context.Context, slot dispatch.Slot) (dispatch.Queued, error) {
	return dispatch.Queued{}, w.do(fmt.Sprint("open ", slot.Interval, " ", slot.At.Format(time.RFC3339)))
}

func (w *work) QueueShard(_ context.Context, shard dispatch.Shard) (dispatch.Queued, error) {
	return dispatch.Queued{}, w.do(fmt.Sprint("queue ", shard.Interval, " ", shard.Number, " ", shard.After))
}

func (w *work) Sweep(context.Context) (int, error) { return 1, w.do("sweep") }

func (w *work) endpoint() dispatcher.Endpoint {
	return dispatcher.Endpoint{
		Dispatcher: w, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC) },
	}
}

func event(t *testing.T, name string) json.RawMessage {
	t.Helper()
	content, err := os.ReadFile("../../../../events/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestDispatcherEvents(t *testing.T) {
	for name, c := range map[string]struct {
		did    []string
		answer string
	}{
		"dispatcher-slot":  {[]string{"open 1h 2026-11-21T12:00:00Z"}, "null"},
		"dispatcher-sweep": {[]string{"sweep"}, "null"},
		"dispatcher-queue": {
			[]string{"open 24h 2026-11-21T00:00:00Z", "queue 1h 3 ", "queue 1h 7 8q4#0001795262400000"},
			`{"batchItemFailures":[{"itemIdentifier":"no-task"}]}`,
		},
	} {
		w := &work{}
		answer, err := w.endpoint().Handle(t.Context(), event(t, name))
		text, _ := json.Marshal(answer)
		slices.Sort(w.did) // messages are handled all at once
		if err != nil || !slices.Equal(w.did, c.did) || string(text) != c.answer {
			t.Errorf("%s: did %q and returned %s, %v; want %q and %s", name, w.did, text, err, c.did, c.answer)
		}
	}
}

func TestEventBetweenSlots(t *testing.T) {
	w := &work{}
	if _, err := w.endpoint().Handle(t.Context(), json.RawMessage(`{"task":"slot","interval":"48h","time":"2026-11-20T00:00:00Z"}`)); err != nil || len(w.did) != 0 {
		t.Errorf("did %q, %v", w.did, err)
	}
}

// A failed event fails the invocation, so that Lambda repeats it; a failed message alone returns to
// the queue.
func TestFailures(t *testing.T) {
	w := &work{fail: "open 1h 2026-11-21T12:00:00Z"}
	if _, err := w.endpoint().Handle(t.Context(), event(t, "dispatcher-slot")); err == nil {
		t.Error("a slot that was not opened caused no error")
	}
	w = &work{fail: "queue 1h 3 "}
	answer, err := w.endpoint().Handle(t.Context(), event(t, "dispatcher-queue"))
	text, _ := json.Marshal(answer)
	want := `{"batchItemFailures":[{"itemIdentifier":"shard-3"},{"itemIdentifier":"no-task"}]}`
	if err != nil || string(text) != want || len(w.did) != 3 {
		t.Errorf("did %q and returned %s, %v; want %s", w.did, text, err, want)
	}
	for _, event := range []string{`{}`, `{"Records":[]}`, `null`, `"slot"`} {
		if _, err := w.endpoint().Handle(t.Context(), json.RawMessage(event)); err == nil {
			t.Errorf("%s is not an event, and caused no error", event)
		}
	}
}
