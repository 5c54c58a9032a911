package stack

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/jsii-runtime-go"
)

// The identity of the wallets' key. A change of any of these values, or of the construct's name,
// creates another key, and changes the address of every wallet. TestWalletKeyIsNeverReplaced
// checks the values.
const (
	walletKeyName  = "WalletKey"
	walletKeySpec  = "HMAC_512"
	walletKeyUsage = "GENERATE_VERIFY_MAC"
	walletKeyAbout = "Derives the distribution wallets"
)

// walletKey returns the key from which the wallets are derived: the adopted key, or the stack's
// key. All users and alarms of the key call walletKey.
func (s service) walletKey() key {
	if arn := s.settings.Adopted.WalletKeyARN; arn != "" {
		return s.adoptedKey(walletKeyName, arn)
	}
	k := awskms.NewCfnKey(s.stack, jsii.String(walletKeyName), &awskms.CfnKeyProps{
		KeySpec: jsii.String(walletKeySpec), KeyUsage: jsii.String(walletKeyUsage), Description: jsii.String(walletKeyAbout),
		MultiRegion: jsii.Bool(true), KeyPolicy: s.walletPolicy(), PendingWindowInDays: jsii.Number(keyWindowDays),
		// The policy lets only the key administrators' role and CDK's roles change the policy.
		// Without the bypass, KMS would reject the policy for an administrator who deploys without
		// CDK's roles.
		BypassPolicyLockoutSafetyCheck: jsii.Bool(true),
	})
	k.ApplyRemovalPolicy(s.settings.walletRemoval(), nil)
	s.output(walletKeyName+"Id", k.Ref())
	return key{id: k.Ref(), arn: k.AttrArn()}
}

