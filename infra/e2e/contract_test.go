package e2e_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
)

// The headers that every response carries.
var limitHeaders = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window"}

// checkLimitHeaders is about a request that was counted.
func checkLimitHeaders(t *testing.T, a answer) {
	t.Helper()
	// A cache may hand a public response to another caller, so it has the numbers of an unused window.
	used, shared := checkWindow(t, a), strings.HasPrefix(a.header.Get("Cache-Control"), "public")
	if shared != (used < 1) {
		t.Errorf("%d requests of the window are used, public %v: %v", used, shared, a.header)
	}
}

// checkWindow checks the headers of the limiter, and returns the used part of the window.
func checkWindow(t *testing.T, a answer) (used int64) {
	t.Helper()
	numbers := map[string]int64{}
	for _, name := range limitHeaders {
		n, err := strconv.ParseInt(a.header.Get(name), 10, 64)
		if err != nil {
			t.Errorf("%s is %q", name, a.header.Get(name))
		}
		numbers[name] = n
	}
	// A second on both sides for clocks that were read at different times.
	ahead := numbers["X-RateLimit-Reset"] - time.Now().Unix()
	if ahead < -1 || ahead > numbers["X-RateLimit-Window"]+1 {
		t.Errorf("the reset is %d s ahead, the window %d s long", ahead, numbers["X-RateLimit-Window"])
	}
	return numbers["X-RateLimit-Limit"] - numbers["X-RateLimit-Remaining"]
}

type problem struct {
	Type, Title, Detail, Code, RequestID string
	Status, RetryAfter                   int
	Errors                               []struct{ Field, Code, Message string }
}

func checkProblem(t *testing.T, a answer, status int, code string) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Errorf("body %q is not a problem: %v", a.body, err)
	}
	if a.status != status || p.Status != status || p.Code != code {
		t.Errorf("response is %d %s, want %d %s", a.status, a.body, status, code)
	}
	if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/problem+json") {
		t.Errorf("content type is %q", kind)
	}
	if p.RequestID == "" || p.Title == "" || p.Type == "" {
		t.Errorf("problem %s lacks a request id, a title or a type", a.body)
	}
	return p
}

func TestErrorResponses(t *testing.T) {
	s := deployed(t)
	asJSON := map[string]string{"Content-Type": "application/json"}
	tests := map[string]struct {
		method, path, body string
		header             map[string]string
		status             int
		code               string
	}{
		"unknown path":       {method: "GET", path: "/nowhere", status: 404, code: "not_found"},
		"unknown under one":  {method: "GET", path: "/tokens/a/b", status: 404, code: "not_found"},
		"root":               {method: "POST", path: "/", status: 405, code: "method_not_allowed"},
		"wrong method":       {method: "DELETE", path: "/tokens", status: 405, code: "method_not_allowed"},
		"not JSON":           {method: "POST", path: "/auth/challenge", body: "{", header: asJSON, status: 400, code: "validation_failed"},
		"unknown field":      {method: "POST", path: "/auth/challenge", body: `{"walet":"x"}`, header: asJSON, status: 400, code: "validation_failed"},
		"body too long":      {method: "POST", path: "/auth/challenge", body: `{"wallet":"` + strings.Repeat("x", 70_000) + `"}`, header: asJSON, status: 413, code: "body_too_large"},
		"malformed mint":     {method: "GET", path: "/tokens/nonsense", status: 404, code: "token_not_found"},
		"limit out of range": {method: "GET", path: "/tokens?limit=101", status: 400, code: "validation_failed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := call(t, test.method, s.APIURL+test.path, test.body, test.header)
			checkProblem(t, a, test.status, test.code)
			checkLimitHeaders(t, a)
			if test.status == http.StatusMethodNotAllowed && a.header.Get("Allow") != "GET" {
				t.Errorf("Allow is %q, want GET", a.header.Get("Allow"))
			}
		})
	}
}

func TestAuthorizationHeaderForms(t *testing.T) {
	s := deployed(t)
	token := signedIn(t, s).Token
	for _, value := range []string{"Bearer " + token, "bearer " + token, token} {
		a := call(t, http.MethodGet, s.APIURL+"/tokens/me", "", map[string]string{"Authorization": value})
		if a.status != http.StatusOK {
			t.Errorf("GET /tokens/me with %.12s… = %d %s, want 200", value, a.status, a.body)
		}
		checkLimitHeaders(t, a)
		if cache := a.header.Get("Cache-Control"); cache != "no-store" {
			t.Errorf("Cache-Control is %q, want no-store", cache)
		}
	}
}

func TestPublicPagesAnswer(t *testing.T) {
	s := deployed(t)
	for path, kind := range map[string]string{
		"/health":                "application/json",
		"/status":                "application/json",
		"/openapi.json":          "application/",
		"/docs":                  "text/html",
		"/.well-known/jwks.json": "application/",
		"/tokens":                "application/json",
	} {
		a := call(t, http.MethodGet, s.APIURL+path, "", nil)
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), kind) {
			t.Errorf("%s = %d %s", path, a.status, a.header.Get("Content-Type"))
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", path)
		}
		checkLimitHeaders(t, a)
	}
}

// The page's files are not counted in any rate limit.
func TestPageIsServed(t *testing.T) {
	s := deployed(t)
	for path, kind := range map[string]string{
		"/": "text/html", "/launch": "text/html", "/mine": "text/html", "/rewards": "text/html", "/about": "text/html", "/c/11111111111111111111111111111111": "text/html", "/assets/favicon.svg": "image/svg+xml",
	} {
		a := call(t, http.MethodGet, s.APIURL+path, "", nil)
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), kind) {
			t.Errorf("%s = %d %s", path, a.status, a.header.Get("Content-Type"))
		}
		if used := checkWindow(t, a); used != 0 {
			t.Errorf("%s is counted: %v", path, a.header)
		}
	}
}

