package stack

import (
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
)

// newStage creates the API's stage: throttles, log and domain name.
func (s service) newStage(api awsapigatewayv2.HttpApi) awsapigatewayv2.HttpStage {
	p := s.settings.profile()
	made := awsapigatewayv2.NewHttpStage(s.stack, jsii.String("ApiStage"), &awsapigatewayv2.HttpStageProps{
		HttpApi: api, AutoDeploy: jsii.Bool(true), DomainMapping: s.newDomain(),
		Throttle: &awsapigatewayv2.ThrottleSettings{
			RateLimit: jsii.Number(p.requests.rate), BurstLimit: jsii.Number(p.requests.burst),
		},
	})
	plain, _ := made.Node().DefaultChild().(awsapigatewayv2.CfnStage)
	plain.SetRouteSettings(dearRoutes(p.dear))
	if p.accessLog != "" {
		log := awslogs.NewLogGroup(s.stack, jsii.String("ApiAccessLog"), &awslogs.LogGroupProps{
			Retention: p.accessLog, RemovalPolicy: s.keep(),
		})
		plain.SetAccessLogSettings(&awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: log.LogGroupArn(), Format: jsii.String(accessLine()),
		})
	}
	return made
}

// dearRoutes throttles expensive routes below the gateway's total. The limits far exceed those of
// package ratelimit, which are for single callers. They protect the node and the account against
// many callers.
func dearRoutes(limit throttle) map[string]any {
	settings := map[string]any{}
	for _, r := range route.All() {
		if r.Dear() {
			settings[r.Key()] = map[string]any{
				"ThrottlingRateLimit": limit.rate, "ThrottlingBurstLimit": limit.burst,
			}
		}
	}
	return settings
}

// accessLine returns the format of the gateway's log lines. A line has no headers, so no access
// tokens, and no query. It has the address, because an operator must be able to identify a flood.
// Behind CloudFront this address is CloudFront's, because an HTTP API logs no header. The
// functions' request lines have the viewer's address. Addresses are personal data, so both logs
// have a short retention, and no other record has addresses. The route replaces the path. The ID is
// also in X-Request-Id and in the function's lines.
func accessLine() string {
	line, err := json.Marshal(map[string]string{
		"requestId":        "$context.requestId",
		"time":             "$context.requestTime",
		"ip":               "$context.identity.sourceIp",
		"route":            "$context.routeKey",
		"status":           "$context.status",
		"bytes":            "$context.responseLength",
		"latency":          "$context.responseLatency",
		"functionLatency":  "$context.integrationLatency",
		"functionError":    "$context.integrationErrorMessage",
		"gatewayErrorType": "$context.error.responseType",
	})
	if err != nil {
		panic(err) // a map of texts is always valid JSON
	}
	return string(line)
}
