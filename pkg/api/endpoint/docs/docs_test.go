package docs_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 7_000_000, time.UTC)

// start returns the function as the gateway calls it, with a fresh signing key.
func start(t *testing.T, change func(*docs.Config)) http.Handler {
	t.Helper()
	config := docs.Config{
		Site: newSite(t), Log: slog.New(slog.DiscardHandler),
		PublicURL: "https://launch.example", Stage: "test", Network: "localnet",
		Now: func() time.Time { return noon },
		Keys: &jwt.CachedKeys{Fetch: func(context.Context) ([]*ecdsa.PublicKey, error) {
			key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				return nil, err
			}
			return []*ecdsa.PublicKey{&key.PublicKey}, nil
		}},
	}
	if change != nil {
		change(&config)
	}
	handlers, err := docs.Handlers(config)
	if err != nil {
		t.Fatal(err)
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	h, err := api.Handler(route.FunctionDocs, handlers)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(t *testing.T, h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestDocumentNamesThisDeployment(t *testing.T) {
	for url, want := range map[string]string{
		"https://launch.example":  "https://launch.example",
		"http://localhost:8080/":  "http://localhost:8080",
		"https://a.example/?x=\"": `https://a.example/?x="`,
		"":                        "/",
	} {
		w := get(t, start(t, func(c *docs.Config) { c.PublicURL = url }), "/openapi.json")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("GET /openapi.json with %s = %d %s, want 200 application/json", url, w.Code, w.Header().Get("Content-Type"))
		}
		var document struct {
			Servers []struct {
				URL string `json:"url"`
			} `json:"servers"`
			Paths map[string]map[string]struct {
				Samples []struct {
					Source string `json:"source"`
				} `json:"x-codeSamples"`
			} `json:"paths"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Servers) != 1 || document.Servers[0].URL != want || len(document.Paths) == 0 {
			t.Errorf("%s: servers %v, %d paths", url, document.Servers, len(document.Paths))
		}
		if want == "/" { // an address that is not known is in no sample
			want = sample.Address
		}
		for _, s := range document.Paths["/health"]["get"].Samples {
			if !strings.Contains(s.Source, want) {
				t.Errorf("%s: a sample does not call it:\n%s", url, s.Source)
			}
		}
		if err := docstest.Check("getOpenAPI", 200, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}
}

func TestHandlersRejectsInvalidAddress(t *testing.T) {
	for _, url := range []string{"launch.example", "ftp://launch.example", "https://", "http://a b"} {
		if _, err := docs.Handlers(docs.Config{PublicURL: url}); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}

func TestFilesAreNotSentTwice(t *testing.T) {
	h := start(t, nil)
	for _, path := range []string{"/openapi.json", "/docs"} {
		first := get(t, h, path)
		etag := first.Header().Get("ETag")
		if etag == "" || first.Header().Get("Cache-Control") != "public, max-age=300" {
			t.Fatalf("%s: headers %v", path, first.Header())
		}
		for condition, status := range map[string]int{
			etag: 304, "W/" + etag: 304, `"other", ` + etag: 304, "*": 304, `"other"`: 200, "": 200,
		} {
			again := get(t, h, path, "If-None-Match", condition)
			if again.Code != status || (again.Body.Len() > 0) != (status == 200) {
				t.Errorf("%s with If-None-Match %s: %d with %d bytes, want %d", path, condition, again.Code, again.Body.Len(), status)
			}
			if again.Header().Get("ETag") != etag {
				t.Errorf("%s with If-None-Match %s: headers %v", path, condition, again.Header())
			}
			operation := map[string]string{"/openapi.json": "getOpenAPI", "/docs": "getDocs"}[path]
			if err := docstest.Check(operation, again.Code, again.Header(), again.Body.Bytes()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestHealth(t *testing.T) {
	w := get(t, start(t, nil), "/health")
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d, Cache-Control %q", w.Code, w.Header().Get("Cache-Control"))
	}
	if err := docstest.Check("getHealth", 200, w.Header(), w.Body.Bytes()); err != nil {
		t.Error(err)
	}
	stamped := get(t, start(t, func(c *docs.Config) { c.Version = "1.2.0" }), "/health")
	for version, w := range map[string]*httptest.ResponseRecorder{docs.Version(): w, "1.2.0": stamped} {
		want := `{"status":"ok","stage":"test","network":"localnet","version":"` + version + `","time":"2026-03-02T12:00:00.007Z"}`
		if w.Body.String() != want {
			t.Errorf("got %s, want %s", w.Body, want)
		}
	}
}

func TestKeys(t *testing.T) {
	h := start(t, nil)
	first := get(t, h, "/.well-known/jwks.json")
	if first.Code != http.StatusOK || first.Header().Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("%d, Cache-Control %q", first.Code, first.Header().Get("Cache-Control"))
	}
	if err := docstest.Check("getJWKS", 200, first.Header(), first.Body.Bytes()); err != nil {
		t.Error(err)
	}
	if again := get(t, h, "/.well-known/jwks.json"); again.Body.String() != first.Body.String() {
		t.Error("the keys changed between two requests")
	}
}

func TestKeysAreAskedForAgainAfterAFailure(t *testing.T) {
	down := true
	h := start(t, func(c *docs.Config) {
		whole := c.Keys
		c.Keys = keySource(func(ctx context.Context) (jwt.Keys, error) {
			if down {
				return jwt.Keys{}, apperr.Upstream("The key service", errors.New("down"))
			}
			return whole.Keys(ctx)
		})
	})
	w := get(t, h, "/.well-known/jwks.json")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	if err := docstest.Check("getJWKS", 503, w.Header(), w.Body.Bytes()); err != nil {
		t.Error(err)
	}
	down = false
	if w := get(t, h, "/.well-known/jwks.json"); w.Code != http.StatusOK {
		t.Errorf("%d once the key service is up", w.Code)
	}
}

type keySource func(ctx context.Context) (jwt.Keys, error)

func (k keySource) Keys(ctx context.Context) (jwt.Keys, error) { return k(ctx) }

// The page may load nothing, so its own style has to be the one that the policy
// names, and nothing on it may come from elsewhere.
func TestPageKeepsItsPolicy(t *testing.T) {
	w := get(t, start(t, nil), "/docs")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("GET /docs = %d %s, want 200 text/html", w.Code, w.Header().Get("Content-Type"))
	}
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		t.Errorf("policy %q", policy)
	}
	if !strings.Contains(policy, "'"+styleHash(t, w.Body.String())+"'") {
		t.Errorf("policy %q does not name the page's style", policy)
	}
	for _, word := range []string{"<script", " style=", "src=", "@import", "url(", "javascript:"} {
		if strings.Contains(w.Body.String(), word) {
			t.Errorf("the page has %s", word)
		}
	}
	if !strings.Contains(w.Body.String(), "curl https://launch.example/tokens") {
		t.Error("the examples do not call this deployment")
	}
}

func TestUnknownRoutes(t *testing.T) {
	h := start(t, nil)
	for _, test := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodGet, "/index.html", 404, ""},
		{http.MethodGet, "/docs/", 404, ""},
		{http.MethodGet, "/tokenz", 404, ""},
		{http.MethodPost, "/health", 405, "GET"},
		{http.MethodDelete, "/tokens", 405, "GET"},
		{http.MethodGet, "/auth/verify", 405, "POST"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), test.method, test.path, nil))
		if w.Code != test.status || w.Header().Get("Allow") != test.allow {
			t.Errorf("%s %s: %d, Allow %q", test.method, test.path, w.Code, w.Header().Get("Allow"))
		}
		var problem any
		if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
			t.Fatal(err)
		}
		document := load(t)
		if err := document.ValidateSchemaJSON(document.Components.Schemas["Problem"].Value, problem); err != nil {
			t.Errorf("%s %s: the problem does not match its schema: %v", test.method, test.path, err)
		}
	}
}
