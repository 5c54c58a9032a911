package apigw_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/apigw"
	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/ratelimit"
	"tokenlaunch.example/service/pkg/ratelimit/ratelimittest"
	"tokenlaunch.example/service/pkg/route"
)

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// bench is one function with handlers of the test's choice.
type bench struct {
	*testing.T

	limiter *ratelimittest.Memory
	log     *bytes.Buffer
	handler http.Handler
}

// newBench makes the function; an operation that is not in handlers answers 200.
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
	api := apigw.API{Limiter: b.limiter, Log: slog.New(slog.NewJSONHandler(b.log, nil)), Now: time.Now}
	handler, err := api.Handler(function, all)
	if err != nil {
		t.Fatal(err)
	}
	b.handler = handler
	return b
}

// call sends one request. The zero caller is one whom no authorizer described.
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

// problem checks that the answer is a problem of the given status and code, and
// that it has what every answer has.
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

// complete checks the status and what every answer has.
func (a *answer) complete(status int) {
	a.Helper()
	if a.Code != status {
		a.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window"} {
		if _, err := strconv.ParseUint(a.Header().Get(name), 10, 63); err != nil {
			a.Errorf("%s: %q", name, a.Header().Get(name))
		}
	}
	if a.Header().Get("X-Request-Id") == "" || a.Header().Get("X-Content-Type-Options") != "nosniff" {
		a.Errorf("headers %v", a.Header())
	}
}

// quota gives limit, remaining and window of the answer's headers.
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

func TestHandlersAndRoutesMatch(t *testing.T) {
	ok := func(http.ResponseWriter, *http.Request) error { return nil }
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	full := map[string]apigw.HandlerFunc{"createChallenge": ok, "verifyChallenge": ok}
	tests := []struct {
		name     string
		api      apigw.API
		handlers map[string]apigw.HandlerFunc
		want     string
	}{
		{"all there", api, full, ""},
		{"no handler for a route", api, map[string]apigw.HandlerFunc{"createChallenge": ok}, "no handler for verifyChallenge"},
		{"no route for a handler", api, map[string]apigw.HandlerFunc{"createChallenge": ok, "verifyChallenge": ok, "listTokens": ok}, "no route for handler listTokens"},
		{"nothing to count with", apigw.API{Log: api.Log, Now: time.Now}, full, "lacks"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.api.Handler(route.FunctionAuth, test.handlers)
			if (test.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestEveryFunctionRoutesItsOperations(t *testing.T) {
	for _, function := range []string{route.FunctionAuth, route.FunctionTokens, route.FunctionImages, route.FunctionDocs} {
		b := newBench(t, function, nil)
		for _, r := range route.OfFunction(function) {
			a := b.call(r.Method, strings.ReplaceAll(r.Path, "{mintAddress}", wallet), signedIn(), "")
			a.complete(http.StatusOK)
			if want := fmt.Sprintf(`{"operation":%q}`, r.Operation); a.Body.String() != want {
				t.Errorf("%s: %s, want %s", r.Pattern(), a.Body, want)
			}
			if got, want := a.Header().Get("Cache-Control") == "no-store", r.NeedsToken(); got != want {
				t.Errorf("%s: Cache-Control %q", r.Pattern(), a.Header().Get("Cache-Control"))
			}
			if got := a.Header().Get("X-RateLimit-Limit"); got != strconv.Itoa(r.Rule.Limit) {
				t.Errorf("%s: limit %s, want %d", r.Pattern(), got, r.Rule.Limit)
			}
		}
	}
}

func TestGuard(t *testing.T) {
	tests := []struct {
		name   string
		caller apigw.CallerContext
		code   string
	}{
		{"no token", stranger("missing_token"), "missing_token"},
		{"bad token", stranger("invalid_token"), "invalid_token"},
		{"no authorizer: fails closed", stranger(""), "invalid_token"},
		{"an unknown reason", stranger("who_knows"), "invalid_token"},
		{"a wallet and a reason", apigw.CallerContext{Wallet: wallet, Reason: "invalid_token", SourceIP: "203.0.113.9"}, "invalid_token"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
				"submitToken": func(http.ResponseWriter, *http.Request) error { return errors.New("the guard let the request in") },
			})
			for i := range 7 { // past the route's limit of 5, still told about the token
				a := b.call(http.MethodPost, "/tokens/submit", test.caller, "")
				a.problem(http.StatusUnauthorized, test.code)
				if want := fmt.Sprintf("100/%d/900", 99-i); a.quota() != want {
					t.Errorf("quota %s, want %s", a.quota(), want)
				}
				if a.Header().Get("WWW-Authenticate") != "Bearer" || a.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("headers %v", a.Header())
				}
			}
			if n := b.limiter.Counted(ratelimit.TokenSubmit, wallet); n != 0 {
				t.Errorf("%d requests counted against the wallet", n)
			}
		})
	}
}

