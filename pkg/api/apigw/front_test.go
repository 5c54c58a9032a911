package apigw_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// fronted is a function behind CloudFront, whose handlers answer the caller's address.
type fronted struct {
	*testing.T

	limiter *ratelimittest.Memory
	log     strings.Builder
	secret  string
	failure error
	handler http.Handler
}

func newFronted(t *testing.T) *fronted {
	t.Helper()
	f := &fronted{T: t, limiter: &ratelimittest.Memory{}, secret: `{"current":"now","next":"soon","previous":"once"}`}
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(route.FunctionTokens) {
		handlers[r.Operation] = func(w http.ResponseWriter, r *http.Request) error {
			return apigw.WriteJSON(w, http.StatusOK, []string{
				apigw.SourceIP(r.Context()), r.Header.Get(apigw.SecretHeader) + r.Header.Get(apigw.AddressHeader),
			})
		}
	}
	handler, err := apigw.API{
		Limiter: f.limiter, Log: slog.New(slog.NewTextHandler(&f.log, nil)), Now: time.Now,
		Front: func(context.Context) (string, error) { return f.secret, f.failure },
	}.Handler(route.FunctionTokens, handlers)
	if err != nil {
		t.Fatal(err)
	}
	f.handler = handler
	return f
}

// ask sends GET /tokens through the gateway with these headers; the gateway sees
// 203.0.113.9, as it sees CloudFront or a direct caller.
func (f *fronted) ask(headers map[string]string) events.APIGatewayV2HTTPResponse {
	f.Helper()
	return send(f.T, f.handler, decode(f.T, func(e *events.APIGatewayV2HTTPRequest) {
		e.RawPath = "/tokens"
		for name, value := range headers {
			e.Headers[strings.ToLower(name)] = value
		}
	}))
}

func (f *fronted) from(secret, address string) events.APIGatewayV2HTTPResponse {
	return f.ask(map[string]string{apigw.SecretHeader: secret, apigw.AddressHeader: address})
}

