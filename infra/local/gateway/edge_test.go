package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/local/gateway"
)

// edge is an edge before an origin that counts its requests and limits the age of its cached responses.
type edge struct {
	*testing.T
	*gateway.Edge

	now          time.Time
	asked        int
	status       int
	cacheControl string
}

func newEdge(t *testing.T) *edge {
	e := &edge{T: t, now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC), status: http.StatusOK, cacheControl: "public, max-age=60"}
	e.Edge = &gateway.Edge{Now: func() time.Time { return e.now }, Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.asked++
		w.Header().Set("Cache-Control", e.cacheControl)
		w.WriteHeader(e.status)
		_, _ = fmt.Fprintf(w, "%d %s", e.asked, r.Header.Get("Authorization"))
	})}
	return e
}

// get returns what is answered to a request with these headers.
func (e *edge) get(path string, headers ...string) string {
	r := httptest.NewRequestWithContext(e.Context(), http.MethodGet, path, http.NoBody)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Body.String()
}

func (e *edge) want(got, want string) {
	e.Helper()
	if got != want {
		e.Errorf("got %q, want %q", got, want)
	}
}

func TestEdgeKeepsPublicResponses(t *testing.T) {
	e := newEdge(t)
	e.want(e.get("/stats"), "1 ")
	e.now = e.now.Add(59 * time.Second)
	e.want(e.get("/stats?whatever=1"), "1 ")
	e.now = e.now.Add(time.Second)
	e.want(e.get("/stats"), "2 ")
	e.cacheControl = "public, max-age=0, s-maxage=10"
	e.want(e.get("/t/abc"), "3 ")
	e.want(e.get("/t/abc"), "3 ")
	e.want(e.get("/t/other"), "4 ")
}

// TestEdgeSeparatesCallers: credentials are a part of the key, and so is all else that a response
// depends on.
func TestEdgeSeparatesCallers(t *testing.T) {
	e := newEdge(t)
	e.want(e.get("/holders/abc"), "1 ")
	for i, headers := range [][]string{{"Authorization", "Bearer a"}, {"Authorization", "Bearer b"}, {"Origin", "https://x.example"}, {"Accept", "text/html"}, {"Accept-Encoding", "gzip"}} {
		auth := ""
		if headers[0] == "Authorization" {
			auth = headers[1]
		}
		e.want(e.get("/holders/abc", headers...), fmt.Sprintf("%d %s", i+2, auth))
	}
	e.want(e.get("/holders/abc?mints=m"), "7 ")
	e.want(e.get("/holders/abc?mints=m&other=1"), "7 ")
	e.want(e.get("/holders/abc"), "1 ")
}

func TestEdgeKeepsNothingElse(t *testing.T) {
	e := newEdge(t)
	for i, path := range []string{"/tokens", "/tokens", "/tokens/me", "/tokens/me", "/burns/abc", "/burns/abc"} {
		e.want(e.get(path), fmt.Sprintf("%d ", i+1))
	}
	for i, cacheControl := range []string{"", "no-cache", "no-store", "private, max-age=60", "public, max-age=0"} {
		e.cacheControl = cacheControl
		e.asked = 0
		e.want(e.get(fmt.Sprint("/t/", i)), "1 ")
		e.want(e.get(fmt.Sprint("/t/", i)), "2 ")
	}
	e.cacheControl, e.status, e.asked = "public, max-age=60", http.StatusTooManyRequests, 0
	e.want(e.get("/t/refused"), "1 ")
	e.want(e.get("/t/refused"), "2 ")
	for range 2 { // a pattern of the edge matches it, too
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/holders/abc/claims", http.NoBody))
	}
	if e.asked != 4 {
		t.Errorf("the origin was asked %d times", e.asked)
	}
}