func TestNothingIsSaidOfATokenThatCouldNotBeVerified(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	a := b.call(http.MethodGet, "/tokens/me", stranger("unavailable"), "")
	a.problem(http.StatusServiceUnavailable, "upstream_unavailable")
	if a.quota() != "100/100/900" || b.limiter.Counted(ratelimit.Anonymous, "203.0.113.9") != 0 {
		t.Errorf("the request is counted: %s", a.quota())
	}
}

func TestStrangersRunOutOfTheirOwnBucket(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	for range ratelimit.Anonymous.Limit {
		b.call(http.MethodGet, "/tokens/me", stranger("missing_token"), "").problem(http.StatusUnauthorized, "missing_token")
	}
	a := b.call(http.MethodGet, "/tokens/me", stranger("missing_token"), "")
	if p := a.problem(http.StatusTooManyRequests, "rate_limit_exceeded"); p.RetryAfter < 890 || p.RetryAfter > 900 {
		t.Errorf("retryAfter %d", p.RetryAfter)
	}
	b.call(http.MethodGet, "/tokens/me", signedIn(), "").complete(http.StatusOK)
	b.call(http.MethodGet, "/tokens", stranger(""), "").complete(http.StatusOK)
}

func TestCallerIsKnownToTheHandler(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"listMyTokens": func(w http.ResponseWriter, r *http.Request) error {
			caller, ok := apigw.CallerFrom(r.Context())
			apigw.Log(r.Context()).InfoContext(r.Context(), "in the handler")
			return apigw.WriteJSON(w, http.StatusOK, []any{caller, ok, apigw.SourceIP(r.Context()), apigw.RequestID(r.Context())})
		},
		"listTokens": func(w http.ResponseWriter, r *http.Request) error {
			_, ok := apigw.CallerFrom(r.Context())
			return apigw.WriteJSON(w, http.StatusOK, ok)
		},
	})
	a := b.call(http.MethodGet, "/tokens/me", signedIn(), "")
	a.complete(http.StatusOK)
	if want := `["` + wallet + `",true,"203.0.113.9","request-1"]`; a.Body.String() != want {
		t.Errorf("handler saw %s, want %s", a.Body, want)
	}
	if got := a.Header().Get("X-Request-Id"); got != "request-1" {
		t.Errorf("X-Request-Id %q", got)
	}
	if !strings.Contains(b.log.String(), `"msg":"in the handler","requestId":"request-1"`) {
		t.Errorf("log %s", b.log)
	}
	if a := b.call(http.MethodGet, "/tokens", stranger("invalid_token"), ""); a.Body.String() != "false" {
		t.Errorf("a stranger has a wallet: %s", a.Body)
	}
}

