package stack

import (
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"

	"tokenlaunch.example/service/pkg/client/canary"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Profiles. The stage says what is kept and protected, and the profile how much is spent on it.
const (
	profileStandard = "standard"
	// profileSmall is for one operator and some hundred tokens, in an account with a quota of 150
	// concurrent executions.
	profileSmall = "small"
)

// size is what a profile gets. Everything that differs from one profile to the other is in the
// table of sizes.
type size struct {
	// waf: a web ACL stands before CloudFront, unless the settings say otherwise. Where it is not
	// required, the settings may leave it out.
	waf, wafRequired bool
	// watches are the only alarms; all when empty. With all of them come the alarms of the edge and
	// of the second Region, which need a topic each; without, one topic hears of both Regions.
	watches []string
	// causes: a page waits for the alarm that explains it, which takes composite alarms.
	causes bool
	// board: there is a dashboard.
	board bool
	// metrics are the only values that become metrics; all when empty.
	metrics []metric.Metric
	// hourly: the small tables are copied to the second Region every hour, and not once a day.
	hourly bool
	// timed: S3 replicates within 15 minutes and measures that, which both cost.
	timed bool
	// bounded: the queues that only their own work bounds have a maximum concurrency, which keeps
	// Lambda from reading an idle queue less often.
	bounded bool
	// throttles replace those of the stage; nil leaves them.
	throttles *[2]throttle
	// runCalls, payoutCalls, accountCalls and canaryMinutes are defaults of settings.
	runCalls, payoutCalls, accountCalls, canaryMinutes int
}

// sizes are the profiles. docs/operations.md has the table in words.
var sizes = map[string]size{
	profileStandard: {
		waf: true, wafRequired: true, causes: true, board: true, hourly: true, timed: true, bounded: true,
		runCalls: 50, payoutCalls: 20, accountCalls: 1000, canaryMinutes: usualCanaryMinutes,
	},
	profileSmall: {
		watches: smallAlarms, metrics: smallMetrics,
		throttles: &[2]throttle{{rate: 50, burst: 100}, {rate: 10, burst: 20}},
		runCalls:  leastConcurrency, payoutCalls: leastConcurrency, accountCalls: 150, canaryMinutes: mostCanaryMinutes,
	},
}

// size returns what the profile of these settings gets.
func (s Settings) size() size {
	if found, ok := sizes[s.Profile]; ok {
		return found
	}
	return sizes[profileStandard]
}

// smallAlarms are those of the small profile: what concerns money or keys, what callers see, and
// what would stand still unseen.
var smallAlarms = []string{
	"Undecided", "SigningRefused", "SigningCapped", "WalletKeyChanged", "WalletKeyUsed",
	"NodeErrors", "NodeBehind", "ApiErrors", "ApiSlow", "NoncesLow", "AuthorityLow", "RunsOverdue", "LaunchOld",
	"MonitorSilent", "CanaryFailed", "ProofRefuted", "CanarySilent",
	"GivenUp", "DispatchLate", "RunLate", "PayoutLate", "AccountBusy", "TableCopySilent",
}

// smallMetrics are those that the alarms of the small profile read.
var smallMetrics = []metric.Metric{
	payout.UndecidedAmounts, signing.SigningRefused, signing.SigningCapped, solanarpc.RPCCalls, solanarpc.RPCErrors,
	status.SlotLagSeconds, status.NoncesFree, status.AuthorityLamports, status.RunsOverdue, status.OldestLaunchSeconds, status.GivenUp,
	canary.CanaryFailures, canary.ProofsRefuted,
}

// watches says whether the stack has the alarm.
func (s Settings) watches(name string) bool {
	only := s.size().watches
	return len(only) == 0 || slices.Contains(only, name)
}

// watchesAll says whether the stack has every alarm.
func (s Settings) watchesAll() bool { return len(s.size().watches) == 0 }

// metricNames are the values that become metrics, for METRICS; empty for all.
func (s Settings) metricNames() string {
	var names []string
	for _, m := range s.size().metrics {
		names = append(names, m.Name)
	}
	return strings.Join(names, ",")
}

// summed replaces alarms that the standard profile has one by one by one alarm on them all.
func (s service) summed(all []alarm) []alarm {
	if s.settings.watchesAll() {
		return all
	}
	undecided, each := map[string]awscloudwatch.IMetric{}, []string(nil)
	for _, a := range all {
		if strings.HasSuffix(a.name, "Undecided") {
			undecided["m"+a.name] = a.metric
			each = append(each, "FILL(m"+a.name+", 0)")
		}
	}
	for i, a := range all {
		if a.name == "Undecided" {
			all[i].metric = computed("MAX(["+strings.Join(each, ", ")+"])", undecided)
		}
	}
	return append(all, alarm{
		name: "GivenUp", severity: page, about: "Messages were given up, of any queue",
		metric: measured(status.GivenUp, "Maximum"),
	})
}
