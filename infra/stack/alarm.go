package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// watched is what the alarms and the dashboard look at, gathered while the stack is
// put together.
type watched struct {
	functions []watchedFunction
	lines     []workQueue
	api       awsapigatewayv2.HttpApi
	alarms    []interfacesawscloudwatch.IAlarmRef // made of them
}

type watchedFunction struct {
	function
	made awslambda.Function
	logs awslogs.LogGroup
}

// severity says whom an alarm concerns. It is the first word of the alarm's
// description, by which a subscription of the topic can be filtered.
type severity string

const (
	page   severity = "page"   // an operator gets up
	ticket severity = "ticket" // an operator looks on the next working day
)

// alarm is one thing that rings, and when. docs/operations.md says what to do; a test
// wants an entry there for each alarm, and another one a condition that rings it.
type alarm struct {
	name     string // of its construct, without "Alarm"
	severity severity
	about    string
	// metric with its statistic and period.
	metric awscloudwatch.IMetric
	// It rings when the metric compares so with the limit: above it when rings is
	// empty.
	rings awscloudwatch.ComparisonOperator
	limit float64
	// It rings when so many of the last periods do; 1 of 1 when zero.
	breaching, periods float64
	// silence rings: a period without data counts as a bad one. Without, it counts as
	// a good one, for most metrics have data only when something happens.
	silence bool
}

// description says first whom it concerns, and where to read on.
func (a alarm) description() *string {
	return jsii.String(string(a.severity) + ": " + a.about + ". What to do: docs/operations.md, Alarms")
}

const (
	atLeast = awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD
	below   = awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD
)

// alarmMinutes is the period of every metric that an alarm reads.
const alarmMinutes = 5

// newAlarm makes an alarm that tells the topic, if there is one and no cause explains it.
func (s service) newAlarm(a alarm) awscloudwatch.Alarm {
	props := &awscloudwatch.AlarmProps{
		AlarmDescription:   a.description(),
		Metric:             a.metric,
		Threshold:          jsii.Number(a.limit),
		EvaluationPeriods:  jsii.Number(max(a.periods, 1)),
		ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_THRESHOLD,
		TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
	}
	if a.breaching < a.periods {
		props.DatapointsToAlarm = jsii.Number(a.breaching)
	}
	if a.rings != "" {
		props.ComparisonOperator = a.rings
	}
	if a.silence {
		props.TreatMissingData = awscloudwatch.TreatMissingData_BREACHING
	}
	made := awscloudwatch.NewAlarm(s.stack, jsii.String(a.name+"Alarm"), props)
	if s.alarmTopic != nil && (!s.settings.size().causes || !explained(a.name)) {
		s.tell(made)
	}
	s.watched.alarms = append(s.watched.alarms, made)
	return made
}

// over looks at a metric by its statistic.
func over(statistic string) *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String(statistic), Period: awscdk.Duration_Minutes(jsii.Number(alarmMinutes))}
}

// measured is a metric of the service's own, as a whole.
func measured(m metric.Metric, statistic string) awscloudwatch.Metric {
	options := over(statistic)
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		// The stack's own, for stages may share an account.
		Namespace: awscdk.Aws_STACK_NAME(), MetricName: jsii.String(m.Name),
		Statistic: options.Statistic, Period: options.Period,
	})
}

// computed is what an expression makes of metrics.
func computed(expression string, metrics map[string]awscloudwatch.IMetric) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(expression), UsingMetrics: &metrics, Period: over("").Period,
	})
}
