package main

import (
	"context"
	"time"

	"tokenlaunch.example/service/infra/local/runner"
)

// forgetEvery is shorter than five requests take, which is the smallest limit.
const forgetEvery = 150 * time.Millisecond

// forgetLimits empties the rate windows again and again until ctx ends: all
// requests come from one address and one wallet, and most are to get past the
// limits.
func forgetLimits(ctx context.Context, stack *runner.Stack) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(forgetEvery):
		}
		if err := stack.ForgetLimits(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}
