// Package monitor answers the event of every minute by a look at the service.
package monitor

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
)

// Handler looks at the service at each event, whatever it says; see status.Monitor.Run. That a
// part could not be read fails the invocation; what was read is written all the same.
func Handler(look func(context.Context) error) func(context.Context, events.EventBridgeEvent) error {
	return func(ctx context.Context, _ events.EventBridgeEvent) error { return look(ctx) }
}
