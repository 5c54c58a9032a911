package stack

import (
	"cmp"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/jsii-runtime-go"
)

// What makes the key of the wallets the key that it is. A change of any of these, or
// of its construct's name, makes another key, and with it another address of every
// wallet: TestTheWalletKeyIsNeverReplaced holds them.
const (
	walletKeyName  = "WalletKey"
	walletKeySpec  = "HMAC_512"
	walletKeyUsage = "GENERATE_VERIFY_MAC"
	walletKeyAbout = "Derives the distribution wallets"
)

// walletKey is the key from which the wallets derive: one that exists, or the stack's
// own. Everything that uses or watches it takes it from here.
func (s service) walletKey() key {
	if arn := s.settings.Adopted.WalletKeyARN; arn != "" {
		return s.adoptedKey(walletKeyName, arn)
	}
	k := awskms.NewCfnKey(s.stack, jsii.String(walletKeyName), &awskms.CfnKeyProps{
		KeySpec: jsii.String(walletKeySpec), KeyUsage: jsii.String(walletKeyUsage), Description: jsii.String(walletKeyAbout),
		MultiRegion: jsii.Bool(true), KeyPolicy: walletPolicy(s.settings), PendingWindowInDays: jsii.Number(keyWindowDays),
		// The policy lets an administrator change it only by the role that is made for that,
		// so KMS would refuse it to the administrator who deploys without CDK's roles.
		BypassPolicyLockoutSafetyCheck: jsii.Bool(true),
	})
	k.ApplyRemovalPolicy(s.settings.walletRemoval(), nil)
	s.output(walletKeyName+"Id", k.Ref())
	return key{id: k.Ref(), arn: k.AttrArn()}
}

// walletRemoval keeps the key on every stage whose wallets outlive a process. A
// creation that fails leaves it behind too: its own policy lets nobody delete it.
func (s Settings) walletRemoval() awscdk.RemovalPolicy {
	if s.Local() {
		return awscdk.RemovalPolicy_DESTROY
	}
	return awscdk.RemovalPolicy_RETAIN
}

// walletRolePath is the path of the roles that may use the key, of the stack and of
// any other of the stage: one that adopted the key, or one in the replica's Region.
// IAM lets an account say who may make roles in a path.
func (s Settings) walletRolePath() string { return "/token-launch/" + s.Stage + "/wallet/" }

// walletHolders are the functions that may use the key; all others ask the signer. In the
// replica's Region it is a deriver of its own.
var walletHolders = []string{"Signer"}

// walletRoles match the roles that may use the key, as they call. MiniStack names
// callers by their sessions, which have no path.
func (s Settings) walletRoles() *[]*string {
	if s.Local() {
		var names []string
		for _, construct := range walletHolders {
			names = append(names, "assumed-role/*-"+construct+"Role*")
		}
		return ours("sts", names...)
	}
	return ours("iam", "role"+s.walletRolePath()+"*")
}

// keyChangers match who may change the policy of the key or replicate it: the role
// that an administrator takes on for that, and CloudFormation, when CDK deploys.
func (s Settings) keyChangers() *[]*string {
	return ours("iam", "role/"+s.KeyAdminRole, "role/cdk-*-cfn-exec-role-"+*awscdk.Aws_ACCOUNT_ID()+"-*")
}

// ours names things of IAM or STS in the stack's own account.
func ours(service string, names ...string) *[]*string {
	var arns []*string
	for _, name := range names {
		arns = append(arns, jsii.String("arn:"+*awscdk.Aws_PARTITION()+":"+service+"::"+*awscdk.Aws_ACCOUNT_ID()+":"+name))
	}
	return &arns
}

// What may be done with the key, by whom.
var (
	// administer is what the account's own policies may permit, as far as nothing below
	// denies it. Using the key is not in it, nor is whatever would lose it.
	administer = []string{
		"kms:CancelKeyDeletion", "kms:DescribeKey", "kms:EnableKey", "kms:GetKeyPolicy", "kms:GetKeyRotationStatus",
		"kms:ListGrants", "kms:ListKeyPolicies", "kms:ListResourceTags", "kms:PutKeyPolicy", "kms:ReplicateKey",
		"kms:RetireGrant", "kms:RevokeGrant", "kms:TagResource", "kms:UntagResource", "kms:UpdateKeyDescription",
	}
	// lose is what nobody may do before the policy is changed. A grant would let its
	// holder use the key past every policy of IAM.
	lose = []string{
		"kms:CreateGrant", "kms:DeleteImportedKeyMaterial", "kms:DisableKey", "kms:ImportKeyMaterial",
		"kms:ScheduleKeyDeletion", "kms:UpdatePrimaryRegion",
	}
	// change is what opens the way to all the rest. A replica has a policy of its own.
	change = []string{"kms:PutKeyPolicy", "kms:ReplicateKey"}
	derive = []string{"kms:GenerateMac", "kms:VerifyMac"}
)

// walletPolicy is the policy of the key and of its replica. It names no role that it
// would need to exist: the same policy stands in both Regions, and a stack that adopts
// the key needs no change of it.
func walletPolicy(s Settings) awsiam.PolicyDocument {
	root := awsiam.NewAccountRootPrincipal()
	everybody := awsiam.NewAnyPrincipal()
	statement := func(sid string, effect awsiam.Effect, who awsiam.IPrincipal, actions []string, operator string, condition any) awsiam.PolicyStatement {
		props := &awsiam.PolicyStatementProps{
			Sid: jsii.String(sid), Effect: effect, Actions: jsii.Strings(actions...), Resources: jsii.Strings("*"),
			Principals: &[]awsiam.IPrincipal{who},
		}
		if operator != "" {
			props.Conditions = &map[string]any{operator: condition}
		}
		return awsiam.NewPolicyStatement(props)
	}
	caller := func(arns *[]*string) any { return map[string]any{"aws:PrincipalArn": arns} }
	statements := []awsiam.PolicyStatement{
		statement("TheAccountAdministers", awsiam.Effect_ALLOW, root, administer, "", nil),
		statement("WalletFunctionsDerive", awsiam.Effect_ALLOW, root, useWallets, "ArnLike", caller(s.walletRoles())),
		statement("NobodyElseDerives", awsiam.Effect_DENY, everybody, derive, "ArnNotLike", caller(s.walletRoles())),
		statement("NobodyLosesIt", awsiam.Effect_DENY, everybody, lose, "", nil),
		statement("FewChangeThis", awsiam.Effect_DENY, everybody, change, "ArnNotLike", caller(s.keyChangers())),
		statement("OneReplica", awsiam.Effect_DENY, everybody, []string{"kms:ReplicateKey"},
			"StringNotEquals", map[string]any{"kms:ReplicaRegion": jsii.String(cmp.Or(s.ReplicaRegion, "none"))}),
	}
	return awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &statements})
}
