package stack_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

// front is the configuration of the distribution before the API.
func front(t *testing.T, tpl template) map[string]any {
	t.Helper()
	config, _ := tpl.of("AWS::CloudFront::Distribution")["Front"].at("DistributionConfig").(map[string]any)
	if config == nil {
		t.Fatal("the API has no distribution in front")
	}
	return config
}

// TestStagesHaveAFront tests docs/attacks.md, "Launching".
func TestStagesHaveAFront(t *testing.T) {
	for _, test := range []struct {
		stage, network string
		want           bool
	}{{"local", "localnet", false}, {"dev", "devnet", false}, {"staging", "devnet", true}, {"prod", "devnet", true}, {"dev", "mainnet", true}} {
		context := map[string]string{
			"stage": test.stage, "network": test.network, "rpcSecret": "rpc", "pinataSecret": "pinata", "treasuryAddress": treasury,
			"publicUrl": "https://api.example", "alarmEmail": "ops@example.com", "trail": "existing", "reportAddress": "abuse@example.com",
		}
		if test.stage != stack.StageLocal {
			context["replicaRegion"] = replicaRegion
		}
		s, err := read(context)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, test.stage+" on "+test.network, s.Front, test.want)
	}
	tpl := synthesize(t, "dev")
	wantEqual(t, "before the API of dev", tpl.of("AWS::CloudFront::Distribution")["Front"].Type, "")
	wantEqual(t, "secrets of dev", len(tpl.of("AWS::SecretsManager::Secret")), 0)
	if made := stack.NewEdge(nil, settings(t, "dev")); made != nil {
		t.Error("an edge without a front")
	}
}

// TestOneMachineCannotUseUpTheGateway tests docs/attacks.md, "Launching": the web ACL blocks an
// address before the gateway counts the request, far below the gateway's throttle for all callers,
// with a response in the API's form.
func TestOneMachineCannotUseUpTheGateway(t *testing.T) {
	for _, stage := range []string{"staging", "prod"} {
		acl := synthesizeStack(t, settings(t, stage), stack.NewEdge).of("AWS::WAFv2::WebACL")["WebAcl"]
		wantEqual(t, "scope", text(acl.at("Scope")), "CLOUDFRONT")
		wantEqual(t, "others", written(acl.at("DefaultAction")), "{Allow: {}}")
		rules := list(acl.at("Rules"))
		wantEqual(t, "rules", len(rules), 2)
		throttle := synthesize(t, stage).of("AWS::ApiGatewayV2::Stage")["ApiStage"]
		dear, _ := at(throttle.at("RouteSettings", "POST /auth/challenge"), "ThrottlingRateLimit").(float64)
		all, _ := throttle.at("DefaultRouteSettings", "ThrottlingRateLimit").(float64)
		for i, of := range []struct{ limit, throttle float64 }{{120, dear}, {600, all}} {
			rule := at(rules[i], "Statement", "RateBasedStatement")
			wantEqual(t, "by", text(at(rule, "AggregateKeyType")), "IP")
			wantEqual(t, "seconds", text(at(rule, "EvaluationWindowSec")), "60")
			limit, _ := at(rule, "Limit").(float64)
			wantEqual(t, "limit", limit, of.limit)
			if perSecond := limit / 60; perSecond > of.throttle/10 && stage == "prod" {
				t.Errorf("%s: one address may make %v requests a second, and the gateway lets %v through for all", stage, perSecond, of.throttle)
			}
			answer := at(rules[i], "Action", "Block", "CustomResponse")
			wantEqual(t, "status", text(at(answer, "ResponseCode")), "429")
			body := at(acl.at("CustomResponseBodies"), text(at(answer, "CustomResponseBodyKey")))
			_, want := apigw.Blocked(int(limit), 60e9)
			wantEqual(t, "body", text(at(body, "ContentType"))+" "+text(at(body, "Content")), "APPLICATION_JSON "+want)
			headers := map[string]string{}
			for _, h := range list(at(answer, "ResponseHeaders")) {
				headers[text(at(h, "Name"))] = text(at(h, "Value"))
			}
			wantEqual(t, "headers, of which WAF takes ten", len(headers), 10)
			wantEqual(t, "Retry-After", headers["Retry-After"], "60")
			wantEqual(t, "X-Ratelimit-Limit", headers["X-Ratelimit-Limit"], text(limit))
			wantEqual(t, "origin", headers["Access-Control-Allow-Origin"], "*")
			if !strings.Contains(headers["Access-Control-Expose-Headers"], "retry-after") {
				t.Errorf("pages read %s", headers["Access-Control-Expose-Headers"])
			}
		}
		// Requests that only read, and a browser's preflight, do not count as writes.
		var left []string
		for _, s := range list(at(rules[0], "Statement", "RateBasedStatement", "ScopeDownStatement", "NotStatement", "Statement", "OrStatement", "Statements")) {
			left = append(left, text(at(s, "ByteMatchStatement", "SearchString")))
		}
		wantLines(t, "no writes", left, []string{http.MethodGet, http.MethodHead, http.MethodOptions})
		wantEqual(t, "all requests", at(rules[1], "Statement", "RateBasedStatement", "ScopeDownStatement"), any(nil))
	}
}

