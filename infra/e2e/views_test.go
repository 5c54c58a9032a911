package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	front "tokenlaunch.example/service/infra/local/gateway"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// views is the number of views of a token by one address, such as an office or a mobile carrier, and
// measured is the part of those views that asks the functions themselves.
const (
	views    = 200
	measured = 20
)

// chromeAccept is the Accept header that a browser sends with a navigation.
const chromeAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// viewCalls lists the calls of one view of a token: the HTML, the pictures that it names, and the
// calls that the page's own test holds to its script.
func viewCalls(t *testing.T, mint string) map[string]string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(root), "pkg/web/page/web/test/token/view.json"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	if err := json.Unmarshal(text, &paths); err != nil {
		t.Fatal(err)
	}
	calls := map[string]string{"/t/" + mint: chromeAccept, "/t/" + mint + "/card.png": "*/*", "/t/" + mint + "/badge.svg": "image/*"}
	for _, path := range paths {
		calls[strings.ReplaceAll(path, "{mintAddress}", mint)] = "*/*"
	}
	return calls
}

// TestTokenPageServesManyViews tests that the limits of the real functions have room for 200 views
// of a token from one address: a tenth of the views uses at most a tenth of each limit. All 200
// views get a response through the edge, whose cache leaves few of them to the functions.
func TestTokenPageServesManyViews(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	calls := viewCalls(t, l.Submitted.MintAddress.String())
	target, err := url.Parse(s.APIURL)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	forward := httputil.NewSingleHostReverseProxy(target)
	edge := httptest.NewServer(&front.Edge{Now: time.Now, Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		forward.ServeHTTP(w, r)
	})})
	t.Cleanup(edge.Close)
	for name, address := range map[string]string{"gateway": s.APIURL, "edge": edge.URL} {
		if err := s.ForgetLimits(t.Context()); err != nil {
			t.Fatal(err)
		}
		rounds := views
		if name == "gateway" {
			rounds = measured
		}
		for view := range rounds {
			for path, accept := range calls {
				answer, body := fetch(t, http.MethodGet, address+path, map[string]string{"Accept": accept})
				if answer.StatusCode != http.StatusOK {
					t.Fatalf("%s: view %d: GET %s: %s %.200s", name, view+1, path, answer.Status, body)
				}
				if html := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html"); html != (accept == chromeAccept) {
					t.Fatalf("%s: view %d: GET %s is %s", name, view+1, path, answer.Header.Get("Content-Type"))
				}
				for _, header := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Ratelimit-Window"} {
					if answer.Header.Get(header) == "" {
						t.Fatalf("%s: GET %s has no %s", name, path, header)
					}
				}
			}
		}
		if name == "gateway" {
			hasRoom(t, s)
		}
	}
	t.Logf("of %d calls through the edge %d reached the functions", views*len(calls), asked.Load())
	if asked.Load() > views*int64(len(calls))/2 {
		t.Errorf("of %d calls through the edge %d reached the functions", views*len(calls), asked.Load())
	}
}

// hasRoom checks each limit of addresses against the store after the measured views.
func hasRoom(t *testing.T, s *runner.Stack) {
	t.Helper()
	used := map[string]int{}
	for _, r := range route.All() {
		if _, done := used[r.Rule.Name]; done || r.NeedsToken() || !r.Rule.Counted() {
			continue
		}
		decision, err := windows(s).Spend(t.Context(), r.Rule, ratelimit.AddressKey("127.0.0.1"))
		if err != nil {
			t.Fatal(err)
		}
		n := r.Rule.Limit - decision.Remaining - 1 // without this one
		if used[r.Rule.Name] = n; n*views > r.Rule.Limit*measured {
			t.Errorf("%d views use %d of the %d of %s, which has no room for %d", measured, n, r.Rule.Limit, r.Rule.Name, views)
		}
	}
	for _, rule := range []ratelimit.Rule{limits.Page, limits.Card, limits.View} {
		if used[rule.Name] < measured {
			t.Errorf("%d views use %d of %s: a view uses one or more", measured, used[rule.Name], rule.Name)
		}
	}
}

// TestEdgeKeepsCallersApart tests that a cached response has no caller's data, and that responses
// to access tokens come from the functions.
func TestEdgeKeepsCallersApart(t *testing.T) {
	s := deployed(t)
	target, err := url.Parse(s.APIURL)
	if err != nil {
		t.Fatal(err)
	}
	edge := httptest.NewServer(&front.Edge{Now: time.Now, Next: httputil.NewSingleHostReverseProxy(target)})
	t.Cleanup(edge.Close)
	one, other := bearerOf(t, s), bearerOf(t, s)
	for _, header := range []map[string]string{one, other, one, {}} {
		answer, body := fetch(t, http.MethodGet, edge.URL+"/tokens/me", header)
		want := http.StatusOK
		if len(header) == 0 {
			want = http.StatusUnauthorized
		}
		if answer.StatusCode != want || answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get(front.HitHeader) != "" {
			t.Errorf("GET /tokens/me with %d headers: %s %v %.200s", len(header), answer.Status, answer.Header, body)
		}
	}
	for i, header := range []map[string]string{{}, {}, one, one, other} {
		answer, _ := fetch(t, http.MethodGet, edge.URL+"/stats", header)
		if hit := answer.Header.Get(front.HitHeader) == "Hit from cloudfront"; hit != (i == 1 || i == 3) {
			t.Errorf("call %d of /stats: %s", i+1, answer.Header.Get(front.HitHeader))
		}
	}
}

// bearerOf is the header of a new wallet's token.
func bearerOf(t *testing.T, s *runner.Stack) map[string]string {
	t.Helper()
	return map[string]string{"Authorization": "Bearer " + signedIn(t, s).Token}
}

// TestNavigationsGetHTML tests that a browser's navigation never gets JSON, whatever failed, and
// that other clients get a problem.
func TestNavigationsGetHTML(t *testing.T) {
	s := deployed(t)
	const mint = "So11111111111111111111111111111111111111112"
	fill(t, s, "getTokenCard", "")
	fill(t, s, "listTokens", "")
	for path, status := range map[string]int{
		"/nothing": 404, "/launch/": 404, "/favicon.ico": 404, "/t/" + mint: 404, "/t/" + mint + "/badge.svg": 404,
		"/t/" + mint + "/card.png": 429, "/tokens": 429, "/tokens/" + mint: 429, "/burns/" + mint: 404, "/tokens/me": 401,
	} {
		answer, body := fetch(t, http.MethodGet, s.APIURL+path, map[string]string{"Accept": chromeAccept})
		if answer.StatusCode != status || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") || strings.Contains(string(body), `{"type":`) {
			t.Errorf("GET %s: %s %s %.200s", path, answer.Status, answer.Header.Get("Content-Type"), body)
		}
		if status == http.StatusTooManyRequests && (answer.Header.Get("Retry-After") == "" || !strings.Contains(string(body), "Try again in <strong>")) {
			t.Errorf("GET %s has no Retry-After: %v %.2000s", path, answer.Header, body)
		}
		if path == "/t/"+mint {
			continue // a page in any case
		}
		answer, body = fetch(t, http.MethodGet, s.APIURL+path, map[string]string{"Accept": "*/*"})
		if answer.StatusCode != status || answer.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("GET %s by a program: %s %s %.200s", path, answer.Status, answer.Header.Get("Content-Type"), body)
		}
	}
}
