package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"
)

// watched is what the alarms and the dashboard look at, gathered while the stack is
// put together.
type watched struct {
	functions []watchedFunction
	lines     []line
}

type watchedFunction struct {
	function
	made awslambda.Function
	logs awslogs.LogGroup
}

// alarm is one thing that rings, and when.
type alarm struct {
	name  string // of its construct, without "Alarm"
	about string // docs/operations.md says what to do
	// metric with its statistic and period.
	metric awscloudwatch.IMetric
	// It rings when the metric exceeds the limit.
	limit float64
}

// alarmMinutes is the period of a metric where nothing else is said.
const alarmMinutes = 5

// alarmPattern finds the lines of a log that somebody has to look at (the Engine of
// package payout writes them): an amount that nobody can decide, and a ledger that
// is older than the chain.
const alarmPattern = `{ $.msg = "ALARM*" }`

// newAlarms makes all alarms. It comes last, for it looks at what was made.
func (s service) newAlarms() {
	for _, l := range s.watched.lines {
		for _, a := range l.alarms() {
			s.newAlarm(a)
		}
	}
	for _, f := range s.watched.functions {
		if f.alarming {
			s.newAlarm(s.undecided(f))
		}
	}
}

// alarms of a queue ring when the oldest message is late, and as soon as anything
// was given up.
func (l line) alarms() []alarm {
	maximum := over("Maximum")
	return []alarm{
		{
			name: l.name + "GivenUp", about: "Messages were given up: docs/operations.md says what to do with them",
			metric: l.dead.MetricApproximateNumberOfMessagesVisible(maximum),
		},
		{
			name: l.name + "Late", about: "The oldest message is late: docs/operations.md says where to look",
			metric: l.queue.MetricApproximateAgeOfOldestMessage(maximum), limit: l.lateSeconds,
		},
	}
}

// undecided rings for a line of the function's log that begins with "ALARM".
func (s service) undecided(f watchedFunction) alarm {
	filter := awslogs.NewMetricFilter(s.stack, jsii.String(f.construct+"Alarms"), &awslogs.MetricFilterProps{
		LogGroup: f.logs, FilterPattern: awslogs.FilterPattern_Literal(jsii.String(alarmPattern)),
		// The stack's own, for stages may share an account.
		MetricNamespace: awscdk.Aws_STACK_NAME(), MetricName: jsii.String(f.construct + "Alarms"), MetricValue: jsii.String("1"),
	})
	return alarm{
		name: f.construct + "Undecided", about: "Money may or may not have moved: docs/operations.md says what to do",
		metric: filter.Metric(over("Sum")),
	}
}

// over looks at a metric by its statistic.
func over(statistic string) *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String(statistic), Period: awscdk.Duration_Minutes(jsii.Number(alarmMinutes))}
}

// newAlarm makes an alarm that tells the topic, if there is one.
func (s service) newAlarm(a alarm) {
	made := awscloudwatch.NewAlarm(s.stack, jsii.String(a.name+"Alarm"), &awscloudwatch.AlarmProps{
		AlarmDescription:   jsii.String(a.about),
		Metric:             a.metric,
		Threshold:          jsii.Number(a.limit),
		EvaluationPeriods:  jsii.Number(1),
		ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_THRESHOLD,
		TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
	})
	if s.alarmTopic != nil {
		made.AddAlarmAction(awscloudwatchactions.NewSnsAction(s.alarmTopic))
	}
}
