package auth_test

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/web/page"
)

// signIn returns a new token of a new wallet.
func (f *function) signIn(t *testing.T) string {
	t.Helper()
	c := newCaller(t)
	challenge := c.challenge(t, f)
	status, token := c.verify(t, f, challenge, c.sign(challenge))
	if status != http.StatusOK {
		t.Fatalf("sign in: %d %s", status, token)
	}
	return token
}

// use sends a token through a freshly deployed authorizer to a route that needs one, and returns
// the status and the code of the response.
func (f *function) use(t *testing.T, token string) (status int, code string) {
	t.Helper()
	described, err := authorizer.Authorizer{
		Verifier: jwt.Verifier{Keys: f.keys(), Issuer: issuer, Audience: audience, Now: f.clock},
		Log:      slog.New(slog.DiscardHandler),
	}.Handle(t.Context(), events.APIGatewayV2CustomAuthorizerV2Request{
		Headers: map[string]string{"authorization": "Bearer " + token},
	})
	if err != nil {
		t.Fatal(err)
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: f.clock}
	handler, err := api.Handler(route.FunctionImages, map[string]apigw.HandlerFunc{
		"uploadImage": func(w http.ResponseWriter, _ *http.Request) error {
			return apigw.WriteJSON(w, http.StatusOK, map[string]string{})
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
	if err != nil {
		t.Fatal(err)
	}
	var problem struct{ Code string }
	if err := json.Unmarshal([]byte(answer.Body), &problem); err != nil {
		t.Fatalf("%v in %s", err, answer.Body)
	}
	return answer.StatusCode, problem.Code
}

// published returns the kids of the JWK Set as the docs function serves it.
func (f *function) published(t *testing.T) []string {
	t.Helper()
	site, err := page.New(page.Config{Network: "localnet"})
	if err != nil {
		t.Fatal(err)
	}
	handlers, err := docs.Handlers(docs.Config{
		PublicURL: issuer, Stage: "local", Network: "localnet", Now: f.clock, Keys: f.keys(), Site: site,
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/jwks.json", nil)
	if err := handlers["getJWKS"](w, r); err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []struct{ Kid string } }
	if err := json.Unmarshal(w.Body.Bytes(), &set); err != nil {
		t.Fatal(err)
	}
	var kids []string
	for _, k := range set.Keys {
		kids = append(kids, k.Kid)
	}
	return kids
}

func kidOf(t *testing.T, token string) string {
	t.Helper()
	segment, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		t.Fatal(err)
	}
	var header struct{ Kid string }
	if err := json.Unmarshal(text, &header); err != nil {
		t.Fatal(err)
	}
	return header.Kid
}

// TestTokenKeyRotation carries out "Rotate the token key" of docs/operations.md with KMS keys: no
// caller is signed out before their access token expires, and afterwards access tokens of the old
// key are rejected.
func TestTokenKeyRotation(t *testing.T) {
	f := start(t)
	old, next := f.keyIDs[0], f.keyIDs[1]
	expect := func(name, token string, status int, code string) {
		t.Helper()
		if gotStatus, got := f.use(t, token); gotStatus != status || got != code {
			t.Errorf("%s: %d %s, want %d %s", name, gotStatus, got, status, code)
		}
	}
	deploy := func(keyIDs ...string) {
		t.Helper()
		f.keyIDs = keyIDs
		f.deploy(t, localnet.AWS(t))
	}

	deploy(old)
	before := f.signIn(t)
	if kids := f.published(t); !slices.Equal(kids, []string{kidOf(t, before)}) {
		t.Errorf("published %v, want the old key", kids)
	}

	deploy(old, next) // the new key verifies
	between := f.signIn(t)
	if kidOf(t, between) != kidOf(t, before) {
		t.Error("the new key signs although it is second")
	}

	deploy(next, old) // the new key signs
	after := f.signIn(t)
	if kidOf(t, after) == kidOf(t, before) {
		t.Error("the old key signs although it is second")
	}
	if kids := f.published(t); !slices.Equal(kids, []string{kidOf(t, after), kidOf(t, before)}) {
		t.Errorf("published %v, want the new key and then the old one", kids)
	}
	for name, token := range map[string]string{"before": before, "between": between, "after": after} {
		expect("a token from "+name, token, http.StatusOK, "")
	}
	f.keyIDs = []string{old, next}
	expect("a new token at a function that is a step behind", after, http.StatusOK, "")

	deploy(next) // the old key is revoked
	expect("an old token", before, http.StatusUnauthorized, "invalid_token")
	expect("an old token", between, http.StatusUnauthorized, "invalid_token")
	expect("a new token", after, http.StatusOK, "")
	if kids := f.published(t); !slices.Equal(kids, []string{kidOf(t, after)}) {
		t.Errorf("published %v, want only the new key", kids)
	}

	// Had the old key been left in its place, its tokens would have ended by themselves.
	f.keyIDs = []string{next, old}
	f.advance(jwt.Lifetime - time.Minute)
	expect("an old token in its last minute", before, http.StatusOK, "")
	f.advance(time.Minute)
	expect("an old token a week later", before, http.StatusUnauthorized, "invalid_token")
}
