// Package stack describes the service to AWS: its tables, keys, queue, bucket,
// functions and public API. What it shares with the code it reads from the code:
// the routes from package route, the tables from package schema.
package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// service is the stack while it is being put together.
type service struct {
	stack    awscdk.Stack
	settings Settings
	// home is the service's own stack, of which the replica's is another.
	home    place
	keys    keys
	store   store
	queues  queues
	watched *watched
	// imageCDN is where pictures are, as at an IPFS gateway: /ipfs/<content id>.
	imageCDN *string
	// originSecret is that of the front; nil without one.
	originSecret awssecretsmanager.ISecret
	// alarmTopic hears the alarms; nil when there is none.
	alarmTopic awssns.ITopic
}

// NewService adds the service's stack to scope.
func NewService(scope constructs.Construct, settings Settings) awscdk.Stack {
	props := &awscdk.StackProps{
		Description: jsii.String("Token launch and distribution service, " + settings.Stage),
		// The stack is deleted only after an operator has switched this off.
		TerminationProtection: jsii.Bool(settings.profile().protects),

		Tags: &map[string]*string{"service": jsii.String("token-launch"), "stage": jsii.String(settings.Stage)},
	}
	if settings.Local() {
		// The usual synthesizer wants an account that was bootstrapped, which would be
		// a stack of its own on every start.
		props.Synthesizer = awscdk.NewCliCredentialsStackSynthesizer(&awscdk.CliCredentialsStackSynthesizerProps{
			FileAssetsBucketName: jsii.String(settings.CodeBucket),
		})
	}
	s := service{stack: awscdk.NewStack(scope, jsii.String(settings.Name), props), settings: settings, home: here(), watched: &watched{}}
	s.alarmTopic = s.newAlarmTopic()
	s.keys = s.newKeys()
	s.store = s.newStore()
	s.backUp()
	s.newBudget()
	s.imageCDN = s.newImageCDN()
	s.queues = s.newQueues()
	s.originSecret = s.newOriginSecret()
	publicURL, signer := s.newAPI()
	s.newBackground(signer)
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

// output publishes a value under a name that the local run and the operations
// documents use.
func (s service) output(name string, value *string) {
	awscdk.NewCfnOutput(s.stack, jsii.String(name), &awscdk.CfnOutputProps{Value: value})
}

// inRegion names what an account has once for all its Regions (edges' settings,
// dashboards): stacks of one name in two Regions, as a recovery makes, would collide.
func (s service) inRegion(suffix string) *string {
	return jsii.String(*awscdk.Aws_STACK_NAME() + "-" + *awscdk.Aws_REGION() + suffix)
}
