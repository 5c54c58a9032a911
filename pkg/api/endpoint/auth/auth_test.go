package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/auth"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

const (
	wallet    = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	signature = "1111111111111111111111111111111111111111111111111111111111111111"
)

// service answers what it holds and counts the calls that reach it.
type service struct {
	challenge auth.Challenge
	token     jwt.Token
	err       error
	calls     int
}

func (s *service) Issue(context.Context, solana.PublicKey, string) (auth.Challenge, error) {
	s.calls++
	return s.challenge, s.err
}

func (s *service) Verify(context.Context, solana.PublicKey, string, auth.Proof) (jwt.Token, error) {
	s.calls++
	return s.token, s.err
}

// call sends one request from an address of its own.
func call(t *testing.T, h http.Handler, path, body, ip string) *httptest.ResponseRecorder {
	t.Helper()
	ctx := apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: ip, RequestID: "request-1"})
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader(body)))
	return recorder
}

func serve(t *testing.T, s endpoint.Service) http.Handler {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	handler, err := api.Handler(route.FunctionAuth, endpoint.Handlers(s))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func decode[T any](t *testing.T, answer *httptest.ResponseRecorder, status int) (v T) {
	t.Helper()
	if answer.Code != status {
		t.Fatalf("status %d, want %d: %s", answer.Code, status, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v in %s", err, answer.Body)
	}
	return v
}

func TestAnswers(t *testing.T) {
	issued := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("east", 3600))
	h := serve(t, &service{
		challenge: auth.Challenge{Nonce: "n", Message: "a\n<b>", IssuedAt: issued, ExpiresAt: issued.Add(5 * time.Minute)},
		token:     jwt.Token{Raw: "a.b.c", ExpiresAt: issued},
	})
	for path, c := range map[string]struct {
		body string
		want map[string]string
	}{
		"/auth/challenge": {`{"wallet":"` + wallet + `"}`, map[string]string{
			"challenge": "a\n<b>", "nonce": "n", "issuedAt": "2026-03-04T04:06:07.000Z", "expiresAt": "2026-03-04T04:11:07.000Z",
		}},
		"/auth/verify": {`{"wallet":"` + wallet + `","challenge":"x","signature":"` + signature + `"}`, map[string]string{
			"token": "a.b.c", "tokenType": "Bearer", "wallet": wallet, "expiresAt": "2026-03-04T04:06:07.000Z",
		}},
	} {
		t.Run(path, func(t *testing.T) {
			answer := call(t, h, path, c.body, "203.0.113.9")
			if got := decode[map[string]string](t, answer, 200); !maps.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if got := answer.Header().Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control %q: a cache may keep it", got)
			}
		})
	}
}

func TestBadRequestsNameEveryBadField(t *testing.T) {
	for _, c := range []struct {
		path, body string
		want       []string
	}{
		{"/auth/challenge", ``, []string{"body invalid_format"}},
		{"/auth/challenge", `[]`, []string{"body invalid_format"}},
		{"/auth/challenge", `{"wallet":"` + wallet + `"} {}`, []string{"body invalid_format"}},
		{"/auth/challenge", `{}`, []string{"wallet required"}},
		{"/auth/challenge", `{"wallet":null}`, []string{"wallet required"}},
		{"/auth/challenge", `{"wallet":7}`, []string{"wallet invalid_type"}},
		{"/auth/challenge", `{"wallet":"x","extra":1}`, []string{"extra unknown_field", "wallet invalid_wallet_address"}},
		{"/auth/challenge", `{"wallet":"` + wallet + `1"}`, []string{"wallet invalid_wallet_address"}},
		{"/auth/verify", `{}`, []string{"challenge required", "signature required", "wallet required"}},
		{"/auth/verify", `{"wallet":"x","challenge":[],"signature":"y"}`, []string{
			"challenge invalid_type", "signature invalid_format", "wallet invalid_wallet_address",
		}},
		{"/auth/verify", `{"wallet":"` + wallet + `","challenge":"x","signature":"` + signature[1:] + `"}`, []string{"signature invalid_format"}},
		{"/auth/verify", `{"wallet":"` + wallet + `","challenge":"x","signedTransaction":"AQ=="}`, []string{"signedTransaction invalid_format"}},
		{"/auth/verify", `{"wallet":"` + wallet + `","challenge":"x","signedTransaction":7}`, []string{"signedTransaction invalid_type"}},
		{"/auth/verify", `{"wallet":"` + wallet + `","challenge":"x","signedTransaction":"AQ==","signature":"` + signature + `"}`, []string{"signedTransaction invalid_format"}},
	} {
		s := &service{}
		p := decode[apigw.Problem](t, call(t, serve(t, s), c.path, c.body, "203.0.113.9"), 400)
		var got []string
		for _, e := range p.Errors {
			got = append(got, e.Field+" "+e.Code)
		}
		slices.Sort(got)
		if p.Code != "validation_failed" || !slices.Equal(got, c.want) || s.calls != 0 {
			t.Errorf("%s %s: %s %v after %d calls; want %v and none", c.path, c.body, p.Code, got, s.calls, c.want)
		}
	}
}

func TestRefusalsReachTheCaller(t *testing.T) {
	for code, c := range map[string]struct {
		err    error
		status int
	}{
		"challenge_unknown":    {apperr.New(apperr.CodeChallengeUnknown, "d"), 401},
		"challenge_expired":    {apperr.New(apperr.CodeChallengeExpired, "d"), 401},
		"invalid_signature":    {apperr.New(apperr.CodeInvalidSignature, "d"), 401},
		"upstream_unavailable": {apperr.Upstream("The key service", errors.New("secret")), 503},
		"internal":             {errors.New("secret"), 500},
	} {
		t.Run(code, func(t *testing.T) {
			h := serve(t, &service{err: c.err})
			body := `{"wallet":"` + wallet + `","challenge":"x","signature":"` + signature + `"}`
			answer := call(t, h, "/auth/verify", body, "203.0.113.9")
			if p := decode[apigw.Problem](t, answer, c.status); p.Code != code || strings.Contains(answer.Body.String(), "secret") {
				t.Errorf("got %s", answer.Body)
			}
		})
	}
}
