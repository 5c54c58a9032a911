package stack

import (
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
)

// function is one Lambda function: what it needs to know and what it may do.
type function struct {
	name           string // of its folder and zip
	construct      string
	about          string
	memoryMB       float64
	timeoutSeconds float64
	env            map[string]*string
	may            []awsiam.PolicyStatement
	// calls are its alone on stages that reserve, and it has no more than those; zero for
	// a function that takes of what the account has left.
	calls float64
	// givenUp receives the events of rules that failed three times; nil when they may be
	// lost.
	givenUp awssqs.IQueue
	// alarming: a line of its log that begins with "ALARM" rings.
	alarming bool
	// scratchMB of files in /tmp; none means what Lambda gives, 512 MB.
	scratchMB float64
	// holdsWallets: its role may use the wallets' key.
	holdsWallets bool
	// silent: it writes no log and no metrics of its own.
	silent bool
	// loops: one chain of requests may invoke it any number of times. By default Lambda drops
	// an invocation once its chain has invoked the function about 16 times (Lambda Developer
	// Guide, "Use Lambda recursive loop detection to prevent infinite loops").
	loops bool
}

// allow permits the actions on the named resources.
func allow(actions []string, resources ...*string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions: jsii.Strings(actions...), Resources: &resources,
	})
}

// newFunction makes the function with a role and a log group of its own; the
// role may write that log and do what f says, and nothing else.
func (s service) newFunction(f function) awslambda.Function {
	p := s.settings.profile()
	retention := p.logs
	if p.accessLog != "" && len(route.OfFunction(f.name)) > 0 {
		retention = p.accessLog // its lines have addresses of callers, too
	}
	logs := awslogs.NewLogGroup(s.stack, jsii.String(f.construct+"Log"), &awslogs.LogGroupProps{
		Retention: retention, RemovalPolicy: s.keep(),
	})
	roleProps := &awsiam.RoleProps{AssumedBy: awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil)}
	if f.holdsWallets {
		// The policy of the wallets' key names it.
		roleProps.RoleName = jsii.String(here().role(f.construct))
	}
	role := awsiam.NewRole(s.stack, jsii.String(f.construct+"Role"), roleProps)
	logs.GrantWrite(role)
	for _, statement := range append(f.may, s.readSecrets(f.env)...) {
		role.AddToPolicy(statement)
	}
	if !f.silent {
		f.env["LOG_LEVEL"] = jsii.String(s.settings.LogLevel)
		// Stages may share an account.
		f.env["METRIC_NAMESPACE"] = awscdk.Aws_STACK_NAME()
		set(f.env, "METRICS", s.settings.metricNames())
	}
	architecture := awslambda.Architecture_ARM_64()
	if s.settings.Arch == "x86_64" {
		architecture = awslambda.Architecture_X86_64()
	}
	var scratch awscdk.Size
	if f.scratchMB > 0 {
		scratch = awscdk.Size_Mebibytes(jsii.Number(f.scratchMB))
	}
	var loop awslambda.RecursiveLoop
	if f.loops {
		loop = awslambda.RecursiveLoop_ALLOW
	}
	made := awslambda.NewFunction(s.stack, jsii.String(f.construct+"Function"), &awslambda.FunctionProps{
		Description:  jsii.String(f.about),
		Runtime:      awslambda.Runtime_PROVIDED_AL2023(),
		Architecture: architecture,
		Handler:      jsii.String("bootstrap"),
		Code:         awslambda.Code_FromAsset(jsii.String(filepath.Join(s.settings.FunctionsDir, f.name+".zip")), nil),
		MemorySize:   jsii.Number(f.memoryMB),

		EphemeralStorageSize: scratch,

		Timeout:       awscdk.Duration_Seconds(jsii.Number(f.timeoutSeconds)),
		Environment:   &f.env,
		LogGroup:      logs,
		LoggingFormat: awslambda.LoggingFormat_JSON,

		SystemLogLevelV2:      awslambda.SystemLogLevel_WARN,
		ApplicationLogLevelV2: s.applicationLogLevel(),

		Role:            role,
		DeadLetterQueue: f.givenUp,
		RecursiveLoop:   loop,

		ReservedConcurrentExecutions: s.reserved(f.calls),
	})
	s.watched.functions = append(s.watched.functions, watchedFunction{f, made, logs})
	s.output(f.construct+"FunctionName", made.FunctionName())
	return made
}

// applicationLogLevel passes every line that LOG_LEVEL lets a function write. It is never above INFO:
// Lambda takes a level that it does not know for INFO, and measurements and crashes have none that it
// knows (Lambda Developer Guide, "Log-level filtering").
func (s service) applicationLogLevel() awslambda.ApplicationLogLevel {
	if s.settings.LogLevel == "debug" {
		return awslambda.ApplicationLogLevel_DEBUG
	}
	return awslambda.ApplicationLogLevel_INFO
}

// reserved is nil where the function takes of what the account has left.
func (s service) reserved(calls float64) *float64 {
	if calls == 0 || !s.settings.profile().reserves {
		return nil
	}
	return jsii.Number(calls)
}
