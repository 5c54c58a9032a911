// Package sqsqueue sends work to SQS.
package sqsqueue

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/token/content"
)

// Pins is the queue of stored files that are not pinned yet.
type Pins struct {
	Client *sqs.Client
	URL    string
}

// pinMessage is a message of the pin queue. Messages outlive a deployment, so fields are added here
// and never renamed.
type pinMessage struct {
	CID string `json:"cid"`
	Key string `json:"key"`
}

// Send queues one file. The message may arrive more than once.
func (p Pins) Send(ctx context.Context, request content.PinRequest) error {
	body, err := json.Marshal(pinMessage{CID: request.CID, Key: request.Key})
	if err != nil {
		return fmt.Errorf("encode the pin request for %s: %w", request.CID, err)
	}
	text := string(body)
	if _, err := p.Client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &p.URL, MessageBody: &text}); err != nil {
		return fmt.Errorf("send the pin request for %s: %w", request.CID, err)
	}
	return nil
}
