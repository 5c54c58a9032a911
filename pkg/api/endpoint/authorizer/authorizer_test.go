package authorizer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// verifier knows one token; it has no keys while err is set.
type verifier struct{ err error }

func (v verifier) Verify(ctx context.Context, token string) (string, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return "", errors.New("no deadline: the gateway would give up first")
	}
	switch {
	case v.err != nil:
		return "", v.err
	case token == "good":
		return wallet, nil
	default:
		return "", fmt.Errorf("%w: expired", jwt.ErrInvalid)
	}
}

func handle(t *testing.T, v verifier, headers map[string]string) (events.APIGatewayV2CustomAuthorizerSimpleResponse, string) {
	t.Helper()
	var log bytes.Buffer
	a := authorizer.Authorizer{Verifier: v, Log: slog.New(slog.NewJSONHandler(&log, nil))}
	got, err := a.Handle(t.Context(), events.APIGatewayV2CustomAuthorizerV2Request{Headers: headers})
	if err != nil {
		t.Fatalf("%v: the gateway would return 500", err)
	}
	return got, log.String()
}

func TestHandleDescribesTheCaller(t *testing.T) {
	for name, c := range map[string]struct {
		verifier verifier
		headers  map[string]string
		want     string
	}{
		"a token":                  {verifier{}, map[string]string{"authorization": "Bearer good"}, `{"wallet":"` + wallet + `"}`},
		"the scheme in lower case": {verifier{}, map[string]string{"authorization": "bearer good"}, `{"wallet":"` + wallet + `"}`},
		"a bare token":             {verifier{}, map[string]string{"authorization": "good"}, `{"wallet":"` + wallet + `"}`},
		"the header in upper case": {verifier{}, map[string]string{"AUTHORIZATION": "Bearer good"}, `{"wallet":"` + wallet + `"}`},
		"no headers":               {verifier{}, nil, `{"reason":"missing_token"}`},
		"other headers":            {verifier{}, map[string]string{"cookie": "Bearer good"}, `{"reason":"missing_token"}`},
		"an empty header":          {verifier{}, map[string]string{"authorization": ""}, `{"reason":"missing_token"}`},
		"only a scheme":            {verifier{}, map[string]string{"authorization": "Bearer "}, `{"reason":"missing_token"}`},
		"another token":            {verifier{}, map[string]string{"authorization": "Bearer bad"}, `{"reason":"invalid_token"}`},
		"another scheme":           {verifier{}, map[string]string{"authorization": "Basic good"}, `{"reason":"invalid_token"}`},
		"two headers in one":       {verifier{}, map[string]string{"authorization": "Bearer good,Bearer good"}, `{"reason":"invalid_token"}`},
		"no keys":                  {verifier{errors.New("down")}, map[string]string{"authorization": "Bearer good"}, `{"reason":"unavailable"}`},
		"no keys and no token":     {verifier{errors.New("down")}, nil, `{"reason":"missing_token"}`},
		"a header that the gateway would not forward": {verifier{}, map[string]string{"x-forwarded-authorization": "good"}, `{"reason":"missing_token"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, log := handle(t, c.verifier, c.headers)
			answer, err := json.Marshal(got)
			if want := `{"isAuthorized":true,"context":` + c.want + `}`; err != nil || string(answer) != want {
				t.Errorf("got %s, %v; want %s", answer, err, want)
			}
			if strings.Contains(log, "good") {
				t.Errorf("the log has the token: %s", log)
			}
		})
	}
}

// TestGuardReadsEachAuthorizerContext passes the authorizer's response through the gateway's
// adapter to a route that needs an access token.
func TestGuardReadsEachAuthorizerContext(t *testing.T) {
	for name, c := range map[string]struct {
		verifier  verifier
		header    string
		status    int
		code      string
		remaining string
	}{
		"a token":      {verifier{}, "Bearer good", 200, "", "19"},
		"no token":     {verifier{}, "", 401, "missing_token", "99"},
		"a bad token":  {verifier{}, "Bearer bad", 401, "invalid_token", "99"},
		"no keys: 503": {verifier{errors.New("down")}, "Bearer good", 503, "upstream_unavailable", "100"},
	} {
		t.Run(name, func(t *testing.T) {
			described, _ := handle(t, c.verifier, map[string]string{"authorization": c.header})
			api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
			handler, err := api.Handler(route.FunctionImages, map[string]apigw.HandlerFunc{
				"uploadImage": func(w http.ResponseWriter, r *http.Request) error {
					caller, _ := apigw.CallerFrom(r.Context())
					return apigw.WriteJSON(w, http.StatusOK, map[string]string{"caller": caller})
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			var event events.APIGatewayV2HTTPRequest
			event.RawPath = "/tokens/upload-image"
			event.RequestContext.HTTP.Method = http.MethodPost
			event.RequestContext.HTTP.SourceIP = "203.0.113.9"
			event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{Lambda: described.Context}
			answer, err := apigw.Proxy(handler)(t.Context(), event)
			if err != nil || answer.StatusCode != c.status || !strings.Contains(answer.Body, c.code) {
				t.Errorf("%d %s, %v; want %d %s", answer.StatusCode, answer.Body, err, c.status, c.code)
			}
			if c.status == http.StatusOK && !strings.Contains(answer.Body, wallet) {
				t.Errorf("the handler got %s, want %s", answer.Body, wallet)
			}
			headers := http.Header{}
			for name, value := range answer.Headers {
				headers.Set(name, value)
			}
			if got := headers.Get("X-RateLimit-Remaining"); got != c.remaining {
				t.Errorf("X-RateLimit-Remaining %q, want %q", got, c.remaining)
			}
		})
	}
}