// walletRemoval keeps the key if wallets may hold money. A failed creation also leaves a kept key
// behind, because the key's policy forbids the deletion.
func (s Settings) walletRemoval() awscdk.RemovalPolicy {
	if s.profile().keepsWallets {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

// The constructs of the functions whose roles may use the key. Other functions call the signer. In
// the replica's Region a deriver has this right, for the drill.
const (
	walletHolder  = "Signer"
	replicaHolder = "Deriver"
)

// place is a stack in a Region. Names of resources that are unique in an account contain both.
type place struct{ stack, region string }

func (p place) role(construct string) string { return p.stack + "-" + p.region + "-" + construct }

// here returns the place of the stack under construction.
func here() place { return place{*awscdk.Aws_STACK_NAME(), *awscdk.Aws_REGION()} }

// walletRoles returns the roles that may use the key, in the form of a caller. Roles have complete
// names, because with a prefix a caller could create a further role. MiniStack names callers by
// their sessions, and every local stack that adopts a local key may use the key.
func (s service) walletRoles() *[]*string {
	if s.settings.Local() {
		return ours("sts", "assumed-role/*-"+walletHolder+"/*", "assumed-role/*-"+replicaHolder+"/*")
	}
	names := []string{"role/" + s.home.role(walletHolder)}
	if s.settings.ReplicaRegion != "" {
		replica := place{s.home.stack + replicaSuffix, s.settings.ReplicaRegion}
		names = append(names, "role/"+replica.role(replicaHolder))
	}
	if name, region, restored := strings.Cut(s.settings.WalletStack, "/"); restored {
		names = append(names, "role/"+place{name, region}.role(walletHolder))
	}
	return ours("iam", names...)
}

// keyChangers returns the roles that may change the key's policy or replicate the key: the key
// administrators' role, and CloudFormation's role for CDK.
func (s service) keyChangers() *[]*string {
	return ours("iam", append(s.deployers(), "role/"+s.settings.KeyAdminRole)...)
}

// qualifierForm is the format of CDK's setting. usualQualifier is CDK's default.
var qualifierForm = regexp.MustCompile(`^[a-z0-9]{1,10}$`)

const usualQualifier = "hnb659fds"

func (r *reader) qualifier() string {
	const name = "@aws-cdk/core:bootstrapQualifier"
	value := cmp.Or(r.context[name], usualQualifier)
	if !qualifierForm.MatchString(value) {
		r.fail("%s is %q: it must be a word of at most 10 small letters and digits", name, value)
	}
	return value
}

// deployers returns CloudFormation's roles, which CDK created in the service's Regions.
func (s service) deployers() []string {
	regions := []string{s.home.region}
	if s.settings.ReplicaRegion != "" {
		regions = append(regions, s.settings.ReplicaRegion)
	}
	var names []string
	for _, region := range regions {
		names = append(names, "role/cdk-"+s.settings.Qualifier+"-cfn-exec-role-"+*awscdk.Aws_ACCOUNT_ID()+"-"+region)
	}
	return names
}

// ours returns ARNs of IAM or STS in the stack's account.
func ours(service string, names ...string) *[]*string {
	var arns []*string
	for _, name := range names {
		arns = append(arns, jsii.String("arn:"+*awscdk.Aws_PARTITION()+":"+service+"::"+*awscdk.Aws_ACCOUNT_ID()+":"+name))
	}
	return &arns
}

// scheduleDeletion is CloudFormation's action for deleting a key.
const scheduleDeletion = "kms:ScheduleKeyDeletion"

// The actions on the key, by principal.
var (
	// administer are the actions that the account's policies may permit, unless a statement below
	// denies the action. They exclude use and loss of the key.
	administer = []string{
		"kms:CancelKeyDeletion", "kms:DescribeKey", "kms:EnableKey", "kms:GetKeyPolicy", "kms:GetKeyRotationStatus",
		"kms:ListGrants", "kms:ListKeyPolicies", "kms:ListResourceTags", "kms:PutKeyPolicy", "kms:ReplicateKey",
		"kms:RetireGrant", "kms:RevokeGrant", "kms:TagResource", "kms:UntagResource", "kms:UpdateKeyDescription",
	}
	// lose are the actions that are denied until the policy is changed. A grant would permit the
	// use of the key regardless of IAM's policies.
	lose = []string{
		"kms:CreateGrant", "kms:DeleteImportedKeyMaterial", "kms:DisableKey", "kms:ImportKeyMaterial",
		scheduleDeletion, "kms:UpdatePrimaryRegion",
	}
	// change are the actions that can give all other rights. A replica has a separate policy.
	change = []string{"kms:PutKeyPolicy", "kms:ReplicateKey"}
	derive = []string{"kms:GenerateMac", "kms:VerifyMac"}
)

// walletPolicy returns the policy of the key and of the replica, equal in both Regions. It names
// roles only in conditions, so the roles need not exist.
func (s service) walletPolicy() awsiam.PolicyDocument {
	root := awsiam.NewAccountRootPrincipal()
	all := awsiam.NewAnyPrincipal()
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
	administer, lose := administer, lose
	if !s.settings.profile().keepsWallets { // the key is deleted with its stack
		administer = append(slices.Clone(administer), scheduleDeletion)
		lose = slices.DeleteFunc(slices.Clone(lose), func(action string) bool { return action == scheduleDeletion })
	}
	statements := []awsiam.PolicyStatement{
		statement("TheAccountAdministers", awsiam.Effect_ALLOW, root, administer, "", nil),
		statement("WalletFunctionsDerive", awsiam.Effect_ALLOW, root, useWallets, "ArnLike", caller(s.walletRoles())),
		statement("NoOtherDerives", awsiam.Effect_DENY, all, derive, "ArnNotLike", caller(s.walletRoles())),
		statement("NoOneLosesIt", awsiam.Effect_DENY, all, lose, "", nil),
		statement("FewChangeThis", awsiam.Effect_DENY, all, change, "ArnNotLike", caller(s.keyChangers())),
		statement("OneReplica", awsiam.Effect_DENY, all, []string{"kms:ReplicateKey"},
			"StringNotEquals", map[string]any{"kms:ReplicaRegion": jsii.String(cmp.Or(s.settings.ReplicaRegion, "none"))}),
	}
	return awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &statements})
}
