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

// corsMaxAgeSeconds is how long a browser may keep the answer to a preflight.
// Chromium keeps none longer than two hours.
const corsMaxAgeSeconds = 2 * 60 * 60

// Headers that a browser may send, and those of ours that a page may read.
var (
	requestHeaders  = []string{"authorization", "content-type", "idempotency-key"}
	responseHeaders = []string{
		"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-window",
		"retry-after", "x-request-id", "idempotency-replayed",
	}
)

// newAPI makes the public API, with the functions behind it: every route of
// package route, and $default, which answers whatever has no route. It gives the
// address that callers use.
func (s service) newAPI() (publicURL *string, signer awslambda.IFunction) {
	api := awsapigatewayv2.NewHttpApi(s.stack, jsii.String("Api"), &awsapigatewayv2.HttpApiProps{
		ApiName:            jsii.String("token-launch-" + s.settings.Stage),
		CreateDefaultStage: jsii.Bool(false),
		// Callers who know another name than the API's own would get round whatever
		// stands before that one. CloudFront has no other, and proves who it is.
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
	// The gateway would answer a refusal, or a header that is missing from the
	// identity source, itself and without our headers. So the authorizer has no
	// identity source, is asked every time, and describes the caller instead.
	authorizer := awsapigatewayv2authorizers.NewHttpLambdaAuthorizer(jsii.String("Caller"), behind.authorizer,
		&awsapigatewayv2authorizers.HttpLambdaAuthorizerProps{
			IdentitySource:  jsii.Strings(),
			ResponseTypes:   &[]awsapigatewayv2authorizers.HttpLambdaResponseType{awsapigatewayv2authorizers.HttpLambdaResponseType_SIMPLE},
			ResultsCacheTtl: awscdk.Duration_Seconds(jsii.Number(0)),
		})
	integrations := map[string]awsapigatewayv2.HttpRouteIntegration{}
	for name, function := range behind.byName {
		integrations[name] = awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String(name), function,
			// One permission for all routes of a function: a permission each took 47 resources.
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
	// A permission for all routes names a stage, a method and a path. $default has no path, so it
	// has a permission of its own, which ends with the stage and $default.
	awsapigatewayv2.NewHttpRoute(s.stack, jsii.String("DefaultRoute"), &awsapigatewayv2.HttpRouteProps{
		HttpApi: api, RouteKey: awsapigatewayv2.HttpRouteKey_DEFAULT(),
		Integration: awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String("Fallback"), behind.byName[route.FunctionDocs], nil),
	})
	// The stage names routes, so they come before it.
	s.newStage(api).Node().AddDependency(routes...)
	return publicURL, behind.signer
}

// corsMethods are the methods of the routes, sorted.
func corsMethods() *[]awsapigatewayv2.CorsHttpMethod {
	var methods []awsapigatewayv2.CorsHttpMethod
	for _, r := range route.All() {
		if m := awsapigatewayv2.CorsHttpMethod(r.Method); !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	slices.Sort(methods)
	return &methods
}
