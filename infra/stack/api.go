package stack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2integrations"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
)

// corsMaxAgeSeconds is the time for which a browser may cache a preflight response. Chromium's
// maximum is two hours.
const corsMaxAgeSeconds = 2 * 60 * 60

// Headers that a browser may send, and response headers that a page may read. The specification of
// Solana Actions requires the encodings, and has two response headers.
var (
	requestHeaders  = []string{"authorization", "content-type", "idempotency-key", "accept-encoding", "content-encoding"}
	responseHeaders = []string{
		"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-window",
		"retry-after", "x-request-id", "idempotency-replayed", "x-action-version", "x-blockchain-ids",
	}
)

// newAPI creates the public API with its functions: every route of package route, and $default for
// other paths. It returns the public address of the API.
func (s service) newAPI() (publicURL *string, signer awslambda.IFunction) {
	api := awsapigatewayv2.NewHttpApi(s.stack, jsii.String("Api"), &awsapigatewayv2.HttpApiProps{
		ApiName:            jsii.String("token-launch-" + s.settings.Stage),
		CreateDefaultStage: jsii.Bool(false),
		// A caller of the API's other name would bypass the protection in front of the public name.
		// CloudFront has only this name, and authenticates itself.
		DisableExecuteApiEndpoint: jsii.Bool(s.settings.DomainName != "" && !s.settings.Front),
		CorsPreflight: &awsapigatewayv2.CorsPreflightOptions{
			AllowOrigins:  jsii.Strings("*"),
			AllowMethods:  corsMethods(),
			AllowHeaders:  jsii.Strings(requestHeaders...),
			ExposeHeaders: jsii.Strings(responseHeaders...),
			MaxAge:        awscdk.Duration_Seconds(jsii.Number(corsMaxAgeSeconds)),
		},
	})
	s.watched.api = api
	url := s.apiURL(api)
	s.output("ApiUrl", url)
	publicURL = jsii.String(cmp.Or(s.settings.PublicURL, *url))
	behind := s.newFunctions(publicURL)
	// For a rejection or a missing identity source, the gateway would respond without our headers.
	// The authorizer therefore has no identity source, runs for every request, and describes the
	// caller.
	authorizer := awsapigatewayv2authorizers.NewHttpLambdaAuthorizer(jsii.String("Caller"), behind.authorizer,
		&awsapigatewayv2authorizers.HttpLambdaAuthorizerProps{
			IdentitySource:  jsii.Strings(),
			ResponseTypes:   &[]awsapigatewayv2authorizers.HttpLambdaResponseType{awsapigatewayv2authorizers.HttpLambdaResponseType_SIMPLE},
			ResultsCacheTtl: awscdk.Duration_Seconds(jsii.Number(0)),
		})
	integrations := map[string]awsapigatewayv2.HttpRouteIntegration{}
	for name, function := range behind.byName {
		integrations[name] = awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String(name), function,
			// One permission for all routes of a function: separate permissions took 47 resources.
			&awsapigatewayv2integrations.HttpLambdaIntegrationProps{ScopePermissionToRoute: jsii.Bool(false)})
	}
	var routes []constructs.IDependable
	for _, r := range route.All() {
		method, _, _ := strings.Cut(r.Key(), " ")
		options := &awsapigatewayv2.AddRoutesOptions{
			Path:        jsii.String(r.Path),
			Methods:     &[]awsapigatewayv2.HttpMethod{awsapigatewayv2.HttpMethod(method)},
			Integration: integrations[r.Function],
		}
		if r.NeedsToken() {
			options.Authorizer = authorizer
		}
		for _, made := range *api.AddRoutes(options) {
			routes = append(routes, made)
		}
	}
	// A permission for all routes names a stage, a method and a path. $default has no path and
	// needs a separate permission, which ends with the stage and $default.
	awsapigatewayv2.NewHttpRoute(s.stack, jsii.String("DefaultRoute"), &awsapigatewayv2.HttpRouteProps{
		HttpApi: api, RouteKey: awsapigatewayv2.HttpRouteKey_DEFAULT(),
		Integration: awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String("Fallback"), behind.byName[route.FunctionDocs], nil),
	})
	// Create the routes first, because the stage names routes.
	s.newStage(api).Node().AddDependency(routes...)
	return publicURL, behind.signer
}

// corsMethods returns the methods of the routes and the methods that the specification of Solana
// Actions requires in addition, sorted.
func corsMethods() *[]awsapigatewayv2.CorsHttpMethod {
	methods := []awsapigatewayv2.CorsHttpMethod{awsapigatewayv2.CorsHttpMethod_OPTIONS, awsapigatewayv2.CorsHttpMethod_PUT}
	for _, r := range route.All() {
		if m := awsapigatewayv2.CorsHttpMethod(r.Method); !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	slices.Sort(methods)
	return &methods
}