// CloudFront forwards everything except the host, caches only responses that are the same for every
// caller, and identifies itself by a secret that is in no template.
func TestFrontForwardsRequests(t *testing.T) {
	tpl := synthesize(t, "prod")
	config := front(t, tpl)
	wantEqual(t, "web ACL", text(at(config, "WebACLId")), "WebAclArn")
	wantEqual(t, "IPv6, of which WAF would count each address", at(config, "IPV6Enabled"), any(false))
	const disabled, allButHost = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad", "b689b0a8-53d0-40ab-baf2-68738e2966ac"
	behaviors := map[string]any{"": at(config, "DefaultCacheBehavior")}
	for _, b := range list(at(config, "CacheBehaviors")) {
		behaviors[text(at(b, "PathPattern"))] = b
	}
	const shared, paged = "SharedCache", "SharedCachecursorlimitmints"
	caches := map[string]string{
		"": disabled, "/assets/*": shared, "/t/*": shared, "/t/*/card.png": shared, "/t/*/badge.svg": shared,
		"/openapi.json": shared, "/actions.json": shared, "/docs": shared, "/status": shared, "/.well-known/jwks.json": shared, "/stats": shared,
		"/distribution/*/preview": shared, "/holders/*": paged, "/holders/*/payments": "SharedCachecursorlimitmint",
	}
	wantEqual(t, "behaviors", len(behaviors), len(caches))
	for path, cache := range caches {
		b := behaviors[path]
		wantEqual(t, path+" methods", len(list(at(b, "AllowedMethods"))), 7)
		wantEqual(t, path+" cache", text(at(b, "CachePolicyId")), cache)
		wantEqual(t, path+" handed on", text(at(b, "OriginRequestPolicyId")), allButHost)
		wantEqual(t, path+" protocol", text(at(b, "ViewerProtocolPolicy")), "https-only")
		associated := list(at(b, "FunctionAssociations"))
		wantEqual(t, path+" functions", len(associated), 1)
		wantEqual(t, path+" function", text(at(associated[0], "EventType"))+" "+text(at(associated[0], "FunctionARN")), "viewer-request ViewerAddress.FunctionARN")
	}
	var kept []string
	for _, e := range list(at(config, "CustomErrorResponses")) {
		wantEqual(t, "seconds", text(at(e, "ErrorCachingMinTTL")), "0")
		kept = append(kept, text(at(e, "ErrorCode")))
	}
	for _, status := range []string{"400", "403", "404", "405", "500", "502", "503", "504"} {
		if !slices.Contains(kept, status) {
			t.Errorf("a response %s is cached for 10 seconds", status)
		}
	}
	origins := list(at(config, "Origins"))
	wantEqual(t, "origins", len(origins), 1)
	wantEqual(t, "origin", text(at(origins[0], "DomainName")), "Api.execute-api.AWS::Region.AWS::URLSuffix")
	wantEqual(t, "by", text(at(origins[0], "CustomOriginConfig", "OriginProtocolPolicy")), "https-only")
	headers := list(at(origins[0], "OriginCustomHeaders"))
	wantEqual(t, "headers", len(headers), 1)
	wantEqual(t, "secret", text(at(headers[0], "HeaderName"))+" "+text(at(headers[0], "HeaderValue")),
		apigw.SecretHeader+" {{resolve:secretsmanager:OriginSecret:SecretString:current::}}")
	wantEqual(t, "other name of the API", tpl.of("AWS::ApiGatewayV2::Api")["Api"].at("DisableExecuteApiEndpoint"), any(false))
}

