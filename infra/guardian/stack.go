// Command guardian is the CDK app of the guardian: one function with a public address, its key, its
// memory of hand-overs and its alarms. Another organisation deploys it into an account of its own. Nothing in it knows the
// service's account.
//
//	cd infra && cdk deploy --app "go run ./guardian" \
//	  --context network=mainnet --context rpcSecret=NAME --context guardianSecret=NAME --context alarmEmail=ADDRESS
//
// rpcSecret2 names the secret of a second provider, which mainnet requires. handoverDelay is the time
// between an order of a hand-over and the guardian's signature; default 168h.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/handover"
)

// settings are the context values of the app.
type settings struct {
	network, code                         string
	rpcSecret, rpcSecret2, guardianSecret string // names of secrets
	alarmEmail                            string
	handoverDelay                         string
}

// networks are the networks of tokens with a guardian.
var networks = []string{"devnet", "mainnet"}

func readSettings(value func(name string) string) (settings, error) {
	s := settings{
		network: value("network"), code: value("functionsDir"),
		rpcSecret: value("rpcSecret"), rpcSecret2: value("rpcSecret2"), guardianSecret: value("guardianSecret"), alarmEmail: value("alarmEmail"),
		handoverDelay: value("handoverDelay"),
	}
	if s.handoverDelay == "" {
		s.handoverDelay = handover.DefaultDelay.String()
	}
	if s.code == "" {
		s.code = "../.build/functions"
	}
	var wrong []error
	if !slices.Contains(networks, s.network) {
		wrong = append(wrong, fmt.Errorf("network is %q: it must be one of %s", s.network, strings.Join(networks, " and ")))
	}
	for name, given := range map[string]string{"rpcSecret": s.rpcSecret, "guardianSecret": s.guardianSecret, "alarmEmail": s.alarmEmail} {
		if given == "" {
			wrong = append(wrong, fmt.Errorf("%s is not set", name))
		}
	}
	if delay, err := time.ParseDuration(s.handoverDelay); err != nil || delay < minDelay {
		wrong = append(wrong, fmt.Errorf("handoverDelay is %q: it must be a duration of at least %s", s.handoverDelay, minDelay))
	}
	if s.network == "mainnet" && s.rpcSecret2 == "" {
		wrong = append(wrong, errors.New("rpcSecret2 is not set: on mainnet the guardian believes no provider alone"))
	}
	return s, errors.Join(wrong...)
}

const (
	// minDelay is the shortest delay in which holders can notice an order.
	minDelay = 24 * time.Hour
	// calls is the reserved concurrency. A flood of calls costs no more, and delays collections, whose
	// tax stays withheld.
	calls = 10
	// timeoutSeconds is less than the service's own timeout of 10 seconds.
	timeoutSeconds = 9
	memoryMB       = 256
	keyWindowDays  = 30
)

