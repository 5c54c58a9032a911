package events_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/queue"
)

func TestPinnerReadsItsMessages(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "pinner" {
			continue
		}
		var batch events.SQSEvent
		read(t, name, &batch)
		understood := 0
		for _, message := range batch.Records {
			if message.EventSource != "aws:sqs" || message.MessageId == "" || message.ReceiptHandle == "" ||
				message.Attributes["ApproximateReceiveCount"] == "" {
				t.Errorf("%s: the queue does not send %+v", name, message)
			}
			request, err := queue.ReadPin(message.Body)
			if err != nil {
				continue
			}
			understood++
			if request.Key != asset.Image.Key(request.CID) && request.Key != asset.Metadata.Key(request.CID) {
				t.Errorf("%s: %s is not the key of %s", name, request.Key, request.CID)
			}
		}
		if got := fmt.Sprintf("pins %d of %d", understood, len(batch.Records)); got != outcomes[name] {
			t.Errorf("%s %s, want %s", name, got, outcomes[name])
		}
	}
}

func TestReconcilerIsStartedByASchedule(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "reconciler" {
			continue
		}
		var event events.EventBridgeEvent
		read(t, name, &event)
		if event.DetailType != outcomes[name] || event.Source != "aws.events" || event.Time.IsZero() {
			t.Errorf("%s: %+v", name, event)
		}
	}
}
