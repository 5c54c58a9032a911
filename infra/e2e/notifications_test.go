package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// listener is a queue that is subscribed to the stack's alarm topic.
type listener struct {
	stack *runner.Stack
	queue string
}

func listen(t *testing.T, s *runner.Stack) listener {
	t.Helper()
	client := sqs.NewFromConfig(s.AWS.Config())
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("alarm-notifications"), Attributes: map[string]string{
		string(sqstypes.QueueAttributeNamePolicy): `{"Version": "2012-10-17", "Statement": [
			{"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage", "Resource": "*"}]}`,
	}})
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: made.QueueUrl, AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameQueueArn},
	})
	if err != nil {
		t.Fatal(err)
	}
	// SNS speaks no JSON.
	body := url.Values{
		"Action": {"Subscribe"}, "Version": {"2010-03-31"}, "TopicArn": {s.Outputs["AlarmTopicArn"]}, "Protocol": {"sqs"},
		"Endpoint": {attributes.Attributes[string(sqstypes.QueueAttributeNameQueueArn)]},
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.AWS.Endpoint, strings.NewReader(body.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/"+ministack.Region+"/sns/aws4_request, SignedHeaders=host, Signature=0")
	exchange(t, request)
	return listener{s, *made.QueueUrl}
}

// set sets an alarm to the state that was found for it. MiniStack takes the actions that were
// deployed, and composite alarms follow.
func (l listener) set(t *testing.T, alarm string, state cloudwatch.State) {
	t.Helper()
	callAWS(t, l.stack, "monitoring", "GraniteServiceVersion20100801.SetAlarmState",
		map[string]any{"AlarmName": alarm, "StateValue": string(state), "StateReason": "as evaluated by this test"}, nil)
}

// await waits until the topic has published the state of an alarm.
func (l listener) await(t *testing.T, alarm string, state cloudwatch.State) {
	t.Helper()
	client := sqs.NewFromConfig(l.stack.AWS.Config())
	for {
		got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &l.queue, MaxNumberOfMessages: 10, WaitTimeSeconds: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Messages) == 0 {
			t.Fatalf("the topic was not notified that %s is %s", alarm, state)
		}
		for _, m := range got.Messages {
			if _, err := client.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &l.queue, ReceiptHandle: m.ReceiptHandle}); err != nil {
				t.Fatal(err)
			}
			var envelope struct{ Message string }
			var told struct{ AlarmName, NewStateValue string }
			if err := json.Unmarshal([]byte(aws.ToString(m.Body)), &envelope); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(envelope.Message), &told); err != nil {
				t.Fatal(err)
			}
			if told.AlarmName == alarm && told.NewStateValue == string(state) {
				return
			}
		}
	}
}
