package stack

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2integrations"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/route"
)

// The gateway's own throttle stands far above every limit of ours: it guards the
// account, while the limits of package ratelimit speak to callers.
const (
	requestsPerSecond = 500
	requestBurst      = 1000
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
func (s service) newAPI() (publicURL *string) {
	api := awsapigatewayv2.NewHttpApi(s.stack, jsii.String("Api"), &awsapigatewayv2.HttpApiProps{
		ApiName:            jsii.String("token-launch-" + s.settings.Stage),
		CreateDefaultStage: jsii.Bool(false),
		CorsPreflight: &awsapigatewayv2.CorsPreflightOptions{
			AllowOrigins:  jsii.Strings("*"),
			AllowMethods:  corsMethods(),
			AllowHeaders:  jsii.Strings(requestHeaders...),
			ExposeHeaders: jsii.Strings(responseHeaders...),
			MaxAge:        awscdk.Duration_Seconds(jsii.Number(corsMaxAgeSeconds)),
		},
	})
	s.watched.api = api
	awsapigatewayv2.NewHttpStage(s.stack, jsii.String("ApiStage"), &awsapigatewayv2.HttpStageProps{
		HttpApi: api, AutoDeploy: jsii.Bool(true),
		Throttle: &awsapigatewayv2.ThrottleSettings{
			RateLimit: jsii.Number(requestsPerSecond), BurstLimit: jsii.Number(requestBurst),
		},
	})
	s.output("ApiUrl", api.ApiEndpoint())

	publicURL = api.ApiEndpoint()
	if s.settings.PublicURL != "" {
		publicURL = jsii.String(s.settings.PublicURL)
	}
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
		integrations[name] = awsapigatewayv2integrations.NewHttpLambdaIntegration(jsii.String(name), function, nil)
	}
	for _, r := range route.All() {
		options := &awsapigatewayv2.AddRoutesOptions{
			Path:        jsii.String(r.Path),
			Methods:     &[]awsapigatewayv2.HttpMethod{awsapigatewayv2.HttpMethod(r.Method)},
			Integration: integrations[r.Function],
		}
		if r.NeedsToken() {
			options.Authorizer = authorizer
		}
		api.AddRoutes(options)
	}
	awsapigatewayv2.NewHttpRoute(s.stack, jsii.String("DefaultRoute"), &awsapigatewayv2.HttpRouteProps{
		HttpApi: api, RouteKey: awsapigatewayv2.HttpRouteKey_DEFAULT(), Integration: integrations[route.FunctionDocs],
	})
	return publicURL
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
