package sqsqueue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/token/content"
)

// ReadPin reads the body of a message of the pin queue.
func ReadPin(body string) (content.PinRequest, error) {
	var m pinMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return content.PinRequest{}, fmt.Errorf("read the pin request: %w", err)
	}
	if m.CID == "" || m.Key == "" {
		return content.PinRequest{}, errors.New("read the pin request: cid or key is missing")
	}
	return content.PinRequest{CID: m.CID, Key: m.Key}, nil
}

// Backlog is a queue from the reader's side.
type Backlog struct {
	Client *sqs.Client
	URL    string
}

// Postpone delays a received message by the pause, in whole seconds, at most 12 hours.
func (q Backlog) Postpone(ctx context.Context, receipt string, pause time.Duration) error {
	_, err := q.Client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
		QueueUrl: &q.URL, ReceiptHandle: &receipt, VisibilityTimeout: int32(pause / time.Second), //nolint:gosec // 12 hours fit
	})
	if err != nil {
		return fmt.Errorf("postpone a message: %w", err)
	}
	return nil
}

// PinBacklog is the pin queue from the reader's side.
type PinBacklog struct {
	Client *sqs.Client
	URL    string
	// DeadURL is the queue of messages that an operator has to check.
	DeadURL string
}

// Postpone delays a received message by the pause, in whole seconds, at most 12 hours.
func (q PinBacklog) Postpone(ctx context.Context, receipt string, pause time.Duration) error {
	return Backlog{Client: q.Client, URL: q.URL}.Postpone(ctx, receipt, pause)
}

// SetAside sends the body of a message to the queue of messages that cannot be processed.
func (q PinBacklog) SetAside(ctx context.Context, body string) error {
	if _, err := q.Client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.DeadURL, MessageBody: &body}); err != nil {
		return fmt.Errorf("set a pin request aside: %w", err)
	}
	return nil
}
