package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"tokenlaunch.example/service/pkg/platform/backoff"
	"tokenlaunch.example/service/pkg/platform/httpclient"
)

const (
	// firstPause is the mean wait after the first failure, if the response does not state a wait.
	// The mean doubles up to longestPause.
	firstPause   = 250 * time.Millisecond
	longestPause = 5 * time.Second
)

// repeat sends a call until an attempt succeeds, another attempt makes no sense, or the attempts
// are used up.
func (c *Client) repeat(ctx context.Context, r call, token string, decode func([]byte) error) error {
	policy := retrypolicy.NewBuilder[any]().
		HandleIf(func(_ any, err error) bool { return c.worthRetry(ctx, r, err) }).
		WithMaxAttempts(c.attempts).
		WithDelayFunc(func(e failsafe.ExecutionAttempt[any]) time.Duration { return pause(e.LastError(), e.Attempts()) }).
		OnRetryScheduled(func(e failsafe.ExecutionScheduledEvent[any]) {
			if c.retrying != nil {
				c.retrying(Retry{Call: r.String(), Err: e.LastError(), Wait: e.Delay})
			}
		}).
		ReturnLastFailure().
		Build()
	return failsafe.With(policy).WithContext(ctx).RunWithExecution(func(e failsafe.Execution[any]) error {
		return c.attempt(ctx, r, token, e.Attempts(), decode)
	})
}

// worthRetry reports whether another attempt of a call that ended with err is useful and harmless.
func (c *Client) worthRetry(ctx context.Context, r call, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	var (
		refused     *Problem
		unanswered  *unansweredError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &refused):
		if refused.Wait() > c.maxWait {
			return false
		}
		switch {
		case refused.Status == http.StatusTooManyRequests:
			return true // the service did nothing
		case refused.Code == IdempotencyInProgress:
			return true
		case refused.Status == http.StatusServiceUnavailable, refused.Status == http.StatusBadGateway, refused.Status == http.StatusGatewayTimeout:
			return r.repeatable()
		}
		return false
	case errors.As(err, &certificate), errors.Is(err, httpclient.ErrTooLong):
		return false
	case errors.As(err, &unanswered):
		return r.repeatable()
	}
	return false
}

// pause returns the wait after the given number of attempts: the time that the service states, or
// otherwise a random time around a mean that doubles. Random times prevent that clients that failed
// together retry together.
func pause(err error, attempts int) time.Duration {
	var refused *Problem
	if errors.As(err, &refused) && refused.RetryAfter > 0 {
		return refused.Wait()
	}
	mean := backoff.Pause(firstPause, longestPause, attempts)
	return mean/2 + rand.N(mean) //nolint:gosec // it need not be unguessable
}

func retryAfter(h http.Header) int {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return seconds
}
