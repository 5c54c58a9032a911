package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/jsii-runtime-go"
)

// calls are calls of AWS's API that fire an alarm.
type calls struct {
	name string
	// about is the state in the alarm's text, and impact and first are its other parts.
	about, impact, first string
	of                   string // AWS service
	// names are texts, or patterns of EventBridge.
	names any
	// reads reports whether the calls count as reads, which a rule must request explicitly.
	reads bool
	more  map[string]any // further fields of the event's detail
}

// watchCalls creates a rule for the calls, with an alarm. The alarms' topic receives the event,
// too, if the topic's policy lets EventBridge publish. MiniStack emits no such events.
func (s service) watchCalls(c calls) {
	if s.settings.Local() || !s.settings.watches(c.name) {
		return
	}
	var targets []any
	if s.alarmTopic != nil {
		targets = []any{awsevents.CfnRule_TargetProperty{Id: jsii.String("Topic"), Arn: s.alarmTopic.TopicArn()}}
	}
	rule := awsevents.NewCfnRule(s.stack, jsii.String(c.name), c.rule(targets))
	name := rule.Ref()
	if s.alarms.stack != s.stack {
		name = s.refer(c.name+"RuleName", name)
	}
	s.newAlarm(alarm{
		name: c.name, severity: page, state: c.about, impact: c.impact, first: c.first,
		metric: reported("AWS/Events", "MatchedEvents", "Sum", "RuleName", name),
	})
}

// rule matches the calls, and notifies the targets.
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

// otherThan matches callers with another role, and callers without a role.
func otherThan(roles *[]*string) any {
	issuer := func(arn any) any {
		return map[string]any{"sessionContext": map[string]any{"sessionIssuer": map[string]any{"arn": []any{arn}}}}
	}
	return map[string]any{"$or": []any{
		issuer(map[string]any{"anything-but": *roles}),
		issuer(map[string]any{"exists": jsii.Bool(false)}),
	}}
}

// roleCalls give a right to a principal, or remove a restriction of another principal.
var roleCalls = []string{
	"AddUserToGroup", "AttachGroupPolicy", "AttachRolePolicy", "AttachUserPolicy", "CreateAccessKey", "CreateLoginProfile",
	"CreateOpenIDConnectProvider", "CreatePolicy", "CreatePolicyVersion", "CreateRole", "CreateSAMLProvider", "CreateUser",
	"DeleteRole", "DeleteRolePermissionsBoundary", "DeleteRolePolicy", "DeleteUserPermissionsBoundary", "DetachRolePolicy",
	"PutGroupPolicy", "PutRolePermissionsBoundary", "PutRolePolicy", "PutUserPolicy", "SetDefaultPolicyVersion",
	"UpdateAssumeRolePolicy", "UpdateLoginProfile", "UpdateOpenIDConnectProviderThumbprint", "UpdateSAMLProvider",
}

// watchRoles fires on every creation or change of a role, a policy or a user, even by a deployment.
// IAM is global, and its events arrive in us-east-1.
func (s service) watchRoles() {
	s.watchCalls(calls{
		name: "RolesChanged", about: "Someone changed a role, a policy or a user, or tried to",
		impact: "A new right may lead to the wallets", first: "find the caller in CloudTrail, in us-east-1. A deployment of yours may be the cause",
		of: "iam", names: jsii.Strings(roleCalls...),
	})
}

// functionCalls create a function, or change a function or its callers. The names end with the
// version of Lambda's API.
var functionCalls = []string{
	"AddLayerVersionPermission", "AddPermission", "CreateAlias", "CreateEventSourceMapping", "CreateFunction", "CreateFunctionUrlConfig",
	"PublishLayerVersion", "PutFunctionRecursionConfig", "UpdateAlias", "UpdateEventSourceMapping", "UpdateFunctionCode", "UpdateFunctionConfiguration", "UpdateFunctionUrlConfig",
}

// watchFunctions fires if a caller other than a deployment creates or changes a function, because a
// new function could use another function's role.
func (s service) watchFunctions() {
	var names []any
	for _, call := range functionCalls {
		names = append(names, map[string]any{"prefix": call})
	}
	s.watchCalls(calls{
		name: "FunctionsChanged", about: "Someone changed a function outside a deployment, or tried to",
		impact: "New code may use the rights of another function", first: "find the caller in CloudTrail",
		of: "lambda", names: names,
		more: map[string]any{"userIdentity": otherThan(ours("iam", s.deployers()...))},
	})
}

// trailCalls stop or reduce the events that the other rules receive.
var trailCalls = []string{"DeleteTrail", "PutEventSelectors", "StopLogging", "UpdateTrail"}

// watchTrail fires when a trail is stopped or changed. The event arrives in the trail's own Region.
func (s service) watchTrail() {
	s.watchCalls(calls{
		name: "TrailChanged", about: "Someone stopped or changed a trail of CloudTrail, or tried to",
		impact: "The alarms on keys, roles and functions may not fire", first: "start the trail again: aws cloudtrail start-logging",
		of: "cloudtrail", names: jsii.Strings(trailCalls...),
	})
}
