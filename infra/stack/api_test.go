package stack_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
)

// routesOf returns what each route key leads to, with " +authorizer" where callers
// are checked first.
func (tpl template) routes(t *testing.T) map[string]string {
	t.Helper()
	integrations := tpl.of("AWS::ApiGatewayV2::Integration")
	routes := map[string]string{}
	for _, r := range tpl.of("AWS::ApiGatewayV2::Route") {
		name := strings.TrimPrefix(text(r.at("Target")), "integrations/")
		integration, ok := integrations[name]
		if !ok {
			t.Fatalf("%s leads to %q, which is not an integration", r.at("RouteKey"), name)
		}
		wantEqual(t, name+" PayloadFormatVersion", text(integration.at("PayloadFormatVersion")), "2.0")
		leadsTo := functionOf(strings.TrimSuffix(text(integration.at("IntegrationUri")), ".Arn"))
		switch kind := text(r.at("AuthorizationType")); kind {
		case "CUSTOM":
			leadsTo += " +" + text(r.at("AuthorizerId"))
		case "NONE":
		default:
			t.Errorf("%s has authorization %q", r.at("RouteKey"), kind)
		}
		routes[text(r.at("RouteKey"))] = leadsTo
	}
	return routes
}

// wantRoutes returns the routes of package route.
func wantRoutes() map[string]string {
	want := map[string]string{"$default": route.FunctionDocs}
	for _, r := range route.All() {
		want[r.Key()] = r.Function
		if r.NeedsToken() {
			want[r.Key()] += " +ApiCaller"
		}
	}
	return want
}

func TestRoutesMatchTable(t *testing.T) {
	have, want := synthesize(t, "dev").routes(t), wantRoutes()
	for key, leadsTo := range have {
		wantEqual(t, key, leadsTo, want[key])
		if strings.HasPrefix(key, "ANY ") && strings.Contains(leadsTo, "+") {
			t.Errorf("%s has an authorizer, which a preflight would have to pass", key)
		}
	}
	for key := range want {
		if _, ok := have[key]; !ok {
			t.Errorf("%s has no route", key)
		}
	}
}

// The gateway may call each function that a route leads to, by one permission for all its routes.
func TestEveryRouteMayCallItsFunction(t *testing.T) {
	tpl := synthesize(t, "dev")
	var have, want []string
	for _, r := range tpl.of("AWS::Lambda::Permission") {
		source := text(r.at("SourceArn"))
		if text(r.at("Principal")) == "events.amazonaws.com" {
			continue // TestOnlyRulesInvokeTheirFunctions has those
		}
		wantEqual(t, "principal", text(r.at("Principal")), "apigateway.amazonaws.com")
		_, path, ok := strings.Cut(source, ":Api/")
		if !ok {
			t.Fatalf("%q is not of our API", source)
		}
		have = append(have, functionOf(strings.TrimSuffix(text(r.at("FunctionName")), ".Arn"))+" "+path)
	}
	want = []string{"authorizer authorizers/ApiCaller", "docs */*"}
	for _, r := range route.All() {
		if line := r.Function + " */*/*"; !slices.Contains(want, line) {
			want = append(want, line)
		}
	}
	wantEqual(t, "number of permissions", len(have), len(want))
	wantLines(t, "permissions", have, want)
}

// With an identity source, the gateway would answer a missing header itself; with
// caching, it would reuse the description of one caller for another.
func TestAuthorizerSeesEveryRequest(t *testing.T) {
	authorizers := synthesize(t, "dev").of("AWS::ApiGatewayV2::Authorizer")
	wantEqual(t, "authorizers", len(authorizers), 1)
	for name, r := range authorizers {
		wantEqual(t, name+" AuthorizerType", text(r.at("AuthorizerType")), "REQUEST")
		wantEqual(t, name+" AuthorizerPayloadFormatVersion", text(r.at("AuthorizerPayloadFormatVersion")), "2.0")
		wantEqual(t, name+" EnableSimpleResponses", text(r.at("EnableSimpleResponses")), "true")
		wantEqual(t, name+" AuthorizerResultTtlInSeconds", text(r.at("AuthorizerResultTtlInSeconds")), "0")
		if sources := list(r.at("IdentitySource")); len(sources) != 0 {
			t.Errorf("%s has identity sources %v", name, sources)
		}
		if uri := text(r.at("AuthorizerUri")); !strings.Contains(uri, "AuthorizerFunction.Arn") {
			t.Errorf("%s calls %s", name, uri)
		}
	}
}

func TestCORSOrigins(t *testing.T) {
	for name, r := range synthesize(t, "dev").of("AWS::ApiGatewayV2::Api") {
		wantLines(t, name+" AllowOrigins", texts(r.at("CorsConfiguration", "AllowOrigins")), []string{"*"})
		wantLines(t, name+" AllowHeaders", texts(r.at("CorsConfiguration", "AllowHeaders")),
			[]string{"authorization", "content-type", "idempotency-key", "accept-encoding", "content-encoding"})
		wantLines(t, name+" ExposeHeaders", texts(r.at("CorsConfiguration", "ExposeHeaders")), []string{
			"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-window",
			"retry-after", "x-request-id", "idempotency-replayed", "x-action-version", "x-blockchain-ids",
		})
		methods := map[string]bool{"OPTIONS": true, "PUT": true} // of Solana Actions
		for _, r := range route.All() {
			methods[r.Method] = true
		}
		var want []string
		for method := range methods {
			want = append(want, method)
		}
		wantLines(t, name+" AllowMethods", texts(r.at("CorsConfiguration", "AllowMethods")), want)
		if r.at("CorsConfiguration", "AllowCredentials") == true {
			t.Errorf("%s allows credentials from any origin", name)
		}
	}
}
