package ratelimit

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// refundWithin bounds the refund of what failed, also when the caller has gone.
const refundWithin = 2 * time.Second

// Exceeded is the refusal of a limit beside that of the route. The headers of its answer are
// those of this limit.
type Exceeded struct {
	Decision
	Told *apperr.Error // of kind apperr.RateLimited
}

// Error is that of Told.
func (e *Exceeded) Error() string { return e.Told.Error() }

// Unwrap gives Told.
func (e *Exceeded) Unwrap() error { return e.Told }

// Within does something if there is room for it under a rule that is not its route's. Else it
// fails with an Exceeded, which tells the code and detail of told. What fails through no fault
// of the caller (5xx) is not counted, so an outage uses no limit up.
func Within[T any](ctx context.Context, limiter Limiter, rule Rule, key string, told apperr.Error, do func() (T, error)) (done T, err error) {
	decision, err := limiter.Spend(ctx, rule, key)
	if err != nil {
		return done, apperr.Upstream("The rate limiter", err)
	}
	if !decision.Allowed {
		told.RetryAfter = decision.RetryAfter
		return done, &Exceeded{decision, &told}
	}
	done, err = do()
	if kind := apperr.KindOf(err); err != nil && (kind == apperr.Internal || kind == apperr.Unavailable) {
		refund, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundWithin)
		defer cancel()
		err = errors.Join(err, limiter.Refund(refund, decision.Ticket))
	}
	return done, err
}
