package stack

import (
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/market/index"
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
	mostErrors       = 2  // failed invocations of a function in 5 minutes
	mostThrottles    = 5  // throttled invocations of a function in 5 minutes
	nearTimeout      = .8 // share of a function's timeout
	busyPeriods      = 3
	mostErrorPercent = 5 // requests with a 5xx response
	fewestErrors     = 5
	// slowMillis is longer than a submission, which waits 15 seconds for the confirmation, and
	// shorter than the handlers' deadline of 25 seconds.
	slowMillis          = 20_000
	fewestRequests      = 20
	mostUncounted       = 5 // requests without a count by the rate limiter, in 5 minutes
	mostNodePercent     = 25
	fewestCalls         = 20
	mostTableThrottles  = 10 // requests in 5 minutes; the SDK repeats them
	mostTableErrors     = 5
	mostClaimedPercent  = 80 // of the account's quota of concurrent executions
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
		all = append(all, l.alarms()...)
	}
	all = append(all, s.apiAlarms()...)
	all = append(all, chainAlarms()...)
	all = append(all, upgradeAlarms()...)
	all = append(all, progressAlarms()...)
	all = append(all, s.canaryAlarms()...)
	for _, f := range s.watched.functions {
		all = append(all, f.alarms()...)
	}
	all = append(all, chainDropAlarms()...)
	all = append(all, s.accountAlarms()...)
	all = append(all, s.eventAlarms()...)
	all = append(all, s.tableAlarms()...)
	all = append(all, s.copyAlarms()...)
	made := map[string]ringing{}
	for _, a := range s.summed(all) {
		if s.settings.watches(a.name) {
			made[a.name] = ringing{a, s.newAlarm(a)}
		}
	}
	s.newPages(made)
}

// moneyAlarms fire if money may or may not have moved. They use both the metric and the log lines
// from which the metric is counted. A malformed line or a wrong pattern then loses no event.
func (s service) moneyAlarms() []alarm {
	all := []alarm{{
		name: "Undecided", severity: page, about: "Money may or may not have moved",
		metric: measured(payout.UndecidedAmounts, "Sum"),
	}, {
		name: "SigningRefused", severity: page, about: "The signer was asked for what it does not sign",
		metric: measured(signing.SigningRefused, "Sum"),
	}, {
		name: "SigningCapped", severity: page, about: "A run wants to move more than came in and than the signer's limits leave",
		metric: measured(signing.SigningCapped, "Sum"),
	}}
	for _, f := range s.watched.functions {
		if !f.alarming {
			continue
		}
		filter := awslogs.NewMetricFilter(s.stack, jsii.String(f.construct+"Alarms"), &awslogs.MetricFilterProps{
			LogGroup: f.logs, FilterPattern: awslogs.FilterPattern_Literal(jsii.String(alarmPattern)),
			MetricNamespace: awscdk.Aws_STACK_NAME(), MetricName: jsii.String(f.construct + "Alarms"), MetricValue: jsii.String("1"),
		})
		all = append(all, alarm{
			name: f.construct + "Undecided", severity: page, about: "Money may or may not have moved: a line of the log begins with ALARM",
			metric: filter.Metric(over("Sum")),
		})
	}
	return all
}

// alarms returns the alarms of a queue: the oldest message is late, or a message is in the
// dead-letter queue.
func (q workQueue) alarms() []alarm {
	return []alarm{
		{
			name: q.name + "GivenUp", severity: urgent(vitalLines, q.name), about: "Messages were given up",
			metric: q.dead.MetricApproximateNumberOfMessagesVisible(over("Maximum")),
		},
		{
			name: q.name + "Late", severity: urgent(vitalLines, q.name), about: "The oldest message is late",
			metric: q.queue.MetricApproximateAgeOfOldestMessage(over("Maximum")), limit: q.lateSeconds,
		},
	}
}

// apiAlarms fire on failures that callers see. The gateway counts them, so a response without a
// function counts, too.
func (s service) apiAlarms() []alarm {
	api := s.watched.api
	requests := api.MetricCount(over("Sum"))
	return []alarm{
		{
			name: "ApiErrors", severity: page, about: "Many requests are answered 5xx (percent, from 5 on)",
			metric: computed(fmt.Sprintf("IF(errors >= %d, 100 * errors / requests, 0)", fewestErrors), map[string]awscloudwatch.IMetric{
				"errors": api.MetricServerError(over("Sum")), "requests": requests,
			}),
			limit: mostErrorPercent,
		},
		{
			name: "ApiSlow", severity: page, about: "The slowest requests are close to their end (p99 in milliseconds, from 20 requests on)",
			metric: computed(fmt.Sprintf("IF(requests >= %d, latency, 0)", fewestRequests), map[string]awscloudwatch.IMetric{
				"latency": api.MetricLatency(over("p99")), "requests": requests,
			}),
			limit: slowMillis, breaching: stateReads, periods: byThree,
		},
	}
}

// chainAlarms fire on failures of the Solana nodes, on which every payment depends.
func chainAlarms() []alarm {
	return []alarm{
		{
			name: "NodeErrors", severity: page, about: "Many calls of the Solana nodes fail (percent, from 20 calls on)",
			metric: computed(fmt.Sprintf("IF(calls >= %d, 100 * errors / calls, 0)", fewestCalls), map[string]awscloudwatch.IMetric{
				"errors": measured(solanarpc.RPCErrors, "Sum"), "calls": measured(solanarpc.RPCCalls, "Sum"),
			}),
			limit: mostNodePercent, breaching: stateReads, periods: byThree,
		},
		{
			// The minimum of 5 minutes, so that one slow response does not count.
			name: "NodeBehind", severity: page, about: "The Solana node is behind the chain (seconds)",
			metric: measured(status.SlotLagSeconds, "Minimum"), limit: status.NodeLag.Seconds(),
		},
	}
}

