// Package route is the table of the public HTTP API: every route, with the callers, the function
// and the limit. The router, the limiter, the OpenAPI test and the CDK stack read this table, and
// therefore always agree.
package route

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// Access is the set of callers that may call a route.
type Access string

// Public needs no access token. Auth needs a valid access token. Creator needs a valid access token
// of the wallet that created the token in question.
const (
	Public  Access = "public"
	Auth    Access = "auth"
	Creator Access = "creator"
)

// Names of the functions that serve HTTP.
const (
	FunctionAuth   = "auth"
	FunctionTokens = "tokens"
	FunctionImages = "images"
	FunctionDocs   = "docs"
	// FunctionDistribution shows and changes the distribution settings of a token, and shows
	// distributions. FunctionBurns shows burns.
	FunctionDistribution = "distribution"
	FunctionBurns        = "burns"
	// FunctionDex prepares pools, FunctionLaunchpad prepares curves and trades on curves, and
	// FunctionFeatured prepares promotions.
	FunctionDex       = "dex"
	FunctionLaunchpad = "launchpad"
	FunctionFeatured  = "featured"
	// FunctionWebhooks manages webhooks. The courier calls the webhooks.
	FunctionWebhooks = "webhooks"
)

// Body limits in bytes.
const (
	jsonBody = 64 << 10
	// imageBody exceeds the limits of the gateway (10 MB) and of Lambda (6 MB), so that the handler
	// rejects a long picture with the 400 of the contract. The handler stops reading at the first
	// byte above the limit.
	imageBody = 16 << 20
)

// Route is one method on one path. Path has the form that OpenAPI, API Gateway and net/http share:
// "/tokens/{mintAddress}". Operation is the OpenAPI operationId. MaxBody is in bytes; zero means
// that no body is read.
type Route struct {
	Method    string
	Path      string
	Operation string
	Function  string
	Access    Access
	Rule      ratelimit.Rule
	MaxBody   int64
	Work      Work
}

// Work is the maximum work that a request causes in other services. A higher value is a decision,
// and is written in the route's row.
type Work struct {
	// Read and Write are the maximum units of DynamoDB. The limiter is included, with 1 unit of
	// writing for a caller with few requests. Lists have a page of 20. TestRoutesKeepToTheirBudget
	// measures the units.
	Read, Write float64
	// Node is the maximum number of sequential calls of a Solana node. A submit waits for the
	// confirmation of the launch.
	Node int
	// Sign and MAC are operations of KMS, Put is operations of S3, and Call is the number of calls
	// of other functions.
	Sign, MAC, Put, Call int
}

// Pattern returns the method and the path, "GET /tokens/{mintAddress}".
func (r Route) Pattern() string { return r.Method + " " + r.Path }

// Key returns the route key of API Gateway. The key of a public GET is "ANY /tokens/{mintAddress}":
// GET does not include HEAD in API Gateway, so ANY lets HEAD reach the function. A route with an
// authorizer never has ANY, because a preflight would have to pass the authorizer.
func (r Route) Key() string {
	if r.Method == http.MethodGet && !r.NeedsToken() {
		return "ANY " + r.Path
	}
	return r.Pattern()
}

// MuxPattern returns the route in net/http's form. A path that ends with a slash gets a suffix,
// because the path would otherwise match all paths below.
func (r Route) MuxPattern() string {
	if strings.HasSuffix(r.Path, "/") {
		return r.Pattern() + "{$}"
	}
	return r.Pattern()
}

// NeedsToken reports whether the route has the authorizer.
func (r Route) NeedsToken() bool { return r.Access != Public }

// Dear reports whether the gateway throttles the route below the total rate, because a request is
// expensive for the service: every POST, the holder ledger, and a holder's payments.
func (r Route) Dear() bool { return r.Method == http.MethodPost || r.Rule == limits.HolderLedger }

