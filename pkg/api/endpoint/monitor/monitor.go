// Package monitor handles the event of every minute with a check of the service.
package monitor

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
)

// Handler calls look for every event, whatever the event's content; see status.Monitor.Run. If a
// part cannot be read, the invocation fails, and the other parts are still written.
func Handler(look func(context.Context) error) func(context.Context, events.EventBridgeEvent) error {
	return func(ctx context.Context, _ events.EventBridgeEvent) error { return look(ctx) }
}
