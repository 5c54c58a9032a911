package apigw_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// TestLimitsAllowManyViews tests that 200 concurrent views of a token from one address, such as an
// office or a mobile carrier, fit into the limits. Each view is the HTML, its two images, and the
// calls that the page's own test allows its script.
func TestLimitsAllowManyViews(t *testing.T) {
	text, err := os.ReadFile("../../web/page/web/test/token/view.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	if err := json.Unmarshal(text, &calls); err != nil {
		t.Fatal(err)
	}
	calls = append(calls, "/t/{mintAddress}", "/t/{mintAddress}/card.png", "/t/{mintAddress}/badge.svg")
	now := time.Now()
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: func() time.Time { return now }}, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	functions := map[string]http.Handler{}
	for _, function := range []string{route.FunctionDocs, route.FunctionDistribution} {
		handlers := map[string]apigw.HandlerFunc{}
		for _, r := range route.OfFunction(function) {
			handlers[r.Operation] = func(http.ResponseWriter, *http.Request) error { return nil }
		}
		if functions[function], err = api.Handler(function, handlers); err != nil {
			t.Fatal(err)
		}
	}
	for view := 1; view <= 200; view++ {
		for _, path := range calls {
			function := route.FunctionDocs
			if strings.HasPrefix(path, "/distribution/") {
				function = route.FunctionDistribution
			}
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), stranger("")), http.MethodGet, strings.ReplaceAll(path, "{mintAddress}", wallet), http.NoBody)
			functions[function].ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				t.Fatalf("view %d: GET %s: %d %s", view, path, w.Code, w.Body)
			}
		}
	}
}
