// Package events_test keeps the sample events true: each is what API Gateway
// sends for a route that exists, and does what its name says. They are named
// <function>-<case>.json and serve `sam local invoke` and the handlers' tests.
package events_test

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/json"
	"image"
	_ "image/png"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
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
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// caller is the wallet of the events with a token, and now when they came in.
const caller = "GDexGJ8RDpv1V5dzkwAPffsif1DADaFmNUmJDFF4mpsj"

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// outcomes says of every event what comes of it: the operation that is called,
// or the code of the refusal that comes before any; from the authorizer, what it
// says of the caller; for the deriver, the id; for the
// signer, what it is asked for; for functions with a queue, how
// many of the messages they understand; for the dispatcher, its tasks; for the
// reconciler, the monitor and the canary, the kind.
var outcomes = map[string]string{
	"announcer-writes": "token.launched settings.changed promotion.started",

	"auth-challenge":              "createChallenge",
	"auth-challenge-bad-fields":   "createChallenge",
	"auth-challenge-not-json":     "createChallenge",
	"auth-verify":                 "verifyChallenge",
	"auth-verify-wrong-signature": "verifyChallenge",

	"authorizer-good-token":    "wallet " + caller,
	"authorizer-bare-token":    "wallet " + caller,
	"authorizer-missing-token": "reason missing_token",
	"authorizer-garbage-token": "reason invalid_token",
	"authorizer-expired-token": "reason invalid_token",
	"authorizer-other-scheme":  "reason invalid_token",

	"burns-list":            "getBurns",
	"burns-list-bad-cursor": "getBurns",

	"deriver-wallet":     "0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21",
	"deriver-not-a-uuid": "0b0f0d53",

	"signer-address":     "0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21",
	"signer-no-decision": "8c5f0a52-1f35-5c0b-9d0e-0f4b8b6a7c11/creator/0/0/",

	"distribution-settings":                    "getDistributionSettings",
	"distribution-settings-missing-token":      "missing_token",
	"distribution-change":                      "changeDistributionSettings",
	"distribution-change-bad-fields":           "changeDistributionSettings",
	"distribution-change-missing-token":        "missing_token",
	"distribution-telegram-test":               "testTelegram",
	"distribution-telegram-test-missing-token": "missing_token",
	"distribution-runs-bad-cursor":             "listRuns",
	"distribution-runs":                        "listRuns",
	"distribution-run":                         "getRun",
	"distribution-preview":                     "previewRun",
	"distribution-holder":                      "getHolder",
	"distribution-ledger":                      "getHolderLedger",
	"distribution-ledger-bad-mints":            "getHolderLedger",
	"distribution-claim":                       "claimRewards",
	"distribution-claim-missing-token":         "missing_token",

	"dex-create-unsigned":               "createUnsignedPool",
	"dex-create-unsigned-bad-fields":    "createUnsignedPool",
	"dex-create-unsigned-missing-token": "missing_token",

	"dispatcher-slot":  "slot",
	"dispatcher-sweep": "sweep",
	"dispatcher-queue": "shard shard slot",

	"distributor-runs": "runs 3 of 4",

	"docs-openapi":      "getOpenAPI",
	"docs-page":         "getDocs",
	"docs-health":       "getHealth",
	"docs-status":       "getStatus",
	"docs-jwks":         "getJWKS",
	"docs-site-home":    "getHomePage",
	"docs-site-launch":  "getLaunchPage",
	"docs-site-mine":    "getCreatorPage",
	"docs-site-rewards": "getRewardsPage",
	"docs-site-token":   "getTokenPage",
	"docs-site-card":    "getTokenCard",
	"docs-site-badge":   "getTokenBadge",
	"docs-site-file":    "getAsset",
	"docs-site-no-file": "getAsset",
	"docs-unknown-path": "not_found",
	"docs-wrong-method": "method_not_allowed",

	"featured-list":                          "listFeatured",
	"featured-create-unsigned":               "createUnsignedPromotion",
	"featured-create-unsigned-bad-days":      "createUnsignedPromotion",
	"featured-create-unsigned-missing-token": "missing_token",

	"images-upload":               "uploadImage",
	"images-upload-not-an-image":  "uploadImage",
	"images-upload-missing-token": "missing_token",

	"launchpad-create-unsigned":               "createUnsignedCurve",
	"launchpad-create-unsigned-unit-unknown":  "createUnsignedCurve",
	"launchpad-create-unsigned-missing-token": "missing_token",
	"launchpad-list":                          "listCurves",
	"launchpad-status":                        "getCurve",
	"launchpad-price":                         "getPrice",
	"launchpad-price-without-amount":          "getPrice",
	"launchpad-trades":                        "listTrades",
	"launchpad-candles":                       "listCandles",
	"launchpad-candles-unknown-interval":      "listCandles",
	"launchpad-buy":                           "createUnsignedBuy",
	"launchpad-sell":                          "createUnsignedSell",
	"launchpad-cancel":                        "createUnsignedCancel",
	"launchpad-fees":                          "getCurveFees",
	"launchpad-claim-fees":                    "createUnsignedFeeClaim",
	"launchpad-claim-fees-missing-token":      "missing_token",
	"launchpad-lock":                          "createUnsignedLock",
	"launchpad-lock-missing-token":            "missing_token",
	"launchpad-buy-missing-token":             "missing_token",
	"launchpad-sell-missing-token":            "missing_token",
	"launchpad-cancel-missing-token":          "missing_token",
	"launchpad-list-bad-cursor":               "listCurves",

	"notifier-notices": "tells 1 of 2",

	"payer-batches": "pays 2 of 3",

	"pinner-two-files":     "pins 2 of 2",
	"pinner-not-a-request": "pins 0 of 1",

	"courier-visits": "visits 1 of 2",
	"courier-minute": "Scheduled Event",

	"webhooks-create":               "createWebhook",
	"webhooks-create-bad-fields":    "createWebhook",
	"webhooks-create-missing-token": "missing_token",
	"webhooks-list":                 "listWebhooks",
	"webhooks-list-missing-token":   "missing_token",
	"webhooks-delete":               "deleteWebhook",
	"webhooks-test":                 "testWebhook",
	"webhooks-deliveries":           "listDeliveries",
	"webhooks-replay":               "replayDelivery",

	"canary-minute":     "Scheduled Event",
	"monitor-minute":    "Scheduled Event",
	"reconciler-minute": "Scheduled Event",

	"tokens-generate-distribution-wallet":  "generateDistributionWallet",
	"tokens-create-unsigned":               "createUnsignedToken",
	"tokens-create-unsigned-bad-fields":    "createUnsignedToken",
	"tokens-create-unsigned-missing-token": "missing_token",
	"tokens-create-unsigned-invalid-token": "invalid_token",
	"tokens-validate":                      "validateToken",
	"tokens-submit":                        "submitToken",
	"tokens-submit-not-a-transaction":      "submitToken",
	"tokens-submit-missing-token":          "missing_token",
	"tokens-transaction":                   "getTransaction",
	"tokens-transaction-missing-token":     "missing_token",
	"tokens-transaction-refresh":           "refreshTransaction",
	"tokens-list":                          "listTokens",
	"tokens-list-second-page":              "listTokens",
	"tokens-list-bad-page":                 "listTokens",
	"tokens-list-of-creator":               "listTokens",
	"tokens-search":                        "listTokens",
	"tokens-ranked":                        "listTokens",
	"tokens-search-and-ranked":             "listTokens",
	"tokens-stats":                         "getStats",
	"tokens-me":                            "listMyTokens",
	"tokens-me-all":                        "listMyTokens",
	"tokens-me-missing-token":              "missing_token",
	"tokens-detail":                        "getToken",
	"tokens-detail-malformed":              "getToken",
}

