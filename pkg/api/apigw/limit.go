package apigw

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

const (
	// takeTimeout is the maximum wait for the limiter's store, so that reads continue during an
	// outage of the store.
	takeTimeout = 5 * time.Second
	// refundTimeout is the maximum wait for a store after the handler.
	refundTimeout = 2 * time.Second
)

// bucket returns the rule and the key that count a request: the wallet on routes that need an
// access token, and the address on public routes. Requests without a valid access token have a
// separate bucket, also by address.
func (e endpoint) bucket(caller CallerContext, refusal error) (ratelimit.Rule, string) {
	switch {
	case refusal != nil:
		return limits.Anonymous, ratelimit.AddressKey(caller.SourceIP)
	case e.route.NeedsToken():
		return e.route.Rule, caller.Wallet
	default:
		return e.route.Rule, ratelimit.AddressKey(caller.SourceIP)
	}
}

// take counts the request, unless the rule counts no requests. If the store does not respond, the
// decision allows the request and the error reports that the request was not counted.
func (e endpoint) take(ctx context.Context, rule ratelimit.Rule, key string) (ratelimit.Decision, error) {
	if !rule.Counted() {
		return rule.Unknown(e.api.Now()), nil
	}
	ctx, cancel := context.WithTimeout(ctx, takeTimeout)
	defer cancel()
	quota, err := e.api.Limiter.Spend(ctx, rule, key)
	if err != nil {
		e.api.Log.ErrorContext(ctx, "the rate limiter does not answer", "rule", rule.Name, "cause", err.Error())
		return rule.Unknown(e.api.Now()), apperr.Upstream("The rate limiter", err)
	}
	return quota, nil
}

// refund uncounts a request, even if the request's time is up.
func (e endpoint) refund(ctx context.Context, quota *ratelimit.Decision) {
	if quota.Ticket == (ratelimit.Ticket{}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundTimeout)
	defer cancel()
	if err := e.api.Limiter.Refund(ctx, quota.Ticket); err != nil {
		e.api.Log.ErrorContext(ctx, "a failed request stays counted", "rule", quota.Rule.Name, "cause", err.Error())
		return
	}
	quota.Remaining = min(quota.Rule.Limit, quota.Remaining+1)
}

func tooMany(quota ratelimit.Decision) error {
	return &apperr.Error{
		Code:       apperr.CodeRateLimitExceeded,
		Detail:     "Too many requests: this route takes " + strconv.Itoa(quota.Rule.Limit) + " per " + quota.Rule.Period() + ".",
		RetryAfter: quota.RetryAfter,
	}
}

// shared reports whether the response allows caches to serve other callers.
func shared(h http.Header) bool { return strings.HasPrefix(h.Get("Cache-Control"), "public") }

func setQuota(h http.Header, quota ratelimit.Decision) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(quota.Rule.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(quota.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(quota.Reset.Unix(), 10))
	h.Set("X-RateLimit-Window", strconv.Itoa(int(quota.Rule.Window/time.Second)))
}
