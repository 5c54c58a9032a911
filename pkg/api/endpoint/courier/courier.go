// Package courier handles the rule of every minute, which looks for due webhooks, and the messages
// of the webhook queue, each of which names a webhook to visit.
package courier

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// Courier does the work; see webhook.Courier.
type Courier interface {
	Sweep(ctx context.Context) (int, error)
	Visit(ctx context.Context, r webhook.Ref) error
}

// Endpoint handles the rule and the messages. Every field is required.
type Endpoint struct {
	Courier Courier
	// SetAside stores an unreadable message for an operator.
	SetAside func(ctx context.Context, body string) error
	Log      *slog.Logger
	Meter    *metric.Meter
}

// Handle visits the webhooks of a batch, or queues the due webhooks.
func (e Endpoint) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var received events.SQSEvent
	if err := json.Unmarshal(event, &received); err == nil && len(received.Records) > 0 {
		return batch.Handler{Do: e.visit, SetAside: e.SetAside, Log: e.Log, Meter: e.Meter}.Handle(ctx, received)
	}
	defer e.Meter.Flush(ctx, e.Log)
	due, err := e.Courier.Sweep(ctx)
	if due > 0 {
		e.Log.InfoContext(ctx, "webhooks queued that were due", "webhooks", due)
	}
	if err != nil {
		return nil, fmt.Errorf("look for webhooks that are due: %w", err)
	}
	return nil, nil
}

func (e Endpoint) visit(ctx context.Context, m batch.Message) error {
	r, err := webhook.ReadRef(m.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", batch.ErrPermanent, err)
	}
	return e.Courier.Visit(ctx, r)
}