// TestHeadReachesPublicRoutes tests that HEAD of a public GET has no body, and that the path's
// function rejects another method with 405.
func TestHeadReachesPublicRoutes(t *testing.T) {
	s := deployed(t)
	for _, path := range []string{"/tokens", "/stats", "/launchpad", "/featured", "/docs", "/health"} {
		a := call(t, http.MethodHead, s.APIURL+path, "", nil)
		if a.status != http.StatusOK || a.body != "" || a.header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %q, want 200 without a body", path, a.status, a.body)
		}
	}
	unknown := "/tokens/" + solana.SystemProgramID.String()
	if a := call(t, http.MethodHead, s.APIURL+unknown, "", nil); a.status != http.StatusNotFound || a.body != "" {
		t.Errorf("HEAD %s: %d %q, want 404 without a body", unknown, a.status, a.body)
	}
	for path, allow := range map[string]string{"/tokens": "GET", "/tokens/submit": "POST", "/tokens/me": "GET"} {
		a := call(t, http.MethodDelete, s.APIURL+path, "", nil)
		if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != allow {
			t.Errorf("DELETE %s: %d, Allow %q; want 405 and %s", path, a.status, a.header.Get("Allow"), allow)
		}
	}
}

func TestCORS(t *testing.T) {
	s := deployed(t)
	const origin = "https://app.example"
	preflight := call(t, http.MethodOptions, s.APIURL+"/tokens/create-unsigned", "", map[string]string{
		"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
	})
	if preflight.status != http.StatusOK && preflight.status != http.StatusNoContent {
		t.Errorf("the preflight = %d %s", preflight.status, preflight.body)
	}
	read := call(t, http.MethodOptions, s.APIURL+"/tokens/"+solana.SystemProgramID.String(), "", map[string]string{
		"Origin": origin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "idempotency-key",
	})
	if read.status != http.StatusOK && read.status != http.StatusNoContent {
		t.Errorf("the preflight of a read = %d %s", read.status, read.body)
	}
	allowed := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	if !strings.Contains(allowed, "authorization") || !strings.Contains(allowed, "content-type") {
		t.Errorf("the preflight allows the headers %q", allowed)
	}
	if methods := preflight.header.Get("Access-Control-Allow-Methods"); !strings.Contains(methods, "POST") && methods != "*" {
		t.Errorf("the preflight allows the methods %q", methods)
	}
	for _, a := range []answer{preflight, read, call(t, http.MethodGet, s.APIURL+"/tokens", "", map[string]string{"Origin": origin})} {
		if got := a.header.Get("Access-Control-Allow-Origin"); got != "*" && got != origin {
			t.Errorf("the origin that is allowed is %q", got)
		}
	}
	a := call(t, http.MethodGet, s.APIURL+"/tokens", "", map[string]string{"Origin": origin})
	exposed := strings.ToLower(a.header.Get("Access-Control-Expose-Headers"))
	for _, name := range append(limitHeaders, "Retry-After") {
		if !strings.Contains(exposed, strings.ToLower(name)) {
			t.Errorf("a page cannot read %s: exposed are %q", name, exposed)
		}
	}
}

func TestSixthCreationHasRetryAfter(t *testing.T) {
	s := deployed(t)
	client := signedIn(t, s)
	header := map[string]string{"Authorization": "Bearer " + client.Token, "Content-Type": "application/json"}
	create := func() answer { return call(t, http.MethodPost, s.APIURL+"/tokens/create-unsigned", "{}", header) }
	for i := range 5 {
		a := create()
		checkProblem(t, a, http.StatusBadRequest, "validation_failed")
		if got, want := a.header.Get("X-RateLimit-Remaining"), strconv.Itoa(4-i); got != want {
			t.Errorf("after request %d %s remain, want %s", i+1, got, want)
		}
	}
	var retries [2]int
	for i := range retries { // a refused request does not count, so the time does not move on
		a := create()
		p := checkProblem(t, a, http.StatusTooManyRequests, "rate_limit_exceeded")
		checkLimitHeaders(t, a)
		if got := a.header.Get("Retry-After"); got != strconv.Itoa(p.RetryAfter) {
			t.Errorf("Retry-After is %q, the body has %d", got, p.RetryAfter)
		}
		retries[i] = p.RetryAfter
		reset, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if ahead := reset - time.Now().Unix(); int64(p.RetryAfter) < ahead-2 || int64(p.RetryAfter) > ahead+2 {
			t.Errorf("retryAfter is %d s, the reset %d s ahead", p.RetryAfter, ahead)
		}
	}
	if retries[1] > retries[0] || retries[0] > 3600 {
		t.Errorf("retryAfter is %d s, then %d s", retries[0], retries[1])
	}
	if a := call(t, http.MethodPost, s.APIURL+"/tokens/create-unsigned", "{}", map[string]string{
		"Authorization": "Bearer " + signedIn(t, s).Token, "Content-Type": "application/json",
	}); a.status != http.StatusBadRequest {
		t.Errorf("another wallet gets %d %s", a.status, a.body)
	}
}

func TestGatewayRejectsOversizedBody(t *testing.T) {
	s := deployed(t)
	a := callBy(t, http.DefaultClient, http.MethodPost, s.APIURL+"/tokens/upload-image", strings.Repeat("x", 11<<20), nil)
	if a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("11 MiB = %d %s", a.status, a.body)
	}
}
