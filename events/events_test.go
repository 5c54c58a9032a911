// Package events_test keeps the sample events true: API Gateway sends such a request for an
// existing route, and each event has the effect that its name states. Files are named
// <function>-<case>.json.
package events_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"image"
	_ "image/png"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/eventtest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// caller is the wallet of the authorizer's events, and now when all events came in.
const caller = "GDexGJ8RDpv1V5dzkwAPffsif1DADaFmNUmJDFF4mpsj"

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// outcomes says of every file what comes of it: from the authorizer, what it says of the caller;
// for the deriver, the id; for the signer, what it is asked for; for functions with a queue, how
// many of the messages they understand; for the dispatcher, its tasks; for the reconciler, the
// monitor and the canary, the kind. A request's outcome is its operation, or the code of a
// refusal that comes before the operation.
var outcomes = map[string]string{
	"announcer-writes":         "token.launched settings.changed promotion.started",
	"authorizer-good-token":    "wallet " + caller,
	"authorizer-bare-token":    "wallet " + caller,
	"authorizer-missing-token": "reason missing_token",
	"authorizer-garbage-token": "reason invalid_token",
	"authorizer-expired-token": "reason invalid_token",
	"authorizer-other-scheme":  "reason invalid_token",
	"deriver-wallet":           "0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21",
	"deriver-not-a-uuid":       "0b0f0d53",
	"signer-address":           "0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21",
	"signer-no-decision":       "8c5f0a52-1f35-5c0b-9d0e-0f4b8b6a7c11/creator/0/0/",
	"dispatcher-slot":          "slot",
	"dispatcher-sweep":         "sweep",
	"dispatcher-queue":         "shard shard slot",
	"distributor-runs":         "runs 3 of 4",
	"notifier-notices":         "tells 1 of 2",
	"notifier-minute":          "Scheduled Event",
	"payer-batches":            "pays 2 of 3",
	"pinner-two-files":         "pins 2 of 2",
	"pinner-not-a-request":     "pins 0 of 1",
	"courier-visits":           "visits 1 of 2",
	"courier-minute":           "Scheduled Event",
	"canary-minute":            "Scheduled Event",
	"monitor-minute":           "Scheduled Event",
	"reconciler-minute":        "Scheduled Event",
}

func names(t *testing.T) []string {
	t.Helper()
	files, err := eventtest.Files()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(name string) bool { return name == "tokens-list" })
}

