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

// What an operator gets up for: functions without which no one launches, signs in or is
// paid, and the queues of the money path. The others can wait for the morning.
var (
	vitalFunctions = []string{"Authorizer", "Deriver", "Dispatcher", "Distributor", "Monitor", "Payer", "Reconciler", "Signer", "Tokens"}
	vitalLines     = []string{"Dispatch", "Run", "Payout"}
)

// unattended are the functions whose throttling and timeouts ring no alarm:
// what calls them tries again and again.
var unattended = []string{"Dispatcher", "Distributor", "Monitor", "Payer", "Reconciler"}

// everyMinute are the functions that a rule starts every minute.
var everyMinute = []string{"Dispatcher", "Monitor", "Reconciler"}

// bounded are the functions whose calls at a time the settings bound.
var bounded = []string{"Distributor", "Payer"}

// The limits. A share counts only from a number of failures or requests on, so that
// one failure at night is not all there was.
const (
	mostErrors       = 2  // calls of a function that fail in 5 minutes
	mostThrottles    = 5  // calls of a function that are put off in 5 minutes
	nearTimeout      = .8 // part of its time that a call may take
	busyPeriods      = 3
	mostErrorPercent = 5 // requests answered 5xx
	fewestErrors     = 5
	// slowMillis is more than a submit should take, which waits 15 seconds for its
	// confirmation, and less than the 25 seconds at which handlers give up.
	slowMillis          = 20_000
	fewestRequests      = 20
	mostUncounted       = 5 // requests that the rate limiter did not count in 5 minutes
	mostNodePercent     = 25
	fewestCalls         = 20
	mostTableThrottles  = 10 // requests in 5 minutes; the SDK repeats them
	mostTableErrors     = 5
	mostClaimedPercent  = 80 // of the account's quota of concurrent executions
	stateReads, byThree = 2, 3
)

// alarmPattern finds the lines of a log that an operator has to look at (the Engine of
// package payout writes them): an undecided amount, and a ledger that
// is older than the chain.
const alarmPattern = `{ $.msg = "ALARM*" }`

// newAlarms makes all alarms. It comes last, for it looks at what was made.
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

// moneyAlarms ring when money may or may not have moved: by the metric, and by the
// lines of the log from which the metric is counted too, so that neither a line in a
// bad form nor a pattern that does not fit loses one.
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

// alarms of a queue ring when the oldest message is late, and as soon as anything
// was given up.
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

// apiAlarms ring for what callers see. The gateway counts it, so that what no function
// of ours could answer counts too.
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

// chainAlarms ring for the Solana nodes, on which everything that moves depends.
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
			// The least of 5 minutes, so that one slow answer is none.
			name: "NodeBehind", severity: page, about: "The Solana node is behind the chain (seconds)",
			metric: measured(status.SlotLagSeconds, "Minimum"), limit: status.NodeLag.Seconds(),
		},
	}
}

// upgradeAlarms ring when a program or an API of others was changed so that it cannot be
// read: what depends on it waits, or is left out, until this service follows.
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

// progressAlarms ring when what should go on does not. Each reads a gauge of the
// monitor, whose silence rings by itself.
func progressAlarms() []alarm {
	return []alarm{
		{
			// The most of 5 minutes: not once was there another one.
			// Launches go on with blockhashes.
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

// alarms of a function ring for what its callers and its queue do not show.
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
	if slices.Contains(everyMinute, f.construct) && f.construct != "Monitor" { // MonitorSilent looks at what it does
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

// chainDropAlarms fire when Lambda drops an invocation as one of an infinite loop. Lambda
// does not emit the metric for functions that may loop (Lambda Developer Guide, "Types of
// metrics for Lambda functions"). The metric without dimensions is the sum of all functions
// in the Region ("Viewing metrics for Lambda functions"). One alarm on it covers every
// function; metric math in an alarm takes ten metrics, so it would need three alarms. The
// cost of that choice: another application in the account can trigger it.
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

// accountAlarms fire when the functions of the account leave hardly any concurrency in the
// Region: functions without a reservation, those of the API among them, are throttled at the
// account's quota, which no metric reports.
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

// tableAlarms ring when a table refuses. Updates stand for all operations: every table
// has them, and DynamoDB counts failures by operation only.
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

// noted is 0 where a metric has no data. Where data are missing an alarm looks at older
// ones first, so that silence alone would ring much later.
func noted(m awscloudwatch.IMetric) awscloudwatch.IMetric {
	return computed("FILL(heard, 0)", map[string]awscloudwatch.IMetric{"heard": m})
}

func urgent(vital []string, name string) severity {
	if slices.Contains(vital, name) {
		return page
	}
	return ticket
}
