package stack

import (
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
)

// newStage makes the one stage of the API: its throttles, its log, its domain name.
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

// dearRoutes throttles each route that is dear below what the gateway lets through in all.
// The limits stand far above those of package ratelimit, which speak to one caller: they
// guard the node and the account against many.
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

// accessLine is what the gateway writes about a request. There is no header in it, so
// no token, and no query. The address is: without it an operator could not say who floods the
// service. Behind CloudFront this address is CloudFront's, because an HTTP API logs no header:
// the functions' request lines have the viewer's. Addresses are personal data, so both logs have a
// shorter life than the others, and nothing else keeps addresses. The route stands for the path; the id is the one that
// the caller got in X-Request-Id and that the function's lines have.
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
		panic(err) // a map of texts is always JSON
	}
	return string(line)
}
