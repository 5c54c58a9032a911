package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// keyCalls endanger the wallets' key, for example by changing the users of the key.
// CancelKeyDeletion is missing because this call only rescues the key.
var keyCalls = []string{
	"CreateGrant", "DeleteImportedKeyMaterial", "DisableKey", "ImportKeyMaterial", "PutKeyPolicy", "ReplicateKey",
	"ScheduleKeyDeletion", "UpdatePrimaryRegion",
}

// keyUses are the calls that use the key.
var keyUses = []string{"GenerateMac", "VerifyMac"}

// watchWalletKey fires on every call that endangers a key of the wallets' roots, and on every use by a caller
// other than the key's functions, including rejected calls. The events come from CloudTrail and
// need a trail in the account. MiniStack emits no such events.
func (s service) watchWalletKey() {
	for _, c := range s.walletCalls() {
		s.watchCalls(c)
	}
}

// walletCalls returns the calls on the wallets' key that fire an alarm.
func (s service) walletCalls() []calls {
	return []calls{{
		name: "WalletKeyChanged", about: "Someone changed the key of all wallets, or tried to",
		impact: "An attacker may take every wallet", first: "find the caller in CloudTrail. A deployment of yours may be the cause",
		of: "kms", names: keyCalls, more: map[string]any{"$or": s.concerningWalletKey()},
	}, {
		name: "WalletKeyUsed", about: "Someone other than the service used the key of all wallets, or tried to",
		impact: "The caller may control every wallet", first: "find the caller in CloudTrail",
		of: "kms", names: keyUses, reads: true,
		more: map[string]any{"$or": s.concerningWalletKey(), "userIdentity": otherThan(s.walletRoles())},
	}}
}

// forwardWalletCalls forwards the same calls on the replica to the event bus of the primary's
// Region. The rules of the service's stack match them there, so one topic covers both keys.
func (s service) forwardWalletCalls() {
	bus := s.stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("events"), Region: jsii.String(s.home.region), Resource: jsii.String("event-bus"), ResourceName: jsii.String("default"),
	})
	role := awsiam.NewRole(s.stack, jsii.String("ForwarderRole"), &awsiam.RoleProps{
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("events.amazonaws.com"), nil),
	})
	role.AddToPolicy(allow([]string{"events:PutEvents"}, bus))
	for _, c := range s.walletCalls() {
		awsevents.NewCfnRule(s.stack, jsii.String(c.name), c.rule([]any{
			awsevents.CfnRule_TargetProperty{Id: jsii.String("Home"), Arn: bus, RoleArn: role.RoleArn()},
		}))
	}
}

// concerningWalletKey matches calls that name the key of a root. A rejected call may name the key only
// in the error.
func (s service) concerningWalletKey() []any {
	var ids, named, inError []any
	for _, root := range s.roots() {
		ids = append(ids, root.id)
		if s.settings.watchesAll() {
			named = append(named, root.arn)
			inError = append(inError, map[string]any{"wildcard": "*" + *root.arn + "*"})
			continue
		}
		// A replica has the key ID of the primary. Forwarded calls of the replica's Region have
		// this ID.
		end := ":key/" + *root.id
		named = append(named, map[string]any{"suffix": end})
		inError = append(inError, map[string]any{"wildcard": "*" + end + "*"})
	}
	return []any{
		map[string]any{"resources": map[string]any{"ARN": named}},
		map[string]any{"requestParameters": map[string]any{"keyId": append(ids, named...)}},
		map[string]any{"errorMessage": inError},
	}
}
