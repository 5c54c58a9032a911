package events_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/token/content"
)

// fromQueue says of a message whether its function understands it, by function.
var fromQueue = map[string]struct {
	verb string
	read func(t *testing.T, body string) bool
}{
	"pinner": {"pins", func(t *testing.T, body string) bool {
		request, err := sqsqueue.ReadPin(body)
		if err == nil && request.Key != content.Image.Key(request.CID) && request.Key != content.Metadata.Key(request.CID) {
			t.Errorf("%s is not the key of %s", request.Key, request.CID)
		}
		return err == nil
	}},
	"distributor": {"runs", func(_ *testing.T, body string) bool {
		_, err := sqsqueue.ReadRun(body)
		return err == nil
	}},
	"notifier": {"tells", func(_ *testing.T, body string) bool {
		_, err := sqsqueue.ReadNotice(body)
		return err == nil
	}},
	"courier": {"visits", func(_ *testing.T, body string) bool {
		_, err := webhook.ReadRef(body)
		return err == nil
	}},
	"payer": {"pays", func(_ *testing.T, body string) bool {
		_, err := sqsqueue.ReadWork(body)
		return err == nil
	}},
}

func TestFunctionsReadTheirMessages(t *testing.T) {
	for _, name := range names(t) {
		function, ok := fromQueue[functionOf(name)]
		if !ok || strings.HasSuffix(name, "-minute") {
			continue
		}
		understood, all := 0, records(t, name)
		for _, message := range all {
			if function.read(t, message.Body) {
				understood++
			}
		}
		if got := fmt.Sprintf("%s %d of %d", function.verb, understood, len(all)); got != outcomes[name] {
			t.Errorf("%s %s, want %s", name, got, outcomes[name])
		}
	}
}

// records are the messages of an event, as a queue sends them.
func records(t *testing.T, name string) []events.SQSMessage {
	t.Helper()
	var batch events.SQSEvent
	read(t, name, &batch)
	for _, message := range batch.Records {
		if message.EventSource != "aws:sqs" || message.MessageId == "" || message.ReceiptHandle == "" ||
			message.Attributes["ApproximateReceiveCount"] == "" {
			t.Errorf("%s: the queue does not send %+v", name, message)
		}
	}
	return batch.Records
}

// The announcer makes events of writes, and nothing of a write that changed no fact.
func TestAnnouncerReadsStreams(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "announcer" {
			continue
		}
		var batch struct{ Records []json.RawMessage }
		read(t, name, &batch)
		var kinds []string
		for _, record := range batch.Records {
			change, err := dynamo.ReadChange(record)
			if err != nil {
				t.Fatal(err)
			}
			happened, err := launchtable.Happened(change)
			if err != nil {
				t.Fatal(err)
			}
			paid, err := promotions.Happened(change)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range append(happened, paid...) {
				kinds = append(kinds, string(e.Kind))
			}
		}
		if got := strings.Join(kinds, " "); got != outcomes[name] {
			t.Errorf("%s: %q, want %q", name, got, outcomes[name])
		}
	}
}

// A rule's event is the message itself; the dispatcher's queue wraps it.
func TestDispatcherReadsEventsAndMessages(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "dispatcher" {
			continue
		}
		var event map[string]json.RawMessage
		read(t, name, &event)
		whole, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		bodies := []string{string(whole)}
		if event["Records"] != nil {
			bodies = nil
			for _, message := range records(t, name) {
				bodies = append(bodies, message.Body)
			}
		}
		var tasks []string
		for _, body := range bodies {
			if m, err := dispatch.Read([]byte(body), time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)); err == nil {
				tasks = append(tasks, string(m.Task))
			}
		}
		if got := strings.Join(tasks, " "); got != outcomes[name] {
			t.Errorf("%s: %q, want %q", name, got, outcomes[name])
		}
	}
}

func TestMinutesAreScheduledEvents(t *testing.T) {
	for _, name := range names(t) {
		if !strings.HasSuffix(name, "-minute") {
			continue
		}
		var event events.EventBridgeEvent
		read(t, name, &event)
		if event.DetailType != outcomes[name] || event.Source != "aws.events" || event.Time.IsZero() {
			t.Errorf("%s: %+v", name, event)
		}
	}
}