// read decodes an event and refuses fields that the gateway does not send.
func read(t *testing.T, name string, into any) {
	t.Helper()
	content, err := eventtest.Event(name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func functionOf(name string) string {
	function, _, _ := strings.Cut(name, "-")
	return function
}

func TestEveryEventHasAnOutcome(t *testing.T) {
	all := names(t)
	for _, name := range all {
		if _, ok := outcomes[name]; !ok {
			t.Errorf("%s.json has no outcome in this test", name)
		}
	}
	for name := range outcomes {
		if !slices.Contains(all, name) {
			t.Errorf("%s.json is missing", name)
		}
	}
}

func TestEveryFunctionHasAnEvent(t *testing.T) {
	folders, err := os.ReadDir("../functions")
	if err != nil {
		t.Fatal(err)
	}
	all, err := eventtest.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if _, err := os.Stat("../functions/" + folder.Name() + "/main.go"); err != nil {
			continue // what functions share
		}
		if folder.Name() == "guardian" {
			continue // of a stack of its own, in an account of another organisation
		}
		if !slices.ContainsFunc(all, func(name string) bool { return eventtest.Function(name) == folder.Name() }) {
			t.Errorf("%s has no event", folder.Name())
		}
	}
}

func TestRequestsReachTheirOperation(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range eventtest.Requests() {
		if seen[r.Name] {
			t.Errorf("%s is there twice", r.Name)
		}
		seen[r.Name] = true
		t.Run(r.Name, func(t *testing.T) {
			var event events.APIGatewayV2HTTPRequest
			read(t, r.Name, &event)
			function := eventtest.Function(r.Name)
			checkGateway(t, function, event)
			if got, want := serve(t, function, event), cmp.Or(r.Refused(), r.Operation); got != want {
				t.Errorf("outcome %q, want %q", got, want)
			}
		})
	}
}

// An operation's request has a second name, the operationId.
func TestOperationsNameTheirRequest(t *testing.T) {
	byName, err := eventtest.Event("tokens-me")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range route.All() {
		event, err := eventtest.Event(r.Operation)
		if err != nil || r.Operation == "listMyTokens" && !bytes.Equal(event, byName) {
			t.Errorf("%s: %s, %v", r.Operation, event, err)
		}
	}
	if _, err := eventtest.Event("tokens-fly"); !errors.Is(err, eventtest.ErrUnknown) {
		t.Errorf("an unknown event: %v", err)
	}
}

// checkGateway compares an event with what the gateway would make of the request.
func checkGateway(t *testing.T, function string, event events.APIGatewayV2HTTPRequest) {
	t.Helper()
	request := event.RequestContext
	want := route.Route{Function: route.FunctionDocs, Access: route.Public} // $default
	for _, r := range route.All() {
		if r.Key() == event.RouteKey {
			want = r
		}
	}
	path := want.Path
	for parameter, value := range event.PathParameters {
		path = strings.Replace(path, "{"+parameter+"}", value, 1)
	}
	switch {
	case event.Version != "2.0" || request.Stage != "$default" || request.RouteKey != event.RouteKey:
		t.Errorf("version %q, stage %q, route keys %q and %q", event.Version, request.Stage, event.RouteKey, request.RouteKey)
	case want.Function != function:
		t.Errorf("%q is a route of %s", event.RouteKey, want.Function)
	case event.RouteKey != "$default" && want.Method != request.HTTP.Method:
		t.Errorf("route key %q with method %s", event.RouteKey, request.HTTP.Method)
	case event.RouteKey != "$default" && path != event.RawPath, request.HTTP.Path != event.RawPath:
		t.Errorf("paths %q and %q, route key %q", event.RawPath, request.HTTP.Path, event.RouteKey)
	case event.RouteKey == "$default" && slices.Contains(route.Methods(event.RawPath), request.HTTP.Method):
		t.Errorf("%s %s has a route", request.HTTP.Method, event.RawPath)
	case want.NeedsToken() != (request.Authorizer != nil && len(request.Authorizer.Lambda) == 1):
		t.Errorf("the authorizer's context is %v", request.Authorizer)
	case request.HTTP.SourceIP == "" || request.RequestID == "" || request.TimeEpoch != now.UnixMilli():
		t.Errorf("source %q, request %q, time %d", request.HTTP.SourceIP, request.RequestID, request.TimeEpoch)
	}
	for header := range event.Headers {
		if header != strings.ToLower(header) {
			t.Errorf("header %q is not in lower case", header)
		}
	}
}

// serve sends an event through the front of the function. It returns the operation
// that was called, or the code of the refusal.
func serve(t *testing.T, function string, event events.APIGatewayV2HTTPRequest) string {
	t.Helper()
	called := ""
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(function) {
		handlers[r.Operation] = func(w http.ResponseWriter, request *http.Request) error {
			called = r.Operation
			if wallet, ok := apigw.CallerFrom(request.Context()); ok != r.NeedsToken() || ok && wallet != eventtest.Wallet {
				t.Errorf("%s is called by %q", r.Operation, wallet)
			}
			if r.Operation == "uploadImage" {
				checkUpload(t, request)
			}
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
	clock := func() time.Time { return now }
	h, err := apigw.API{
		Limiter: &ratelimittest.Memory{Now: clock}, Log: slog.New(slog.DiscardHandler), Now: clock,
	}.Handler(function, handlers)
	if err != nil {
		t.Fatal(err)
	}
	response, err := apigw.Proxy(h)(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	if called != "" {
		return called
	}
	var problem apigw.Problem
	if err := json.Unmarshal([]byte(response.Body), &problem); err != nil {
		t.Fatalf("%d %s: %v", response.StatusCode, response.Body, err)
	}
	return problem.Code
}

// checkUpload reads the form, which came as base64, as its handler would.
func checkUpload(t *testing.T, request *http.Request) {
	t.Helper()
	file, _, err := request.FormFile("image")
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	_, format, err := image.Decode(bytes.NewReader(content))
	if isPNG := bytes.HasPrefix(content, []byte("\x89PNG")); isPNG != (err == nil && format == "png") {
		t.Errorf("format %q, error %v", format, err)
	}
}

// tokenKey is the public half of the key that signed the events' tokens. It was
// made from a known seed: it protects nothing.
func tokenKey(context.Context) ([]*ecdsa.PublicKey, error) {
	seed := sha256.Sum256([]byte("events: token key"))
	private, err := ecdh.P256().NewPrivateKey(seed[:])
	if err != nil {
		return nil, err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), private.PublicKey().Bytes())
	return []*ecdsa.PublicKey{public}, err
}

func TestAuthorizerDescribesTheCallers(t *testing.T) {
	a := authorizer.Authorizer{
		Verifier: jwt.Verifier{
			Keys:   &jwt.CachedKeys{Fetch: tokenKey},
			Issuer: "https://api.example", Audience: "token-launch", Now: func() time.Time { return now },
		},
		Log: slog.New(slog.DiscardHandler),
	}
	for _, name := range names(t) {
		if functionOf(name) != "authorizer" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var event events.APIGatewayV2CustomAuthorizerV2Request
			read(t, name, &event)
			if event.Version != "2.0" || event.Type != "REQUEST" || len(event.IdentitySource) != 0 {
				t.Errorf("version %q, type %q, identity source %v", event.Version, event.Type, event.IdentitySource)
			}
			answer, err := a.Handle(t.Context(), event)
			if err != nil || !answer.IsAuthorized {
				t.Fatalf("refused: %v", err)
			}
			key, value, _ := strings.Cut(outcomes[name], " ")
			if len(answer.Context) != 1 || answer.Context[key] != value {
				t.Errorf("%v, want %s", answer.Context, outcomes[name])
			}
		})
	}
}

func TestSignerReadsItsRequests(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "signer" {
			continue
		}
		var request signing.Request
		read(t, name, &request)
		asked := request.Addresses
		for _, o := range request.Sign {
			asked = append(asked, o.Payment.String())
		}
		if len(asked) != 1 || asked[0] != outcomes[name] {
			t.Errorf("%s: %q, want %q", name, asked, outcomes[name])
		}
	}
}

func TestDeriverReadsItsRequests(t *testing.T) {
	for _, name := range names(t) {
		if functionOf(name) != "deriver" {
			continue
		}
		var request deriver.Request
		read(t, name, &request)
		if request.WalletID != outcomes[name] {
			t.Errorf("%s: %q, want %q", name, request.WalletID, outcomes[name])
		}
	}
}
