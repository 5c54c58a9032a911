package stack_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/api/route"
)

// gets has the parts in which stages differ.
type gets struct {
	deletion     string // policy of what holds data
	protected    bool   // tables from deletion
	recoveryDays string
	logDays      string
	accessDays   string
	routeDays    string // of a function that answers callers
	reserved     string // calls of distributor, payer, signer, dispatcher, and of the others
	throttle     string // requests a second and at once, in all and of a dear route
	edges        string
}

func whatGets(t *testing.T, s stack.Settings) gets {
	t.Helper()
	tpl := synthesizeWith(t, s)
	ledger := tpl.of("AWS::DynamoDB::GlobalTable")["LedgerTable"]
	replica := list(ledger.at("Replicas"))[0]
	functions := tpl.of("AWS::Lambda::Function")
	var reserved []string
	for _, name := range []string{"Distributor", "Payer", "Signer", "Dispatcher"} {
		reserved = append(reserved, text(functions[name+"Function"].at("ReservedConcurrentExecutions")))
		delete(functions, name+"Function")
	}
	for _, r := range functions {
		if others := text(r.at("ReservedConcurrentExecutions")); others != "" {
			reserved = append(reserved, others)
		}
	}
	stage := tpl.of("AWS::ApiGatewayV2::Stage")["ApiStage"]
	limits := func(settings any) string {
		return text(at(settings, "ThrottlingRateLimit")) + "/" + text(at(settings, "ThrottlingBurstLimit"))
	}
	return gets{
		deletion:     ledger.DeletionPolicy,
		protected:    at(replica, "DeletionProtectionEnabled") == true,
		recoveryDays: text(at(replica, "PointInTimeRecoverySpecification", "RecoveryPeriodInDays")),
		logDays:      text(tpl.of("AWS::Logs::LogGroup")["PayerLog"].at("RetentionInDays")),
		accessDays:   text(tpl.of("AWS::Logs::LogGroup")["ApiAccessLog"].at("RetentionInDays")),
		routeDays:    text(tpl.of("AWS::Logs::LogGroup")["TokensLog"].at("RetentionInDays")),
		reserved:     strings.Trim(strings.Join(reserved, " "), " "),
		throttle:     limits(stage.at("DefaultRouteSettings")) + " " + limits(stage.at("RouteSettings", "POST /tokens/upload-image")),
		edges:        text(tpl.of("AWS::CloudFront::Distribution")["Gallery"].at("DistributionConfig", "PriceClass")),
	}
}

func TestStageDefaults(t *testing.T) {
	dev := gets{
		deletion: "Delete", logDays: "7", accessDays: "7", routeDays: "7",
		throttle: "50/100 10/20", edges: "PriceClass_100",
	}
	prod := gets{
		deletion: "Retain", protected: true, recoveryDays: "35", logDays: "90", accessDays: "30", routeDays: "30",
		reserved: "50 20 80 25", throttle: "500/1000 100/200", edges: "PriceClass_All",
	}
	// Money is money, whatever the stage is called.
	rich := dev
	rich.deletion, rich.protected, rich.recoveryDays, rich.reserved = "Retain", true, "35", "50 20 80 25"
	for _, test := range []struct {
		stage, network string
		want           gets
	}{
		{"local", "localnet", gets{deletion: "Delete", logDays: "7", routeDays: "7", throttle: "500/1000 100/200"}},
		{"dev", "devnet", dev},
		{"other", "devnet", dev},
		{"staging", "devnet", gets{
			deletion: "Delete", recoveryDays: "7", logDays: "30", accessDays: "14", routeDays: "14",
			reserved: "50 20 80 25", throttle: "200/400 40/80", edges: "PriceClass_100",
		}},
		{"prod", "devnet", prod},
		{"prod", "mainnet", prod},
		{"dev", "mainnet", rich},
	} {
		s := settings(t, test.stage)
		s.Network = test.network
		wantEqual(t, test.stage+" on "+test.network, whatGets(t, s), test.want)
	}
	small := prod
	small.reserved, small.throttle = "2 2 14 25", "50/100 10/20"
	wantEqual(t, "prod on mainnet, small", whatGets(t, smallSettings(t)), small)
}

// An invocation for a message that the queue has already taken finds free concurrency.
func TestReservedMatchesQueueConcurrency(t *testing.T) {
	tpl := synthesize(t, "prod")
	for _, r := range tpl.of("AWS::Lambda::EventSourceMapping") {
		name := text(r.at("FunctionName"))
		reserved, ok := tpl.of("AWS::Lambda::Function")[name].at("ReservedConcurrentExecutions").(float64)
		if maximum, _ := r.at("ScalingConfig", "MaximumConcurrency").(float64); ok && reserved < maximum {
			t.Errorf("%s has %v calls, and its queue starts %v", name, reserved, maximum)
		}
	}
}

