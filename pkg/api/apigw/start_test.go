package apigw_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// event is API Gateway's event for GET /tokens/me with a valid token, payload
// format 2.0, as its documentation shows it.
const event = `{
  "version": "2.0",
  "routeKey": "GET /tokens/me",
  "rawPath": "/tokens/me",
  "rawQueryString": "page=2&limit=5",
  "headers": {
    "accept": "application/json, text/plain",
    "authorization": "Bearer abc.def.ghi",
    "host": "abc123.execute-api.us-east-1.amazonaws.com",
    "x-forwarded-for": "198.51.100.77",
    "user-agent": "test"
  },
  "queryStringParameters": {"limit": "5", "page": "2"},
  "requestContext": {
    "accountId": "000000000000",
    "apiId": "abc123",
    "authorizer": {"lambda": {"wallet": "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}},
    "domainName": "abc123.execute-api.us-east-1.amazonaws.com",
    "domainPrefix": "abc123",
    "http": {"method": "GET", "path": "/tokens/me", "protocol": "HTTP/1.1", "sourceIp": "203.0.113.9", "userAgent": "test"},
    "requestId": "JKJaXmPLvHcESHA=",
    "routeKey": "GET /tokens/me",
    "stage": "$default",
    "time": "12/Mar/2026:19:03:58 +0000",
    "timeEpoch": 1773342238000
  },
  "isBase64Encoded": false
}`

func decode(t *testing.T, change func(*events.APIGatewayV2HTTPRequest)) events.APIGatewayV2HTTPRequest {
	t.Helper()
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		t.Fatal(err)
	}
	change(&e)
	return e
}

// send answers an event and returns the response.
func send(t *testing.T, h http.Handler, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	t.Helper()
	response, err := apigw.Proxy(h)(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func TestEventBecomesRequest(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"listMyTokens": func(w http.ResponseWriter, r *http.Request) error {
			caller, _ := apigw.CallerFrom(r.Context())
			return apigw.WriteJSON(w, http.StatusOK, []string{
				caller, apigw.SourceIP(r.Context()), apigw.RequestID(r.Context()), r.URL.Query().Get("page"), r.Header.Get("Authorization"),
			})
		},
	})
	got := send(t, b.handler, decode(t, func(*events.APIGatewayV2HTTPRequest) {}))
	if want := `["` + wallet + `","203.0.113.9","JKJaXmPLvHcESHA=","2","Bearer abc.def.ghi"]`; got.Body != want || got.StatusCode != 200 {
		t.Errorf("got %d %s, want %s", got.StatusCode, got.Body, want)
	}
	if got.Headers["X-Request-Id"] != "JKJaXmPLvHcESHA=" || got.Headers["X-Ratelimit-Limit"] != "100" || got.IsBase64Encoded {
		t.Errorf("response %+v", got)
	}
}

func TestEventWithoutVerifiedWalletIsRejected(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	for name, test := range map[string]struct {
		lambda map[string]any
		code   string
	}{
		"missing":             {map[string]any{"reason": "missing_token"}, "missing_token"},
		"invalid":             {map[string]any{"reason": "invalid_token"}, "invalid_token"},
		"no description":      {map[string]any{}, "invalid_token"},
		"wallet is no string": {map[string]any{"wallet": 7}, "invalid_token"},
		"wallet is empty":     {map[string]any{"wallet": ""}, "invalid_token"},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, b.handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.Authorizer.Lambda = test.lambda }))
			if got.StatusCode != http.StatusUnauthorized || !strings.Contains(got.Body, test.code) {
				t.Errorf("got %d %s, want %s", got.StatusCode, got.Body, test.code)
			}
		})
	}
	got := send(t, b.handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.Authorizer = nil }))
	if got.StatusCode != http.StatusUnauthorized {
		t.Errorf("without an authorizer: %d", got.StatusCode)
	}
}

func TestContextCallerPrecedesGatewayCaller(t *testing.T) {
	b := newBench(t, route.FunctionTokens, nil)
	ctx := apigw.WithCaller(t.Context(), stranger("missing_token"))
	got, err := apigw.Proxy(b.handler)(ctx, decode(t, func(*events.APIGatewayV2HTTPRequest) {}))
	if err != nil || got.StatusCode != http.StatusUnauthorized {
		t.Errorf("got %d %s, %v", got.StatusCode, got.Body, err)
	}
}

