package stack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// The functions and queues whose alarms page: the functions for launches, sign-in and payments, and
// the queues of the money path. Other alarms can wait for the morning.
var (
	vitalFunctions = []string{"Authorizer", "Deriver", "Dispatcher", "Distributor", "Monitor", "Payer", "Reconciler", "Signer", "Tokens"}
	vitalLines     = []string{"Dispatch", "Run", "Payout"}
)

// unattended lists functions with alarms for throttling and timeouts. Their callers retry again and
// again, so no other alarm shows these failures.
var unattended = []string{"Dispatcher", "Distributor", "Monitor", "Payer", "Reconciler"}

// everyMinute lists the functions that a rule starts every minute on every stage. The notifier is
// missing because the rule starts the notifier only with a bot.
var everyMinute = []string{"Dispatcher", "Monitor", "Reconciler"}

// bounded lists the functions whose concurrency the settings bound.
var bounded = []string{"Distributor", "Payer"}

// The limits. A share only counts from a minimum number of failures or requests, so that one
// failure at night is not 100 %.
const (
	maxErrors       = 2  // failed invocations of a function in 5 minutes
	maxThrottles    = 5  // throttled invocations of a function in 5 minutes
	nearTimeout     = .8 // share of a function's timeout
	busyPeriods     = 3
	maxErrorPercent = 5 // requests with a 5xx response
	minErrors       = 5
	// slowMillis is longer than a submission, which waits 15 seconds for the confirmation, and
	// shorter than the handlers' deadline of 25 seconds.
	slowMillis          = 20_000
	minRequests         = 20
	maxUncounted        = 5 // requests without a count by the rate limiter, in 5 minutes
	maxNodePercent      = 25
	minCalls            = 20
	maxTableThrottles   = 10 // requests in 5 minutes; the SDK repeats them
	maxTableErrors      = 5
	maxClaimedPercent   = 80 // of the account's quota of concurrent executions
	stateReads, byThree = 2, 3
)

// alarmPattern matches the log lines that need an operator: an undecided amount, and a ledger that
// is older than the chain. The Engine of package payout writes these lines.
const alarmPattern = `{ $.msg = "ALARM*" }`

// newAlarms creates all alarms. It must come last, because it reads the created resources.
func (s service) newAlarms() {
	var all []alarm
	all = append(all, s.moneyAlarms()...)
	for _, l := range s.watched.lines {
		all = append(all, s.queueAlarms(l)...)
	}
	all = append(all, s.apiAlarms()...)
	all = append(all, chainAlarms()...)
	all = append(all, upgradeAlarms()...)
	all = append(all, progressAlarms()...)
	all = append(all, s.canaryAlarms()...)
	all = append(all, chainDropAlarms()...)
	all = append(all, s.accountAlarms()...)
	if s.settings.watchesAll() {
		for _, f := range s.watched.functions {
			all = append(all, s.functionAlarms(f)...)
		}
		all = append(all, s.eventAlarms()...)
		all = append(all, s.tableAlarms()...)
	}
	all = append(all, s.copyAlarms()...)
	made := map[string]createdAlarm{}
	for _, a := range s.summed(all) {
		if s.settings.watches(a.name) {
			made[a.name] = createdAlarm{a, s.newAlarm(a)}
		}
	}
	s.newPages(made)
}

