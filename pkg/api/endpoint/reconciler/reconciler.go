// Package reconciler answers the schedule that starts a reconciling run every
// minute.
package reconciler

import (
	"context"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/launch/reconcile"
)

// Runner does one run; see reconcile.Reconciler.
type Runner interface {
	Run(ctx context.Context) (reconcile.Report, error)
}

// Handler runs r for every event. What is due depends on the time of the run and
// not of the event, so events that come late, twice or together do no harm. A run
// in which something failed fails the invocation, so that it is counted; nothing
// has to be repeated for it, for the next run takes it up.
func Handler(r Runner) func(context.Context, events.EventBridgeEvent) error {
	return func(ctx context.Context, _ events.EventBridgeEvent) error {
		_, err := r.Run(ctx)
		return err
	}
}
