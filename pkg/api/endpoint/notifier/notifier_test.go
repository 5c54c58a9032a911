package notifier_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/endpoint/notifier"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/notice"
)

// fixture is a queue and what delivers its notices; it fails on request.
type fixture struct {
	sync.Mutex
	answers   map[string]error // by the notice's id
	delivered []string
	postponed map[string]time.Duration
	aside     []string
	queueErr  error
	deadlines []time.Time
}

func (w *fixture) Deliver(ctx context.Context, n notice.Notice) error {
	w.Lock()
	defer w.Unlock()
	deadline, _ := ctx.Deadline()
	w.deadlines = append(w.deadlines, deadline)
	w.delivered = append(w.delivered, n.ID)
	return w.answers[n.ID]
}

func (w *fixture) Postpone(_ context.Context, receipt string, pause time.Duration) error {
	w.Lock()
	defer w.Unlock()
	if w.postponed == nil {
		w.postponed = map[string]time.Duration{}
	}
	w.postponed[receipt] = pause
	return w.queueErr
}

func (w *fixture) SetAside(_ context.Context, body string) error {
	w.Lock()
	defer w.Unlock()
	w.aside = append(w.aside, body)
	return w.queueErr
}

func (w *fixture) endpoint() notifier.Endpoint {
	return notifier.Endpoint{
		Notifier: w, Queue: w, Read: sqsqueue.ReadNotice, Pause: notice.Pause, Log: slog.New(slog.DiscardHandler),
	}
}

func message(id, receives string) events.SQSMessage {
	return events.SQSMessage{
		MessageId: "message " + id, ReceiptHandle: "receipt " + id,
		Body:       `{"id":"` + id + `","kind":"run_settled","group":"-1","at":"2026-11-21T12:00:00Z","text":"x"}`,
		Attributes: map[string]string{"ApproximateReceiveCount": receives},
	}
}

// handle hands a batch to the endpoint as Lambda does.
func handle(t *testing.T, ctx context.Context, e notifier.Endpoint, received events.SQSEvent) (events.SQSEventResponse, error) {
	t.Helper()
	event, err := json.Marshal(received)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := e.Handle(ctx, event)
	response, _ := answer.(events.SQSEventResponse)
	return response, err
}

func kept(r events.SQSEventResponse) []string {
	list := []string{}
	for _, f := range r.BatchItemFailures {
		list = append(list, f.ItemIdentifier)
	}
	return list
}

func TestHandle(t *testing.T) {
	away := errors.New("away")
	w := &fixture{answers: map[string]error{
		"first":  &notice.Later{Cause: away},
		"fourth": &notice.Later{Cause: away},
		"slow":   &notice.Later{After: time.Hour, Cause: away},
		"slower": &notice.Later{After: 1000 * time.Hour, Cause: away},
		"soon":   &notice.Later{After: time.Second, Cause: away},
		"broken": away,
	}}
	response, err := handle(t, t.Context(), w.endpoint(), events.SQSEvent{Records: []events.SQSMessage{
		message("sent", "1"), message("first", "1"), message("fourth", "4"), message("slow", "1"), message("slower", "1"),
		message("soon", "2"), message("broken", "x"),
		{MessageId: "unreadable", Body: "{}"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := kept(response), []string{
		"message first", "message fourth", "message slow", "message slower", "message soon", "message broken",
	}; !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
	for receipt, want := range map[string]time.Duration{
		"receipt first": 30 * time.Second, "receipt fourth": 4 * time.Minute, "receipt slow": time.Hour, "receipt slower": 11 * time.Hour,
		"receipt soon": time.Minute, "receipt broken": 30 * time.Second,
	} {
		if got := w.postponed[receipt]; got != want {
			t.Errorf("%s comes back after %v, want %v", receipt, got, want)
		}
	}
	if len(w.postponed) != 6 || !slices.Equal(w.aside, []string{"{}"}) || len(w.delivered) != 7 {
		t.Errorf("postponed %v, set aside %v, delivered %v", w.postponed, w.aside, w.delivered)
	}
}

func TestNotifierQueueFailure(t *testing.T) {
	w := &fixture{answers: map[string]error{"a": &notice.Later{Cause: errors.New("away")}}, queueErr: errors.New("the queue is away")}
	response, err := handle(t, t.Context(), w.endpoint(), events.SQSEvent{Records: []events.SQSMessage{
		message("a", "1"), message("b", "1"), {MessageId: "unreadable", Body: "x"},
	}})
	if got := kept(response); err != nil || !slices.Equal(got, []string{"message a", "unreadable"}) {
		t.Errorf("kept %v, %v", got, err)
	}
	response, err = handle(t, t.Context(), w.endpoint(), events.SQSEvent{Records: []events.SQSMessage{}})
	if err != nil || response.BatchItemFailures == nil {
		t.Error("no update failed, and every failure was expected")
	}
}

// TestEveryMinuteIsListened tests that the rule's event is not read as a batch, and that a failure
// is returned.
func TestEveryMinuteIsListened(t *testing.T) {
	rule := json.RawMessage(`{"source":"aws.events","detail-type":"Scheduled Event"}`)
	e := (&fixture{}).endpoint()
	if answer, err := e.Handle(t.Context(), rule); answer != nil || err != nil {
		t.Errorf("without a bot: %v, %v", answer, err)
	}
	calls := 0
	e.Listener = listener(func() error { calls++; return errors.New("the store is away") })
	if _, err := e.Handle(t.Context(), rule); err == nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

type listener func() error

func (l listener) Listen(context.Context) error { return l() }

// There is time left to report the outcome of the notices.
func TestTimeIsLeft(t *testing.T) {
	w := &fixture{}
	deadline := time.Now().Add(time.Minute)
	ctx, cancel := context.WithDeadline(t.Context(), deadline)
	defer cancel()
	if _, err := handle(t, ctx, w.endpoint(), events.SQSEvent{Records: []events.SQSMessage{message("a", "1")}}); err != nil {
		t.Fatal(err)
	}
	if got := deadline.Sub(w.deadlines[0]); got != 8*time.Second {
		t.Errorf("%v are left", got)
	}
}
