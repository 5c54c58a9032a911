package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/jsii-runtime-go"
)

// keyCalls are those that endanger the key of the wallets, those that change who
// may use it among them. CancelKeyDeletion is not: it is what one hopes for.
var keyCalls = []string{
	"CreateGrant", "DeleteImportedKeyMaterial", "DisableKey", "ImportKeyMaterial", "PutKeyPolicy", "ReplicateKey",
	"ScheduleKeyDeletion", "UpdatePrimaryRegion",
}

// keyUses are the calls that use it.
var keyUses = []string{"GenerateMac", "VerifyMac"}

// watchWalletKey rings for every call that endangers the key of the wallets, and for
// every use by anybody but the functions that hold it, refused ones included. Both
// hear of a call from CloudTrail, which needs a trail in the account. MiniStack has
// nothing that would make such events.
func (s service) watchWalletKey() {
	if s.settings.Local() {
		return
	}
	s.watchCalls("WalletKeyChanged", "Somebody changed, or tried to change, the key of all wallets",
		"ENABLED", keyCalls, nil)
	// Uses of a key count as reads, which a rule does not hear of unless it says so.
	s.watchCalls("WalletKeyUsed", "Somebody who is no function used, or tried to use, the key of all wallets",
		"ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS", keyUses, s.byStrangers())
}

// watchCalls makes a rule for calls to KMS that concern the key, and its alarm. The
// topic of the alarms gets the event too, if its policy lets EventBridge publish.
func (s service) watchCalls(name, about, state string, calls []string, by any) {
	detail := map[string]any{
		"eventSource": jsii.Strings("kms.amazonaws.com"),
		"eventName":   jsii.Strings(calls...),
		"$or":         s.concerningWalletKey(),
	}
	if by != nil {
		detail["userIdentity"] = by
	}
	props := &awsevents.CfnRuleProps{
		Description: jsii.String(about),
		State:       jsii.String(state),
		EventPattern: map[string]any{
			"source": jsii.Strings("aws.kms"), "detail-type": jsii.Strings("AWS API Call via CloudTrail"), "detail": detail,
		},
	}
	if s.alarmTopic != nil {
		props.Targets = []any{awsevents.CfnRule_TargetProperty{Id: jsii.String("Topic"), Arn: s.alarmTopic.TopicArn()}}
	}
	rule := awsevents.NewCfnRule(s.stack, jsii.String(name), props)
	options := over("Sum")
	s.newAlarm(alarm{name: name, severity: page, about: about, metric: awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/Events"), MetricName: jsii.String("MatchedEvents"),
		DimensionsMap: &map[string]*string{"RuleName": rule.Ref()}, Statistic: options.Statistic, Period: options.Period,
	})})
}

// concerningWalletKey matches calls that name the key. A call that was refused may do
// so in its error alone.
func (s service) concerningWalletKey() []any {
	id, arn := s.keys.wallet.id, s.keys.wallet.arn
	return []any{
		map[string]any{"resources": map[string]any{"ARN": []*string{arn}}},
		map[string]any{"requestParameters": map[string]any{"keyId": []*string{id, arn}}},
		map[string]any{"errorMessage": []any{map[string]any{"wildcard": jsii.String("*" + *arn + "*")}}},
	}
}

// byStrangers matches callers whose role is none of the functions' that hold the key,
// and callers without a role.
func (s service) byStrangers() any {
	issuer := func(arn any) any {
		return map[string]any{"sessionContext": map[string]any{"sessionIssuer": map[string]any{"arn": []any{arn}}}}
	}
	return map[string]any{"$or": []any{
		issuer(map[string]any{"anything-but": map[string]any{"wildcard": *s.settings.walletRoles()}}),
		issuer(map[string]any{"exists": jsii.Bool(false)}),
	}}
}