func TestLimits(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"submitToken": func(http.ResponseWriter, *http.Request) error {
			return apperr.New(apperr.Invalid, "invalid_transaction", "No.")
		},
	})
	for i := range 5 { // failed requests count
		a := b.call(http.MethodPost, "/tokens/submit", signedIn(), "{}")
		a.problem(http.StatusBadRequest, "invalid_transaction")
		if want := fmt.Sprintf("5/%d/3600", 4-i); a.quota() != want {
			t.Errorf("quota %s, want %s", a.quota(), want)
		}
	}
	a := b.call(http.MethodPost, "/tokens/submit", signedIn(), "{}")
	a.problem(http.StatusTooManyRequests, "rate_limit_exceeded")
	if a.quota() != "5/0/3600" {
		t.Errorf("quota %s", a.quota())
	}
	// Another route, another wallet: other buckets.
	b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}").complete(http.StatusOK)
	other := signedIn()
	other.Wallet = "So11111111111111111111111111111111111111112"
	b.call(http.MethodPost, "/tokens/submit", other, "{}").problem(http.StatusBadRequest, "invalid_transaction")
}

func TestPublicRoutesCountAddresses(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	for _, test := range []struct{ ip, wallet, quota string }{
		{"203.0.113.9", "", "100/99/900"},
		{"203.0.113.9", wallet, "100/98/900"},
		{"203.0.113.10", "", "100/99/900"},
		{"2001:db8::1", "", "100/99/900"},
		{"2001:db8::2", "", "100/98/900"},
		{"2001:db8:0:1::1", "", "100/99/900"},
	} {
		a := b.call(http.MethodGet, "/tokens", apigw.CallerContext{SourceIP: test.ip, Wallet: test.wallet}, "")
		a.complete(http.StatusOK)
		if a.quota() != test.quota {
			t.Errorf("%s: quota %s, want %s", test.ip, a.quota(), test.quota)
		}
	}
	// Forwarding headers are anybody's to write: they change nothing.
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: "203.0.113.9"}), http.MethodGet, "/tokens", http.NoBody)
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	r.Header.Set("Forwarded", "for=198.51.100.1")
	if a := b.serve(r); a.quota() != "100/97/900" {
		t.Errorf("with forwarding headers: quota %s", a.quota())
	}
}

func TestServerErrorsAreGivenBack(t *testing.T) {
	secret := errors.New("postgres://user:hunter2@host")
	tests := []struct {
		name    string
		handler apigw.HandlerFunc
		status  int
		code    string
	}{
		{"an unknown error", func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("read: %w", secret) }, 500, "internal"},
		{"a panic after half an answer", func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("X-Half", "yes")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, "<html>")
			panic(secret)
		}, 500, "internal"},
		{"an upstream that does not answer", func(http.ResponseWriter, *http.Request) error { return apperr.Upstream("The chain", secret) }, 503, "upstream_unavailable"},
		{"a deadline inside", func(_ http.ResponseWriter, r *http.Request) error {
			ctx, cancel := context.WithTimeout(r.Context(), 0)
			defer cancel()
			return fmt.Errorf("call: %w", ctx.Err())
		}, 503, "upstream_unavailable"},
		{"a status of its own", func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, http.StatusBadGateway, "no")
		}, 502, ""},
		{"an answer that is no JSON", func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, http.StatusOK, func() {})
		}, 500, "internal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{"submitToken": test.handler})
			for range 7 {
				a := b.call(http.MethodPost, "/tokens/submit", signedIn(), "{}")
				if test.code == "" {
					a.complete(test.status)
				} else {
					a.problem(test.status, test.code)
				}
				if a.quota() != "5/5/3600" {
					t.Errorf("quota %s", a.quota())
				}
				if strings.Contains(a.Body.String(), "hunter2") || a.Header().Get("X-Half") != "" {
					t.Errorf("the answer leaks: %v %s", a.Header(), a.Body)
				}
			}
			if n := b.limiter.Counted(ratelimit.TokenSubmit, wallet); n != 0 {
				t.Errorf("%d requests are counted", n)
			}
			if !strings.Contains(b.log.String(), `"level":"ERROR"`) {
				t.Errorf("nothing is logged as an error: %s", b.log)
			}
		})
	}
}

