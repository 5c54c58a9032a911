package runner

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/pkg/token/terms"
)

// OpenSlot does the work of the interval's rule at the time at.
func (s *Stack) OpenSlot(ctx context.Context, interval terms.Interval, at time.Time) error {
	return s.schedule().OpenSlot(ctx, interval, at)
}

// EnlistEarlier makes a token due in slots since a time.
func (s *Stack) EnlistEarlier(ctx context.Context, mint solana.PublicKey, interval terms.Interval, since time.Time) error {
	return s.schedule().EnlistEarlier(ctx, mint, interval, since)
}

func (s *Stack) schedule() deployed.Schedule {
	return deployed.Schedule{
		AWS: s.AWS.Config(), Dispatcher: s.Outputs["DispatcherFunctionName"], LaunchTable: s.Outputs["LaunchTableName"],
	}
}
