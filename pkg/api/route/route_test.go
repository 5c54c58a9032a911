package route_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
)

// TestLimitsAreThoseOfTheRequirement repeats the requirement's table of limits,
// row by row, for the routes that there are.
func TestLimitsAreThoseOfTheRequirement(t *testing.T) {
	want := map[string]string{
		"GET /tokens":                                               "tokens 100 per 15m0s",
		"GET /tokens/me":                                            "tokens 100 per 15m0s",
		"GET /tokens/{mintAddress}":                                 "tokens 100 per 15m0s",
		"GET /stats":                                                "view 600 per 15m0s",
		"GET /t/{mintAddress}/badge.svg":                            "page 600 per 1m0s",
		"POST /auth/challenge":                                      "auth-challenge 20 per 1m0s",
		"POST /auth/verify":                                         "auth-verify 20 per 1m0s",
		"POST /tokens/upload-image":                                 "upload-image 20 per 1h0m0s",
		"POST /tokens/create-unsigned":                              "token-create 5 per 1h0m0s",
		"POST /tokens/submit":                                       "token-submit 5 per 1h0m0s",
		"GET /tokens/transactions/{transactionId}":                  "transaction-status 300 per 15m0s",
		"POST /tokens/transactions/{transactionId}/refresh":         "transaction-refresh 30 per 1h0m0s",
		"POST /tokens/generate-distribution-wallet":                 "distribution-wallet 100 per 15m0s",
		"GET /distribution/{tokenId}/settings":                      "distribution-read 100 per 15m0s",
		"PATCH /distribution/{tokenId}/settings":                    "distribution-change 10 per 1h0m0s",
		"POST /distribution/{tokenId}/telegram/test":                "telegram-test 5 per 1h0m0s",
		"GET /distribution/{tokenId}/runs":                          "view 600 per 15m0s",
		"GET /distribution/{tokenId}/runs/{runId}":                  "view 600 per 15m0s",
		"GET /distribution/{tokenId}/preview":                       "view 600 per 15m0s",
		"GET /distribution/{tokenId}/holders/{wallet}":              "view 600 per 15m0s",
		"GET /holders/{wallet}":                                     "holder-ledger 60 per 15m0s",
		"POST /holders/{wallet}/claims":                             "claims 10 per 1h0m0s",
		"GET /burns/{mintAddress}":                                  "burns 100 per 15m0s",
		"GET /featured":                                             "featured 100 per 15m0s",
		"POST /featured/create-unsigned":                            "featured-create 5 per 1h0m0s",
		"POST /dex/exchange/cpmm/create-unsigned":                   "pool-create 10 per 1h0m0s",
		"POST /launchpad/create-unsigned":                           "launchpad-create 10 per 1h0m0s",
		"GET /launchpad":                                            "launchpad 100 per 15m0s",
		"GET /launchpad/{mintAddress}/status":                       "launchpad 100 per 15m0s",
		"GET /launchpad/{mintAddress}/price":                        "launchpad 100 per 15m0s",
		"GET /launchpad/{mintAddress}/trades":                       "market 600 per 15m0s",
		"GET /launchpad/{mintAddress}/candles":                      "market 600 per 15m0s",
		"POST /launchpad/{mintAddress}/buy/create-unsigned":         "launchpad-trade 100 per 15m0s",
		"POST /launchpad/{mintAddress}/sell/create-unsigned":        "launchpad-trade 100 per 15m0s",
		"POST /launchpad/{mintAddress}/cancel/create-unsigned":      "launchpad-trade 100 per 15m0s",
		"GET /launchpad/{mintAddress}/fees":                         "market 600 per 15m0s",
		"POST /launchpad/{mintAddress}/fees/create-unsigned":        "launchpad-create 10 per 1h0m0s",
		"POST /tokens/{mintAddress}/lock/create-unsigned":           "launchpad-create 10 per 1h0m0s",
		"POST /webhooks":                                            "webhooks 30 per 15m0s",
		"GET /webhooks":                                             "webhooks 30 per 15m0s",
		"DELETE /webhooks/{webhookId}":                              "webhooks 30 per 15m0s",
		"POST /webhooks/{webhookId}/test":                           "webhooks 30 per 15m0s",
		"GET /webhooks/{webhookId}/deliveries":                      "webhooks 30 per 15m0s",
		"POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay": "webhooks 30 per 15m0s",
		"POST /tokens/validate":                                     "token-validate 60 per 1m0s",
		"GET /":                                                     "uncounted 100 per 15m0s",
		"GET /launch":                                               "uncounted 100 per 15m0s",
		"GET /rewards":                                              "uncounted 100 per 15m0s",
		"GET /mine":                                                 "uncounted 100 per 15m0s",
		"GET /t/{mintAddress}":                                      "page 600 per 1m0s",
		"GET /t/{mintAddress}/card.png":                             "card 300 per 15m0s",
		"GET /assets/{file}":                                        "uncounted 100 per 15m0s",
		"GET /openapi.json":                                         "page 600 per 1m0s",
		"GET /docs":                                                 "page 600 per 1m0s",
		"GET /health":                                               "page 600 per 1m0s",
		"GET /status":                                               "page 600 per 1m0s",
		"GET /.well-known/jwks.json":                                "page 600 per 1m0s",
	}
	for _, r := range route.All() {
		got := r.Rule.Name + " " + strconv.Itoa(r.Rule.Limit) + " per " + r.Rule.Window.String()
		if got != want[r.Pattern()] {
			t.Errorf("%s: %s, want %s", r.Pattern(), got, want[r.Pattern()])
		}
		delete(want, r.Pattern())
	}
	for pattern := range want {
		t.Errorf("no route %s", pattern)
	}
}