// TestViewerAddressIsCounted tests every value of the origin secret, so that a rotation rejects no
// caller. An IPv6 address is counted by its network.
func TestViewerAddressIsCounted(t *testing.T) {
	f := newFronted(t)
	for _, test := range []struct{ secret, address, want, counted string }{
		{"now", "198.51.100.7", "198.51.100.7", "198.51.100.7"},
		{"soon", "::ffff:198.51.100.8", "198.51.100.8", "198.51.100.8"},
		{"once", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
	} {
		answer := f.from(test.secret, test.address)
		// Handlers see neither header.
		if want := `["` + test.want + `",""]`; answer.StatusCode != http.StatusOK || answer.Body != want {
			t.Errorf("%s: %d %s, want %s", test.address, answer.StatusCode, answer.Body, want)
		}
		if n := f.limiter.Counted(route.OfFunction(route.FunctionTokens)[0].Rule, test.counted); n != 0 {
			t.Errorf("%s is counted %d times by another rule", test.counted, n)
		}
		// An operator finds who floods the service by the line of the request.
		if line := f.log.String(); !strings.Contains(line, " ip="+test.want+" ") && !strings.Contains(line, " ip="+test.want+"\n") {
			t.Errorf("%s is not in the log: %s", test.want, line)
		}
		f.log.Reset()
		if n := f.limiter.Counted(listRule(t), test.counted); n != 1 {
			t.Errorf("%s is counted %d times, want once", test.counted, n)
		}
	}
}

func listRule(t *testing.T) (rule ratelimit.Rule) {
	t.Helper()
	for _, r := range route.OfFunction(route.FunctionTokens) {
		if r.Operation == "listTokens" {
			return r.Rule
		}
	}
	t.Fatal("listTokens does not exist")
	return rule
}

// TestSpoofedViewerIsRejected tests docs/attacks.md, "Launching": a caller that bypasses CloudFront
// can claim any address. The response is 403, and nothing is counted or done.
func TestSpoofedViewerIsRejected(t *testing.T) {
	f := newFronted(t)
	for name, headers := range map[string]map[string]string{
		"a direct call":               {},
		"an address, without secret":  {apigw.AddressHeader: "198.51.100.7"},
		"an empty secret":             {apigw.SecretHeader: "", apigw.AddressHeader: "198.51.100.7"},
		"a guess":                     {apigw.SecretHeader: "nown", apigw.AddressHeader: "198.51.100.7"},
		"two, as the gateway joins":   {apigw.SecretHeader: "guess,now", apigw.AddressHeader: "198.51.100.7"},
		"the right one and another":   {apigw.SecretHeader: "now,guess", apigw.AddressHeader: "198.51.100.7"},
		"the secret's own text":       {apigw.SecretHeader: f.secret, apigw.AddressHeader: "198.51.100.7"},
		"CloudFront without the step": {apigw.SecretHeader: "now"},
		"two addresses":               {apigw.SecretHeader: "now", apigw.AddressHeader: "198.51.100.7,198.51.100.8"},
		"a zone":                      {apigw.SecretHeader: "now", apigw.AddressHeader: "fe80::1%eth0"},
		"forwarded for":               {"X-Forwarded-For": "198.51.100.7", "CloudFront-Viewer-Address": "198.51.100.7:443"},
	} {
		answer := f.ask(headers)
		var p apigw.Problem
		if err := json.Unmarshal([]byte(answer.Body), &p); err != nil || answer.StatusCode != http.StatusForbidden || p.Code != "direct_call" {
			t.Errorf("%s: response %d %s, want 403 direct_call", name, answer.StatusCode, answer.Body)
		}
		if answer.Headers["X-Ratelimit-Limit"] == "" || answer.Headers["X-Request-Id"] == "" {
			t.Errorf("%s: headers %v", name, answer.Headers)
		}
	}
	for _, key := range []string{"203.0.113.9", "198.51.100.7", ""} {
		if n := f.limiter.Counted(listRule(t), key); n != 0 {
			t.Errorf("%q is counted %d times", key, n)
		}
	}
	// A secret with one value has no empty others.
	f.secret = `{"current":"now"}`
	if answer := f.from("", "198.51.100.7"); answer.StatusCode != http.StatusForbidden {
		t.Errorf("no secret is one: %d", answer.StatusCode)
	}
}

// TestFrontFailsClosed tests that without the origin secret the response is 503 and reveals
// nothing.
func TestFrontFailsClosed(t *testing.T) {
	f := newFronted(t)
	f.failure = apperr.Upstream("The store of secrets", errors.New("away"))
	if answer := f.from("now", "198.51.100.7"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without a secret: response %d %s, want 503", answer.StatusCode, answer.Body)
	}
	f.failure = nil
	for _, secret := range []string{"", "now", `{"next":"now"}`, `{"current":""}`} {
		f.secret = secret
		if answer := f.from("now", "198.51.100.7"); answer.StatusCode != http.StatusServiceUnavailable || strings.Contains(answer.Body+f.log.String(), `"now"`) {
			t.Errorf("%s: %d %s\n%s", secret, answer.StatusCode, answer.Body, f.log.String())
		}
	}
}

// TestFloodBlockIsProblem tests that the web ACL's response has the form of the API's own problems.
func TestFloodBlockIsProblem(t *testing.T) {
	header, body := apigw.Blocked(120, time.Minute)
	var p apigw.Problem
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		t.Fatal(err)
	}
	want := apigw.Problem{
		Type: "/docs#rate_limit_exceeded", Title: "Rate limit exceeded", Status: http.StatusTooManyRequests, Code: "rate_limit_exceeded",
		Detail: "Too many requests: one address may make 120 per minute.", RequestID: header.Get("X-Request-Id"), RetryAfter: 60,
	}
	if p.RequestID == "" || p.Detail != want.Detail || p.Code != want.Code || p.RetryAfter != want.RetryAfter || p.Status != want.Status || p.Type != want.Type {
		t.Errorf("%+v, want %+v", p, want)
	}
	for name, value := range map[string]string{
		"Retry-After": "60", "X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "0", "X-RateLimit-Window": "60", "Cache-Control": "no-store",
		"Content-Type": "", // which WAF does not take
	} {
		if got := header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	if strings.Contains(body, `"errors"`) || len(body) > 4096 {
		t.Errorf("body %s", body)
	}
}