// shared has the operations whose successful response is the same for every caller, with the query
// parameters that the response depends on. Such a response has "Cache-Control: public".
var shared = map[string][]string{
	"getTokenPage": nil, "getTokenCard": nil, "getTokenBadge": nil, "getAsset": nil,
	"getOpenAPI": nil, "getActionRules": nil, "getDocs": nil, "getStatus": nil, "getJWKS": nil, "getStats": nil,
	"previewRun": nil, "getHolderLedger": {"cursor", "limit", "mints"}, "listHolderPayments": {"cursor", "limit", "mint"},
}

// Shared reports whether a cache may serve the route's response to other callers, and returns the
// query parameters that the response depends on.
func (r Route) Shared() (query []string, ok bool) {
	query, ok = shared[r.Operation]
	return slices.Clone(query), ok
}

// AtEdge lists the shared routes in the order in which a cache matches their EdgePath: the longest
// pattern comes first, because CloudFront uses the first pattern that matches.
func AtEdge() []Route {
	list := slices.DeleteFunc(All(), func(r Route) bool {
		_, ok := r.Shared()
		return !ok
	})
	slices.SortStableFunc(list, func(a, b Route) int { return len(b.EdgePath()) - len(a.EdgePath()) })
	return list
}

// parameter is a part of a path that callers choose.
var parameter = regexp.MustCompile(`\{[^}]+\}`)

// EdgePath returns the route's path as a path pattern of CloudFront, in which * matches any number
// of characters, including slashes.
func (r Route) EdgePath() string { return parameter.ReplaceAllString(r.Path, "*") }

