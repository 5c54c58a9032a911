package courier_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/courier"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

type fixture struct {
	swept   int
	visited []webhook.Ref
	aside   []string
	err     error
}

func (w *fixture) Sweep(context.Context) (int, error) {
	w.swept++
	return 1, w.err
}

func (w *fixture) Visit(_ context.Context, r webhook.Ref) error {
	w.visited = append(w.visited, r)
	return w.err
}

func (w *fixture) setAside(_ context.Context, body string) error {
	w.aside = append(w.aside, body)
	return nil
}

func TestMinutesAndMessages(t *testing.T) {
	w := &fixture{}
	e := courier.Endpoint{Courier: w, SetAside: w.setAside, Log: slog.New(slog.DiscardHandler)}
	if _, err := e.Handle(t.Context(), json.RawMessage(`{"source":"aws.events"}`)); err != nil || w.swept != 1 {
		t.Errorf("swept %d times, %v", w.swept, err)
	}
	ref := webhook.Ref{Owner: solana.PublicKey{1}, ID: "0b9a3f5e-8c0e-4a63-8a53-2f5d7f0c9e21"}
	body, err := ref.Body()
	if err != nil {
		t.Fatal(err)
	}
	message := func(body string) json.RawMessage {
		text, err := json.Marshal(events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: body}}})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	answer, err := e.Handle(t.Context(), message(body))
	if response, ok := answer.(events.SQSEventResponse); err != nil || !ok || len(response.BatchItemFailures) != 0 || len(w.visited) != 1 || w.visited[0] != ref {
		t.Errorf("%+v, %v, visited %v", answer, err, w.visited)
	}
	for _, bad := range []string{"", "{}", `{"owner":"x","id":"1"}`, `{"owner":"` + body + `","id":"1"}`} {
		w.aside = nil
		answer, err := e.Handle(t.Context(), message(bad))
		if response, ok := answer.(events.SQSEventResponse); err != nil || !ok || len(response.BatchItemFailures) != 0 || len(w.aside) != 1 {
			t.Errorf("Handle(%q) = %+v, %v, set aside %v; want no failure and one message set aside", bad, answer, err, w.aside)
		}
	}
	w.err = errors.New("away")
	answer, err = e.Handle(t.Context(), message(body))
	if response, ok := answer.(events.SQSEventResponse); err != nil || !ok || len(response.BatchItemFailures) != 1 {
		t.Errorf("Handle() = %+v, %v; want one failure", answer, err)
	}
	if _, err := e.Handle(t.Context(), json.RawMessage(`{}`)); err == nil {
		t.Error("a sweep that failed is not repeated")
	}
}
