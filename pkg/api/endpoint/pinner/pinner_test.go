package pinner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/endpoint/pinner"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/token/content"
)

// fixture is a queue and an IPFS node, and fails on request.
type fixture struct {
	sync.Mutex
	now       time.Time
	upAt      time.Time
	failures  map[string]error // by content id
	postponed map[string]time.Duration
	aside     []string
	pinned    []string
	asideErr  error
	log       bytes.Buffer
}

var errAway = errors.New("the node is away")

func (w *fixture) Pin(ctx context.Context, request content.PinRequest) error {
	w.Lock()
	defer w.Unlock()
	if err := w.failures[request.CID]; err != nil {
		return err
	}
	if w.now.Before(w.upAt) {
		return errAway
	}
	w.pinned = append(w.pinned, request.CID)
	return ctx.Err()
}

func (w *fixture) Postpone(_ context.Context, receipt string, pause time.Duration) error {
	w.Lock()
	defer w.Unlock()
	if w.postponed == nil {
		w.postponed = map[string]time.Duration{}
	}
	w.postponed[receipt] = pause
	return nil
}

func (w *fixture) SetAside(_ context.Context, body string) error {
	w.Lock()
	defer w.Unlock()
	w.aside = append(w.aside, body)
	return w.asideErr
}

func (w *fixture) endpoint() pinner.Endpoint {
	return pinner.Endpoint{
		Backlog: w, Queue: w, Read: sqsqueue.ReadPin, Pause: content.PinPause,
		Log: telemetry.New(&w.log, slog.LevelInfo, ""),
	}
}

func message(id, body string, receives int) events.SQSMessage {
	return events.SQSMessage{
		MessageId: id, ReceiptHandle: "receipt-" + id, Body: body,
		Attributes: map[string]string{"ApproximateReceiveCount": fmt.Sprint(receives)},
	}
}

func request(cid string) string { return fmt.Sprintf(`{"cid":%q,"key":"images/%s.jpg"}`, cid, cid) }

func kept(response events.SQSEventResponse) (ids []string) {
	for _, failure := range response.BatchItemFailures {
		ids = append(ids, failure.ItemIdentifier)
	}
	return ids
}

func TestFailureBlocksNoOtherFile(t *testing.T) {
	w := &fixture{failures: map[string]error{"away": errAway, "gone": fmt.Errorf("%w: gone", content.ErrPermanent)}}
	response, err := w.endpoint().Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
		message("1", request("a"), 1), message("2", request("away"), 3), message("3", request("gone"), 1),
		message("4", "not json", 1), message("5", `{"cid":"x"}`, 1), message("6", request("b"), 59),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if ids := kept(response); !slices.Equal(ids, []string{"2"}) {
		t.Errorf("messages %v stay in the queue, want only 2", ids)
	}
	if slices.Sort(w.pinned); !slices.Equal(w.pinned, []string{"a", "b"}) {
		t.Errorf("pinned %v", w.pinned)
	}
	if want := content.PinPause(3); len(w.postponed) != 1 || w.postponed["receipt-2"] != want {
		t.Errorf("postponed %v, want receipt-2 by %s", w.postponed, want)
	}
	if slices.Sort(w.aside); !slices.Equal(w.aside, []string{"not json", request("gone"), `{"cid":"x"}`}) {
		slices.Sort(w.aside)
		t.Errorf("set aside %q", w.aside)
	}
	for _, want := range []string{"pinned", "message not done", "set aside", `"cid":"gone"`} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
}

func TestPinnerKeepsUnstorableMessages(t *testing.T) {
	w := &fixture{asideErr: errAway}
	response, err := w.endpoint().Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message("1", "not json", 1)}})
	if ids := kept(response); err != nil || !slices.Equal(ids, []string{"1"}) {
		t.Errorf("%v, %v; want 1 to stay", ids, err)
	}
}

