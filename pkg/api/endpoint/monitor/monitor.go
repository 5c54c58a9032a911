// Package monitor answers the event of every minute by a look at the service.
package monitor

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
)

// Looker looks at the service; see monitor.Monitor.
type Looker interface {
	Run(ctx context.Context) error
}

// Handler makes a look of each event, whatever it says. That a part could not be read
// fails the invocation; what was read is written all the same.
func Handler(l Looker) func(context.Context, events.EventBridgeEvent) error {
	return func(ctx context.Context, _ events.EventBridgeEvent) error { return l.Run(ctx) }
}
