package apigw_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// capped is a handler with a limit of its own: two within a minute.
func capped(limiter ratelimit.Limiter, do func() error) apigw.HandlerFunc {
	rule := ratelimit.Rule{Name: "cap", Limit: 2, Window: time.Minute}
	return func(w http.ResponseWriter, r *http.Request) error {
		_, err := ratelimit.Within(r.Context(), limiter, rule, "address", apperr.Error{Code: apperr.CodeLaunchLimitExceeded, Detail: "Too many."},
			func() (struct{}, error) { return struct{}{}, do() })
		if err != nil {
			return err
		}
		return apigw.WriteJSON(w, http.StatusOK, struct{}{})
	}
}

// TestCapResponseCodeAndHeaders tests docs/attacks.md, "Launching": the 429 of a cap describes the
// cap, and not the route's bucket, in which the request is not counted.
func TestCapResponseCodeAndHeaders(t *testing.T) {
	var b *bench
	b = newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"createUnsignedToken": func(w http.ResponseWriter, r *http.Request) error {
			return capped(b.limiter, func() error { return nil })(w, r)
		},
	})
	for range 2 {
		b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}").complete(http.StatusOK)
	}
	a := b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}")
	p := a.problem(http.StatusTooManyRequests, "launch_limit_exceeded")
	if a.quota() != "2/0/60" || p.RetryAfter < 1 || p.RetryAfter > 60 {
		t.Errorf("quota %s, retryAfter %d; want those of the cap", a.quota(), p.RetryAfter)
	}
	if n := b.limiter.Counted(limits.TokenCreate, wallet); n != 2 {
		t.Errorf("%d requests are counted against the wallet, want the two that were let through", n)
	}
}

// TestOutageCountsInNoCap tests docs/attacks.md, "Launching": a request that fails because of the
// service or a node is counted neither in the hourly limit nor in the address's cap.
func TestOutageCountsInNoCap(t *testing.T) {
	failure := errors.New("the node is away")
	var b *bench
	b = newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"createUnsignedToken": func(w http.ResponseWriter, r *http.Request) error {
			return capped(b.limiter, func() error { return failure })(w, r)
		},
	})
	for i := range 30 {
		failure = errors.New("a fault")
		if i%2 == 0 {
			failure = apperr.Upstream("The node", context.DeadlineExceeded)
		}
		if a := b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}"); a.Code < http.StatusInternalServerError {
			t.Fatalf("call %d: %d", i, a.Code)
		}
	}
	failure = nil
	b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}").complete(http.StatusOK)
	if n := b.limiter.Counted(limits.TokenCreate, wallet); n != 1 {
		t.Errorf("%d requests are counted against the wallet", n)
	}
}

// TestTransientRejectionIsNotReplayed tests docs/attacks.md, "Launching": an idempotency key does
// not replay a rejection that may no longer apply a moment later.
func TestTransientRejectionIsNotReplayed(t *testing.T) {
	for _, passing := range []bool{false, true} {
		k := newKeyed(t)
		k.answer = func(http.ResponseWriter, *http.Request) error {
			told := apperr.New(apperr.CodeTransactionFailed, "The wallet lacks SOL.")
			told.Transient = passing
			return told
		}
		k.post(submit, signedIn(), "{}", "key").problem(http.StatusBadRequest, "transaction_failed")
		k.post(submit, signedIn(), "{}", "key").problem(http.StatusBadRequest, "transaction_failed")
		want := int64(1)
		if passing {
			want = 2
		}
		if got := k.done.Load(); got != want {
			t.Errorf("passing %v: %d calls of the handler, want %d", passing, got, want)
		}
	}
}
