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
	// takeTimeout bounds the wait for the limiter's store, so that reads go on
	// while it is down.
	takeTimeout = 5 * time.Second
	// giveBackTimeout bounds the wait after the handler is done.
	giveBackTimeout = 2 * time.Second
)

// bucket says where a request is counted: under the wallet where the route needs
// a token, under the address on public routes, and in a bucket of their own,
// also under the address, when a token is needed and missing.
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

// take counts the request, unless its rule counts none. When the store does not answer, the decision lets the
// request through and the error says why that decision is worth nothing.
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

// giveBack uncounts a request that ended in a server error, also when its own
// time is up.
func (e endpoint) giveBack(ctx context.Context, quota *ratelimit.Decision) {
	if quota.Ticket == (ratelimit.Ticket{}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackTimeout)
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

// shared reports whether a response says that caches may answer other callers with it.
func shared(h http.Header) bool { return strings.HasPrefix(h.Get("Cache-Control"), "public") }

func setQuota(h http.Header, quota ratelimit.Decision) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(quota.Rule.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(quota.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(quota.Reset.Unix(), 10))
	h.Set("X-RateLimit-Window", strconv.Itoa(int(quota.Rule.Window/time.Second)))
}