// TestAccessIsThatOfTheRequirement: who may call what.
func TestAccessIsThatOfTheRequirement(t *testing.T) {
	needToken := []string{
		"POST /tokens/upload-image", "POST /tokens/create-unsigned", "POST /tokens/validate", "POST /tokens/submit", "GET /tokens/me",
		"GET /tokens/transactions/{transactionId}", "POST /tokens/transactions/{transactionId}/refresh",
		"GET /distribution/{tokenId}/settings", "PATCH /distribution/{tokenId}/settings",
		"POST /distribution/{tokenId}/telegram/test", "POST /holders/{wallet}/claims",
		"POST /dex/exchange/cpmm/create-unsigned", "POST /launchpad/create-unsigned", "POST /featured/create-unsigned",
		"POST /launchpad/{mintAddress}/buy/create-unsigned", "POST /launchpad/{mintAddress}/sell/create-unsigned",
		"POST /launchpad/{mintAddress}/cancel/create-unsigned", "POST /launchpad/{mintAddress}/fees/create-unsigned",
		"POST /tokens/{mintAddress}/lock/create-unsigned",
		"POST /webhooks", "GET /webhooks", "DELETE /webhooks/{webhookId}", "POST /webhooks/{webhookId}/test",
		"GET /webhooks/{webhookId}/deliveries", "POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay",
	}
	for _, r := range route.All() {
		if got, want := r.NeedsToken(), slices.Contains(needToken, r.Pattern()); got != want {
			t.Errorf("%s needs a token: %v, want %v", r.Pattern(), got, want)
		}
	}
}

func TestRoutesAreWhole(t *testing.T) {
	functions := []string{
		route.FunctionAuth, route.FunctionTokens, route.FunctionImages, route.FunctionDocs,
		route.FunctionDistribution, route.FunctionBurns,
		route.FunctionDex, route.FunctionLaunchpad, route.FunctionFeatured, route.FunctionWebhooks,
	}
	patterns, operations := map[string]bool{}, map[string]bool{}
	for _, r := range route.All() {
		if patterns[r.Pattern()] || operations[r.Operation] || r.Operation == "" {
			t.Errorf("%s %s is there twice, or has no operation", r.Pattern(), r.Operation)
		}
		patterns[r.Pattern()], operations[r.Operation] = true, true
		if !strings.HasPrefix(r.Path, "/") || strings.HasSuffix(r.Path, "/") && r.Path != "/" {
			t.Errorf("path %q", r.Path)
		}
		if !slices.Contains(functions, r.Function) || !slices.Contains([]route.Access{route.Public, route.Auth, route.Creator}, r.Access) {
			t.Errorf("%s: function %q, access %q", r.Pattern(), r.Function, r.Access)
		}
		if !slices.Contains(limits.Rules(), r.Rule) || r.Rule == limits.Anonymous {
			t.Errorf("%s: rule %+v", r.Pattern(), r.Rule)
		}
		if !r.Rule.Counted() && (r.Method != http.MethodGet || r.Access != route.Public || r.Function != route.FunctionDocs) {
			t.Errorf("%s is not counted", r.Pattern())
		}
		if (r.Method == http.MethodGet || r.Method == http.MethodDelete) != (r.MaxBody == 0) {
			t.Errorf("%s: body of up to %d bytes", r.Pattern(), r.MaxBody)
		}
	}
	count := 0
	for _, function := range functions {
		for _, r := range route.OfFunction(function) {
			if r.Function != function {
				t.Errorf("%s is of %s, not of %s", r.Pattern(), r.Function, function)
			}
			count++
		}
	}
	if count != len(route.All()) {
		t.Errorf("%d routes by function, %d in all", count, len(route.All()))
	}
}

// TestMuxTakesThemAll: a ServeMux panics on patterns that are in conflict, and takes
// "/" for everything that has no other.
func TestMuxTakesThemAll(t *testing.T) {
	mux := http.NewServeMux()
	for _, r := range route.All() {
		mux.Handle(r.MuxPattern(), http.NotFoundHandler())
	}
	for path, want := range map[string]string{"/": "GET /{$}", "/nothing": "", "/t/abc/card.png": "GET /t/{mintAddress}/card.png"} {
		if _, got := mux.Handler(httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)); got != want {
			t.Errorf("GET %s leads to %q, want %q", path, got, want)
		}
	}
}

func TestAllIsTheCallersOwn(t *testing.T) {
	route.All()[0].Operation = "changed"
	if route.All()[0].Operation == "changed" {
		t.Error("a caller changed the table")
	}
}

func TestMethods(t *testing.T) {
	for path, want := range map[string]string{
		"/tokens":                            "GET",
		"/tokens/me":                         "GET",
		"/tokens/abc":                        "GET",
		"/tokens/submit":                     "POST",
		"/auth/verify":                       "POST",
		"/launchpad":                         "GET",
		"/launchpad/abc/status":              "GET",
		"/launchpad/create-unsigned":         "POST",
		"/launchpad/abc/buy/create-unsigned": "POST",
		"/.well-known/jwks.json":             "GET",
		"/":                                  "GET",
		"/t/abc":                             "GET",
		"/t/abc/card.png":                    "GET",
		"/t":                                 "",
		"/assets/main-abc.js":                "GET",
		"/assets/":                           "",
		"":                                   "",
		"/tokens/":                           "",
		"/tokens/abc/":                       "",
		"/tokens/abc/def":                    "",
		"//tokens":                           "",
		"/Tokens":                            "",
		"/tokens/{mintAddress}":              "GET",
		"tokens":                             "",
		"/auth":                              "",
	} {
		if got := strings.Join(route.Methods(path), ","); got != want {
			t.Errorf("Methods(%q) = %s, want %s", path, got, want)
		}
	}
}
