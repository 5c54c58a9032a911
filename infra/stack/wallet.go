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
		MultiRegion: jsii.Bool(true), KeyPolicy: s.walletPolicy(), PendingWindowInDays: jsii.Number(keyWindowDays),
		// The policy lets an administrator change it only by the role that is made for that,
		// so KMS would refuse it to the administrator who deploys without CDK's roles.
		BypassPolicyLockoutSafetyCheck: jsii.Bool(true),
	})
	k.ApplyRemovalPolicy(s.settings.walletRemoval(), nil)
	s.output(walletKeyName+"Id", k.Ref())
	return key{id: k.Ref(), arn: k.AttrArn()}
}

// walletRemoval keeps the key where money may hang on it. A creation that fails leaves a kept
// key behind too: its own policy lets no one delete it.
func (s Settings) walletRemoval() awscdk.RemovalPolicy {
	if s.profile().keepsWallets {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

// The functions whose roles may use the key, by their constructs. All others ask the signer;
// in the replica's Region there is a deriver instead, for the drill.
const (
	walletHolder  = "Signer"
	replicaHolder = "Deriver"
)

// place is a stack in a Region: what it has once for an account is named by both.
type place struct{ stack, region string }

func (p place) role(construct string) string { return p.stack + "-" + p.region + "-" + construct }

// here is the stack that is being put together.
func here() place { return place{*awscdk.Aws_STACK_NAME(), *awscdk.Aws_REGION()} }

// walletRoles are the roles that may use the key, as they call, each by its whole name:
// by a prefix a caller could make one more. MiniStack names callers by their sessions,
// and a local key is for every local stack that adopts it.
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

// keyChangers are those who may change the policy of the key or replicate it: the role
// that an administrator takes on for that, and CloudFormation, when CDK deploys.
func (s service) keyChangers() *[]*string {
	return ours("iam", append(s.deployers(), "role/"+s.settings.KeyAdminRole)...)
}

// qualifierForm is that of CDK's own setting, and the usual one is what CDK takes without.
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

// deployers are CloudFormation's roles, which CDK made in the Regions of the service.
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

// ours names things of IAM or STS in the stack's own account.
func ours(service string, names ...string) *[]*string {
	var arns []*string
	for _, name := range names {
		arns = append(arns, jsii.String("arn:"+*awscdk.Aws_PARTITION()+":"+service+"::"+*awscdk.Aws_ACCOUNT_ID()+":"+name))
	}
	return &arns
}

// scheduleDeletion is what CloudFormation does when it deletes a key.
const scheduleDeletion = "kms:ScheduleKeyDeletion"

// What may be done with the key, by whom.
var (
	// administer is what the account's own policies may permit, as far as nothing below
	// denies it. Using the key is not in it, nor is whatever would lose it.
	administer = []string{
		"kms:CancelKeyDeletion", "kms:DescribeKey", "kms:EnableKey", "kms:GetKeyPolicy", "kms:GetKeyRotationStatus",
		"kms:ListGrants", "kms:ListKeyPolicies", "kms:ListResourceTags", "kms:PutKeyPolicy", "kms:ReplicateKey",
		"kms:RetireGrant", "kms:RevokeGrant", "kms:TagResource", "kms:UntagResource", "kms:UpdateKeyDescription",
	}
	// lose is what no one may do before the policy is changed. A grant would let its
	// holder use the key past every policy of IAM.
	lose = []string{
		"kms:CreateGrant", "kms:DeleteImportedKeyMaterial", "kms:DisableKey", "kms:ImportKeyMaterial",
		scheduleDeletion, "kms:UpdatePrimaryRegion",
	}
	// change is what opens the way to all the rest. A replica has a policy of its own.
	change = []string{"kms:PutKeyPolicy", "kms:ReplicateKey"}
	derive = []string{"kms:GenerateMac", "kms:VerifyMac"}
)

// walletPolicy is the policy of the key and of its replica: the same stands in both
// Regions. It names roles in conditions, so that none of them needs to exist.
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
	if !s.settings.profile().keepsWallets { // it is deleted with its stack
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
