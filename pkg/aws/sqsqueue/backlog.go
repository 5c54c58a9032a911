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

// Backlog is a queue as its reader sees it.
type Backlog struct {
	Client *sqs.Client
	URL    string
}

// Postpone lets a message that was received come back after the pause, in whole
// seconds and 12 hours at most.
func (q Backlog) Postpone(ctx context.Context, receipt string, pause time.Duration) error {
	_, err := q.Client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
		QueueUrl: &q.URL, ReceiptHandle: &receipt, VisibilityTimeout: int32(pause / time.Second), //nolint:gosec // 12 hours fit
	})
	if err != nil {
		return fmt.Errorf("postpone a message: %w", err)
	}
	return nil
}

// PinBacklog is the pin queue as its reader sees it.
type PinBacklog struct {
	Client *sqs.Client
	URL    string
	// DeadURL is the queue of messages that a person has to look at.
	DeadURL string
}

// Postpone lets a message that was received come back after the pause, in whole
// seconds and 12 hours at most.
func (q PinBacklog) Postpone(ctx context.Context, receipt string, pause time.Duration) error {
	return Backlog{Client: q.Client, URL: q.URL}.Postpone(ctx, receipt, pause)
}

// SetAside puts the body of a message into the queue of those that cannot be
// done.
func (q PinBacklog) SetAside(ctx context.Context, body string) error {
	if _, err := q.Client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.DeadURL, MessageBody: &body}); err != nil {
		return fmt.Errorf("set a pin request aside: %w", err)
	}
	return nil
}