// moneyAlarms fire if money may or may not have moved. They use both the metric and the log lines
// from which the metric is counted. A malformed line or a wrong pattern then loses no event.
func (s service) moneyAlarms() []alarm {
	all := []alarm{{
		name: "Undecided", severity: page, state: "Payments are undecided: money may or may not have moved",
		impact: "The token is frozen, and nothing is paid twice", first: "read the log line that begins with ALARM, and redrive nothing",
		metric: measured(payout.UndecidedAmounts, "Sum"),
	}, {
		name: "SigningRefused", severity: page, state: "The signer rejected a message that the ledger did not decide",
		impact: "Nothing was signed, but an attacker may control distributor or payer", first: "read the signer's log: the line names the payment and what is wrong",
		metric: measured(signing.SigningRefused, "Sum"),
	}, {
		name: guardianUnsigned, severity: page, state: "The guardian did not co-sign collections",
		impact: "The tax of these tokens stays withheld, and nothing is lost", first: "check the guardian's address, and ask its operator",
		metric: measured(payout.GuardianUnsigned, "Sum"),
	}, {
		name: "SigningCapped", severity: page, state: "A distribution reached a cap of the signer",
		impact: "Payments wait, until the deadline of their distribution at most", first: "read the signer's log, and run operate/caps show",
		metric: measured(signing.SigningCapped, "Sum"),
	}}
	for _, f := range s.watched.functions {
		if !f.alarming {
			continue
		}
		counted := metric.Metric{Name: f.construct + "Alarms"}
		awslogs.NewMetricFilter(s.stack, jsii.String(f.construct+"Alarms"), &awslogs.MetricFilterProps{
			LogGroup: f.logs, FilterPattern: awslogs.FilterPattern_Literal(jsii.String(alarmPattern)),
			MetricNamespace: awscdk.Aws_STACK_NAME(), MetricName: &counted.Name, MetricValue: jsii.String("1"),
		})
		all = append(all, alarm{
			name: f.construct + "Undecided", severity: page, of: f.name, state: "Payments are undecided: money may or may not have moved",
			impact: "The token is frozen, and nothing is paid twice", first: "read the log line that begins with ALARM, and redrive nothing",
			metric: measured(counted, "Sum"),
		})
	}
	return all
}

// queueTexts are the texts of the queues' alarms.
var queueTexts = map[string]struct{ givenUp, late alarm }{
	"Dispatch": {
		givenUp: alarm{
			state:  "Distributions did not start: their messages were given up",
			impact: "Holders of these tokens are paid in the next interval", first: "read the dispatcher's log, remove the cause, and redrive",
		},
		late: alarm{
			state:  "Distributions start late: messages wait in the queue",
			impact: "Holders are paid late", first: "check whether dispatcher is throttled",
		},
	},
	"Run": {
		givenUp: alarm{
			state:  "A distribution was given up after 20 minutes of attempts",
			impact: "The distribution continues when the cause is gone", first: "read the distributor's log, and check the Solana nodes",
		},
		late: alarm{
			state:  "Distributions wait in the queue",
			impact: "Holders are paid late", first: "check whether distributor is busy or throttled",
		},
	},
	"Payout": {
		givenUp: alarm{
			state:  "A batch of payments was given up after 20 minutes of attempts",
			impact: "The payments continue when the cause is gone", first: "read the payer's log, and check the Solana nodes",
		},
		late: alarm{
			state:  "Payments wait in the queue",
			impact: "Holders are paid late", first: "check whether payer is busy or throttled",
		},
	},
	"Notice": {
		givenUp: alarm{
			state:  "Telegram notices were given up",
			impact: "Groups miss the notices. No payment depends on a notice", first: "read the notifier's log, then redrive or delete the messages",
		},
		late: alarm{
			state:  "Telegram notices wait in the queue",
			impact: "Groups learn of distributions late", first: "read the notifier's log",
		},
	},
	"Webhook": {
		givenUp: alarm{
			state:  "Webhook events were given up",
			impact: "Receivers miss these events", first: "read the logs of announcer and courier",
		},
		late: alarm{
			state:  "Webhook events wait in the queue",
			impact: "Receivers learn of events late", first: "read the courier's log",
		},
	},
	"Pin": {
		givenUp: alarm{
			state:  "Files could not be pinned to IPFS",
			impact: "Images or proofs are missing there", first: "read the pinner's log: the line names the file",
		},
		late: alarm{
			state:  "Files wait to be pinned to IPFS",
			impact: "Images and proofs appear there late", first: "check the IPFS node or Pinata",
		},
	},
}

