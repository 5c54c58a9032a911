package e2e_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/client/canary"
	venues "tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// condition provokes the state for which an alarm fires.
type condition struct {
	// almost leads to the value just below the alarm's threshold, over beyond the threshold.
	almost, over func(w *watch)
	// put is the reason why a value is put where AWS would put one: the local stack cannot
	// produce it.
	put string
	// unseen: almost is silence, so that there is no value yet.
	unseen bool
	// well ends the condition; nil if almost does.
	well func(w *watch)
}

// TestEveryAlarmFires provokes each alarm of the deployed stack, by the definition that
// CloudFormation created, and first stops just below the threshold. Then it ends the cause. The
// topic is notified of both, by the alarm itself or by its page.
func TestEveryAlarmFires(t *testing.T) {
	s := deployed(t)
	alarms, all, topic := deployedAlarms(t, s), conditions(s), listen(t, s)
	notifiers := deployedNotifiers(t, s)
	for name := range all {
		if _, there := alarms[name]; !there {
			t.Errorf("%s is provoked, and the stack has no such alarm", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(alarms)) {
		t.Run(name, func(t *testing.T) {
			p, there := all[name]
			if !there {
				t.Fatal("the alarm has no condition")
			}
			w := &watch{t: t, stack: s, alarm: alarms[name], clock: time.Now(), since: time.Now()}
			t.Cleanup(w.undo)
			p.almost(w)
			before := w.verdict()
			if before.State != cloudwatch.OK || before.Missing != p.unseen {
				t.Errorf("almost: %s", before)
			}
			topic.set(t, w.alarm.AlarmName, cloudwatch.OK)
			p.over(w)
			after := w.verdict()
			if after.State != cloudwatch.Ringing {
				t.Errorf("over: %s", after)
			}
			notifier := cmp.Or(notifiers[w.alarm.AlarmName], w.alarm.AlarmName)
			topic.set(t, w.alarm.AlarmName, after.State)
			topic.await(t, notifier, cloudwatch.Ringing)
			w.end()
			if p.well == nil {
				p.well = p.almost
			}
			p.well(w)
			ended := w.verdict()
			if ended.State != cloudwatch.OK {
				t.Errorf("ended: %s", ended)
			}
			topic.set(t, w.alarm.AlarmName, ended.State)
			topic.await(t, notifier, cloudwatch.OK)
			how := "provoked"
			if p.put != "" {
				how = "put (" + p.put + ")"
			}
			t.Logf("%s: %v, then %v %s %v, then %v: %s; told by %s", how, before.Value, after.Value,
				w.alarm.ComparisonOperator, w.alarm.Threshold, ended.Value, strings.Join(after.Read, ", "), notifier)
		})
	}
}

// conditions by the names of the alarms.
func conditions(s *runner.Stack) map[string]condition {
	all := map[string]condition{
		"ApiErrorsAlarm": failingRequests(), "ApiSlowAlarm": slowRequests(),

		"UndecidedAlarm": {
			almost: emits("Payer", payout.UndecidedAmounts.Is(0)), over: emits("Payer", payout.UndecidedAmounts.Is(1)),
			put: "what the Engine counts, as a line of the log: its own tests bring it to the line",
		},
		"ExchangeUnreadableAlarm": {
			almost: emits("Distributor", venues.ExchangeUnreadable.Is(0)), over: emits("Distributor", venues.ExchangeUnreadable.Is(1)), put: "a line of the log",
		},
		"TradesUnreadableAlarm": {
			almost: emits("Reconciler", index.TradesUnreadable.Is(0)), over: emits("Reconciler", index.TradesUnreadable.Is(1)), put: "a line of the log",
		},
		"SigningRefusedAlarm": {
			almost: emits("Payer", signing.SigningRefused.Is(0)), over: emits("Payer", signing.SigningRefused.Is(1)), put: "a line of the log",
		},
		"GuardianUnsignedAlarm": {
			almost: emits("Payer", payout.GuardianUnsigned.Is(0)), over: emits("Payer", payout.GuardianUnsigned.Is(1)), put: "a line of the log",
		},
		"SigningCappedAlarm": {
			almost: emits("Payer", signing.SigningCapped.Is(0)), over: emits("Payer", signing.SigningCapped.Is(1)), put: "a line of the log",
		},
		"CanaryFailedAlarm": {
			almost: emits("Canary", canary.CanaryFailures.Is(0)), over: emits("Canary", canary.CanaryFailures.Is(1)), put: "a line of the log: TestTaxIsDistributed brings the canary to it",
		},
		"ProofRefutedAlarm": {
			almost: emits("Canary", canary.ProofsRefuted.Is(0)), over: emits("Canary", canary.ProofsRefuted.Is(1)), put: "the same",
		},
		"CanarySilentAlarm":         silent(emits("Canary", canary.CanaryFailures.Is(0))),
		"DistributorUndecidedAlarm": alarmingLine("Distributor"), "PayerUndecidedAlarm": alarmingLine("Payer"),
	}
	for _, name := range []string{"Dispatch", "Run", "Payout", "Notice", "Webhook", "Pin"} {
		all[name+"GivenUpAlarm"], all[name+"LateAlarm"] = poison(name), stuck(name)
	}
	for output := range s.Outputs {
		if name, ok := strings.CutSuffix(output, "FunctionName"); ok {
			all[name+"ErrorsAlarm"] = failing(name)
		}
	}
	for _, name := range []string{"Dispatcher", "Distributor", "Monitor", "Payer", "Reconciler"} {
		if s.Outputs[name+"FunctionName"] != "" {
			all[name+"ThrottledAlarm"], all[name+"SlowAlarm"] = throttled(name), slow(name)
		}
	}
	for _, name := range []string{"Dispatcher", "Reconciler"} {
		all[name+"SilentAlarm"] = silent(func(w *watch) { invoke(w, name) })
	}
	for _, name := range []string{"Distributor", "Payer"} {
		all[name+"BusyAlarm"] = limit("MiniStack does not count calls at a time", -1, 0)
	}
	all["AccountBusyAlarm"] = limit("MiniStack does not count calls at a time", -1, 0)
	all["ChainDroppedAlarm"] = limit("a function in a loop would have to be deployed: infra/local/recursion does, and sees the drop", 0, 1)
	// MiniStack does not say how old what a stream has is.
	all["EventsLateAlarm"] = limit("MiniStack does not count the age of streams", 0, 1)
	maps.Copy(all, gauges())
	for _, name := range []string{"Launch", "Ledger", "Caps", "Window"} {
		for _, kind := range []string{"ReadsThrottled", "WritesThrottled", "TableErrors"} {
			all[name+kind+"Alarm"] = limit("MiniStack's tables refuse nothing", 0, 1)
		}
	}
	return all
}

// gauges returns the conditions that the monitor finds.
func gauges() map[string]condition {
	gauge := func(m metric.Metric, almost, over int64) condition {
		return condition{
			almost: emits("Reconciler", m.Is(almost)), over: emits("Reconciler", m.Is(over)), put: "a line of the log",
		}
	}
	return map[string]condition{
		"NodeErrorsAlarm": {
			almost: emits("Payer", solanarpc.RPCCalls.Is(20), solanarpc.RPCErrors.Is(5)),
			over:   emits("Payer", solanarpc.RPCCalls.Is(20), solanarpc.RPCErrors.Is(6)), put: "a line of the log",
		},
		"NodeBehindAlarm":    gauge(status.SlotLagSeconds, 90, 91),
		"NoncesLowAlarm":     gauge(status.NoncesFree, 2, 1),
		"AuthorityLowAlarm":  gauge(status.AuthorityLamports, 100_000_000, 99_999_999),
		"LaunchOldAlarm":     gauge(status.OldestLaunchSeconds, 600, 601),
		"RunOldAlarm":        gauge(status.OldestRunSeconds, 7200, 7201),
		"RunsOverdueAlarm":   gauge(status.RunsOverdue, 0, 1),
		"MonitorSilentAlarm": silent(emits("Reconciler", status.NoncesFree.Is(5))),
	}
}