// upgradeAlarms fire if a third party's program or API has changed and is unreadable. Dependent
// work waits or is skipped until this service supports the change.
func upgradeAlarms() []alarm {
	return []alarm{
		{
			name: "ExchangeUnreadable", severity: ticket, about: "Sales of tax wait: an exchange was upgraded, or its answers are unsafe",
			metric: measured(exchange.ExchangeUnreadable, "Sum"),
		},
		{
			name: "TradesUnreadable", severity: ticket, about: "Trades on curves do not count: Meteora's events have changed",
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
			name: "NoncesLow", severity: ticket, about: "There are hardly any nonce accounts for launches",
			metric: measured(status.NoncesFree, "Maximum"), rings: below, limit: status.FewestFreeNonces, breaching: 2, periods: 2,
		},
		{
			name: "AuthorityLow", severity: ticket, about: "The nonce authority runs out of SOL (lamports)",
			metric: measured(status.AuthorityLamports, "Minimum"), rings: below, limit: status.LeastAuthority,
		},
		{
			name: "RunsOverdue", severity: page, about: "Runs do not go on",
			metric: measured(status.RunsOverdue, "Minimum"), limit: status.MostOverdue, breaching: byThree, periods: byThree,
		},
		{
			name: "RunOld", severity: ticket, about: "A run takes very long (seconds)",
			metric: measured(status.OldestRunSeconds, "Maximum"), limit: status.RunOld.Seconds(),
		},
		{
			name: "LaunchOld", severity: page, about: "The reconciler is late with a launch or a transaction (seconds)",
			metric: measured(status.OldestLaunchSeconds, "Maximum"), limit: status.LaunchLate.Seconds(),
		},
		{
			name: "MonitorSilent", severity: page, about: "The monitor measures nothing, so other alarms cannot ring",
			metric: noted(measured(status.NoncesFree, "SampleCount")), rings: below, limit: 1, breaching: 2, periods: 2, silence: true,
		},
	}
}

// alarms returns the alarms for failures that callers and queues do not show.
func (f watchedFunction) alarms() []alarm {
	vital := urgent(vitalFunctions, f.construct)
	all := []alarm{{
		name: f.construct + "Errors", severity: vital, about: "Calls end in a crash or by time",
		metric: f.made.MetricErrors(over("Sum")), limit: mostErrors,
	}}
	if slices.Contains(unattended, f.construct) {
		all = append(all, alarm{
			name: f.construct + "Throttled", severity: vital, about: "Calls are put off",
			metric: f.made.MetricThrottles(over("Sum")), limit: mostThrottles,
		}, alarm{
			name: f.construct + "Slow", severity: ticket, about: "Calls come close to their time (milliseconds)",
			metric: f.made.MetricDuration(over("Maximum")), limit: nearTimeout * 1000 * f.timeoutSeconds,
		})
	}
	if slices.Contains(everyMinute, f.construct) && f.construct != "Monitor" { // see MonitorSilent
		all = append(all, alarm{
			name: f.construct + "Silent", severity: page, about: "It is started every minute, and is not",
			metric: noted(f.made.MetricInvocations(over("Sum"))), rings: below, limit: 1, breaching: 2, periods: 2, silence: true,
		})
	}
	if slices.Contains(bounded, f.construct) {
		all = append(all, alarm{
			name: f.construct + "Busy", severity: ticket, about: "As many calls at a time as there may be, for long",
			metric: f.made.Metric(jsii.String("ConcurrentExecutions"), over("Maximum")),
			rings:  atLeast, limit: f.calls, breaching: busyPeriods, periods: busyPeriods,
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
		name: "ChainDropped", severity: ticket, about: "Lambda drops invocations as an infinite loop: their messages go to a dead-letter queue",
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
		name: "AccountBusy", severity: ticket, about: "The account's concurrent executions are nearly used up",
		metric: awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
			Namespace: jsii.String("AWS/Lambda"), MetricName: jsii.String("ClaimedAccountConcurrency"),
			Statistic: options.Statistic, Period: options.Period,
		}),
		rings: atLeast, limit: float64(s.settings.AccountConcurrency * mostClaimedPercent / 100),
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
		updates := over("Sum")
		updates.DimensionsMap = &map[string]*string{"TableName": t.table.TableName(), "Operation": jsii.String("UpdateItem")}
		all = append(all, alarm{
			name: t.name + "ReadsThrottled", severity: ticket, about: "The table puts reads off",
			metric: t.table.Metric(jsii.String("ReadThrottleEvents"), over("Sum")), limit: mostTableThrottles,
		}, alarm{
			name: t.name + "WritesThrottled", severity: ticket, about: "The table puts writes off",
			metric: t.table.Metric(jsii.String("WriteThrottleEvents"), over("Sum")), limit: mostTableThrottles,
		}, alarm{
			name: t.name + "TableErrors", severity: page, about: "DynamoDB itself fails",
			metric: t.table.Metric(jsii.String("SystemErrors"), updates), limit: mostTableErrors,
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