// TestFrontCachesForEveryCaller tests that CloudFront caches only responses that state their
// duration, under a key with everything that the response depends on. Credentials are a part of the
// key, and routes that need them are not cached.
func TestFrontCachesForEveryCaller(t *testing.T) {
	tpl := synthesize(t, "prod")
	for name, query := range map[string][]string{"SharedCache": nil, "SharedCachecursorlimitmints": {"cursor", "limit", "mints"}, "SharedCachecursorlimitmint": {"cursor", "limit", "mint"}} {
		config := tpl.of("AWS::CloudFront::CachePolicy")[name].at("CachePolicyConfig")
		wantEqual(t, name+" least", text(at(config, "MinTTL")), "0")
		wantEqual(t, name+" otherwise", text(at(config, "DefaultTTL")), "0")
		key := at(config, "ParametersInCacheKeyAndForwardedToOrigin")
		wantLines(t, name+" headers", texts(at(key, "HeadersConfig", "Headers")), []string{"Accept", "Authorization", "Origin"})
		wantEqual(t, name+" cookies", text(at(key, "CookiesConfig", "CookieBehavior")), "none")
		wantEqual(t, name+" gzip", at(key, "EnableAcceptEncodingGzip"), any(true))
		wantLines(t, name+" query", texts(at(key, "QueryStringsConfig", "QueryStrings")), query)
	}
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	var patterns []*regexp.Regexp
	for _, b := range list(at(front(t, tpl), "CacheBehaviors")) {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(text(at(b, "PathPattern"))), `\*`, ".*")
		patterns = append(patterns, regexp.MustCompile("^"+pattern+"$"))
	}
	for _, r := range route.All() {
		matched := slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(r.Path) })
		query, shared := r.Shared()
		if r.Method == http.MethodGet && (r.NeedsToken() || !shared) && matched {
			t.Errorf("%s is cached", r.Pattern())
		}
		if shared && (!matched || r.NeedsToken() || r.Method != http.MethodGet) {
			t.Errorf("%s is shared; matched: %v", r.Pattern(), matched)
		}
		if !shared {
			continue
		}
		var described []string
		for _, p := range docstest.Operation(document, r.Operation).Parameters {
			if p.Value.In == "query" {
				described = append(described, p.Value.Name)
			}
		}
		wantLines(t, r.Pattern()+" query", query, described)
	}
}

// Each function behind the gateway knows CloudFront by the secret, and no other function.
func TestFunctionsBehindTheFrontKnowIt(t *testing.T) {
	tpl := synthesize(t, "prod")
	var know, answer []string
	for name, r := range tpl.of("AWS::Lambda::Function") {
		if secret := r.at("Environment", "Variables", "ORIGIN_SECRET"); secret != nil {
			wantEqual(t, name, text(secret), "OriginSecret")
			know = append(know, name)
		}
	}
	for _, r := range tpl.of("AWS::ApiGatewayV2::Integration") {
		answer = append(answer, strings.TrimSuffix(text(r.at("IntegrationUri")), ".Arn"))
	}
	wantLines(t, "functions", know, answer)
	wantEqual(t, "generated", text(tpl.of("AWS::SecretsManager::Secret")["OriginSecret"].at("GenerateSecretString", "GenerateStringKey")), "current")
}