// queueAlarms returns the alarms of a queue: the oldest message is late, or a message is in the
// dead-letter queue.
func (s service) queueAlarms(q workQueue) []alarm {
	var all []alarm
	// A metric of an alarm that is left out would name a part of the service for nothing.
	if name := q.name + "GivenUp"; s.settings.watches(name) {
		a := queueTexts[q.name].givenUp
		a.name, a.severity, a.metric = name, urgent(vitalLines, q.name), s.givenUpOf(q)
		all = append(all, a)
	}
	if name := q.name + "Late"; s.settings.watches(name) {
		a := queueTexts[q.name].late
		a.name, a.severity, a.metric, a.limit = name, urgent(vitalLines, q.name), s.oldestIn(q), q.lateSeconds
		all = append(all, a)
	}
	return all
}

// apiAlarms fire on failures that callers see. The gateway counts them, so a response without a
// function counts, too.
func (s service) apiAlarms() []alarm {
	requests := s.ofAPI("Count", "Sum")
	return []alarm{
		{
			name: "ApiErrors", severity: page, state: "The API fails: many responses are 5xx",
			impact: "Callers cannot use the service", first: "after a deployment, roll back. Otherwise read the log of the failing function",
			metric: computed(fmt.Sprintf("IF(errors >= %d, 100 * errors / requests, 0)", minErrors), map[string]awscloudwatch.IMetric{
				"errors": s.ofAPI("5xx", "Sum"), "requests": requests,
			}),
			limit: maxErrorPercent,
		},
		{
			name: "ApiSlow", severity: page, state: "The API is slow: requests nearly time out",
			impact: "Callers wait, and soon get errors", first: "check the latency of the Solana nodes",
			metric: computed(fmt.Sprintf("IF(requests >= %d, latency, 0)", minRequests), map[string]awscloudwatch.IMetric{
				"latency": s.ofAPI("Latency", "p99"), "requests": requests,
			}),
			limit: slowMillis, breaching: stateReads, periods: byThree,
		},
	}
}

// chainAlarms fire on failures of the Solana nodes, on which every payment depends.
func chainAlarms() []alarm {
	return []alarm{
		{
			name: "NodeErrors", severity: page, state: "The Solana nodes fail: many calls return errors",
			impact: "Distributions and launches wait", first: "find the failing node, and put another node first in the secret",
			metric: computed(fmt.Sprintf("IF(calls >= %d, 100 * errors / calls, 0)", minCalls), map[string]awscloudwatch.IMetric{
				"errors": measured(solanarpc.RPCErrors, "Sum"), "calls": measured(solanarpc.RPCCalls, "Sum"),
			}),
			limit: maxNodePercent, breaching: stateReads, periods: byThree,
		},
		{
			// The minimum of 5 minutes, so that one slow response does not count.
			name: "NodeBehind", severity: page, state: "The Solana node is behind the chain",
			impact: "Distributions and launches wait", first: "compare with another node, and look at status.solana.com",
			metric: measured(status.SlotLagSeconds, "Minimum"), limit: status.NodeLag.Seconds(),
		},
	}
}

// upgradeAlarms fire if a third party's program or API has changed and is unreadable. Dependent
// work waits or is skipped until this service supports the change.
func upgradeAlarms() []alarm {
	return []alarm{
		{
			name: "ExchangeUnreadable", severity: ticket, state: "An exchange cannot be used: it was upgraded, or its swaps are unsafe",
			impact: "Sales of tax wait, and no tax is lost", first: "read the distributor's log: the line names the exchange",
			metric: measured(exchange.ExchangeUnreadable, "Sum"),
		},
		{
			name: "TradesUnreadable", severity: ticket, state: "Trades on curves are not counted: Meteora's events have changed",
			impact: "Figures of curves fall behind, and completions may come late", first: "read the reconciler's log: the line names a transaction",
			metric: measured(index.TradesUnreadable, "Sum"),
		},
	}
}

