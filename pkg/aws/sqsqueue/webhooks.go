package sqsqueue

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/distribution/webhook"
)

// Webhooks is the queue of webhooks to visit. It implements webhook.Queue.
type Webhooks struct {
	Client *sqs.Client
	URL    string
}

// Send queues webhooks. A message may arrive more than once.
func (q Webhooks) Send(ctx context.Context, refs []webhook.Ref) error {
	return sendBodies(ctx, q.Client, q.URL, refs)
}

// DeadLetters is a queue of messages that an operator has to check.
type DeadLetters struct {
	Client *sqs.Client
	URL    string
}

// SetAside sends a body to the queue.
func (q DeadLetters) SetAside(ctx context.Context, body string) error {
	return send(ctx, q.Client, q.URL, []letter{{body: body}})
}
