package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/client/canary"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// The measures of a dashboard: 24 units wide, four graphs in a row.
const (
	wholeWidth  = 24
	graphWidth  = 6
	graphHeight = 6
)

// newDashboard creates a page with all metrics for an operator after a page: alarms, callers' view,
// progress, dependencies. Each row begins with a link to docs/operations.md.
func (s service) newDashboard() {
	if !s.settings.size().board {
		return
	}
	board := awscloudwatch.NewDashboard(s.alarms.stack, jsii.String("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName:   concat(awscdk.Fn_Ref(jsii.String(serviceName)), "-"+*awscdk.Aws_REGION()),
		DefaultInterval: awscdk.Duration_Hours(jsii.Number(3)),
	})
	row := func(title, guide string, graphs ...awscloudwatch.IWidget) {
		board.AddWidgets(awscloudwatch.NewTextWidget(&awscloudwatch.TextWidgetProps{
			Markdown: jsii.String("## " + title + "\ndocs/operations.md: " + guide), Width: jsii.Number(wholeWidth), Height: jsii.Number(2),
		}))
		board.AddWidgets(graphs...)
	}
	row("Firing alarms", "Alarms", awscloudwatch.NewAlarmStatusWidget(&awscloudwatch.AlarmStatusWidgetProps{
		Alarms: &s.watched.alarms, Width: jsii.Number(wholeWidth), Height: jsii.Number(2 * graphHeight),
	}))
	row("Requests", "Alarms (ApiErrorsAlarm, ApiSlowAlarm)",
		s.requestsByRoute(),
		graph("Answered 5xx", measured(apigw.ServerErrors, "Sum"), s.ofAPI("5xx", "Sum")),
		graph("Requests, and those over a limit", measured(apigw.Requests, "Sum"), measured(apigw.Limited, "Sum"), measured(apigw.Latency, "p99")),
	)
	row("Canary", "Canary",
		graph("Steps that failed, proofs that do not hold", measured(canary.CanaryFailures, "Sum"), measured(canary.ProofsRefuted, "Sum")),
	)
	row("Launches", "Alarms (NoncesLowAlarm, LaunchOldAlarm)",
		graph("Launches", measured(reconcile.LaunchesFinal, "Sum")),
		graph("Nonce accounts", measured(status.NoncesFree, "Minimum"), measured(status.NonceAccounts, "Maximum")),
		graph("Oldest launch (s late)", measured(status.OldestLaunchSeconds, "Maximum")),
	)
	row("Distributions", "Undecided payments",
		graph("Runs", measured(status.RunsActive, "Maximum"), measured(status.RunsOverdue, "Maximum")),
		graph("Oldest run, and how long runs took (s)", measured(status.OldestRunSeconds, "Maximum"), measured(run.RunSeconds, "p50")),
		graph("Runs ended, by status", by(run.RunsEnded, metric.Status, "Sum"), measured(run.RunsEnded, "Sum")),
		graph("Holders paid, and payments by kind", measured(payout.HoldersPaid, "Sum"), by(payout.PaymentsLanded, metric.Kind, "Sum"), measured(payout.PaymentsLanded, "Sum")),
		graph("Undecided, refused by the signer, capped, without the guardian", measured(payout.UndecidedAmounts, "Sum"), measured(payout.GuardianUnsigned, "Sum"), measured(signing.SigningRefused, "Sum"), measured(signing.SigningCapped, "Sum")),
		graph("Exchanges and trades that cannot be read", measured(exchange.ExchangeUnreadable, "Sum"), measured(index.TradesUnreadable, "Sum")),
	)
	var waiting, oldest, dead []awscloudwatch.IMetric
	for _, l := range s.watched.lines {
		waiting = append(waiting, s.waitingIn(l))
		oldest = append(oldest, s.oldestIn(l))
		dead = append(dead, s.givenUpOf(l))
	}
	row("Queues", "Dead-letter queues",
		graph("Messages that wait", waiting...), graph("Oldest message (s)", oldest...),
		graph("Given up", append(dead, measured(status.GivenUp, "Maximum"))...),
	)
	row("Webhooks", "When messages to webhooks wait",
		graph("Messages, by outcome", measured(webhook.WebhooksDelivered, "Sum"), measured(webhook.WebhooksRetried, "Sum"),
			measured(webhook.WebhooksFailed, "Sum")),
		graph("Visits deferred for their destination", measured(webhook.WebhooksCrowded, "Sum")),
	)
	row("Chain", "When the Solana node is away",
		graph("Calls, and those that failed", measured(solanarpc.RPCCalls, "Sum"), measured(solanarpc.RPCErrors, "Sum")),
		graph("Failed, by node", by(solanarpc.RPCErrors, metric.Node, "Sum")),
		graph("Latency by node (p90, ms)", by(solanarpc.RPCLatency, metric.Node, "p90"), measured(solanarpc.RPCLatency, "p90")),
		graph("Age of the newest finalized block (s)", measured(status.SlotLagSeconds, "Maximum")),
	)
	row("Money", "Alarms (AuthorityLowAlarm)",
		graph("Nonce authority (lamports)", measured(status.AuthorityLamports, "Minimum")),
		graph("Wallets at the start of their runs (lamports)", measured(run.WalletLamports, "Minimum"), measured(run.WalletLamports, "p50")),
	)
	s.costs(row)
}