// TestPathsAreNotRewritten tests a path that the gateway has decoded, except for %25: escaped
// characters arrive as plain text, whatever their meaning in a URL.
func TestPathsAreNotRewritten(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"getToken": func(_ http.ResponseWriter, r *http.Request) error {
			return apperr.New(apperr.CodeTokenNotFound, r.PathValue("mintAddress")+"|"+r.URL.RawQuery)
		},
	})
	for _, test := range []struct{ rawPath, query, code, want string }{
		{"/tokens/abc", "", "token_not_found", "abc|"},
		{"/tokens/a b", "", "token_not_found", "a b|"},
		{"/tokens/a?b#c", "d=1", "token_not_found", "a?b#c|d=1"},
		{"/tokens/a%25b", "", "token_not_found", "a%b|"},
		{"/tokens/a%2541", "", "token_not_found", "a%41|"},
		{"/tokens/%zz", "", "token_not_found", "%zz|"},
		{"/tokens/é\u0000\n", "", "token_not_found", `é\u0000\n|`},
		{"/tokens/\xff", "", "token_not_found", `\ufffd|`},
		{"/tokens/abc", "a=\n b#", "token_not_found", "abc|a=%0A%20b%23"},
		{"/tokens/..", "", "not_found", ""},
		{"/tokens/a/b", "", "not_found", ""},
		{"//tokens/abc", "", "not_found", ""},
		{"/tokens/", "", "not_found", ""},
	} {
		got := send(t, b.handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) {
			e.RawPath, e.RawQueryString, e.QueryStringParameters = test.rawPath, test.query, nil
		}))
		if got.StatusCode != http.StatusNotFound || !strings.Contains(got.Body, `"code":"`+test.code+`"`) || !strings.Contains(got.Body, test.want) {
			t.Errorf("%q: %d %s, want %s %s", test.rawPath, got.StatusCode, got.Body, test.code, test.want)
		}
		if got.Headers["Content-Type"] != "application/problem+json" || got.Headers["X-Ratelimit-Limit"] == "" {
			t.Errorf("%q: headers %v", test.rawPath, got.Headers)
		}
	}
}

func TestBodiesOfEvents(t *testing.T) {
	b := newBench(t, route.FunctionTokens, map[string]apigw.HandlerFunc{
		"submitToken": func(w http.ResponseWriter, r *http.Request) error {
			_, err := io.Copy(w, r.Body)
			return err
		},
	})
	for name, test := range map[string]struct {
		body    string
		encoded bool
		want    string
	}{
		"text":   {`{"a":1}`, false, `{"a":1}`},
		"base64": {base64.StdEncoding.EncodeToString([]byte("\x00\xff")), true, base64.StdEncoding.EncodeToString([]byte("\x00\xff"))},
		"none":   {"", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, b.handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) {
				e.RawPath, e.RequestContext.HTTP.Method, e.Body, e.IsBase64Encoded = "/tokens/submit", "POST", test.body, test.encoded
			}))
			if got.Body != test.want || got.IsBase64Encoded != test.encoded || got.StatusCode != http.StatusOK {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// FuzzEvents sends arbitrary paths and queries: the response is complete and the service's own.
func FuzzEvents(f *testing.F) {
	f.Add("/tokens/abc", "page=1")
	f.Add("//x/../tokens?%zz", "a=%zz&#\n")
	f.Add("", "")
	f.Add("/tokens/%25%2541\x00\xff", "\x7f\xff")
	log := slog.New(slog.DiscardHandler)
	f.Fuzz(func(t *testing.T, path, query string) {
		handlers := map[string]apigw.HandlerFunc{}
		for _, r := range route.OfFunction(route.FunctionTokens) {
			handlers[r.Operation] = func(w http.ResponseWriter, r *http.Request) error {
				return apigw.WriteJSON(w, http.StatusOK, r.URL.Query())
			}
		}
		handler, err := apigw.API{Limiter: &ratelimittest.Memory{}, Log: log, Now: time.Now}.Handler(route.FunctionTokens, handlers)
		if err != nil {
			t.Fatal(err)
		}
		got := send(t, handler, decode(t, func(e *events.APIGatewayV2HTTPRequest) {
			e.RawPath, e.RawQueryString, e.QueryStringParameters = path, query, nil
		}))
		if got.StatusCode != http.StatusOK && got.StatusCode != http.StatusNotFound && got.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("status %d: %s", got.StatusCode, got.Body)
		}
		if got.Headers["X-Ratelimit-Limit"] == "" || !json.Valid([]byte(got.Body)) {
			t.Errorf("response %+v", got)
		}
	})
}
