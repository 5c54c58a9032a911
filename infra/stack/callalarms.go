package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/jsii-runtime-go"
)

// calls of AWS's own API that ring.
type calls struct {
	name, about string
	of          string // the AWS service
	// names are texts, or EventBridge's ways of matching them.
	names any
	// reads: the calls count as reads, which a rule does not hear of unless it says so.
	reads bool
	more  map[string]any // of the event's detail
}

// watchCalls makes a rule for the calls, and its alarm. The topic of the alarms gets the
// event too, if its policy lets EventBridge publish. MiniStack has nothing that would make
// such events.
func (s service) watchCalls(c calls) {
	if s.settings.Local() || !s.settings.watches(c.name) {
		return
	}
	var targets []any
	if s.alarmTopic != nil {
		targets = []any{awsevents.CfnRule_TargetProperty{Id: jsii.String("Topic"), Arn: s.alarmTopic.TopicArn()}}
	}
	rule := awsevents.NewCfnRule(s.stack, jsii.String(c.name), c.rule(targets))
	options := over("Sum")
	s.newAlarm(alarm{name: c.name, severity: page, about: c.about, metric: awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/Events"), MetricName: jsii.String("MatchedEvents"),
		DimensionsMap: &map[string]*string{"RuleName": rule.Ref()}, Statistic: options.Statistic, Period: options.Period,
	})})
}

// rule hears the calls, and tells the targets.
func (c calls) rule(targets []any) *awsevents.CfnRuleProps {
	detail := map[string]any{"eventSource": jsii.Strings(c.of + ".amazonaws.com"), "eventName": c.names}
	for name, value := range c.more {
		detail[name] = value
	}
	state := "ENABLED"
	if c.reads {
		state = "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"
	}
	props := &awsevents.CfnRuleProps{
		Description: jsii.String(c.about),
		State:       jsii.String(state),
		EventPattern: map[string]any{
			"source": jsii.Strings("aws." + c.of), "detail-type": jsii.Strings("AWS API Call via CloudTrail"), "detail": detail,
		},
	}
	if len(targets) > 0 {
		props.Targets = targets
	}
	return props
}

// otherThan matches callers whose role is none of these, and callers without a role.
func otherThan(roles *[]*string) any {
	issuer := func(arn any) any {
		return map[string]any{"sessionContext": map[string]any{"sessionIssuer": map[string]any{"arn": []any{arn}}}}
	}
	return map[string]any{"$or": []any{
		issuer(map[string]any{"anything-but": *roles}),
		issuer(map[string]any{"exists": jsii.Bool(false)}),
	}}
}

// roleCalls give a principal a right, or take one away that holds another back.
var roleCalls = []string{
	"AddUserToGroup", "AttachGroupPolicy", "AttachRolePolicy", "AttachUserPolicy", "CreateAccessKey", "CreateLoginProfile",
	"CreateOpenIDConnectProvider", "CreatePolicy", "CreatePolicyVersion", "CreateRole", "CreateSAMLProvider", "CreateUser",
	"DeleteRole", "DeleteRolePermissionsBoundary", "DeleteRolePolicy", "DeleteUserPermissionsBoundary", "DetachRolePolicy",
	"PutGroupPolicy", "PutRolePermissionsBoundary", "PutRolePolicy", "PutUserPolicy", "SetDefaultPolicyVersion",
	"UpdateAssumeRolePolicy", "UpdateLoginProfile", "UpdateOpenIDConnectProviderThumbprint", "UpdateSAMLProvider",
}

// watchRoles rings for every role, policy and user that is made or changed, by a deployment
// too. IAM is one for all Regions, and its events arrive in us-east-1.
func (s service) watchRoles() {
	s.watchCalls(calls{
		name: "RolesChanged", about: "A role, a policy or a user was made or changed, or a caller tried to",
		of: "iam", names: jsii.Strings(roleCalls...),
	})
}

// functionCalls change what a function does, who calls it, or make one. Their names end
// with the version of Lambda's API.
var functionCalls = []string{
	"AddLayerVersionPermission", "AddPermission", "CreateAlias", "CreateEventSourceMapping", "CreateFunction", "CreateFunctionUrlConfig",
	"PublishLayerVersion", "PutFunctionRecursionConfig", "UpdateAlias", "UpdateEventSourceMapping", "UpdateFunctionCode", "UpdateFunctionConfiguration", "UpdateFunctionUrlConfig",
}

// watchFunctions rings when anyone but a deployment changes or makes a function: a new one
// could take the role of another.
func (s service) watchFunctions() {
	var names []any
	for _, call := range functionCalls {
		names = append(names, map[string]any{"prefix": call})
	}
	s.watchCalls(calls{
		name: "FunctionsChanged", about: "A function was made or changed outside a deployment, or a caller tried to",
		of: "lambda", names: names,
		more: map[string]any{"userIdentity": otherThan(ours("iam", s.deployers()...))},
	})
}

// trailCalls stop what the other rules hear from, or make it hear less.
var trailCalls = []string{"DeleteTrail", "PutEventSelectors", "StopLogging", "UpdateTrail"}

// watchTrail rings when a trail is stopped. Such a call is heard in the trail's own Region.
func (s service) watchTrail() {
	s.watchCalls(calls{
		name: "TrailChanged", about: "A trail was stopped or changed, or a caller tried to: other alarms may hear nothing",
		of: "cloudtrail", names: jsii.Strings(trailCalls...),
	})
}