// progressAlarms fire if work does not progress. Each reads a gauge of the monitor. MonitorSilent
// covers missing gauges.
func progressAlarms() []alarm {
	return []alarm{
		{
			// The maximum of 5 minutes: no nonce account was free in between. Launches continue
			// with blockhashes.
			name: "NoncesLow", severity: ticket, state: "Hardly any nonce accounts are free",
			impact: "Launches must land within 30 seconds. No launch is rejected", first: "fund the nonce authority, or raise noncePoolMax",
			metric: measured(status.NoncesFree, "Maximum"), comparison: below, limit: status.MinFreeNonces, breaching: 2, periods: 2,
		},
		{
			name: "AuthorityLow", severity: ticket, state: "The nonce authority has little SOL",
			impact: "Soon the service cannot create nonce accounts", first: "send SOL to the address that operate authority prints",
			metric: measured(status.AuthorityLamports, "Minimum"), comparison: below, limit: status.MinAuthority,
		},
		{
			name: "RunsOverdue", severity: page, state: fmt.Sprintf("Distributions are stuck: no progress for %.0f minutes, in spite of retries", run.OverdueAfter.Minutes()),
			impact: "Holders are not paid", first: "read the logs of distributor and payer",
			metric: measured(status.RunsOverdue, "Minimum"), limit: status.MaxOverdue, breaching: byThree, periods: byThree,
		},
		{
			name: "RunOld", severity: ticket, state: fmt.Sprintf("A distribution takes more than %.0f hours", status.RunOld.Hours()),
			impact: "Its holders wait", first: "get the status of the distribution. While the distribution advances, do nothing",
			metric: measured(status.OldestRunSeconds, "Maximum"), limit: status.RunOld.Seconds(),
		},
		{
			name: "LaunchOld", severity: page, state: "The reconciler is late with launches or transactions",
			impact: "Callers wait for a verdict", first: "read the reconciler's log: the line \"reconciled\" counts errors",
			metric: measured(status.OldestLaunchSeconds, "Maximum"), limit: status.LaunchLate.Seconds(),
		},
		{
			name: "MonitorSilent", severity: page, state: "The monitor measures nothing",
			impact: "Alarms on nodes, nonce accounts, distributions and launches cannot fire", first: "read the monitor's log, and check the rule EveryMinute",
			metric: noted(measured(status.NoncesFree, "SampleCount")), comparison: below, limit: 1, breaching: 2, periods: 2, silence: true,
		},
	}
}

// functionAlarms returns the alarms for failures that callers and queues do not show.
func (s service) functionAlarms(f watchedFunction) []alarm {
	vital := urgent(vitalFunctions, f.construct)
	all := []alarm{{
		name: f.construct + "Errors", severity: vital, of: f.name, state: "Invocations crash or time out",
		impact: "The function's work waits or fails", first: "read the end of the function's log. After a deployment, roll back",
		metric: s.ofFunction(f, "Errors", "Sum"), limit: maxErrors,
	}}
	if slices.Contains(unattended, f.construct) {
		all = append(all, alarm{
			name: f.construct + "Throttled", severity: vital, of: f.name, state: "Invocations are throttled",
			impact: "The function's work waits", first: "check the concurrency of the account and of the function",
			metric: s.ofFunction(f, "Throttles", "Sum"), limit: maxThrottles,
		}, alarm{
			name: f.construct + "Slow", severity: ticket, of: f.name, state: "Invocations nearly time out",
			impact: "Work is repeated and may not advance", first: "check the latency of the Solana nodes and of DynamoDB",
			metric: s.ofFunction(f, "Duration", "Maximum"), limit: nearTimeout * 1000 * f.timeoutSeconds,
		})
	}
	if slices.Contains(everyMinute, f.construct) && f.construct != "Monitor" { // see MonitorSilent
		all = append(all, alarm{
			name: f.construct + "Silent", severity: page, of: f.name, state: "Scheduled invocations are missing",
			impact: "The function's work stands still", first: "check the rule EveryMinute, then run operate resume",
			metric: noted(s.ofFunction(f, "Invocations", "Sum")), comparison: below, limit: 1, breaching: 2, periods: 2, silence: true,
		})
	}
	if slices.Contains(bounded, f.construct) {
		all = append(all, alarm{
			name: f.construct + "Busy", severity: ticket, of: f.name, state: fmt.Sprintf("All permitted concurrent invocations are in use for %d minutes", busyPeriods*alarmMinutes),
			impact: "Work may pile up in the queue", first: "check whether the oldest message of the queue gets older",
			metric:     s.ofFunction(f, "ConcurrentExecutions", "Maximum"),
			comparison: atLeast, limit: f.calls, breaching: busyPeriods, periods: busyPeriods,
		})
	}
	return all
}

