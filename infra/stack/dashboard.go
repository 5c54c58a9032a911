package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// The measures of a dashboard: 24 units wide, four graphs in a row.
const (
	wholeWidth  = 24
	graphWidth  = 6
	graphHeight = 6
)

// newDashboard puts everything that is measured on one page, for an operator who was woken:
// what rings, then what callers see, what should go on, and what it rests on. Each row
// begins with where docs/operations.md goes on.
func (s service) newDashboard() {
	board := awscloudwatch.NewDashboard(s.stack, jsii.String("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName:   s.inRegion(""),
		DefaultInterval: awscdk.Duration_Hours(jsii.Number(3)),
	})
	row := func(title, guide string, graphs ...awscloudwatch.IWidget) {
		board.AddWidgets(awscloudwatch.NewTextWidget(&awscloudwatch.TextWidgetProps{
			Markdown: jsii.String("## " + title + "\ndocs/operations.md: " + guide), Width: jsii.Number(wholeWidth), Height: jsii.Number(2),
		}))
		board.AddWidgets(graphs...)
	}
	row("What rings", "Alarms", awscloudwatch.NewAlarmStatusWidget(&awscloudwatch.AlarmStatusWidgetProps{
		Alarms: &s.watched.alarms, Width: jsii.Number(wholeWidth), Height: jsii.Number(2 * graphHeight),
	}))
	row("Requests", "Alarms (ApiErrorsAlarm, ApiSlowAlarm)",
		graph("Requests by route", by(metric.Requests, metric.Route, "Sum")),
		graph("Slowest by route (p99, ms)", by(metric.Latency, metric.Route, "p99")),
		graph("Answered 5xx", by(metric.ServerErrors, metric.Route, "Sum"), measured(metric.ServerErrors, "Sum"), s.watched.api.MetricServerError(over("Sum"))),
		graph("Requests, and those over a limit", measured(metric.Requests, "Sum"), measured(metric.Limited, "Sum"), measured(metric.Latency, "p99")),
	)
	row("Canary", "Canary",
		graph("Steps that failed, proofs that do not hold", measured(metric.CanaryFailures, "Sum"), measured(metric.ProofsRefuted, "Sum")),
	)
	row("Launches", "Alarms (NoncesLowAlarm, LaunchOldAlarm)",
		graph("Launches", measured(metric.Launches, "Sum")),
		graph("Nonce accounts", measured(metric.NoncesFree, "Minimum"), measured(metric.Nonces, "Maximum")),
		graph("Oldest launch (s late)", measured(metric.OldestLaunchSeconds, "Maximum")),
	)
	row("Distributions", "When money may or may not have moved",
		graph("Runs", measured(metric.RunsActive, "Maximum"), measured(metric.RunsOverdue, "Maximum")),
		graph("Oldest run, and how long runs took (s)", measured(metric.OldestRunSeconds, "Maximum"), measured(metric.RunSeconds, "p50")),
		graph("Runs ended, by status", by(metric.RunsEnded, metric.Status, "Sum"), measured(metric.RunsEnded, "Sum")),
		graph("Holders paid, and payments by kind", measured(metric.HoldersPaid, "Sum"), by(metric.Payments, metric.Kind, "Sum"), measured(metric.Payments, "Sum")),
		graph("Undecided, refused by the signer, capped", measured(metric.Undecided, "Sum"), measured(metric.SigningRefused, "Sum"), measured(metric.SigningCapped, "Sum")),
		graph("Exchanges and trades that cannot be read", measured(metric.ExchangeUnreadable, "Sum"), measured(metric.TradesUnreadable, "Sum")),
	)
	var waiting, oldest, dead []awscloudwatch.IMetric
	for _, l := range s.watched.lines {
		waiting = append(waiting, l.queue.MetricApproximateNumberOfMessagesVisible(over("Maximum")))
		oldest = append(oldest, l.queue.MetricApproximateAgeOfOldestMessage(over("Maximum")))
		dead = append(dead, l.dead.MetricApproximateNumberOfMessagesVisible(over("Maximum")))
	}
	row("Queues", "Redrive what was given up",
		graph("Messages that wait", waiting...), graph("Oldest message (s)", oldest...),
		graph("Given up", append(dead, measured(metric.GivenUp, "Maximum"))...),
	)
	row("Webhooks", "When messages to webhooks wait",
		graph("Messages, by what became of them", measured(metric.WebhooksDelivered, "Sum"), measured(metric.WebhooksRetried, "Sum"),
			measured(metric.WebhooksFailed, "Sum")),
		graph("Visits put off for their destination", measured(metric.WebhooksCrowded, "Sum")),
	)
	row("Chain", "When the Solana node is away",
		graph("Calls, and those that failed", measured(metric.RPCCalls, "Sum"), measured(metric.RPCErrors, "Sum")),
		graph("Failed, by node", by(metric.RPCErrors, metric.Node, "Sum")),
		graph("Latency by node (p90, ms)", by(metric.RPCLatency, metric.Node, "p90"), measured(metric.RPCLatency, "p90")),
		graph("Age of the newest finalized block (s)", measured(metric.SlotLagSeconds, "Maximum")),
	)
	row("Money", "Alarms (AuthorityLowAlarm)",
		graph("Nonce authority (lamports)", measured(metric.AuthorityLamports, "Minimum")),
		graph("Wallets at the start of their runs (lamports)", measured(metric.WalletLamports, "Minimum"), measured(metric.WalletLamports, "p50")),
	)
	s.costs(row)
}

// costs are what the bill is made of.
func (s service) costs(row func(title, guide string, graphs ...awscloudwatch.IWidget)) {
	var calls, seconds, busy []awscloudwatch.IMetric
	for _, f := range s.watched.functions {
		calls = append(calls, f.made.MetricInvocations(over("Sum")))
		seconds = append(seconds, f.made.MetricDuration(over("Sum")))
		busy = append(busy, f.made.Metric(jsii.String("ConcurrentExecutions"), over("Maximum")))
	}
	var units []awscloudwatch.IMetric
	for _, table := range []awsdynamodb.ITableV2{s.store.launch, s.store.ledger, s.store.window} {
		units = append(units, table.Metric(jsii.String("ConsumedReadCapacityUnits"), over("Sum")),
			table.Metric(jsii.String("ConsumedWriteCapacityUnits"), over("Sum")))
	}
	row("What it costs", "What it costs",
		graph("Units of the tables", units...), graph("Calls of functions", calls...),
		graph("Time of functions (ms; times their memory: GB-s)", seconds...), graph("Calls at a time", busy...),
	)
}

// graph of metrics over time.
func graph(title string, metrics ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{
		Title: jsii.String(title), Left: &metrics, Width: jsii.Number(graphWidth), Height: jsii.Number(graphHeight),
		LiveData: jsii.Bool(true),
	})
}

// by is a metric split by a dimension, whatever values it has.
func by(m metric.Metric, dimension, statistic string) awscloudwatch.IMetric {
	namespace := *measured(m, statistic).Namespace()
	search := strings.NewReplacer("NAMESPACE", namespace, "DIMENSION", dimension, "METRIC", m.Name, "STATISTIC", statistic).
		Replace(`SEARCH('{"NAMESPACE",DIMENSION} MetricName="METRIC"', 'STATISTIC')`)
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(search), Label: jsii.String(""), Period: over("").Period, UsingMetrics: &map[string]awscloudwatch.IMetric{},
	})
}
