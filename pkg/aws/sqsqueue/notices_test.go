package sqsqueue_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func TestNoticeRoundTrip(t *testing.T) {
	client := sqs.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("notices")})
	if err != nil {
		t.Fatal(err)
	}
	sent := notice.Notice{
		ID: "run_settled/1", Kind: notice.RunSettled, Group: "-1001", At: time.Date(2026, 11, 21, 12, 0, 0, 5, time.UTC),
		Text: "<b>Größe</b> \u2192 \U0001F600",
	}
	if err := (sqsqueue.Notices{Client: client, URL: *made.QueueUrl}).Send(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, WaitTimeSeconds: 5})
	if err != nil || len(got.Messages) != 1 {
		t.Fatalf("%d messages, %v", len(got.Messages), err)
	}
	if n, err := sqsqueue.ReadNotice(aws.ToString(got.Messages[0].Body)); err != nil || n != sent {
		t.Errorf("ReadNotice() = %+v, %v; want %+v", n, err, sent)
	}
	if err := (sqsqueue.Notices{Client: client, URL: *made.QueueUrl + "-nowhere"}).Send(t.Context(), sent); err == nil {
		t.Error("a notice to an unknown queue is accepted")
	}
}

func TestReadNoticesRejections(t *testing.T) {
	for _, body := range []string{"", "null", "[]", "{}", `{"id":"1","group":"1","text":"x"}`, `{"id":"1","group":1}`, `{"cid":"x","key":"y"}`} {
		if n, err := sqsqueue.ReadNotice(body); err == nil {
			t.Errorf("%q is %+v", body, n)
		}
	}
}