// newStack adds the guardian's stack to an app. The key is never deleted with the stack, because
// the tax of every token with the guardian needs it, or creator and service together.
func newStack(app awscdk.App, s settings) {
	stack := awscdk.NewStack(app, jsii.String("token-guardian"), &awscdk.StackProps{TerminationProtection: jsii.Bool(true)})
	key := awskms.NewCfnKey(stack, jsii.String("GuardianKey"), &awskms.CfnKeyProps{
		KeySpec: jsii.String("ECC_NIST_EDWARDS25519"), KeyUsage: jsii.String("SIGN_VERIFY"), Description: jsii.String("Signs as the guardian of tokens"),
		PendingWindowInDays: jsii.Number(keyWindowDays),
		KeyPolicy: awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &[]awsiam.PolicyStatement{
			awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
				Principals: &[]awsiam.IPrincipal{awsiam.NewAccountRootPrincipal()}, Actions: jsii.Strings("kms:*"), Resources: jsii.Strings("*"),
			}),
		}}),
	})
	key.ApplyRemovalPolicy(awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE, nil)
	// A restored table may have lost a cancellation, so restores need a person.
	orders := awsdynamodb.NewTable(stack, jsii.String("GuardianTable"), &awsdynamodb.TableProps{
		PartitionKey: attribute(schema.PartitionKey), SortKey: attribute(schema.SortKey), BillingMode: awsdynamodb.BillingMode_PAY_PER_REQUEST,
		DeletionProtection: jsii.Bool(schema.Guardian.Recoverable), RemovalPolicy: awscdk.RemovalPolicy_RETAIN,
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: jsii.Bool(schema.Guardian.Recoverable)},
	})
	logs := awslogs.NewLogGroup(stack, jsii.String("GuardianLog"), &awslogs.LogGroupProps{Retention: awslogs.RetentionDays_ONE_YEAR})
	environment := map[string]*string{
		"GUARDIAN_KEY_ID": key.Ref(), "GUARDIAN_SECRET": jsii.String(s.guardianSecret), "NETWORK": jsii.String(s.network),
		"RPC_SECRET": jsii.String(s.rpcSecret), "METRIC_NAMESPACE": stack.StackName(),
		"GUARDIAN_TABLE": orders.TableName(), "HANDOVER_DELAY": jsii.String(s.handoverDelay),
	}
	named := []string{s.guardianSecret, s.rpcSecret}
	if s.rpcSecret2 != "" {
		environment["RPC_SECRET_2"] = jsii.String(s.rpcSecret2)
		named = append(named, s.rpcSecret2)
	}
	function := awslambda.NewFunction(stack, jsii.String("Guardian"), &awslambda.FunctionProps{
		Description: jsii.String("Co-signs collections and hand-overs of tokens"), Runtime: awslambda.Runtime_PROVIDED_AL2023(), Architecture: awslambda.Architecture_ARM_64(),
		Handler: jsii.String("bootstrap"), Code: awslambda.Code_FromAsset(jsii.String(s.code+"/guardian.zip"), nil), MemorySize: jsii.Number(memoryMB),
		Timeout: awscdk.Duration_Seconds(jsii.Number(timeoutSeconds)), ReservedConcurrentExecutions: jsii.Number(calls), LogGroup: logs, Environment: &environment,
	})
	function.AddToRolePolicy(allow([]string{"kms:Sign", "kms:GetPublicKey"}, key.AttrArn()))
	function.AddToRolePolicy(allow([]string{"dynamodb:GetItem", "dynamodb:PutItem"}, orders.TableArn()))
	for _, name := range named {
		function.AddToRolePolicy(allow([]string{"secretsmanager:GetSecretValue"}, stack.FormatArn(&awscdk.ArnComponents{
			Service: jsii.String("secretsmanager"), Resource: jsii.String("secret"), ResourceName: jsii.String(name + "-??????"), ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
		})))
	}
	url := function.AddFunctionUrl(&awslambda.FunctionUrlOptions{AuthType: awslambda.FunctionUrlAuthType_NONE})
	topic := awssns.NewTopic(stack, jsii.String("AlarmTopic"), &awssns.TopicProps{EnforceSSL: jsii.Bool(true)})
	topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(s.alarmEmail), nil))
	for name, metric := range map[string]awscloudwatch.Metric{
		"GuardianFailed":    function.MetricErrors(nil),
		"GuardianThrottled": function.MetricThrottles(nil),
	} {
		awscloudwatch.NewAlarm(stack, jsii.String(name), &awscloudwatch.AlarmProps{
			Metric: metric, Threshold: jsii.Number(1), EvaluationPeriods: jsii.Number(1), TreatMissingData: awscloudwatch.TreatMissingData_NOT_BREACHING,
		}).AddAlarmAction(awscloudwatchactions.NewSnsAction(topic))
	}
	awscdk.NewCfnOutput(stack, jsii.String("GuardianUrl"), &awscdk.CfnOutputProps{Value: url.Url()})
	awscdk.NewCfnOutput(stack, jsii.String("GuardianKeyId"), &awscdk.CfnOutputProps{Value: key.Ref()})
}

func attribute(name string) *awsdynamodb.Attribute {
	return &awsdynamodb.Attribute{Name: &name, Type: awsdynamodb.AttributeType_STRING}
}

func allow(actions []string, resource *string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{Actions: jsii.Strings(actions...), Resources: &[]*string{resource}})
}

func main() {
	defer jsii.Close()
	app := awscdk.NewApp(nil)
	s, err := readSettings(func(name string) string {
		value, _ := app.Node().TryGetContext(jsii.String(name)).(string)
		return value
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		jsii.Close()
		os.Exit(1)
	}
	newStack(app, s)
	app.Synth(nil)
}