func TestHandlersGiveUpBeforeTheGatewayDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
			"submitToken": func(_ http.ResponseWriter, r *http.Request) error {
				<-r.Context().Done()
				return errors.New("gave up")
			},
		})
		start := time.Now()
		b.call(http.MethodPost, "/tokens/submit", signedIn(), "{}").problem(http.StatusServiceUnavailable, "upstream_unavailable")
		if took := time.Since(start); took != 25*time.Second {
			t.Errorf("took %s", took)
		}
		if n := b.limiter.Counted(ratelimit.TokenSubmit, wallet); n != 0 {
			t.Errorf("%d requests are counted", n)
		}
	})
}

func TestStoreDown(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	b.limiter.Err = errors.New("connection refused")
	for _, path := range []string{"/tokens", "/tokens/me"} {
		a := b.call(http.MethodGet, path, signedIn(), "")
		a.complete(http.StatusOK)
		if a.quota() != "100/100/900" {
			t.Errorf("%s: quota %s", path, a.quota())
		}
	}
	b.call(http.MethodPost, "/tokens/submit", signedIn(), "{}").problem(http.StatusServiceUnavailable, "upstream_unavailable")
	b.call(http.MethodPost, "/tokens/generate-distribution-wallet", signedIn(), "").problem(http.StatusServiceUnavailable, "upstream_unavailable")
	b.call(http.MethodPost, "/tokens/submit", stranger("missing_token"), "{}").problem(http.StatusUnauthorized, "missing_token")
	b.call(http.MethodPost, "/nothing", stranger(""), "").problem(http.StatusNotFound, "not_found")
	if !strings.Contains(b.log.String(), "connection refused") {
		t.Errorf("the cause is not logged: %s", b.log)
	}
}

func TestUnknownRoutes(t *testing.T) {
	b := newBench(t, route.FunctionDocs, nil)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodGet, "/nothing", 404, ""},
		{http.MethodGet, "/", 404, ""},
		{http.MethodGet, "//docs", 404, ""},
		{http.MethodGet, "/docs/", 404, ""},
		{http.MethodGet, "/x/../docs", 404, ""},
		{http.MethodGet, "/./docs", 404, ""},
		{http.MethodPost, "/docs//", 404, ""},
		{http.MethodOptions, "/nothing", 404, ""},
		{http.MethodPost, "/docs", 405, "GET"},
		{http.MethodHead, "/docs", 405, "GET"},
		{http.MethodDelete, "/tokens/" + wallet, 405, "GET"},
		{http.MethodPut, "/tokens/submit", 405, "GET, POST"},
		{http.MethodGet, "/auth/verify", 405, "POST"},
		{http.MethodOptions, "/auth/verify", 204, "POST"},
	}
	for i, test := range tests {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			own := *b
			own.T = t
			a := own.call(test.method, "https://host"+test.path, stranger(""), "")
			switch test.status {
			case http.StatusNotFound:
				a.problem(test.status, "not_found")
			case http.StatusMethodNotAllowed:
				a.problem(test.status, "method_not_allowed")
			default:
				a.complete(test.status)
			}
			if got := a.Header().Get("Allow"); got != test.allow {
				t.Errorf("Allow %q, want %q", got, test.allow)
			}
			if want := fmt.Sprintf("100/%d/900", 99-i); a.quota() != want {
				t.Errorf("quota %s, want %s", a.quota(), want)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) error {
		got, err := io.ReadAll(r.Body)
		if err != nil {
			return fmt.Errorf("read the body: %w", err)
		}
		return apigw.WriteJSON(w, http.StatusOK, len(got))
	}
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{"submitToken": read, "listTokens": read})
	long := strings.Repeat("x", 64<<10)
	if a := b.call(http.MethodPost, "/tokens/submit", signedIn(), long); a.Body.String() != "65536" {
		t.Errorf("at the limit: %s", a.Body)
	}
	b.call(http.MethodPost, "/tokens/submit", signedIn(), long+"x").problem(http.StatusRequestEntityTooLarge, "body_too_large")
	// Without a length in advance the body is cut off while it is read.
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), signedIn()), http.MethodPost, "/tokens/submit", io.MultiReader(strings.NewReader(long+"x")))
	b.serve(r).problem(http.StatusRequestEntityTooLarge, "body_too_large")
	// Also where nobody reads it.
	b.call(http.MethodPost, "/tokens/generate-distribution-wallet", signedIn(), long+"x").problem(http.StatusRequestEntityTooLarge, "body_too_large")
	if a := b.call(http.MethodGet, "/tokens", signedIn(), "ignored"); a.Body.String() != "0" {
		t.Errorf("a GET has the body %s", a.Body)
	}
	// The order of checks: who calls comes before what is sent.
	b.call(http.MethodPost, "/tokens/submit", stranger("missing_token"), long+"x").problem(http.StatusUnauthorized, "missing_token")
}

