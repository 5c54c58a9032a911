package stack_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// plainly replaces placeholders in a template's value by the names of their parameters.
func plainly(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if _, ref := v["Ref"]; ref {
			return text(v)
		}
		for name := range v {
			if len(v) == 1 && len(name) > 4 && name[:4] == "Fn::" {
				return text(v)
			}
		}
		plain := map[string]any{}
		for name, inner := range v {
			plain[name] = plainly(inner)
		}
		return plain
	case []any:
		var plain []any
		for _, inner := range v {
			plain = append(plain, plainly(inner))
		}
		return plain
	}
	return value
}

// call is an event of CloudTrail: a caller called KMS.
func call(name string, more map[string]any) map[string]any {
	detail := map[string]any{
		"eventSource": "kms.amazonaws.com", "eventName": name,
		"userIdentity":      identity("arn:aws:iam::000000000000:role/Other"),
		"requestParameters": map[string]any{"keyId": "WalletKey"},
	}
	maps.Copy(detail, more)
	return map[string]any{
		"version": "0", "id": "1", "source": "aws.kms", "account": "000000000000", "region": "us-east-1",
		"time": "2026-11-22T00:00:00Z", "resources": []any{}, "detail-type": "AWS API Call via CloudTrail", "detail": detail,
	}
}

// identity is a caller with the session of a role.
func identity(role string) map[string]any {
	return map[string]any{"type": "AssumedRole", "sessionContext": map[string]any{"sessionIssuer": map[string]any{"arn": role}}}
}

// TestWalletKeyRulesMatchCalls sends the rules calls as CloudTrail writes them; EventBridge
// decides.
func TestWalletKeyRulesMatchCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs MiniStack")
	}
	events := eventbridge.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	rules := synthesize(t, "prod").of("AWS::Events::Rule")
	function := "arn:AWS::Partition:iam::AWS::AccountId:role/AWS::StackName-AWS::Region-Signer"
	payer := "arn:AWS::Partition:iam::AWS::AccountId:role/AWS::StackName-AWS::Region-Payer"
	stranger := identity("arn:aws:iam::000000000000:role/Admin")
	other := map[string]any{"keyId": "TokenKey"}
	for name, c := range map[string]struct {
		event         map[string]any
		changed, used bool
	}{
		"its deletion is scheduled":     {call("ScheduleKeyDeletion", nil), true, false},
		"it is disabled":                {call("DisableKey", nil), true, false},
		"its policy is changed":         {call("PutKeyPolicy", nil), true, false},
		"by its ARN":                    {call("PutKeyPolicy", map[string]any{"requestParameters": map[string]any{"keyId": "WalletKey.Arn"}}), true, false},
		"named as a resource only":      {call("CreateGrant", map[string]any{"requestParameters": other, "resources": []any{map[string]any{"ARN": "WalletKey.Arn"}}}), true, false},
		"denied, named in the error":    {call("DisableKey", map[string]any{"requestParameters": nil, "errorMessage": "User is not authorized on resource: WalletKey.Arn because of an explicit deny"}), true, false},
		"another key":                   {call("DisableKey", map[string]any{"requestParameters": other}), false, false},
		"its deletion is called off":    {call("CancelKeyDeletion", nil), false, false},
		"it is described":               {call("DescribeKey", nil), false, false},
		"a function without the right":  {call("GenerateMac", map[string]any{"userIdentity": identity(payer)}), false, true},
		"the signer derives":            {call("GenerateMac", map[string]any{"userIdentity": identity(function)}), false, false},
		"a role that is called alike":   {call("GenerateMac", map[string]any{"userIdentity": identity(function + "Role")}), false, true},
		"an administrator derives":      {call("GenerateMac", map[string]any{"userIdentity": stranger}), false, true},
		"a user without a role":         {call("GenerateMac", map[string]any{"userIdentity": map[string]any{"type": "IAMUser", "arn": "arn:aws:iam::000000000000:user/a"}}), false, true},
		"the account's root":            {call("VerifyMac", map[string]any{"userIdentity": map[string]any{"type": "Root"}}), false, true},
		"derives with another key":      {call("GenerateMac", map[string]any{"userIdentity": stranger, "requestParameters": other}), false, false},
		"a function changes its policy": {call("PutKeyPolicy", map[string]any{"userIdentity": identity(function)}), true, false},
	} {
		for rule, want := range map[string]bool{"WalletKeyChanged": c.changed, "WalletKeyUsed": c.used} {
			wantEqual(t, name+": "+rule+" matches it", matches(t, events, rules[rule], c.event), want)
		}
	}
}

