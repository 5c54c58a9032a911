package sqsqueue_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/content"
)

func TestSend(t *testing.T) {
	client := sqs.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("pins")})
	if err != nil {
		t.Fatal(err)
	}
	pins := sqsqueue.Pins{Client: client, URL: aws.ToString(made.QueueUrl)}
	if err := pins.Send(t.Context(), content.PinRequest{CID: "bafk", Key: "images/bafk.jpg"}); err != nil {
		t.Fatal(err)
	}
	got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: made.QueueUrl, WaitTimeSeconds: 5})
	if err != nil || len(got.Messages) != 1 {
		t.Fatalf("%d messages, %v", len(got.Messages), err)
	}
	if body := aws.ToString(got.Messages[0].Body); body != `{"cid":"bafk","key":"images/bafk.jpg"}` {
		t.Errorf("message = %s, want the CID and the key", body)
	}
}

func TestNoQueue(t *testing.T) {
	pins := sqsqueue.Pins{Client: sqs.NewFromConfig(localnet.AWS(t).Config(t.Context())), URL: localnet.AWS(t).Endpoint + "/000000000000/nowhere"}
	if err := pins.Send(t.Context(), content.PinRequest{CID: "bafk", Key: "images/bafk.jpg"}); err == nil {
		t.Error("a message to an unknown queue is accepted")
	}
}