// The function runs here as in CloudFront: a caller's claim about their address is removed, and
// their Accept header is reduced to whether a browser navigates.
func TestViewerAddressIsCloudFronts(t *testing.T) {
	code := text(synthesize(t, "prod").of("AWS::CloudFront::Function")["ViewerAddress"].at("FunctionCode"))
	script := code + `
console.log(JSON.stringify(handler({ viewer: { ip: '198.51.100.7' }, request: { uri: '/', headers: {
  'x-viewer-address': { value: '203.0.113.9', multiValue: [{ value: '203.0.113.9' }, { value: '203.0.113.10' }] }, accept: { value: '*/*' } } } })));`
	out, err := exec.CommandContext(t.Context(), "node", "-e", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	var have struct{ Headers map[string]any }
	if err := json.Unmarshal(out, &have); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "headers", written(have.Headers), "{accept: {value: */*}, "+strings.ToLower(apigw.AddressHeader)+": {value: 198.51.100.7}}")
	for accept, want := range map[string]string{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "text/html", "application/json, TEXT/HTML ;q=0.5": "text/html",
		"text/csv": "text/csv", "Text/CSV;q=1, */*": "text/csv", "application/json": "*/*", "text/htmlx": "*/*", "xtext/html": "*/*", "": "*/*",
	} {
		script := code + `;console.log(handler({ viewer: { ip: '' }, request: { headers: { accept: { value: '` + accept + `' } } } }).headers.accept.value)`
		out, err := exec.CommandContext(t.Context(), "node", "-e", script).Output()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%q becomes %q, want %q; %v", accept, out, want, err)
		}
	}
}

// If there is a CloudFront distribution, the API's name is its name.
func TestFrontHasDomainName(t *testing.T) {
	s := settings(t, "prod")
	s.PublicURL, s.DomainName, s.CertificateARN = "", "api.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/api"
	s.HostedZoneID, s.HostedZoneName = "Z0123456789", "example.com"
	tpl := synthesizeWith(t, s)
	config := front(t, tpl)
	wantLines(t, "names", texts(at(config, "Aliases")), []string{s.DomainName})
	wantEqual(t, "certificate", text(at(config, "ViewerCertificate", "AcmCertificateArn")), s.CertificateARN)
	wantEqual(t, "names of the gateway", len(tpl.of("AWS::ApiGatewayV2::DomainName")), 0)
	wantEqual(t, "record", text(tpl.of("AWS::Route53::RecordSet")["ApiRecord"].at("AliasTarget", "DNSName")), "Front.DomainName")
	wantEqual(t, "target", text(tpl.Outputs["ApiDomainTarget"].Value), "Front.DomainName")
	wantEqual(t, "ApiUrl", text(tpl.Outputs["ApiUrl"].Value), "https://api.example.com")
	unnamed := settings(t, "staging")
	wantEqual(t, "without a name", text(synthesizeWith(t, unnamed).Outputs["ApiUrl"].Value), "https://Front.DomainName")
}

func TestFrontSettings(t *testing.T) {
	const elsewhere = "arn:aws:sns:eu-west-1:000000000000:alarms"
	good := map[string]string{
		"stage": "prod", "network": "mainnet", "rpcSecret": "rpc", "pinataSecret": "pinata", "treasuryAddress": treasury, "trail": "existing", "reportAddress": "abuse@example.com",
		"domainName": "api.example.com", "certificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/1",
		"alarmTopic": elsewhere, "edgeAlarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms", "replicaRegion": replicaRegion,
	}
	if _, err := read(good); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, value, want string }{
		{"edgeAlarmTopic", "", "edgeAlarmTopic is not set: alarms on roles ring in us-east-1"},
		{"edgeAlarmTopic", elsewhere, "edgeAlarmTopic is \"" + elsewhere + "\": it must be the ARN of an SNS topic in us-east-1"},
		{"certificateArn", "arn:aws:acm:eu-west-1:000000000000:certificate/1", "CloudFront serves the API, and needs its certificate in us-east-1"},
		{"front", "false", "front is false: on mainnet nothing would hold off one machine"},
		{"front", "no", "front is \"no\""},
		{"walletStack", "token-launch-prod-2", "walletStack is \"token-launch-prod-2\": it must be the name of a stack and its Region"},
		{"@aws-cdk/core:bootstrapQualifier", "*", "bootstrapQualifier is \"*\""},
	} {
		context := map[string]string{}
		for name, value := range good {
			context[name] = value
		}
		context[test.name] = test.value
		if _, err := read(context); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, err, test.want)
		}
	}
	if _, err := read(map[string]string{
		"stage": "local", "front": "true", "rpcUrl": "http://127.0.0.1:8899", "ipfsApiUrl": "http://127.0.0.1:5001", "treasuryAddress": treasury,
	}); err == nil || !strings.Contains(err.Error(), "on the stage local there is no CloudFront") {
		t.Error(err)
	}
}