// TestOneRuleMatchesBothKeys tests that, with the small profile, the calls on the replica come from
// the other Region and name it by its own ARN.
func TestOneRuleMatchesBothKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs MiniStack")
	}
	events := eventbridge.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	rules := synthesizeWith(t, smallSettings(t)).of("AWS::Events::Rule")
	replicas := "arn:AWS::Partition:iam::AWS::AccountId:role/AWS::StackName-replica-" + replicaRegion + "-Deriver"
	for key, want := range map[string]bool{
		"WalletKey": true, "arn:aws:kms:us-east-1:000000000000:key/WalletKey": true, "arn:aws:kms:eu-west-1:000000000000:key/WalletKey": true,
		"arn:aws:kms:eu-west-1:000000000000:key/TokenKey": false, "TokenKey": false,
	} {
		for what, more := range map[string]map[string]any{
			"by its name":    {"requestParameters": map[string]any{"keyId": key}},
			"as a resource":  {"requestParameters": nil, "resources": []any{map[string]any{"ARN": key}}},
			"in the refusal": {"requestParameters": nil, "errorMessage": "User is not authorized on resource: " + key + " because of an explicit deny"},
		} {
			if key == "WalletKey" && what != "by its name" {
				continue // AWS names a resource by its ARN
			}
			wantEqual(t, key+" is disabled, "+what, matches(t, events, rules["WalletKeyChanged"], call("DisableKey", more)), want)
			wantEqual(t, key+" is used, "+what, matches(t, events, rules["WalletKeyUsed"], call("GenerateMac", more)), want)
			by := maps.Clone(more)
			by["userIdentity"] = identity(replicas)
			wantEqual(t, key+" is used by the replica's deriver, "+what, matches(t, events, rules["WalletKeyUsed"], call("GenerateMac", by)), false)
		}
	}
}

// matches reports whether EventBridge would hand the event to the rule.
func matches(t *testing.T, client *eventbridge.Client, rule resource, event map[string]any) bool {
	t.Helper()
	pattern, err := json.Marshal(plainly(rule.at("EventPattern")))
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	out, err := client.TestEventPattern(t.Context(), &eventbridge.TestEventPatternInput{
		EventPattern: aws.String(string(pattern)), Event: aws.String(string(content)),
	})
	if err != nil {
		t.Fatalf("TestEventPattern: %v: %s", err, pattern)
	}
	return out.Result
}

