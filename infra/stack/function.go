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

// function is the definition of a Lambda function, with its rights.
type function struct {
	name           string // name of the folder and the zip
	construct      string
	about          string
	memoryMB       float64
	timeoutSeconds float64
	env            map[string]*string
	may            []awsiam.PolicyStatement
	// calls is the function's concurrency, both reserved and maximum, on stages that reserve. Zero
	// means the unreserved concurrency of the account.
	calls float64
	// givenUp receives the events of rules after three failures. Nil means that events may be lost.
	givenUp awssqs.IQueue
	// alarming reports whether log lines that begin with "ALARM" fire an alarm.
	alarming bool
	// scratchMB is the size of /tmp. Zero means Lambda's default, 512 MB.
	scratchMB float64
	// holdsWallets reports whether the role may use the wallets' key.
	holdsWallets bool
	// silent reports whether the function writes no log lines and metrics of its own.
	silent bool
	// loops reports whether a chain of requests may invoke the function any number of times. By
	// default Lambda drops an invocation after some 16 invocations in a chain (Lambda Developer
	// Guide, "Use Lambda recursive loop detection to prevent infinite loops").
	loops bool
}

// allow permits the actions on the named resources.
func allow(actions []string, resources ...*string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions: jsii.Strings(actions...), Resources: &resources,
	})
}

// newFunction creates the function with a role and a log group. The role may only write the log and
// do what f permits.
func (s service) newFunction(f function) awslambda.Function {
	p := s.settings.profile()
	retention := p.logs
	if p.accessLog != "" && len(route.OfFunction(f.name)) > 0 {
		retention = p.accessLog // the log has addresses of callers
	}
	logs := awslogs.NewLogGroup(s.stack, jsii.String(f.construct+"Log"), &awslogs.LogGroupProps{
		Retention: retention, RemovalPolicy: s.keep(),
	})
	roleProps := &awsiam.RoleProps{AssumedBy: awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil)}
	if f.holdsWallets {
		// The policy of the wallets' key names the role.
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

// applicationLogLevel returns a level that passes every line of LOG_LEVEL. The level is never above
// INFO: Lambda treats an unknown level as INFO, and metrics and crashes have no known level (Lambda
// Developer Guide, "Log-level filtering").
func (s service) applicationLogLevel() awslambda.ApplicationLogLevel {
	if s.settings.LogLevel == "debug" {
		return awslambda.ApplicationLogLevel_DEBUG
	}
	return awslambda.ApplicationLogLevel_INFO
}

// reserved returns the reserved concurrency, or nil for the account's unreserved concurrency.
func (s service) reserved(calls float64) *float64 {
	if calls == 0 || !s.settings.profile().reserves {
		return nil
	}
	return jsii.Number(calls)
}
