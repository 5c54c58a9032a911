package stack

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/jsii-runtime-go"
)

// cause is what explains pages: while any of its alarms rings, a page that it explains
// waits. Each of its alarms pages by itself, so that an outage is heard once. What concerns
// money or keys is explained by nothing.
type cause struct {
	name string // of its construct, without "Cause"; one alarm alone needs none
	// alarms and explains are names of alarms, without "Alarm".
	alarms, explains []string
}

var (
	nodesAway  = []string{"NodeErrors", "NodeBehind"}
	tablesFail = []string{"LaunchTableErrors", "LedgerTableErrors", "CapsTableErrors", "WindowTableErrors"}
)

// causes come with their pages in the table of docs/operations.md, Alarms. None explains
// itself, by whatever way: a test holds that.
var causes = []cause{
	{alarms: []string{"NodeErrors"}, explains: []string{"NodeBehind"}},
	// An outage of DynamoDB is one, whichever table it shows in. Launch is written the most.
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
	// causeMinutes is how long a page waits for its cause to ring, too: a period, and the
	// minute in which CloudWatch evaluates.
	causeMinutes = alarmMinutes + 1
	// recoverMinutes is how long it waits for what has no cause any more to end: as many
	// periods as the slowest looks at.
	recoverMinutes = busyPeriods * alarmMinutes
)

// explained says whether a page waits for a cause of its own.
func explained(name string) bool {
	return slices.ContainsFunc(causes, func(c cause) bool { return slices.Contains(c.explains, name) })
}

// ringing is an alarm and what was made of it.
type ringing struct {
	alarm
	made awscloudwatch.Alarm
}

// newPages makes the composite alarms: a cause of several alarms, which tells nothing, and
// one page for each alarm that is explained. A stack without a topic has none to hold back.
func (s service) newPages(made map[string]ringing) {
	if s.alarmTopic == nil || !s.settings.size().causes {
		return
	}
	for _, c := range causes {
		if _, there := made[c.explains[0]]; !there {
			continue // without a canary
		}
		var rings awscloudwatch.IAlarm = made[c.alarms[0]].made
		if c.name != "" {
			var rules []awscloudwatch.IAlarmRule
			for _, name := range c.alarms {
				rules = append(rules, awscloudwatch.AlarmRule_FromAlarm(made[name].made, awscloudwatch.AlarmState_ALARM))
			}
			rings = awscloudwatch.NewCompositeAlarm(s.stack, jsii.String(c.name+"Cause"), &awscloudwatch.CompositeAlarmProps{
				AlarmDescription: jsii.String("cause: while it rings, the pages that it explains wait. See docs/operations.md, Alarms"),
				AlarmRule:        awscloudwatch.AlarmRule_AnyOf(rules...),
			})
		}
		for _, name := range c.explains {
			s.tell(awscloudwatch.NewCompositeAlarm(s.stack, jsii.String(name+"Page"), &awscloudwatch.CompositeAlarmProps{
				AlarmDescription:                 made[name].description(),
				AlarmRule:                        awscloudwatch.AlarmRule_FromAlarm(made[name].made, awscloudwatch.AlarmState_ALARM),
				ActionsSuppressor:                rings,
				ActionsSuppressorWaitPeriod:      awscdk.Duration_Minutes(jsii.Number(causeMinutes)),
				ActionsSuppressorExtensionPeriod: awscdk.Duration_Minutes(jsii.Number(recoverMinutes)),
			}))
		}
	}
}

// tell lets an alarm tell the topic when it rings and when it has ended.
func (s service) tell(a awscloudwatch.AlarmBase) {
	topic := awscloudwatchactions.NewSnsAction(s.alarmTopic)
	a.AddAlarmAction(topic)
	a.AddOkAction(topic)
}
