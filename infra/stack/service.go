// Package stack defines the AWS resources of the service: tables, keys, queues, buckets, functions
// and the public API. Facts in common with the code come from the code: routes from package route,
// tables from package schema.
package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// service is the stack under construction.
type service struct {
	stack    awscdk.Stack
	settings Settings
	// home is the service's own stack. The replica's stack is another stack.
	home    place
	keys    keys
	store   store
	queues  queues
	watched *watched
	// imageCDN is the base address of images, with the path of an IPFS gateway: /ipfs/<content id>.
	imageCDN *string
	// originSecret is the secret of the front. Nil means no front.
	originSecret awssecretsmanager.ISecret
	// alarmTopic receives the alarms. Nil means no topic.
	alarmTopic awssns.ITopic
	alarms     alarms
}

// stackProps returns the properties of a stack in the service's own Region.
func (s Settings) stackProps(about string) *awscdk.StackProps {
	props := &awscdk.StackProps{
		Description: &about,
		// An operator must disable this protection before deleting the stack.
		TerminationProtection: jsii.Bool(s.profile().protects),

		Tags: &map[string]*string{"service": jsii.String("token-launch"), "stage": jsii.String(s.Stage)},
	}
	if s.Local() {
		// The default synthesizer requires a bootstrapped account, which would be a further stack
		// on every start.
		props.Synthesizer = awscdk.NewCliCredentialsStackSynthesizer(&awscdk.CliCredentialsStackSynthesizerProps{
			FileAssetsBucketName: jsii.String(s.CodeBucket),
		})
	}
	return props
}

// NewService adds the service's stack and the stack of its alarms to scope. It returns the service's
// stack.
func NewService(scope constructs.Construct, settings Settings) awscdk.Stack {
	props := settings.stackProps("Token launch and distribution service, " + settings.Stage)
	s := service{stack: awscdk.NewStack(scope, jsii.String(settings.Name), props), settings: settings, home: here(), watched: &watched{}}
	s.alarmTopic = s.newAlarmTopic()
	s.alarms = s.newAlarmsStack(scope)
	s.keys = s.newKeys()
	s.store = s.newStore()
	s.backUp()
	s.newBudget()
	s.imageCDN = s.newImageCDN()
	s.queues = s.newQueues()
	s.originSecret = s.newOriginSecret()
	publicURL, signer := s.newAPI()
	s.newBackground(signer, publicURL)
	s.newWebhooks(publicURL)
	s.newCanary(publicURL)
	s.output(walletKeyName+"Arn", s.keys.wallet.arn)
	if settings.Release != "" {
		s.output("Release", jsii.String(settings.Release))
	}
	s.watchWalletKey()
	s.watchFunctions()
	s.watchTrail()
	s.newTrail()
	s.newAlarms()
	s.newDashboard()
	return s.stack
}

// output adds an output with a name that the local run and the operations documents use.
func (s service) output(name string, value *string) {
	awscdk.NewCfnOutput(s.stack, jsii.String(name), &awscdk.CfnOutputProps{Value: value})
}

// inRegion returns a name for resources that an account has once for all Regions, such as
// dashboards and settings of the edge. A recovery has stacks of the same name in two Regions, which
// would collide.
func (s service) inRegion(suffix string) *string {
	return jsii.String(*awscdk.Aws_STACK_NAME() + "-" + *awscdk.Aws_REGION() + suffix)
}