// TestAccountChangesMatchRules tests docs/attacks.md, "Inside". The rules match changes of roles
// and policies by every caller, and changes of code by all callers except the deployment's own
// role, whose name must match in full.
func TestAccountChangesMatchRules(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs MiniStack")
	}
	events := eventbridge.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	rules := map[string]resource{}
	maps.Copy(rules, synthesize(t, "prod").of("AWS::Events::Rule"))
	for name, r := range synthesizeStack(t, settings(t, "prod"), stack.NewEdge).of("AWS::Events::Rule") {
		if name == "RolesChanged" {
			rules[name] = r
		}
	}
	const role = "arn:AWS::Partition:iam::AWS::AccountId:role/"
	deployer := role + "cdk-hnb659fds-cfn-exec-role-AWS::AccountId-AWS::Region"
	by := func(role string) map[string]any { return map[string]any{"userIdentity": identity(role)} }
	for _, c := range []struct {
		service, name string
		more          map[string]any
		match         string
	}{
		{"iam", "CreateRole", nil, "RolesChanged"},
		{"iam", "CreateRole", by(deployer), "RolesChanged"},
		{"iam", "PutRolePolicy", nil, "RolesChanged"},
		{"iam", "AttachRolePolicy", nil, "RolesChanged"},
		{"iam", "UpdateAssumeRolePolicy", nil, "RolesChanged"},
		{"iam", "CreateAccessKey", map[string]any{"errorCode": "AccessDenied"}, "RolesChanged"},
		{"iam", "ListRoles", nil, ""},
		{"iam", "TagRole", nil, ""},
		{"lambda", "UpdateFunctionCode20150331v2", nil, "FunctionsChanged"},
		{"lambda", "UpdateFunctionConfiguration20150331v2", nil, "FunctionsChanged"},
		{"lambda", "AddPermission20150331v2", nil, "FunctionsChanged"},
		{"lambda", "PutFunctionRecursionConfig20240831", nil, "FunctionsChanged"},
		{"lambda", "CreateFunction20150331", nil, "FunctionsChanged"},
		{"lambda", "UpdateFunctionCode20150331v2", by(deployer), ""},
		{"lambda", "UpdateFunctionCode20150331v2", by(deployer + "-2"), "FunctionsChanged"},
		{"lambda", "UpdateFunctionCode20150331v2", by(role + "cdk-mine-cfn-exec-role-AWS::AccountId-AWS::Region"), "FunctionsChanged"},
		{"lambda", "UpdateFunctionCode20150331v2", map[string]any{"userIdentity": map[string]any{"type": "Root"}}, "FunctionsChanged"},
		{"lambda", "GetFunction20150331v2", nil, ""},
		{"lambda", "PutFunctionConcurrency20171031", nil, ""}, // `operate stop`
		{"cloudtrail", "StopLogging", nil, "TrailChanged"},
		{"cloudtrail", "DeleteTrail", by(deployer), "TrailChanged"},
		{"cloudtrail", "UpdateTrail", nil, "TrailChanged"},
		{"cloudtrail", "PutEventSelectors", nil, "TrailChanged"},
		{"cloudtrail", "GetTrailStatus", nil, ""},
	} {
		event := call(c.name, map[string]any{"eventSource": c.service + ".amazonaws.com"})
		event["source"] = "aws." + c.service
		maps.Copy(event["detail"].(map[string]any), c.more) //nolint:forcetypeassert // made by call
		for _, rule := range []string{"RolesChanged", "FunctionsChanged", "TrailChanged", "WalletKeyChanged"} {
			wantEqual(t, c.name+": "+rule+" matches it", matches(t, events, rules[rule], event), rule == c.match)
		}
	}
}

// Each rule notifies a topic of its own Region immediately.
func TestAccountChangeRulesAlarm(t *testing.T) {
	s := settings(t, "prod")
	s.AlarmTopic, s.AlarmEmail, s.EdgeAlarmTopic = "", "ops@example.com", ""
	for _, of := range []struct {
		tpl   template
		rules []string
	}{
		{synthesizeWith(t, s), []string{"FunctionsChanged", "TrailChanged"}},
		{synthesizeStack(t, s, stack.NewEdge), []string{"RolesChanged", "TrailChanged"}},
	} {
		for _, name := range of.rules {
			rule, alarm := of.tpl.of("AWS::Events::Rule")[name], of.tpl.of("AWS::CloudWatch::Alarm")[name+"Alarm"]
			wantEqual(t, name+" tells", text(at(list(rule.at("Targets"))[0], "Arn")), "AlarmTopic")
			wantEqual(t, name, text(alarm.at("MetricName"))+" "+written(alarm.at("Dimensions"))+" "+text(alarm.at("Threshold")),
				"MatchedEvents {Name: RuleName, Value: "+name+"} 0")
		}
		wantEqual(t, "topics", len(of.tpl.of("AWS::SNS::Topic")), 1)
	}
	edge := settings(t, "prod")
	edge.EdgeAlarmTopic = "arn:aws:sns:us-east-1:000000000000:edge"
	rule := synthesizeStack(t, edge, stack.NewEdge).of("AWS::Events::Rule")["RolesChanged"]
	wantEqual(t, "the edge's own topic", text(at(list(rule.at("Targets"))[0], "Arn")), edge.EdgeAlarmTopic)
}
