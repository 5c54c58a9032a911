// Package apigw stands between API Gateway and a handler. For every answer, of
// whatever status, it promises: the request id, the rate limit's headers, the
// security headers, one structured log line, and errors as RFC 9457 problems.
// A handler is called only when its route's guard and limit have let the request
// through, and ends in one of two ways: it writes an answer, or returns an error.
package apigw

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// Timeout is how long a handler may take. It ends before API Gateway's own
// limit of 30 seconds, so that the answer is ours.
const Timeout = 25 * time.Second

// HandlerFunc answers one request, or returns why it does not: an *apperr.Error
// is told to the caller, any other error is a 500 whose cause is only logged.
// What was written before an error is dropped.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// API is what all routes share. Every field but Answers, Meter and Front is required.
type API struct {
	Limiter ratelimit.Limiter
	// Answers keeps the answers to writes with an Idempotency-Key, on routes that need a
	// token. Where it is nil that header means nothing: so where answers hold secrets.
	Answers idempotency.Store
	Log     *slog.Logger
	Now     func() time.Time
	// Meter has what was measured while a request was served, for the log.
	Meter *metric.Meter
	// Front is the OriginSecret of the CloudFront before the gateway, as JSON. With it every
	// request must have come through that; where it is nil callers come to the gateway.
	Front secret.Source
}

// Handler answers the routes of one function, given its handlers by operation
// id. Whatever is no route of the function is answered with 404, or with 405
// when the path exists with other methods. It is an error when a route has no
// handler or a handler no route.
func (a API) Handler(function string, handlers map[string]HandlerFunc) (http.Handler, error) {
	if a.Limiter == nil || a.Log == nil || a.Now == nil {
		return nil, errors.New("apigw: API lacks a Limiter, a Log or a Now")
	}
	rt := router{routes: http.NewServeMux(), fallback: endpoint{a, fallbackRoute, fallback}}
	known := map[string]bool{}
	for _, r := range route.OfFunction(function) {
		handler := handlers[r.Operation]
		if handler == nil {
			return nil, fmt.Errorf("apigw: function %s has no handler for %s", function, r.Operation)
		}
		known[r.Operation] = true
		rt.routes.Handle(r.MuxPattern(), endpoint{a, r, handler})
	}
	for operation := range handlers {
		if !known[operation] {
			return nil, fmt.Errorf("apigw: function %s has no route for handler %s", function, operation)
		}
	}
	rt.routes.Handle("/", rt.fallback)
	return rt, nil
}

// endpoint is one route with its handler.
type endpoint struct {
	api     API
	route   route.Route
	handler HandlerFunc
}

// ServeHTTP is the way of every request: who calls, may they, the handler, then
// errors become problems, and the answer its headers and its line in the log.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := e.api.Now()
	caller, refusal := e.api.describe(r)
	ctx, cancel := context.WithTimeout(WithCaller(about(r, caller.RequestID), caller), Timeout)
	defer cancel()
	r = r.WithContext(ctx)

	answer, quota, err := e.admit(r, caller, refusal)
	if err != nil {
		answer = failure(r, explain(ctx, err), caller.RequestID)
	}
	if other, exceeded := errors.AsType[*ratelimit.Exceeded](err); exceeded {
		quota = other.Decision
	}
	// A cache may hand the response to another caller, whose window this request says nothing of.
	if err == nil && shared(answer.header) {
		quota = quota.Rule.Unknown(e.api.Now())
	}
	setQuota(answer.header, quota)
	e.setSecurity(answer.header)
	answer.header.Set("X-Request-Id", caller.RequestID)

	if err := answer.send(w); err != nil {
		e.api.Log.WarnContext(ctx, "the answer could not be sent", "cause", err.Error())
	}
	e.log(ctx, r, answer.status, e.api.Now().Sub(started), caller, err)
	e.api.Meter.Flush(ctx, e.api.Log)
}

// admit refuses what did not come through the front, counts the request and answers it, and uncounts it again if need be. The
// decision of the limiter is for the headers.
func (e endpoint) admit(r *http.Request, caller CallerContext, refusal error) (*reply, ratelimit.Decision, error) {
	if refusal != nil { // no address is known that could be counted
		return nil, e.route.Rule.Unknown(e.api.Now()), refusal
	}
	refusal = e.guard(caller)
	rule, key := e.bucket(caller, refusal)
	quota, uncounted := e.take(r.Context(), rule, key)
	answer, err := e.answer(r, caller, refusal, quota, uncounted)
	if uncounts(statusOf(answer, err)) {
		e.giveBack(r.Context(), &quota)
	}
	return answer, quota, err
}

// uncounts says whether an answer of this status is not to be counted: our own
// failures, and refusals for coming too soon, those of a handler among them.
func uncounts(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
}

// answer lets the request through to the handler in the order that the contract
// sets: 401, then 429, then what the handler has to say. Callers without a token
// are told that until their own bucket is used up. A request that could not be
// counted goes on when it only reads.
func (e endpoint) answer(r *http.Request, caller CallerContext, refusal error, quota ratelimit.Decision, uncounted error) (*reply, error) {
	switch {
	case !quota.Allowed:
		return nil, tooMany(quota)
	case refusal != nil:
		return nil, refusal
	case uncounted != nil && e.route.Method != http.MethodGet:
		return nil, uncounted
	default:
		return e.once(r, caller)
	}
}

// guard refuses a caller without a verified wallet on a route that needs one. It
// fails closed: a request that no authorizer described is refused too.
func (e endpoint) guard(caller CallerContext) error {
	switch {
	case !e.route.NeedsToken(), caller.Wallet != "" && caller.Reason == "":
		return nil
	case caller.Reason == ReasonMissingToken:
		return apperr.New(apperr.CodeMissingToken, "This route needs a token: send it in the Authorization header, as a Bearer token.")
	case caller.Reason == ReasonUnavailable:
		return apperr.Upstream("The key service", errors.New("the authorizer has no keys to verify tokens with"))
	default:
		return apperr.New(apperr.CodeInvalidToken, "The token is not valid, or no longer. Sign in again at /auth/challenge.")
	}
}

func (e endpoint) setSecurity(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Strict-Transport-Security", "max-age=31536000") // browsers ignore it on plain http, as on the local stack
	if e.route.NeedsToken() {
		h.Set("Cache-Control", "no-store")
	}
}
