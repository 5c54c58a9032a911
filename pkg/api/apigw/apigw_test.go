package apigw_test

import (
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
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

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
		{"no limiter", apigw.API{Log: api.Log, Now: time.Now}, full, "lacks"},
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
	for _, function := range []string{
		route.FunctionAuth, route.FunctionTokens, route.FunctionImages, route.FunctionDocs,
		route.FunctionDex, route.FunctionLaunchpad, route.FunctionFeatured,
	} {
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

func TestCallerIsKnownToTheHandler(t *testing.T) {
	var b *bench
	b = newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"listMyTokens": func(w http.ResponseWriter, r *http.Request) error {
			caller, ok := apigw.CallerFrom(r.Context())
			b.logger.InfoContext(r.Context(), "in the handler")
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

func TestUnknownRoutes(t *testing.T) {
	b := newBench(t, route.FunctionDocs, nil)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodGet, "/nothing", 404, ""},
		{http.MethodGet, "/nothing/", 404, ""},
		{http.MethodGet, "//docs", 404, ""},
		{http.MethodGet, "/docs/", 404, ""},
		{http.MethodGet, "/x/../docs", 404, ""},
		{http.MethodGet, "/./docs", 404, ""},
		{http.MethodPost, "/docs//", 404, ""},
		{http.MethodOptions, "/nothing", 404, ""},
		{http.MethodPost, "/docs", 405, "GET"},
		{http.MethodHead, "/tokens", 405, "GET"}, // of another function
		{http.MethodHead, "/tokens/submit", 405, "POST"},
		{http.MethodHead, "/nothing", 404, ""},
		{http.MethodHead, "/docs/", 404, ""},
		{http.MethodDelete, "/tokens/" + wallet, 405, "GET"},
		{http.MethodPut, "/tokens/submit", 405, "POST"},
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
			if want := fmt.Sprintf("600/%d/60", 599-i); a.quota() != want {
				t.Errorf("quota %s, want %s", a.quota(), want)
			}
		})
	}
}

// TestHeadIsGetWithoutABody covers monitors and link checkers, which request documents and pages by
// HEAD.
func TestHeadIsGetWithoutABody(t *testing.T) {
	b := newBench(t, route.FunctionDocs, map[string]apigw.HandlerFunc{
		"getDocs": func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "text/html")
			_, err := w.Write([]byte("<html>"))
			return err
		},
	})
	for method, body := range map[string]string{http.MethodGet: "<html>", http.MethodHead: ""} {
		a := b.call(method, "https://host/docs", stranger(""), "")
		if a.Code != http.StatusOK || a.Header().Get("Content-Type") != "text/html" || a.Body.String() != body {
			t.Errorf("%s /docs: %d %v %q, want 200 and %q", method, a.Code, a.Header(), a.Body, body)
		}
	}
}

// API Gateway routes GET /tokens/submit to the route of a single token, which must not accept an
// action's name as an ID.
func TestActionIsNotTokenID(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"getToken": func(http.ResponseWriter, *http.Request) error { return errors.New("asked for a token") },
	})
	for _, path := range []string{"/tokens/submit", "/tokens/create-unsigned", "/tokens/upload-image", "/tokens/sub%6Dit"} {
		a := b.call(http.MethodGet, path, stranger(""), "")
		a.problem(http.StatusMethodNotAllowed, "method_not_allowed")
		if got := a.Header().Get("Allow"); got != http.MethodPost {
			t.Errorf("%s: Allow %q, want POST", path, got)
		}
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
	// The limit applies even if the body is not read.
	b.call(http.MethodPost, "/tokens/generate-distribution-wallet", signedIn(), long+"x").problem(http.StatusRequestEntityTooLarge, "body_too_large")
	if a := b.call(http.MethodGet, "/tokens", signedIn(), "ignored"); a.Body.String() != "0" {
		t.Errorf("a GET has the body %s", a.Body)
	}
	// Authentication is checked before the body.
	b.call(http.MethodPost, "/tokens/submit", stranger("missing_token"), long+"x").problem(http.StatusUnauthorized, "missing_token")
}

func TestProblemOfEachDomainError(t *testing.T) {
	tests := []struct {
		err    *apperr.Error
		status int
	}{
		{apperr.New(apperr.CodeInvalidSignature, "No."), 401},
		{apperr.New(apperr.CodeTransactionExpired, "No."), 400},
		{apperr.New(apperr.CodeBodyTooLarge, "No."), 413},
		{apperr.New(apperr.CodeTokenNotFound, "No."), 404},
		{apperr.New(apperr.CodeNotTokenCreator, "No."), 403},
		{apperr.New(apperr.CodeWalletInUse, "No."), 409},
		{apperr.New(apperr.CodeUpstreamUnavailable, "No."), 503},
		{&apperr.Error{Code: apperr.CodeLaunchLimitExceeded, Detail: "No.", RetryAfter: 1500 * time.Millisecond}, 429},
	}
	for _, test := range tests {
		t.Run(test.err.Code.String(), func(t *testing.T) {
			b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
				"listTokens": func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("list: %w", test.err) },
			})
			p := b.call(http.MethodGet, "/tokens", stranger(""), "").problem(test.status, test.err.Code.String())
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
	delete(line, "_aws")
	delete(line, "Latency")
	want := map[string]any{
		"level": "INFO", "msg": "request", "requestId": "request-1", "method": "GET", "route": "/tokens/{mintAddress}",
		"operation": "getToken", "mint": wallet, "status": 200.0, "caller": wallet, "Requests": 1.0,
	}
	if fmt.Sprint(line) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", line, want)
	}
}
