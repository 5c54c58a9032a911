package apigw_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

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
			if n := b.limiter.Counted(limits.TokenSubmit, wallet); n != 0 {
				t.Errorf("%d requests counted against the wallet", n)
			}
		})
	}
}

func TestUnverifiedAccessTokenLeaksNothing(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	a := b.call(http.MethodGet, "/tokens/me", stranger("unavailable"), "")
	a.problem(http.StatusServiceUnavailable, "upstream_unavailable")
	if a.quota() != "100/100/900" || b.limiter.Counted(limits.Anonymous, "203.0.113.9") != 0 {
		t.Errorf("the request is counted: %s", a.quota())
	}
}

func TestLimitBucketsAreSeparate(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	for range limits.Anonymous.Limit {
		b.call(http.MethodGet, "/tokens/me", stranger("missing_token"), "").problem(http.StatusUnauthorized, "missing_token")
	}
	a := b.call(http.MethodGet, "/tokens/me", stranger("missing_token"), "")
	if p := a.problem(http.StatusTooManyRequests, "rate_limit_exceeded"); p.RetryAfter < 890 || p.RetryAfter > 900 {
		t.Errorf("retryAfter %d", p.RetryAfter)
	}
	b.call(http.MethodGet, "/tokens/me", signedIn(), "").complete(http.StatusOK)
	b.call(http.MethodGet, "/tokens", stranger(""), "").complete(http.StatusOK)
}

// A request for a file of the page does not reach the limiter.
func TestFilesOfThePageAreNotCounted(t *testing.T) {
	b := newBench(t, route.FunctionDocs, nil)
	for range 3 * ratelimit.Uncounted.Limit {
		a := b.call(http.MethodGet, "/assets/main.js", stranger(""), "")
		a.complete(http.StatusOK)
		if a.quota() != "100/100/900" {
			t.Fatalf("quota %s", a.quota())
		}
	}
	if n := b.limiter.Counted(ratelimit.Uncounted, "203.0.113.9"); n != 0 {
		t.Errorf("%d requests are counted", n)
	}
	if a := b.call(http.MethodGet, "/t/abc", stranger(""), ""); a.quota() != "600/599/60" {
		t.Errorf("quota of a token's page %s", a.quota())
	}
}

// TestSharedResponseTellsUnusedWindow tests that a shared response shows an unused window, because
// a cache hands the response to callers with other windows. The request counts nevertheless, and an
// error response shows the caller's own window.
func TestSharedResponseTellsUnusedWindow(t *testing.T) {
	b := newBench(t, route.FunctionDocs, map[string]apigw.HandlerFunc{
		"getStatus": func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Cache-Control", "public, max-age=10")
			return apigw.WriteJSON(w, http.StatusOK, "fine")
		},
	})
	for range limits.Page.Limit {
		a := b.call(http.MethodGet, "/status", stranger(""), "")
		a.complete(http.StatusOK)
		if a.quota() != "600/600/60" {
			t.Fatalf("quota %s", a.quota())
		}
	}
	a := b.call(http.MethodGet, "/status", stranger(""), "")
	a.problem(http.StatusTooManyRequests, "rate_limit_exceeded")
	if a.quota() != "600/0/60" || a.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("quota %s, headers %v", a.quota(), a.Header())
	}
}