func names(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		out = append(out, strings.TrimSuffix(file, ".json"))
	}
	return out
}

// read decodes an event and refuses fields that the gateway does not send.
func read(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name + ".json")
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

func TestEveryFunctionAndRouteHasAnEvent(t *testing.T) {
	folders, err := os.ReadDir("../functions")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if _, err := os.Stat("../functions/" + folder.Name() + "/main.go"); err != nil {
			continue // what functions share
		}
		if !slices.ContainsFunc(names(t), func(name string) bool { return functionOf(name) == folder.Name() }) {
			t.Errorf("%s has no event", folder.Name())
		}
	}
	for _, r := range route.All() {
		found := false
		for _, outcome := range outcomes {
			found = found || outcome == r.Operation
		}
		if !found {
			t.Errorf("%s has no event", r.Pattern())
		}
	}
}

func TestEventsReachTheirOperation(t *testing.T) {
	for _, name := range names(t) {
		if function := functionOf(name); len(route.OfFunction(function)) > 0 {
			t.Run(name, func(t *testing.T) {
				var event events.APIGatewayV2HTTPRequest
				read(t, name, &event)
				checkGateway(t, function, event)
				if got := serve(t, function, event); got != outcomes[name] {
					t.Errorf("outcome %q, want %q", got, outcomes[name])
				}
			})
		}
	}
}

// checkGateway compares an event with what the gateway would make of the request.
func checkGateway(t *testing.T, function string, event events.APIGatewayV2HTTPRequest) {
	t.Helper()
	request := event.RequestContext
	want := route.Route{Function: route.FunctionDocs, Access: route.Public} // $default
	for _, r := range route.All() {
		if r.Pattern() == event.RouteKey {
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
	case event.RouteKey != "$default" && want.Pattern() != request.HTTP.Method+" "+want.Path:
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

// serve sends an event through the front of the function. It gives the operation
// that was called, or the code of the refusal.
func serve(t *testing.T, function string, event events.APIGatewayV2HTTPRequest) string {
	t.Helper()
	called := ""
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(function) {
		handlers[r.Operation] = func(w http.ResponseWriter, request *http.Request) error {
			called = r.Operation
			if wallet, ok := apigw.CallerFrom(request.Context()); ok != r.NeedsToken() || ok && wallet != caller {
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
