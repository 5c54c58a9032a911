package ratelimit

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// refundWithin is the maximum duration of a refund, even if the caller has gone.
const refundWithin = 2 * time.Second

// Exceeded is the error of a limit other than the route's limit. The response's headers describe
// this limit.
type Exceeded struct {
	Decision
	Told *apperr.Error // of kind apperr.RateLimited
}

// Error returns the text of Told.
func (e *Exceeded) Error() string { return e.Told.Error() }

// Unwrap returns Told.
func (e *Exceeded) Unwrap() error { return e.Told }

// Within calls do if a rule other than the route's rule allows another request. Otherwise it
// returns an Exceeded with the code and detail of told. A failure of the service (5xx) is not
// counted, so an outage uses up no limit.
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
