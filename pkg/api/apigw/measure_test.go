package apigw_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// BenchmarkRequest measures the cost of the guard: a request to a handler that does nothing,
// with the log that functions have.
func BenchmarkRequest(b *testing.B) {
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(route.FunctionDocs) {
		handlers[r.Operation] = func(http.ResponseWriter, *http.Request) error { return nil }
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: telemetry.New(io.Discard, slog.LevelInfo, "stack"), Now: time.Now}
	handler, err := api.Handler(route.FunctionDocs, handlers)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(apigw.WithCaller(b.Context(), signedIn()), http.MethodGet, "/health", http.NoBody)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// Each request is one line of the log, which counts it and has its route.
func TestRequestsAreMeasured(t *testing.T) {
	now := time.Unix(1_000, 0)
	var out bytes.Buffer
	meter := &metric.Meter{}
	api := apigw.API{
		Limiter: &ratelimittest.Memory{}, Log: telemetry.New(&out, slog.LevelError, "stack"), Meter: meter,
		Now: func() time.Time { now = now.Add(40 * time.Millisecond); return now },
	}
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(route.FunctionDocs) {
		handlers[r.Operation] = func(http.ResponseWriter, *http.Request) error { return nil }
	}
	handlers["getHealth"] = func(_ http.ResponseWriter, r *http.Request) error {
		meter.Note(metric.By(metric.Node, "0"), solanarpc.RPCCalls.Is(1), solanarpc.RPCLatency.Is(7))
		if r.URL.RawQuery == "fail" {
			return errors.New("broken")
		}
		return apperr.New(apperr.CodeRateLimitExceeded, "Enough.")
	}
	handler, err := api.Handler(route.FunctionDocs, handlers)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, route, level, also string }{
		{"/nothing/of/the/kind", "$default", "INFO", ""},
		{"/docs", "/docs", "INFO", ""},
		{"/health", "/health", "INFO", "Limited"},
		{"/health?fail", "/health", "ERROR", "ServerErrors"},
	} {
		out.Reset()
		r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), signedIn()), http.MethodGet, test.path, http.NoBody)
		handler.ServeHTTP(httptest.NewRecorder(), r)
		lines := telemetrytest.Lines(t, out.Bytes())
		line := lines[0]
		if line.Text("msg") != "request" || line.Text("level") != test.level || line.Text("requestId") != "request-1" || line.Text("route") != test.route {
			t.Errorf("%s: log line %v, want request-1 at level %s on route %s", test.path, line, test.level, test.route)
		}
		want := map[string][]float64{"Requests": {1}, "Latency": {40}}
		if test.also != "" {
			want[test.also] = []float64{1}
		}
		if got := line.Metrics(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", test.path, got, want)
		}
		switch {
		case !strings.HasPrefix(test.path, "/health") && len(lines) != 1:
			t.Errorf("%s: %d lines, want one", test.path, len(lines))
		case strings.HasPrefix(test.path, "/health") && (len(lines) != 2 || lines[1].Text("requestId") != "request-1" || lines[1].Text("Node") != "0"):
			t.Errorf("%s: %v, want a line of the node's requests", test.path, lines[1:])
		}
	}
}
