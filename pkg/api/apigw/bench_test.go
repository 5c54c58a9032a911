package apigw_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// bench is one function with handlers of the test's choice.
type bench struct {
	*testing.T

	limiter *ratelimittest.Memory
	log     *bytes.Buffer
	logger  *slog.Logger
	handler http.Handler
}

// newBench creates the function. An operation that is not in handlers returns 200.
func newBench(t *testing.T, function string, handlers map[string]apigw.HandlerFunc) *bench {
	t.Helper()
	all := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(function) {
		all[r.Operation] = func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, http.StatusOK, map[string]string{"operation": r.Operation})
		}
	}
	for operation, handler := range handlers {
		all[operation] = handler
	}
	b := &bench{T: t, limiter: &ratelimittest.Memory{}, log: &bytes.Buffer{}}
	b.logger = telemetry.New(b.log, slog.LevelInfo, "stack")
	api := apigw.API{Limiter: b.limiter, Log: b.logger, Now: time.Now}
	handler, err := api.Handler(function, all)
	if err != nil {
		t.Fatal(err)
	}
	b.handler = handler
	return b
}

// call sends one request. The zero caller has no description by an authorizer.
func (b *bench) call(method, path string, caller apigw.CallerContext, body string) *answer {
	b.Helper()
	return b.serve(httptest.NewRequestWithContext(apigw.WithCaller(b.Context(), caller), method, path, strings.NewReader(body)))
}

func (b *bench) serve(r *http.Request) *answer {
	b.Helper()
	recorder := httptest.NewRecorder()
	b.handler.ServeHTTP(recorder, r)
	return &answer{b, recorder}
}

type answer struct {
	*bench
	*httptest.ResponseRecorder
}

// problem checks that the response is a problem of the given status and code, and that it has what
// every response has.
func (a *answer) problem(status int, code string) apigw.Problem {
	a.Helper()
	a.complete(status)
	var p apigw.Problem
	if err := json.Unmarshal(a.Body.Bytes(), &p); err != nil {
		a.Fatalf("%v in %s", err, a.Body)
	}
	if got := a.Header().Get("Content-Type"); got != "application/problem+json" {
		a.Errorf("Content-Type %q", got)
	}
	if p.Status != status || p.Code != code || p.Detail == "" || p.Title == "" || p.Type != "/docs#"+code || p.RequestID != a.Header().Get("X-Request-Id") {
		a.Errorf("problem %+v, want %d %s", p, status, code)
	}
	retry := a.Header().Get("Retry-After")
	wantRetry := ""
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		wantRetry = strconv.FormatInt(p.RetryAfter, 10)
	}
	if retry != wantRetry || retry == "0" {
		a.Errorf("Retry-After %q, retryAfter %d", retry, p.RetryAfter)
	}
	return p
}

// complete checks the status and what every response has.
func (a *answer) complete(status int) {
	a.Helper()
	if a.Code != status {
		a.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window"} {
		if _, err := strconv.ParseUint(a.Header().Get(name), 10, 63); err != nil {
			a.Errorf("header %s = %q, want a non-negative number", name, a.Header().Get(name))
		}
	}
	if a.Header().Get("X-Request-Id") == "" || a.Header().Get("X-Content-Type-Options") != "nosniff" {
		a.Errorf("headers %v", a.Header())
	}
}

// quota returns limit, remaining and window of the response's headers.
func (a *answer) quota() string {
	h := a.Header()
	return h.Get("X-RateLimit-Limit") + "/" + h.Get("X-RateLimit-Remaining") + "/" + h.Get("X-RateLimit-Window")
}

func signedIn() apigw.CallerContext {
	return apigw.CallerContext{Wallet: wallet, SourceIP: "203.0.113.9", RequestID: "request-1"}
}

func stranger(reason string) apigw.CallerContext {
	return apigw.CallerContext{Reason: reason, SourceIP: "203.0.113.9", RequestID: "request-1"}
}
