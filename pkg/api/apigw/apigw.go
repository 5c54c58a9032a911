// Package apigw is the layer between API Gateway and the handlers. Every response, of any status,
// has the request ID, the headers of the rate limit, the security headers and one structured log
// line, and every error is an RFC 9457 problem. A handler is called only after the route's guard
// and limit have accepted the request. The handler writes a response or returns an error.
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

// Timeout is the maximum duration of a handler. Timeout is shorter than API Gateway's limit of 30
// seconds, so that the response comes from this package.
const Timeout = 25 * time.Second

// HandlerFunc responds to one request, or returns an error. The caller receives an *apperr.Error.
// Any other error becomes a 500, and the cause is only logged. After an error, the written response
// is dropped.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// API is the common configuration of all routes. Every field is required except Answers, Meter and
// Front.
type API struct {
	Limiter ratelimit.Limiter
	// Answers stores the responses to writes with an Idempotency-Key, on routes that need an access
	// token. If Answers is nil, the header has no effect. A function whose responses contain
	// secrets leaves Answers nil.
	Answers idempotency.Store
	Log     *slog.Logger
	Now     func() time.Time
	// Meter has the measurements of a request, for the log.
	Meter *metric.Meter
	// Front is the OriginSecret of the CloudFront distribution before the gateway, as JSON. If
	// Front is set, requests that did not come through CloudFront are rejected. If Front is nil,
	// callers call the gateway directly.
	Front secret.Source
}

// Handler returns the handler of one function's routes, from the handlers by operation ID. Requests
// to other routes get 404, or 405 if the path exists with other methods. Handler returns an error
// if a route has no handler or a handler has no route.
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

// ServeHTTP identifies the caller, admits the request, calls the handler, converts an error to a
// problem, sets the headers and logs the request.
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
	// A cache may send the response to another caller, and this caller's window does not apply to
	// another caller.
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

// admit rejects requests that did not come through the front, counts the request, calls the
// handler, and uncounts the request if necessary. It also returns the limiter's decision, for the
// headers.
func (e endpoint) admit(r *http.Request, caller CallerContext, refusal error) (*reply, ratelimit.Decision, error) {
	if refusal != nil { // there is no trusted address to count
		return nil, e.route.Rule.Unknown(e.api.Now()), refusal
	}
	refusal = e.guard(caller)
	rule, key := e.bucket(caller, refusal)
	quota, uncounted := e.take(r.Context(), rule, key)
	answer, err := e.answer(r, caller, refusal, quota, uncounted)
	if uncounts(statusOf(answer, err)) {
		e.refund(r.Context(), &quota)
	}
	return answer, quota, err
}

// uncounts reports whether a response of this status does not count: the service's own failures,
// and rejections by a rate limit, of a handler, too.
func uncounts(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
}

// answer calls the handler if the request is allowed, with the contract's precedence: 401, then
// 429, then the handler's response. Callers without a valid access token get 401 until their own
// bucket is empty. A request that could not be counted continues only if the request reads.
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

// guard rejects a caller without a verified wallet on a route that needs an access token. It fails
// closed: a request without an authorizer's result is rejected, too.
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
	h.Set("Strict-Transport-Security", "max-age=31536000") // browsers ignore the header on plain http, as on the local stack
	if e.route.NeedsToken() {
		h.Set("Cache-Control", "no-store")
	}
}
