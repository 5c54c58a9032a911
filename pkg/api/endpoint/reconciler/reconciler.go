// Package reconciler handles the schedule that starts a run of the reconciler every minute.
package reconciler

import (
	"context"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/launch/reconcile"
)

// Runner does a run; see reconcile.Reconciler.
type Runner interface {
	Run(ctx context.Context) (reconcile.Report, error)
}

// Handler calls r for every event. The time of the run decides which work is due, so late, repeated
// or concurrent events do no harm. A run with a failure fails the invocation, so that the failure
// is counted. A retry is not necessary, because the next run repeats the work.
func Handler(r Runner) func(context.Context, events.EventBridgeEvent) error {
	return func(ctx context.Context, _ events.EventBridgeEvent) error {
		_, err := r.Run(ctx)
		return err
	}
}
