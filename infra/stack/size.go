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

// Profiles. The stage selects retention and protection, and the profile the spending.
const (
	profileStandard = "standard"
	// profileSmall is for one operator and some hundred tokens, in an account with a quota of 150
	// concurrent executions.
	profileSmall = "small"
)

// size is the properties of a profile. The table of sizes has every difference between the
// profiles.
type size struct {
	// waf is the default of the web ACL in front of CloudFront. wafRequired means that the settings
	// cannot disable the web ACL.
	waf, wafRequired bool
	// watches lists the alarms; empty means all alarms. Only with all alarms do the edge and the
	// second Region have alarms, which need a topic in each Region. Otherwise one topic covers both
	// Regions.
	watches []string
	// causes reports whether a page waits for the alarm that explains the page. This requires
	// composite alarms.
	causes bool
	// board reports whether the stack has a dashboard.
	board bool
	// metrics lists the values that become metrics; empty means all values.
	metrics []metric.Metric
	// hourly reports whether small tables are copied to the second Region hourly. Otherwise they
	// are copied daily.
	hourly bool
	// timed reports whether S3 replicates within 15 minutes and measures the delay. Both cost
	// money.
	timed bool
	// bounded reports whether queues that only their work bounds have a maximum concurrency. Lambda
	// reads an idle queue with a maximum concurrency more often.
	bounded bool
	// throttles replaces the throttles of the stage. Nil keeps the stage's throttles.
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
		runCalls:  minConcurrency, payoutCalls: minConcurrency, accountCalls: 150, canaryMinutes: maxCanaryMinutes,
	},
}

// size returns the properties of the settings' profile. A profile that lists its alarms has the alarm
// on a guardian that does not co-sign, and the alarm's metric, only with a guardian, because both
// cost 0.40 dollars a month.
func (s Settings) size() size {
	found, ok := sizes[s.Profile]
	if !ok {
		found = sizes[profileStandard]
	}
	if len(found.watches) > 0 && s.GuardianKey != "" {
		found.watches = slices.Concat(found.watches, []string{guardianUnsigned})
		found.metrics = slices.Concat(found.metrics, []metric.Metric{payout.GuardianUnsigned})
	}
	return found
}

// smallAlarms are the alarms of the small profile: money, keys, failures that callers see, and work
// that would silently stop.
var smallAlarms = []string{
	"Undecided", "SigningRefused", "SigningCapped", "WalletKeyChanged", "WalletKeyUsed",
	"NodeErrors", "NodeBehind", "ApiErrors", "ApiSlow", "NoncesLow", "AuthorityLow", "RunsOverdue", "LaunchOld",
	"MonitorSilent", "CanaryFailed", "ProofRefuted", "CanarySilent",
	"GivenUp", "DispatchLate", "RunLate", "PayoutLate", "AccountBusy", "TableCopySilent",
}

// smallMetrics are the metrics of the small profile's alarms.
var smallMetrics = []metric.Metric{
	payout.UndecidedAmounts, signing.SigningRefused, signing.SigningCapped, solanarpc.RPCCalls, solanarpc.RPCErrors,
	status.SlotLagSeconds, status.NoncesFree, status.AuthorityLamports, status.RunsOverdue, status.OldestLaunchSeconds, status.GivenUp,
	canary.CanaryFailures, canary.ProofsRefuted,
}

// guardianUnsigned is the alarm on a guardian that does not co-sign.
var guardianUnsigned = payout.GuardianUnsigned.Name

// watches reports whether the stack has the alarm.
func (s Settings) watches(name string) bool {
	return s.watchesAll() || slices.Contains(s.size().watches, name)
}

// watchesAll reports whether the stack has every alarm.
func (s Settings) watchesAll() bool { return len(s.size().watches) == 0 }

// metricNames returns the values that become metrics, for METRICS. An empty text means all values.
func (s Settings) metricNames() string {
	var names []string
	for _, m := range s.size().metrics {
		names = append(names, m.Name)
	}
	return strings.Join(names, ",")
}

// summed replaces groups of the standard profile's alarms with one alarm for each group.
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
		name: "GivenUp", severity: page, state: "Messages of a queue were given up",
		impact: "The work of the messages is not done", first: "find the dead-letter queue with operate status",
		metric: measured(status.GivenUp, "Maximum"),
	})
}