// requestsByRoute counts the log lines of requests by route. A metric for each route would cost
// every month. A query costs only when an operator looks.
func (s service) requestsByRoute() awscloudwatch.IWidget {
	var logs []*string
	for _, f := range s.watched.functions {
		if len(route.OfFunction(f.name)) > 0 {
			logs = append(logs, s.refer(f.construct+"LogName", f.logs.LogGroupName()))
		}
	}
	return awscloudwatch.NewLogQueryWidget(&awscloudwatch.LogQueryWidgetProps{
		Title: jsii.String("By route"), LogGroupNames: &logs, View: awscloudwatch.LogQueryVisualizationType_TABLE,
		QueryLines: jsii.Strings(
			`filter msg = "request"`,
			`stats count(*) as requests, pct(durationMs, 99) as slowest, sum(status >= 500) as failed by method, route`,
			`sort requests desc`,
		),
		Width: jsii.Number(2 * graphWidth), Height: jsii.Number(graphHeight),
	})
}

// costs adds the metrics of the bill.
func (s service) costs(row func(title, guide string, graphs ...awscloudwatch.IWidget)) {
	var calls, seconds, busy []awscloudwatch.IMetric
	for _, f := range s.watched.functions {
		calls = append(calls, s.ofFunction(f, "Invocations", "Sum"))
		seconds = append(seconds, s.ofFunction(f, "Duration", "Sum"))
		busy = append(busy, s.ofFunction(f, "ConcurrentExecutions", "Maximum"))
	}
	var units []awscloudwatch.IMetric
	for _, t := range []struct {
		name  string
		table awsdynamodb.ITableV2
	}{{"Launch", s.store.launch}, {"Ledger", s.store.ledger}, {"Window", s.store.window}} {
		units = append(units, s.ofTable(t.name, t.table, "ConsumedReadCapacityUnits"), s.ofTable(t.name, t.table, "ConsumedWriteCapacityUnits"))
	}
	row("What it costs", "What it costs",
		graph("Units of the tables", units...), graph("Calls of functions", calls...),
		graph("Time of functions (ms; times their memory: GB-s)", seconds...), graph("Calls at a time", busy...),
	)
}

// graph plots metrics over time.
func graph(title string, metrics ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{
		Title: jsii.String(title), Left: &metrics, Width: jsii.Number(graphWidth), Height: jsii.Number(graphHeight),
		LiveData: jsii.Bool(true),
	})
}

// by returns a metric split by a dimension, for all values of the dimension.
func by(m metric.Metric, dimension, statistic string) awscloudwatch.IMetric {
	namespace := *measured(m, statistic).Namespace()
	search := strings.NewReplacer("NAMESPACE", namespace, "DIMENSION", dimension, "METRIC", m.Name, "STATISTIC", statistic).
		Replace(`SEARCH('{"NAMESPACE",DIMENSION} MetricName="METRIC"', 'STATISTIC')`)
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(search), Label: jsii.String(""), Period: over("").Period, UsingMetrics: &map[string]awscloudwatch.IMetric{},
	})
}