// The list is empty and not null, because null would mean that the whole batch failed.
func TestResponseListsNoFailures(t *testing.T) {
	body, err := os.ReadFile("../../../../events/pinner-two-files.json")
	if err != nil {
		t.Fatal(err)
	}
	var batch events.SQSEvent
	if err := json.Unmarshal(body, &batch); err != nil {
		t.Fatal(err)
	}
	w := &fixture{}
	response, err := w.endpoint().Handle(t.Context(), batch)
	if err != nil || len(w.pinned) != 2 {
		t.Fatalf("pinned %v, %v; want the two of the event", w.pinned, err)
	}
	if text, err := json.Marshal(response); err != nil || string(text) != `{"batchItemFailures":[]}` {
		t.Errorf("response = %s, %v; want an empty list", text, err)
	}
}

// If a node never responds, the function still has time to defer the message.
func TestPinnerNodeTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &fixture{}
		e := w.endpoint()
		e.Backlog = hanging{}
		ctx, cancel := context.WithTimeout(t.Context(), 29*time.Second)
		defer cancel()
		began := time.Now()
		response, err := e.Handle(ctx, events.SQSEvent{Records: []events.SQSMessage{message("1", request("a"), 1), message("2", request("b"), 1)}})
		if took := time.Since(began); took > 25*time.Second {
			t.Errorf("it took %s of 29s", took)
		}
		if err != nil || len(kept(response)) != 2 || len(w.postponed) != 2 {
			t.Errorf("kept %v, postponed %v, %v", kept(response), w.postponed, err)
		}
	})
}

type hanging struct{}

func (hanging) Pin(ctx context.Context, _ content.PinRequest) error {
	<-ctx.Done()
	return ctx.Err()
}

// letter is a message in a queue whose time is simulated.
type letter struct {
	body      string
	receives  int
	visibleAt time.Time
}

// If IPFS is unavailable for an hour or a day, every file is pinned within half an hour of its
// return.
func TestPinnerSurvivesIPFSOutage(t *testing.T) {
	for _, outage := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour} {
		t.Run(outage.String(), func(t *testing.T) {
			start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			w := &fixture{now: start, upAt: start.Add(outage)}
			letters := map[string]*letter{}
			for i := range 40 {
				letters[fmt.Sprint(i)] = &letter{body: request(fmt.Sprint("cid-", i)), visibleAt: start.Add(time.Duration(i) * time.Second)}
			}
			attempts := 0
			for len(letters) > 0 {
				batch := w.receive(t, letters)
				attempts += len(batch.Records)
				w.postponed = nil
				response, err := w.endpoint().Handle(t.Context(), batch)
				if err != nil {
					t.Fatal(err)
				}
				stays := kept(response)
				for _, m := range batch.Records {
					if !slices.Contains(stays, m.MessageId) {
						delete(letters, m.MessageId)
						continue
					}
					letters[m.MessageId].visibleAt = w.now.Add(w.postponed[m.ReceiptHandle])
				}
			}
			slices.Sort(w.pinned)
			if pinned := slices.Compact(w.pinned); len(pinned) != 40 || len(w.aside) > 0 {
				t.Errorf("%d of 40 files pinned, %d set aside", len(pinned), len(w.aside))
			}
			late := w.now.Sub(w.upAt)
			t.Logf("40 files, %d attempts, all pinned %s after IPFS came back", attempts, late)
			if late > 30*time.Minute {
				t.Errorf("the last file was pinned %s after IPFS returned", late)
			}
		})
	}
}

// receive lets the time pass until something is visible, and takes up to five.
func (w *fixture) receive(t *testing.T, letters map[string]*letter) events.SQSEvent {
	t.Helper()
	next := time.Time{}
	for _, l := range letters {
		if next.IsZero() || l.visibleAt.Before(next) {
			next = l.visibleAt
		}
	}
	if next.After(w.now) {
		w.now = next
	}
	var batch events.SQSEvent
	for id, l := range letters {
		if len(batch.Records) < 5 && !l.visibleAt.After(w.now) {
			if l.receives++; l.receives > content.PinAttempts {
				t.Fatalf("message %s is in the dead-letter queue", id)
			}
			batch.Records = append(batch.Records, message(id, l.body, l.receives))
		}
	}
	return batch
}
