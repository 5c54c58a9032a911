package stack

import (
	"regexp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

var (
	regionName = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)
	// inRegion is the Region in the ARN of a key.
	inRegion = regexp.MustCompile(`:kms:[a-z0-9-]+:`)
	roleName = regexp.MustCompile(`^[A-Za-z0-9+=,.@_-]{1,64}$`)
)

// checkReplica checks the replica's Region. region is the stack's own Region, if the CDK command
// line knows the Region.
func (r *reader) checkReplica(s Settings, region string) {
	switch {
	case s.Local() && s.ReplicaRegion != "":
		r.fail("replicaRegion is %q: the local stage has no replica", s.ReplicaRegion)
	case s.ReplicaRegion != "" && s.ReplicaRegion == region:
		r.fail("replicaRegion is %q: it must be another Region than the stack's own", s.ReplicaRegion)
	case s.profile().protects && s.ReplicaRegion == "" && s.Adopted.WalletKeyARN == "":
		r.fail("replicaRegion is not set: name a second Region, which keeps a replica of the wallets' key")
	}
	if topic := s.ReplicaAlarmTopic; topic != "" && !strings.HasPrefix(topic, "arn:") {
		r.fail("replicaAlarmTopic is %q: it must be the ARN of a topic", topic)
	} else if topic != "" && !strings.Contains(topic, ":"+s.ReplicaRegion+":") {
		r.fail("replicaAlarmTopic is %q: it must be in the Region %q", topic, s.ReplicaRegion)
	}
}

// role reads the name of a role for a policy.
func (r *reader) role(name, fallback string) string {
	value := r.text(name, fallback)
	if !roleName.MatchString(value) {
		r.fail("%s is %q: it must be the name of a role", name, value)
	}
	return value
}

// replicaSuffix is the suffix of the replica's stack.
const replicaSuffix = "-replica"

// NewReplica adds the stack with the wallets' key in a second Region, <name of the service's
// stack>-replica. It returns nil without such a Region. The stack has a deriver, with which the
// drill of docs/operations.md checks that the replica derives the same addresses. No person needs
// the right to use the key.
//
// The ARN of the primary key is a parameter, because CloudFormation cannot refer to another Region.
// The ARN is known after the deployment of the service's stack.
func NewReplica(scope constructs.Construct, settings Settings) awscdk.Stack {
	if settings.ReplicaRegion == "" {
		return nil
	}
	settings.AlarmTopic = settings.ReplicaAlarmTopic
	settings.Adopted.WalletRootARNs = inRegion.ReplaceAllString(settings.Adopted.WalletRootARNs, ":kms:"+settings.ReplicaRegion+":")
	s := service{settings: settings, watched: &watched{}, stack: awscdk.NewStack(scope, jsii.String(settings.Name+replicaSuffix), &awscdk.StackProps{
		Description: jsii.String("The key of the token launch service's wallets in a second Region, " + settings.Stage),
		Tags:        &map[string]*string{"service": jsii.String("token-launch"), "stage": jsii.String(settings.Stage)},
		Env:         &awscdk.Environment{Region: jsii.String(settings.ReplicaRegion)},

		TerminationProtection: jsii.Bool(settings.profile().protects),
	})}
	if settings.watchesAll() {
		s.alarmTopic = s.newAlarmTopic()
		s.alarms = alarms{s.stack, s.alarmTopic}
	}
	primary := s.primaryKey()
	s.home = place{settings.Name, *awscdk.Fn_Select(jsii.Number(regionOfARN), awscdk.Fn_Split(jsii.String(":"), primary, nil))}
	s.keys.wallet = s.replicaKey(primary)
	s.newFunction(s.replicaDeriver())
	if settings.watchesAll() {
		s.watchWalletKey()
	} else {
		s.forwardWalletCalls()
	}
	return s.stack
}

// replicaDeriver derives addresses without a signer, because the replica's Region has no signer.
func (s service) replicaDeriver() function {
	env := map[string]*string{"WALLET_KEY_ID": s.keys.wallet.id}
	set(env, "WALLET_ROOTS", s.settings.Adopted.WalletRootARNs)
	return function{
		name: "deriver", construct: "Deriver", about: "Derives the addresses of distribution wallets (drill)",
		memoryMB: 256, timeoutSeconds: 10,
		silent: true, holdsWallets: true,
		env: env,
		may: []awsiam.PolicyStatement{s.derivesWallets()},
	}
}

// regionOfARN is the index of the Region in an ARN.
const regionOfARN = 3

func (s service) primaryKey() *string {
	return awscdk.NewCfnParameter(s.stack, jsii.String("PrimaryKeyArn"), &awscdk.CfnParameterProps{
		Description:           jsii.String("Output " + walletKeyName + "Arn of the service's stack"),
		AllowedPattern:        jsii.String(`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/mrk-[0-9a-f]{32}$`),
		ConstraintDescription: jsii.String("the ARN of a multi-Region key"),
	}).ValueAsString()
}

func (s service) replicaKey(primary *string) key {
	k := awskms.NewCfnReplicaKey(s.stack, jsii.String(walletKeyName), &awskms.CfnReplicaKeyProps{
		PrimaryKeyArn: primary, Description: jsii.String(walletKeyAbout), KeyPolicy: s.walletPolicy(),
		PendingWindowInDays: jsii.Number(keyWindowDays),
	})
	k.ApplyRemovalPolicy(s.settings.walletRemoval(), nil)
	s.output(walletKeyName+"Id", k.Ref())
	s.output(walletKeyName+"Arn", k.AttrArn())
	return key{id: k.Ref(), arn: k.AttrArn()}
}
