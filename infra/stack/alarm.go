package stack

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// watched lists the resources for the alarms and the dashboard, collected during the construction
// of the stack.
type watched struct {
	functions []watchedFunction
	lines     []workQueue
	api       awsapigatewayv2.HttpApi
	alarms    []interfacesawscloudwatch.IAlarmRef // created from the resources
}

type watchedFunction struct {
	function
	made awslambda.Function
	logs awslogs.LogGroup
}

// severity is the urgency of an alarm. The alarm's description begins with the severity, so a
// subscription of the topic can be filtered.
type severity string

const (
	page   severity = "page"   // an operator must act at once
	ticket severity = "ticket" // an operator must act on the next working day
)

// alarm is an alarm with its condition. docs/operations.md has the remedies. A test requires an
// entry there for each alarm, and another test a condition that fires the alarm.
type alarm struct {
	name     string // name of the construct, without "Alarm"
	severity severity
	// of names the function or the table of an alarm that several parts have. state is the subject
	// and its state, impact the effect on callers, holders or the operator, and first the first step
	// in the imperative. No text ends with a period.
	of, state, impact, first string
	// metric is the metric with statistic and period.
	metric awscloudwatch.IMetric
	// comparison compares the metric with limit. Empty means above the limit.
	comparison awscloudwatch.ComparisonOperator
	limit      float64
	// The alarm fires if breaching of the last periods breach. Zero means 1 of 1.
	breaching, periods float64
	// silence treats a period without data as breaching. The default is not breaching, because most
	// metrics have data only after an event.
	silence bool
}

// description returns the text for the person who is called: severity, state, impact, first step. The
// table in docs/operations.md has the same text, and a test keeps both equal.
func (a alarm) description() *string {
	subject := ""
	if a.of != "" {
		subject = a.of + ": "
	}
	return jsii.String(fmt.Sprintf("%s: %s%s. %s. First step: %s. More: docs/operations.md, Alarms", a.severity, subject, a.state, a.impact, a.first))
}

const (
	atLeast = awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD
	below   = awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD
)

// alarmMinutes is the period of every metric that an alarm reads.
const alarmMinutes = 5

// newAlarm creates an alarm. The alarm notifies the topic unless a cause explains the alarm.
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
	if a.comparison != "" {
		props.ComparisonOperator = a.comparison
	}
	if a.silence {
		props.TreatMissingData = awscloudwatch.TreatMissingData_BREACHING
	}
	made := awscloudwatch.NewAlarm(s.alarms.stack, jsii.String(a.name+"Alarm"), props)
	if s.alarms.topic != nil && (!s.settings.size().causes || !explained(a.name)) {
		s.tell(made)
	}
	s.watched.alarms = append(s.watched.alarms, made)
	return made
}

// over returns the options of a metric with a statistic.
func over(statistic string) *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String(statistic), Period: awscdk.Duration_Minutes(jsii.Number(alarmMinutes))}
}

// measured returns a metric of the service, without dimensions.
func measured(m metric.Metric, statistic string) awscloudwatch.Metric {
	options := over(statistic)
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		// The namespace is the name of the service's stack, because stages may share an account.
		Namespace: awscdk.Fn_Ref(jsii.String(serviceName)), MetricName: jsii.String(m.Name),
		Statistic: options.Statistic, Period: options.Period,
	})
}

// computed returns an expression over metrics.
func computed(expression string, metrics map[string]awscloudwatch.IMetric) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(expression), UsingMetrics: &metrics, Period: over("").Period,
	})
}