var all = []Route{
	{http.MethodPost, "/auth/challenge", "createChallenge", FunctionAuth, Public, limits.AuthChallenge, jsonBody, Work{Write: 2}},
	{http.MethodPost, "/auth/verify", "verifyChallenge", FunctionAuth, Public, limits.AuthVerify, jsonBody, Work{Read: 1, Write: 2, Sign: 1}},

	{http.MethodPost, "/tokens/generate-distribution-wallet", "generateDistributionWallet", FunctionTokens, Public, limits.DistributionWallet, jsonBody, Work{Write: 2, MAC: 1, Call: 1}},
	{http.MethodPost, "/tokens/create-unsigned", "createUnsignedToken", FunctionTokens, Auth, limits.TokenCreate, jsonBody, Work{Read: 3, Write: 6, Node: 6, Sign: 1, MAC: 1}},
	{http.MethodPost, "/tokens/validate", "validateToken", FunctionTokens, Auth, limits.TokenValidate, jsonBody, Work{Read: 4, Write: 1, Node: 6}},
	{http.MethodPost, "/tokens/submit", "submitToken", FunctionTokens, Auth, limits.TokenSubmit, jsonBody, Work{Read: 6, Write: 46, Node: 30, Sign: 1, MAC: 1}}, // the picture's record counts the launch, and the creator's list and the search index get an entry
	{http.MethodGet, "/tokens/transactions/{transactionId}", "getTransaction", FunctionTokens, Auth, limits.TransactionStatus, 0, Work{Read: 1, Write: 1}},
	{http.MethodPost, "/tokens/transactions/{transactionId}/refresh", "refreshTransaction", FunctionTokens, Auth, limits.TransactionRefresh, jsonBody, Work{Read: 1, Write: 4, Node: 3}},
	{http.MethodGet, "/tokens", "listTokens", FunctionTokens, Public, limits.Tokens, 0, Work{Read: 32, Write: 1}}, // two items of figures for each token
	{http.MethodGet, "/tokens/me", "listMyTokens", FunctionTokens, Auth, limits.Tokens, 0, Work{Read: 32, Write: 1}},
	{http.MethodGet, "/tokens/{mintAddress}", "getToken", FunctionTokens, Public, limits.Tokens, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/stats", "getStats", FunctionTokens, Public, limits.View, 0, Work{Read: 2, Write: 1}},

	{http.MethodPost, "/tokens/upload-image", "uploadImage", FunctionImages, Auth, limits.UploadImage, imageBody, Work{Read: .5, Write: 4, Put: 1}}, // one unit for the address, one for the wallet; the record is in the index of due records

	{http.MethodGet, "/distribution/{tokenId}/settings", "getDistributionSettings", FunctionDistribution, Creator, limits.DistributionRead, 0, Work{Read: 3, Write: 1}},
	{http.MethodPatch, "/distribution/{tokenId}/settings", "changeDistributionSettings", FunctionDistribution, Creator, limits.DistributionChange, jsonBody, Work{Read: 6, Write: 17}}, // earlier settings are kept with the token, and the history gets an entry
	{http.MethodGet, "/distribution/{tokenId}/changes", "listSettingsChanges", FunctionDistribution, Public, limits.View, 0, Work{Read: 4, Write: 1}},
	{http.MethodPost, "/distribution/{tokenId}/telegram/test", "testTelegram", FunctionDistribution, Creator, limits.TelegramTest, jsonBody, Work{Read: 3, Write: 1}},
	{http.MethodPost, "/distribution/{tokenId}/telegram/link", "linkTelegram", FunctionDistribution, Creator, limits.TelegramLink, jsonBody, Work{Read: 4, Write: 2}},
	{http.MethodGet, "/distribution/{tokenId}/handover", "getHandover", FunctionDistribution, Public, limits.View, 0, Work{Read: 2, Write: 1}},
	{http.MethodPost, "/distribution/{tokenId}/handover", "orderHandover", FunctionDistribution, Creator, limits.DistributionChange, jsonBody, Work{Read: 4, Write: 5}},
	{http.MethodDelete, "/distribution/{tokenId}/handover", "cancelHandover", FunctionDistribution, Creator, limits.DistributionChange, 0, Work{Read: 4, Write: 5}},
	{http.MethodGet, "/distribution/{tokenId}/runs", "listRuns", FunctionDistribution, Public, limits.View, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/distribution/{tokenId}/runs/{runId}", "getRun", FunctionDistribution, Public, limits.View, 0, Work{Read: 3, Write: 1}},
	{http.MethodGet, "/distribution/{tokenId}/preview", "previewRun", FunctionDistribution, Public, limits.View, 0, Work{Read: 2, Write: 1, Node: 4}},
	{http.MethodGet, "/distribution/{tokenId}/holders/{wallet}", "getHolder", FunctionDistribution, Public, limits.View, 0, Work{Read: 2, Write: 1}},

	{http.MethodGet, "/holders/{wallet}", "getHolderLedger", FunctionDistribution, Public, limits.HolderLedger, 0, Work{Read: 3, Write: 1, Node: 1}},
	{http.MethodGet, "/holders/{wallet}/payments", "listHolderPayments", FunctionDistribution, Public, limits.HolderLedger, 0, Work{Read: 5, Write: 1, Node: 1}}, // and the runs that are listed, at most 1,000
	{http.MethodPost, "/holders/{wallet}/claims", "claimRewards", FunctionDistribution, Auth, limits.Claims, jsonBody, Work{Read: 3, Write: 1, Node: 1}},         // an accepted order writes two more
	{http.MethodPost, "/holders/{wallet}/telegram/link", "linkHolderTelegram", FunctionDistribution, Auth, limits.TelegramLink, jsonBody, Work{Read: 3, Write: 2}},
	{http.MethodDelete, "/holders/{wallet}/telegram/link", "unlinkHolderTelegram", FunctionDistribution, Auth, limits.TelegramUnlink, 0, Work{Write: 4}}, // a linked wallet is in the index of due records

	{http.MethodGet, "/burns/{mintAddress}", "getBurns", FunctionBurns, Public, limits.Burns, 0, Work{Read: 3, Write: 1, Node: 1}},

	{http.MethodPost, "/dex/exchange/cpmm/create-unsigned", "createUnsignedPool", FunctionDex, Auth, limits.PoolCreate, jsonBody, Work{Write: 6, Node: 6}},

	{http.MethodPost, "/launchpad/create-unsigned", "createUnsignedCurve", FunctionLaunchpad, Auth, limits.LaunchpadCreate, jsonBody, Work{Read: 2, Write: 6, Node: 6}},
	{http.MethodGet, "/launchpad", "listCurves", FunctionLaunchpad, Public, limits.Launchpad, 0, Work{Read: 12, Write: 1}},
	{http.MethodGet, "/launchpad/{mintAddress}/status", "getCurve", FunctionLaunchpad, Public, limits.Launchpad, 0, Work{Read: 1, Write: 1, Node: 2}},
	{http.MethodGet, "/launchpad/{mintAddress}/price", "getPrice", FunctionLaunchpad, Public, limits.Launchpad, 0, Work{Read: 1, Write: 1, Node: 2}},
	{http.MethodGet, "/launchpad/{mintAddress}/trades", "listTrades", FunctionLaunchpad, Public, limits.Market, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/launchpad/{mintAddress}/candles", "listCandles", FunctionLaunchpad, Public, limits.Market, 0, Work{Read: 2, Write: 1}},
	{http.MethodPost, "/launchpad/{mintAddress}/buy/create-unsigned", "createUnsignedBuy", FunctionLaunchpad, Auth, limits.LaunchpadTrade, jsonBody, Work{Read: 1, Write: 2, Node: 6}},
	{http.MethodPost, "/launchpad/{mintAddress}/sell/create-unsigned", "createUnsignedSell", FunctionLaunchpad, Auth, limits.LaunchpadTrade, jsonBody, Work{Read: 1, Write: 2, Node: 6}},
	{http.MethodPost, "/launchpad/{mintAddress}/cancel/create-unsigned", "createUnsignedCancel", FunctionLaunchpad, Auth, limits.LaunchpadTrade, jsonBody, Work{Read: 1, Write: 5, Node: 6}},
	{http.MethodGet, "/launchpad/{mintAddress}/fees", "getCurveFees", FunctionLaunchpad, Public, limits.Market, 0, Work{Read: 1, Write: 1, Node: 2}},
	{http.MethodPost, "/launchpad/{mintAddress}/fees/create-unsigned", "createUnsignedFeeClaim", FunctionLaunchpad, Auth, limits.LaunchpadCreate, jsonBody, Work{Read: 1, Write: 2, Node: 6}},
	{http.MethodPost, "/tokens/{mintAddress}/lock/create-unsigned", "createUnsignedLock", FunctionLaunchpad, Auth, limits.LaunchpadCreate, jsonBody, Work{Read: 1, Write: 2, Node: 6}},

	{http.MethodGet, "/actions/{mintAddress}", "getAction", FunctionLaunchpad, Public, limits.Action, 0, Work{Read: 1, Write: 1}},
	{http.MethodPost, "/actions/{mintAddress}/buy/{sol}", "buyByAction", FunctionLaunchpad, Public, limits.ActionRequest, jsonBody, Work{Read: 2, Write: 2, Node: 6}},
	{http.MethodPost, "/actions/{mintAddress}/claim", "claimByAction", FunctionDistribution, Public, limits.ActionRequest, jsonBody, Work{Read: 4, Write: 1, Node: 1}},
	{http.MethodPost, "/actions/{mintAddress}/claim/confirm", "confirmClaimByAction", FunctionDistribution, Public, limits.ActionRequest, jsonBody, Work{Read: 4, Write: 2, Node: 1}}, // an accepted order writes two more

	{http.MethodGet, "/featured", "listFeatured", FunctionFeatured, Public, limits.Featured, 0, Work{Read: 12, Write: 1}},
	{http.MethodPost, "/featured/create-unsigned", "createUnsignedPromotion", FunctionFeatured, Creator, limits.FeaturedCreate, jsonBody, Work{Read: 1, Write: 4, Node: 5}},

	{http.MethodPost, "/webhooks", "createWebhook", FunctionWebhooks, Auth, limits.Webhooks, jsonBody, Work{Read: 1, Write: 18}}, // a transaction of five items, one of which is in the index
	{http.MethodGet, "/webhooks", "listWebhooks", FunctionWebhooks, Auth, limits.Webhooks, 0, Work{Read: 1, Write: 1}},
	{http.MethodPatch, "/webhooks/{webhookId}", "updateWebhook", FunctionWebhooks, Auth, limits.Webhooks, jsonBody, Work{Read: 1, Write: 11}}, // for a new URL, which receives a challenge
	{http.MethodPost, "/webhooks/{webhookId}/secret", "rotateWebhookSecret", FunctionWebhooks, Auth, limits.WebhookSecret, jsonBody, Work{Read: 1, Write: 4, MAC: 1}},
	{http.MethodDelete, "/webhooks/{webhookId}", "deleteWebhook", FunctionWebhooks, Auth, limits.Webhooks, 0, Work{Write: 9}},
	{http.MethodPost, "/webhooks/{webhookId}/test", "testWebhook", FunctionWebhooks, Auth, limits.Webhooks, jsonBody, Work{Read: 1, Write: 11}},
	{http.MethodGet, "/webhooks/{webhookId}/deliveries", "listDeliveries", FunctionWebhooks, Auth, limits.Webhooks, 0, Work{Read: 2, Write: 1}},
	{http.MethodPost, "/webhooks/{webhookId}/deliveries/{deliveryId}/replay", "replayDelivery", FunctionWebhooks, Auth, limits.Webhooks, jsonBody, Work{Read: 2, Write: 11}},

	{http.MethodGet, "/", "getHomePage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}}, // and other files that are not counted
	{http.MethodGet, "/launch", "getLaunchPage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},
	{http.MethodGet, "/mine", "getCreatorPage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},
	{http.MethodGet, "/rewards", "getRewardsPage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},
	{http.MethodGet, "/about", "getAboutPage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},
	{http.MethodGet, "/c/{wallet}", "getWalletPage", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},
	{http.MethodGet, "/t/{mintAddress}", "getTokenPage", FunctionDocs, Public, limits.Page, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/t/{mintAddress}/card.png", "getTokenCard", FunctionDocs, Public, limits.Card, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/t/{mintAddress}/badge.svg", "getTokenBadge", FunctionDocs, Public, limits.Page, 0, Work{Read: 2, Write: 1}},
	{http.MethodGet, "/assets/{file}", "getAsset", FunctionDocs, Public, ratelimit.Uncounted, 0, Work{}},

	{http.MethodGet, "/openapi.json", "getOpenAPI", FunctionDocs, Public, limits.Page, 0, Work{Write: 1}},
	{http.MethodGet, "/actions.json", "getActionRules", FunctionDocs, Public, limits.Page, 0, Work{Write: 1}},
	{http.MethodGet, "/docs", "getDocs", FunctionDocs, Public, limits.Page, 0, Work{Write: 1}},
	{http.MethodGet, "/health", "getHealth", FunctionDocs, Public, limits.Page, 0, Work{Write: 1}},
	{http.MethodGet, "/status", "getStatus", FunctionDocs, Public, limits.Page, 0, Work{Read: .5, Write: 1}},
	{http.MethodGet, "/.well-known/jwks.json", "getJWKS", FunctionDocs, Public, limits.Page, 0, Work{Write: 1}},
}

// All returns the routes. The caller owns the slice.
func All() []Route { return slices.Clone(all) }

// OfFunction returns the routes of the named function.
func OfFunction(function string) []Route {
	var out []Route
	for _, r := range all {
		if r.Function == function {
			out = append(out, r)
		}
	}
	return out
}

// Methods returns the sorted methods of a path, for the Allow header of a 405, or nil if no route
// has this path. If a route names the path literally, only the methods of literal routes count,
// because no token has the address "submit".
func Methods(path string) []string {
	var exact, parametric []string
	for _, r := range all {
		switch {
		case r.Path == path:
			exact = append(exact, r.Method)
		case matches(r.Path, path):
			parametric = append(parametric, r.Method)
		}
	}
	methods := exact
	if len(methods) == 0 {
		methods = parametric
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// matches reports whether a path matches a pattern, segment by segment. It allocates nothing,
// because every request is compared with every route.
func matches(pattern, path string) bool {
	for {
		want, wantRest, wantMore := strings.Cut(pattern, "/")
		have, haveRest, haveMore := strings.Cut(path, "/")
		fits := want == have || strings.HasPrefix(want, "{") && have != ""
		if !fits || wantMore != haveMore {
			return false
		}
		if !wantMore {
			return true
		}
		pattern, path = wantRest, haveRest
	}
}