// Routes that create something have throttles of their own, as do routes for which a node lists
// everything in a third party's wallet. Other routes have none.
func TestExpensiveRoutesAreThrottled(t *testing.T) {
	stages := synthesize(t, "prod").of("AWS::ApiGatewayV2::Stage")
	wantEqual(t, "stages", len(stages), 1)
	stage := stages["ApiStage"]
	wantEqual(t, "StageName", text(stage.at("StageName")), "$default")
	wantEqual(t, "AutoDeploy", text(stage.at("AutoDeploy")), "true")
	settings, _ := stage.at("RouteSettings").(map[string]any)
	have, want := []string{}, []string{"ANY /holders/{wallet}", "ANY /holders/{wallet}/payments"}
	for key := range settings {
		have = append(have, key)
	}
	for _, r := range route.All() {
		if r.Method == http.MethodPost {
			want = append(want, r.Pattern())
		}
	}
	wantLines(t, "routes", have, want)
	// A stage that names a route which is not made yet cannot be made.
	for id, r := range synthesize(t, "prod").Resources {
		if r.Type == "AWS::ApiGatewayV2::Route" && text(r.at("RouteKey")) != "$default" && !slices.Contains(stage.DependsOn, id) {
			t.Errorf("the stage may be created before %s", id)
		}
	}
}

// Nothing that lets a third party in is in the log, and nothing that names a token's page.
func TestAccessLogFields(t *testing.T) {
	tpl := synthesize(t, "prod")
	settings := tpl.of("AWS::ApiGatewayV2::Stage")["ApiStage"].at("AccessLogSettings")
	wantEqual(t, "log", text(at(settings, "DestinationArn")), "ApiAccessLog.Arn")
	var line map[string]string
	if err := json.Unmarshal([]byte(text(at(settings, "Format"))), &line); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, field := range line {
		have = append(have, strings.TrimPrefix(field, "$context."))
	}
	wantLines(t, "fields", have, []string{
		"requestId", "requestTime", "identity.sourceIp", "routeKey", "status", "responseLength", "responseLatency",
		"integrationLatency", "integrationErrorMessage", "error.responseType",
	})
}

// No function may act on all resources, and none sends traces: docs/decisions has the reason.
func TestNoRightIsOnEverything(t *testing.T) {
	tpl := synthesize(t, "prod")
	for name, r := range tpl.of("AWS::IAM::Policy") {
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			if slices.Contains(texts(at(statement, "Resource")), "*") {
				t.Errorf("%s: %v on everything", name, texts(at(statement, "Action")))
			}
		}
	}
	for name, r := range tpl.of("AWS::Lambda::Function") {
		if r.at("TracingConfig") != nil {
			t.Errorf("%s is traced", name)
		}
	}
}

// An address is enough to hear alarms: the stack makes the topic.
func TestAlarmsReachAnAddress(t *testing.T) {
	s := settings(t, "prod")
	s.AlarmTopic, s.AlarmEmail = "", "ops@example.com"
	tpl := synthesizeWith(t, s)
	subscriptions := tpl.of("AWS::SNS::Subscription")
	wantEqual(t, "subscriptions", len(subscriptions), 1)
	for _, r := range subscriptions {
		wantEqual(t, "tells", text(r.at("Protocol"))+" "+text(r.at("Endpoint")), "email ops@example.com")
		wantEqual(t, "of", text(r.at("TopicArn")), "AlarmTopic")
	}
	// A policy replaces the default one, so it must include the services that publish alarms.
	// EventBridge delivers nothing through a statement with a condition.
	var may []string
	for _, statement := range list(tpl.of("AWS::SNS::TopicPolicy")["AlarmTopicPolicy"].at("PolicyDocument", "Statement")) {
		if service := text(at(statement, "Principal", "Service")); service == "events.amazonaws.com" && at(statement, "Condition") != nil {
			t.Errorf("%s publishes on conditions: %v", service, at(statement, "Condition"))
		}
		may = append(may, text(at(statement, "Effect"))+" "+text(at(statement, "Principal", "Service"))+" "+
			text(at(statement, "Condition", "ArnLike", "aws:SourceArn")))
	}
	const from = "arn:AWS::Partition:"
	const here = ":AWS::Region:AWS::AccountId:"
	wantLines(t, "publishers", may, []string{
		"Deny  ", "Allow cloudwatch.amazonaws.com " + from + "cloudwatch" + here + "alarm:*",
		"Allow events.amazonaws.com ",
	})
	alarms := tpl.of("AWS::CloudWatch::Alarm")
	for name := range alarms {
		wantLines(t, name+" tells", texts(tpl.notifier(name).at("AlarmActions")), []string{"AlarmTopic"})
	}
	if len(alarms) == 0 {
		t.Error("the template has no alarms")
	}
}

// Resources that exist once in an account include the Region in their name, so that a stack of the
// same name can be created in another Region while the first still exists.
func TestTwoRegionsDoNotCollide(t *testing.T) {
	tpl := synthesize(t, "prod")
	const here = "AWS::StackName-AWS::Region"
	wantEqual(t, "dashboard", text(tpl.of("AWS::CloudWatch::Dashboard")["Dashboard"].at("DashboardName")), here)
	for kind, path := range map[string][]string{
		"AWS::CloudFront::OriginAccessControl":   {"OriginAccessControlConfig", "Name"},
		"AWS::CloudFront::ResponseHeadersPolicy": {"ResponseHeadersPolicyConfig", "Name"},
		"AWS::CloudFront::CachePolicy":           {"CachePolicyConfig", "Name"},
		"AWS::CloudFront::Function":              {"Name"},
	} {
		all := tpl.of(kind)
		if len(all) == 0 {
			t.Errorf("%s does not exist", kind)
		}
		for name, r := range all {
			if have := text(r.at(path...)); !strings.Contains(have, "AWS::Region") {
				t.Errorf("%s is named %s in every Region", name, have)
			}
		}
	}
}