// chainDropAlarms fire when Lambda drops an invocation of an infinite loop. Lambda does not emit
// the metric for functions that may loop (Lambda Developer Guide, "Types of metrics for Lambda
// functions"). The metric without dimensions is the sum of all functions in the Region ("Viewing
// metrics for Lambda functions"), so one alarm covers every function. Metric math in an alarm
// accepts ten metrics, and would need three alarms. The disadvantage: another application in the
// account can trigger the alarm.
func chainDropAlarms() []alarm {
	options := over("Sum")
	return []alarm{{
		name: "ChainDropped", severity: ticket, state: "Lambda drops invocations as an infinite loop",
		impact: "The messages end in a dead-letter queue", first: "find the function in the metric RecursiveInvocationsDropped",
		metric: awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
			Namespace: jsii.String("AWS/Lambda"), MetricName: jsii.String("RecursiveInvocationsDropped"),
			Statistic: options.Statistic, Period: options.Period,
		}),
	}}
}

// accountAlarms fire when the functions of the account leave hardly any concurrency in the Region.
// Functions without a reservation, such as the API's functions, are throttled at the account's
// quota, which no metric reports.
func (s service) accountAlarms() []alarm {
	options := over("Maximum")
	return []alarm{{
		name: "AccountBusy", severity: ticket, state: "The account's concurrent executions are nearly used up",
		impact: "Soon callers get 503 or 429", first: "request a higher quota, or lower runConcurrency",
		metric: awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
			Namespace: jsii.String("AWS/Lambda"), MetricName: jsii.String("ClaimedAccountConcurrency"),
			Statistic: options.Statistic, Period: options.Period,
		}),
		comparison: atLeast, limit: float64(s.settings.AccountConcurrency * maxClaimedPercent / 100),
	}}
}

// tableAlarms fire when a table rejects requests. DynamoDB counts failures only by operation.
// Updates represent all operations, because every table has updates.
func (s service) tableAlarms() []alarm {
	var all []alarm
	for _, t := range []struct {
		name  string
		table awsdynamodb.ITableV2
	}{{"Launch", s.store.launch}, {"Ledger", s.store.ledger}, {"Caps", s.store.caps}, {"Window", s.store.window}} {
		all = append(all, alarm{
			name: t.name + "ReadsThrottled", severity: ticket, of: "table " + strings.ToLower(t.name), state: "DynamoDB throttles requests",
			impact: "Requests are repeated, and are slower", first: "wait for some minutes. If it continues, look for a hot key",
			metric: s.ofTable(t.name, t.table, "ReadThrottleEvents"), limit: maxTableThrottles,
		}, alarm{
			name: t.name + "WritesThrottled", severity: ticket, of: "table " + strings.ToLower(t.name), state: "DynamoDB throttles requests",
			impact: "Requests are repeated, and are slower", first: "wait for some minutes. If it continues, look for a hot key",
			metric: s.ofTable(t.name, t.table, "WriteThrottleEvents"), limit: maxTableThrottles,
		}, alarm{
			name: t.name + "TableErrors", severity: page, of: "table " + strings.ToLower(t.name), state: "DynamoDB fails: updates return system errors",
			impact: "The service waits, and nothing is paid twice", first: "check the AWS health page, and wait",
			metric: s.ofTable(t.name, t.table, "SystemErrors").With(&awscloudwatch.MetricOptions{DimensionsMap: &map[string]*string{
				"TableName": s.refer(t.name+"TableName", t.table.TableName()), "Operation": jsii.String("UpdateItem"),
			}}), limit: maxTableErrors,
		})
	}
	return all
}

// noted returns 0 for a period without data. Without this, an alarm would evaluate older periods
// first, and report missing data much later.
func noted(m awscloudwatch.IMetric) awscloudwatch.IMetric {
	return computed("FILL(heard, 0)", map[string]awscloudwatch.IMetric{"heard": m})
}

func urgent(vital []string, name string) severity {
	if slices.Contains(vital, name) {
		return page
	}
	return ticket
}
