package stack

import "github.com/aws/jsii-runtime-go"

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
	s.watchCalls(calls{
		name: "WalletKeyChanged", about: "A caller changed, or tried to change, the key of all wallets",
		of: "kms", names: keyCalls, more: map[string]any{"$or": s.concerningWalletKey()},
	})
	s.watchCalls(calls{
		name: "WalletKeyUsed", about: "A caller that is no function used, or tried to use, the key of all wallets",
		of: "kms", names: keyUses, reads: true,
		more: map[string]any{"$or": s.concerningWalletKey(), "userIdentity": otherThan(s.walletRoles())},
	})
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