// TestNavigationGetsHTML tests that a browser's navigation gets an HTML page for every failure, and
// other clients get a problem.
func TestNavigationGetsHTML(t *testing.T) {
	const chrome = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"getToken": func(_ http.ResponseWriter, r *http.Request) error {
			switch r.PathValue("mintAddress") {
			case "broken":
				return errors.New("a fault")
			case "down":
				return apperr.Upstream("The store", errors.New("down"))
			default:
				return apperr.New(apperr.CodeTokenNotFound, "None.")
			}
		},
	})
	for _, test := range []struct {
		path   string
		status int
		words  string
	}{
		{"/tokens/none", 404, "Page not found"},
		{"/nothing", 404, "Page not found"},
		{"/tokens/broken", 500, "Something went wrong"},
		{"/tokens/down", 503, "Try again in <strong>5 seconds"},
		{"/tokens/me", 401, "Missing token"},
		{"/tokens/submit", 405, "Method not allowed"},
	} {
		for accept, html := range map[string]bool{
			chrome: true, "TEXT/HTML": true, "application/json, text/html;q=0.5": true,
			"": false, "*/*": false, "application/json": false, "text/htmlx": false,
		} {
			r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), stranger("missing_token")), http.MethodGet, test.path, http.NoBody)
			r.Header.Set("Accept", accept)
			a := b.serve(r)
			kind := "application/problem+json"
			if html {
				kind = "text/html; charset=utf-8"
			}
			if a.Code != test.status || a.Header().Get("Content-Type") != kind || html && !strings.Contains(a.Body.String(), test.words) ||
				html != (a.Header().Get("Content-Security-Policy") != "") || a.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("GET %s for %q: %d %v\n%s", test.path, accept, a.Code, a.Header(), a.Body)
			}
		}
	}
	for range limits.Tokens.Limit {
		b.call(http.MethodGet, "/tokens", stranger(""), "")
	}
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), stranger("")), http.MethodGet, "/tokens", http.NoBody)
	r.Header.Set("Accept", chrome)
	a := b.serve(r)
	if seconds := a.Header().Get("Retry-After"); a.Code != 429 || seconds == "" || !strings.Contains(a.Body.String(), "Try again in <strong>15 minutes") {
		t.Errorf("GET /tokens: %d, Retry-After %q\n%s", a.Code, seconds, a.Body)
	}
	// No browser navigates by POST: there are no forms.
	r = httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), stranger("missing_token")), http.MethodPost, "/tokens/submit", http.NoBody)
	r.Header.Set("Accept", chrome)
	b.serve(r).problem(http.StatusUnauthorized, "missing_token")
}

func TestLimits(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"submitToken": func(http.ResponseWriter, *http.Request) error {
			return apperr.New(apperr.CodeInvalidTransaction, "No.")
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
	// Forwarding headers can be written by anyone: they change nothing.
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: "203.0.113.9"}), http.MethodGet, "/tokens", http.NoBody)
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	r.Header.Set("Forwarded", "for=198.51.100.1")
	if a := b.serve(r); a.quota() != "100/97/900" {
		t.Errorf("with forwarding headers: quota %s", a.quota())
	}
}

func TestServerErrorsAndTooEarlyAreRefunded(t *testing.T) {
	secret := errors.New("postgres://user:hunter2@host")
	tests := []struct {
		name    string
		handler apigw.HandlerFunc
		status  int
		code    string
	}{
		{"an unknown error", func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("read: %w", secret) }, 500, "internal"},
		{"a panic after half a response", func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("X-Half", "yes")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, "<html>")
			panic(secret)
		}, 500, "internal"},
		{"an unresponsive upstream", func(http.ResponseWriter, *http.Request) error { return apperr.Upstream("The chain", secret) }, 503, "upstream_unavailable"},
		{"a limit of the handler's own", func(http.ResponseWriter, *http.Request) error {
			return &apperr.Error{Code: apperr.CodeRateLimitExceeded, Detail: "Too soon.", RetryAfter: time.Second}
		}, 429, "rate_limit_exceeded"},
		{"a deadline inside", func(_ http.ResponseWriter, r *http.Request) error {
			ctx, cancel := context.WithTimeout(r.Context(), 0)
			defer cancel()
			return fmt.Errorf("call: %w", ctx.Err())
		}, 503, "upstream_unavailable"},
		{"a status of its own", func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, http.StatusBadGateway, "no")
		}, 502, ""},
		{"a response that is not JSON", func(w http.ResponseWriter, _ *http.Request) error {
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
					t.Errorf("the response leaks: %v %s", a.Header(), a.Body)
				}
			}
			if n := b.limiter.Counted(limits.TokenSubmit, wallet); n != 0 {
				t.Errorf("%d requests are counted", n)
			}
			if test.status >= 500 && !strings.Contains(b.log.String(), `"level":"ERROR"`) {
				t.Errorf("no error is logged: %s", b.log)
			}
		})
	}
}

func TestHandlerDeadlinePrecedesGateway(t *testing.T) {
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
		if n := b.limiter.Counted(limits.TokenSubmit, wallet); n != 0 {
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
