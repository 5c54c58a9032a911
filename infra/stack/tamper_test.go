package stack_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// plainly is a value of a template with names in place of what they stand for.
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

// call is an event of CloudTrail: somebody called KMS.
func call(name string, more map[string]any) map[string]any {
	detail := map[string]any{
		"eventSource": "kms.amazonaws.com", "eventName": name,
		"userIdentity":      identity("arn:aws:iam::000000000000:role/Somebody"),
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

// TestRulesOfTheWalletKeyHearWhatTheyShould gives the rules calls as CloudTrail writes
// them, to be judged by EventBridge.
func TestRulesOfTheWalletKeyHearWhatTheyShould(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs MiniStack")
	}
	events := eventbridge.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	rules := synthesize(t, "prod").of("AWS::Events::Rule")
	function := "arn:AWS::Partition:iam::AWS::AccountId:role/AWS::StackName-AWS::Region-Payer"
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
		"refused, named in the error":   {call("DisableKey", map[string]any{"requestParameters": nil, "errorMessage": "User is not authorized on resource: WalletKey.Arn because of an explicit deny"}), true, false},
		"another key":                   {call("DisableKey", map[string]any{"requestParameters": other}), false, false},
		"its deletion is called off":    {call("CancelKeyDeletion", nil), false, false},
		"it is looked at":               {call("DescribeKey", nil), false, false},
		"a function derives":            {call("GenerateMac", map[string]any{"userIdentity": identity(function)}), false, false},
		"a role that is called alike":   {call("GenerateMac", map[string]any{"userIdentity": identity(function + "Role")}), false, true},
		"an administrator derives":      {call("GenerateMac", map[string]any{"userIdentity": stranger}), false, true},
		"a user without a role":         {call("GenerateMac", map[string]any{"userIdentity": map[string]any{"type": "IAMUser", "arn": "arn:aws:iam::000000000000:user/a"}}), false, true},
		"the account's root":            {call("VerifyMac", map[string]any{"userIdentity": map[string]any{"type": "Root"}}), false, true},
		"derives with another key":      {call("GenerateMac", map[string]any{"userIdentity": stranger, "requestParameters": other}), false, false},
		"a function changes its policy": {call("PutKeyPolicy", map[string]any{"userIdentity": identity(function)}), true, false},
	} {
		event, err := json.Marshal(c.event)
		if err != nil {
			t.Fatal(err)
		}
		for rule, want := range map[string]bool{"WalletKeyChanged": c.changed, "WalletKeyUsed": c.used} {
			pattern, err := json.Marshal(plainly(rules[rule].at("EventPattern")))
			if err != nil {
				t.Fatal(err)
			}
			out, err := events.TestEventPattern(t.Context(), &eventbridge.TestEventPatternInput{
				EventPattern: aws.String(string(pattern)), Event: aws.String(string(event)),
			})
			if err != nil {
				t.Fatalf("%s: %v: %s", rule, err, pattern)
			}
			if out.Result != want {
				t.Errorf("%s: %s hears it: %v, want %v", name, rule, out.Result, want)
			}
		}
	}
}
