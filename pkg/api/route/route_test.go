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

// TestLimitsMatchRequirement repeats the requirement's table of limits,
// row by row. The limits of other routes are only in their rows.
func TestLimitsMatchRequirement(t *testing.T) {
	want := map[string]string{
		"GET /tokens":                             "tokens 100 per 15m0s",
		"GET /tokens/me":                          "tokens 100 per 15m0s",
		"GET /tokens/{mintAddress}":               "tokens 100 per 15m0s",
		"POST /auth/challenge":                    "auth-challenge 20 per 1m0s",
		"POST /auth/verify":                       "auth-verify 20 per 1m0s",
		"POST /tokens/upload-image":               "upload-image 20 per 1h0m0s",
		"POST /tokens/create-unsigned":            "token-create 5 per 1h0m0s",
		"POST /tokens/submit":                     "token-submit 5 per 1h0m0s",
		"GET /distribution/{tokenId}/settings":    "distribution-read 100 per 15m0s",
		"PATCH /distribution/{tokenId}/settings":  "distribution-change 10 per 1h0m0s",
		"GET /burns/{mintAddress}":                "burns 100 per 15m0s",
		"GET /featured":                           "featured 100 per 15m0s",
		"POST /featured/create-unsigned":          "featured-create 5 per 1h0m0s",
		"POST /dex/exchange/cpmm/create-unsigned": "pool-create 10 per 1h0m0s",
		"POST /launchpad/create-unsigned":         "launchpad-create 10 per 1h0m0s",
		"GET /launchpad/{mintAddress}/status":     "launchpad 100 per 15m0s",
		"GET /launchpad/{mintAddress}/price":      "launchpad 100 per 15m0s",
	}
	for _, r := range route.All() {
		got := r.Rule.Name + " " + strconv.Itoa(r.Rule.Limit) + " per " + r.Rule.Window.String()
		if limit, named := want[r.Pattern()]; named && got != limit {
			t.Errorf("%s: %s, want %s", r.Pattern(), got, limit)
		}
		delete(want, r.Pattern())
	}
	for pattern := range want {
		t.Errorf("no route %s", pattern)
	}
}

// TestAccessMatchesRequirement repeats which routes need a token. The document's test compares
// the access of every route with the document.
func TestAccessMatchesRequirement(t *testing.T) {
	needToken := []string{
		"POST /tokens/upload-image", "POST /tokens/create-unsigned", "POST /tokens/submit", "GET /tokens/me",
		"GET /distribution/{tokenId}/settings", "PATCH /distribution/{tokenId}/settings",
		"POST /dex/exchange/cpmm/create-unsigned", "POST /launchpad/create-unsigned", "POST /featured/create-unsigned",
	}
	for _, r := range route.All() {
		if slices.Contains(needToken, r.Pattern()) && !r.NeedsToken() {
			t.Errorf("%s needs no token", r.Pattern())
		}
	}
}

func TestRoutesAreComplete(t *testing.T) {
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

// TestMuxAcceptsEveryRoute builds the mux: a ServeMux panics on conflicting patterns, and matches
// "/" with every other path.
func TestMuxAcceptsEveryRoute(t *testing.T) {
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

func TestAllReturnsCopy(t *testing.T) {
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

// TestEdgeRoutesMatchTheLongestFirst tests the order, because a cache uses the first pattern that
// matches.
func TestEdgeRoutesMatchTheLongestFirst(t *testing.T) {
	list := route.AtEdge()
	if len(list) == 0 || slices.ContainsFunc(list, func(r route.Route) bool { _, ok := r.Shared(); return !ok }) {
		t.Errorf("%d routes, not all of them shared", len(list))
	}
	if !slices.IsSortedFunc(list, func(a, b route.Route) int { return len(b.EdgePath()) - len(a.EdgePath()) }) {
		t.Error("a shorter pattern precedes a longer one")
	}
}
