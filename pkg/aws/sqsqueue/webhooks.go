package sqsqueue

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/distribution/webhook"
)

// Webhooks is the queue of webhooks that are to be visited; it implements webhook.Queue.
type Webhooks struct {
	Client *sqs.Client
	URL    string
}

// Send queues webhooks. Each may arrive more than once.
func (q Webhooks) Send(ctx context.Context, refs []webhook.Ref) error {
	return sendBodies(ctx, q.Client, q.URL, refs)
}

// DeadLetters is a queue of what a person has to look at.
type DeadLetters struct {
	Client *sqs.Client
	URL    string
}

// SetAside keeps a body there.
func (q DeadLetters) SetAside(ctx context.Context, body string) error {
	return send(ctx, q.Client, q.URL, []letter{{body: body}})
}
