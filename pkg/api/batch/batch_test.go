package batch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
)

type backlog struct {
	sync.Mutex
	postponed map[string]time.Duration
	err       error
}

func (b *backlog) Postpone(ctx context.Context, receipt string, pause time.Duration) error {
	b.Lock()
	defer b.Unlock()
	b.postponed[receipt] = pause
	return errors.Join(b.err, ctx.Err())
}

func record(id, body, receives string) events.SQSMessage {
	return events.SQSMessage{
		MessageId: id, ReceiptHandle: "receipt-" + id, Body: body,
		Attributes: map[string]string{"ApproximateReceiveCount": receives},
	}
}

func TestFailureBlocksNoOtherMessage(t *testing.T) {
	var log bytes.Buffer
	b := &backlog{postponed: map[string]time.Duration{}, err: errors.New("away")}
	ctx, cancel := context.WithCancel(t.Context())
	h := batch.Handler{
		Do: func(_ context.Context, m batch.Message) error {
			switch m.Body {
			case "fail":
				cancel() // a pause is set even when the time is over
				return fmt.Errorf("attempt %d", m.Receives)
			case "panic":
				panic("out of range")
			}
			return nil
		},
		Backlog: b, Pause: func(n int) time.Duration { return time.Duration(n) * time.Second },
		About: func(string) []slog.Attr { return nil },
		Log:   slog.New(slog.NewTextHandler(&log, nil)),
	}
	response, err := h.Handle(ctx, events.SQSEvent{Records: []events.SQSMessage{
		record("1", "fine", "1"), record("2", "fail", "3"), record("3", "panic", ""), record("4", "fine", "9"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(response); err != nil || string(text) != `{"batchItemFailures":[{"itemIdentifier":"2"},{"itemIdentifier":"3"}]}` {
		t.Errorf("Handle() = %s, %v; want failures of 2 and 3", text, err)
	}
	if b.postponed["receipt-2"] != 3*time.Second || b.postponed["receipt-3"] != time.Second || len(b.postponed) != 2 {
		t.Errorf("postponed %v", b.postponed)
	}
	for _, want := range []string{"attempt 3", "out of range", "batch_test.go", "pause not set"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, log.String())
		}
	}
}

// A list that is null would mean that the whole batch failed.
func TestHandleWithoutFailures(t *testing.T) {
	h := batch.Handler{
		Do:    func(context.Context, batch.Message) error { return nil },
		About: func(string) []slog.Attr { return nil },
	}
	response, err := h.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{record("1", "", "1")}})
	if text, _ := json.Marshal(response); err != nil || string(text) != `{"batchItemFailures":[]}` {
		t.Errorf("Handle() = %s, %v; want an empty list", text, err)
	}
}
