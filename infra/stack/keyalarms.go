package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
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
// every use by anyone but the functions that hold it, refused ones included. Both
// hear of a call from CloudTrail, which needs a trail in the account. MiniStack has
// nothing that would make such events.
func (s service) watchWalletKey() {
	for _, c := range s.walletCalls() {
		s.watchCalls(c)
	}
}

// walletCalls are the calls on the key of the wallets that ring.
func (s service) walletCalls() []calls {
	return []calls{{
		name: "WalletKeyChanged", about: "A caller changed, or tried to change, the key of all wallets",
		of: "kms", names: keyCalls, more: map[string]any{"$or": s.concerningWalletKey()},
	}, {
		name: "WalletKeyUsed", about: "A caller that is no function used, or tried to use, the key of all wallets",
		of: "kms", names: keyUses, reads: true,
		more: map[string]any{"$or": s.concerningWalletKey(), "userIdentity": otherThan(s.walletRoles())},
	}}
}

// forwardWalletCalls sends the same calls on the replica to the event bus of the primary's Region,
// where the rules of the service's stack hear them: one topic then hears of both keys.
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

// concerningWalletKey matches calls that name the key. A call that was refused may do
// so in its error alone.
func (s service) concerningWalletKey() []any {
	id, arn := s.keys.wallet.id, s.keys.wallet.arn
	named, inError := []any{arn}, "*"+*arn+"*"
	if !s.settings.watchesAll() {
		// A replica has the id of its primary: the calls that the replica's Region forwards name it so.
		end := ":key/" + *id
		named, inError = []any{map[string]any{"suffix": end}}, "*"+end+"*"
	}
	return []any{
		map[string]any{"resources": map[string]any{"ARN": named}},
		map[string]any{"requestParameters": map[string]any{"keyId": append([]any{id}, named...)}},
		map[string]any{"errorMessage": []any{map[string]any{"wildcard": inError}}},
	}
}
