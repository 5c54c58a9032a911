package stack

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/jsii-runtime-go"
)

// cause suppresses pages: while any of its alarms fires, the explained pages wait. Each of its
// alarms pages itself, so that an outage pages once. Alarms about money or keys have no cause.
type cause struct {
	name string // name of the construct, without "Cause"; empty for a single alarm
	// alarms and explains are names of alarms, without "Alarm".
	alarms, explains []string
}

var (
	nodesAway  = []string{"NodeErrors", "NodeBehind"}
	tablesFail = []string{"LaunchTableErrors", "LedgerTableErrors", "CapsTableErrors", "WindowTableErrors"}
)

// causes are listed with their pages in docs/operations.md, Alarms. A test checks that no alarm
// explains itself, directly or indirectly.
var causes = []cause{
	{alarms: []string{"NodeErrors"}, explains: []string{"NodeBehind"}},
	// An outage of DynamoDB pages once, in whichever table it shows. The launch table has the most
	// writes.
	{alarms: []string{"LaunchTableErrors"}, explains: []string{"LedgerTableErrors", "CapsTableErrors", "WindowTableErrors"}},
	{
		name: "Tables", alarms: tablesFail,
		explains: []string{
			"DispatcherErrors", "DistributorErrors", "MonitorErrors", "PayerErrors", "ReconcilerErrors", "DispatchGivenUp", "DispatchLate",
		},
	},
	{
		name: "Runs", alarms: slices.Concat(nodesAway, tablesFail, []string{
			"DistributorErrors", "DistributorThrottled", "PayerErrors", "PayerThrottled",
		}),
		explains: []string{"RunsOverdue", "RunGivenUp", "RunLate", "PayoutGivenUp", "PayoutLate"},
	},
	{
		name: "Reconciler", alarms: slices.Concat(nodesAway, tablesFail, []string{"ReconcilerErrors", "ReconcilerThrottled", "ReconcilerSilent"}),
		explains: []string{"LaunchOld"},
	},
	{
		name: "Api", alarms: slices.Concat(nodesAway, tablesFail, []string{"AuthorizerErrors", "DeriverErrors", "TokensErrors"}),
		explains: []string{"ApiErrors", "ApiSlow"},
	},
	{name: "Monitor", alarms: slices.Concat(tablesFail, []string{"MonitorErrors", "MonitorThrottled"}), explains: []string{"MonitorSilent"}},
	{name: "Canary", alarms: slices.Concat(nodesAway, tablesFail, []string{"ApiErrors"}), explains: []string{"CanaryFailed"}},
	{alarms: []string{"DispatcherThrottled"}, explains: []string{"DispatcherSilent"}},
	{alarms: []string{"ReconcilerThrottled"}, explains: []string{"ReconcilerSilent"}},
}

const (
	// causeMinutes is the time for which a page waits for its cause: a period, and the minute of
	// CloudWatch's evaluation.
	causeMinutes = alarmMinutes + 1
	// recoverMinutes is the time for which a page waits after the end of its cause: the number of
	// periods of the slowest alarm.
	recoverMinutes = busyPeriods * alarmMinutes
)

// explained reports whether a page waits for a cause.
func explained(name string) bool {
	return slices.ContainsFunc(causes, func(c cause) bool { return slices.Contains(c.explains, name) })
}

// createdAlarm is an alarm with the created construct.
type createdAlarm struct {
	alarm
	made awscloudwatch.Alarm
}

// newPages creates the composite alarms: a silent alarm for each cause with several alarms, and a
// page for each explained alarm. A stack without a topic needs no pages.
func (s service) newPages(made map[string]createdAlarm) {
	if s.alarms.topic == nil || !s.settings.size().causes {
		return
	}
	for _, c := range causes {
		if _, there := made[c.explains[0]]; !there {
			continue // without a canary
		}
		var suppressor awscloudwatch.IAlarm = made[c.alarms[0]].made
		if c.name != "" {
			var rules []awscloudwatch.IAlarmRule
			for _, name := range c.alarms {
				rules = append(rules, awscloudwatch.AlarmRule_FromAlarm(made[name].made, awscloudwatch.AlarmState_ALARM))
			}
			suppressor = awscloudwatch.NewCompositeAlarm(s.alarms.stack, jsii.String(c.name+"Cause"), &awscloudwatch.CompositeAlarmProps{
				CompositeAlarmName: compositeName(c.name + "Cause"),

				AlarmDescription: jsii.String("cause: while this alarm fires, the pages that it explains wait. More: docs/operations.md, Alarms"),
				AlarmRule:        awscloudwatch.AlarmRule_AnyOf(rules...),
			})
		}
		for _, name := range c.explains {
			s.tell(awscloudwatch.NewCompositeAlarm(s.alarms.stack, jsii.String(name+"Page"), &awscloudwatch.CompositeAlarmProps{
				CompositeAlarmName: compositeName(name + "Page"),

				AlarmDescription:                 made[name].description(),
				AlarmRule:                        awscloudwatch.AlarmRule_FromAlarm(made[name].made, awscloudwatch.AlarmState_ALARM),
				ActionsSuppressor:                suppressor,
				ActionsSuppressorWaitPeriod:      awscdk.Duration_Minutes(jsii.Number(causeMinutes)),
				ActionsSuppressorExtensionPeriod: awscdk.Duration_Minutes(jsii.Number(recoverMinutes)),
			}))
		}
	}
}

// compositeName returns a name that begins with the name of the alarms' stack and a hyphen, as the
// names by CloudFormation do. CDK's own name has no hyphen, and operate status finds alarms by the
// beginning of their names.
func compositeName(name string) *string { return concat(awscdk.Aws_STACK_NAME(), "-"+name) }

// tell notifies the topic when the alarm fires and when the alarm ends.
func (s service) tell(a awscloudwatch.AlarmBase) {
	topic := awscloudwatchactions.NewSnsAction(s.alarms.topic)
	a.AddAlarmAction(topic)
	a.AddOkAction(topic)
}