func TestProblemsSayWhatDomainsSay(t *testing.T) {
	tests := []struct {
		err    *apperr.Error
		status int
	}{
		{apperr.New(apperr.Unauthenticated, "invalid_signature", "No."), 401},
		{apperr.New(apperr.Invalid, "transaction_expired", "No."), 400},
		{apperr.New(apperr.TooLarge, "body_too_large", "No."), 413},
		{apperr.New(apperr.NotFound, "token_not_found", "No."), 404},
		{apperr.New(apperr.Forbidden, "not_token_creator", "No."), 403},
		{apperr.New(apperr.Conflict, "wallet_in_use", "No."), 409},
		{apperr.New(apperr.Unavailable, "no_nonce", "No."), 503},
		{&apperr.Error{Kind: apperr.RateLimited, Code: "too_many_open", Detail: "No.", RetryAfter: 1500 * time.Millisecond}, 429},
	}
	for _, test := range tests {
		t.Run(test.err.Code, func(t *testing.T) {
			b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
				"listTokens": func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("list: %w", test.err) },
			})
			p := b.call(http.MethodGet, "/tokens", stranger(""), "").problem(test.status, test.err.Code)
			if p.Detail != "No." {
				t.Errorf("detail %q", p.Detail)
			}
			if test.status == 429 && p.RetryAfter != 2 {
				t.Errorf("retryAfter %d", p.RetryAfter)
			}
		})
	}
}

func TestValidationNamesEveryField(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"createUnsignedToken": func(http.ResponseWriter, *http.Request) error {
			return apperr.Validation([]apperr.Field{{Field: "name", Code: apperr.CodeRequired, Message: "Give it."}, {Field: "supply", Code: apperr.CodeOutOfRange, Message: "Less & <more>."}})
		},
	})
	a := b.call(http.MethodPost, "/tokens/create-unsigned", signedIn(), "{}")
	a.problem(http.StatusBadRequest, "validation_failed")
	want := `{"type":"/docs#validation_failed","title":"Validation failed","status":400,"detail":"2 fields are not valid.","code":"validation_failed","requestId":"request-1","errors":[{"field":"name","code":"required","message":"Give it."},{"field":"supply","code":"out_of_range","message":"Less & <more>."}]}`
	if a.Body.String() != want {
		t.Errorf("got  %s\nwant %s", a.Body, want)
	}
}

func TestAccessLog(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	b.call(http.MethodGet, "/tokens/"+wallet+"?apiKey=hunter2", signedIn(), "")
	var line map[string]any
	if err := json.Unmarshal(b.log.Bytes(), &line); err != nil {
		t.Fatalf("not one line of JSON: %v: %s", err, b.log)
	}
	took, timed := line["durationMs"].(float64)
	if !timed || took < 0 {
		t.Errorf("duration %v", line["durationMs"])
	}
	delete(line, "time")
	delete(line, "durationMs")
	want := map[string]any{
		"level": "INFO", "msg": "request", "requestId": "request-1", "method": "GET", "route": "/tokens/{mintAddress}",
		"operation": "getToken", "status": 200.0, "caller": wallet,
	}
	if fmt.Sprint(line) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", line, want)
	}
}
