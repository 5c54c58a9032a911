package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
)

// The model computes the measured values: 994 holders paid in SOL by version 1 took 1,180 units
// of writing and 466 of reading, and 527 calls of the node by a process that shares none of
// them (section "Distribution" of docs/performance.md).
func TestModelIsNearMeasurement(t *testing.T) {
	// Its accounts were collected from by 40 payments of 25, which take 17 now.
	const payments, batches = 62.0, 17.0
	r := runOf(994)
	more := payments - r.payments
	r.writes, r.reads, r.puts, r.macs = r.writes+paymentWrites*more, r.reads+paymentReads*more, r.puts+paymentPuts*more, payments+batches
	for what, c := range map[string]struct{ got, want float64 }{
		"writes": {r.writes, 1180}, "reads": {r.reads, 466}, "node calls": {runNodeCalls + aloneNodeCalls*payments, 527},
		"puts": {r.puts, 134}, "MACs": {r.macs, 80},
	} {
		if math.Abs(c.got-c.want) > c.want/20 {
			t.Errorf("%s: %.0f, measured %.0f", what, c.got, c.want)
		}
	}
}

func TestNamesAreThoseOfRoutes(t *testing.T) {
	known := map[string]bool{}
	for _, r := range route.All() {
		known[r.Operation] = true
	}
	for _, step := range launchSteps {
		if !known[step.operation] {
			t.Errorf("no route is called %s", step.operation)
		}
	}
}

const figures = `
<!-- bench:routes -->
| route           | calls | read units | write units | CPU time | spread           |
|-----------------|-------|------------|-------------|----------|------------------|
| ` + "`GET /tokens`" + ` | 4     | 11.5       | 1           | 2.4 ms   | 2.1 ms to 3.8 ms |
<!-- /bench:routes -->
`

func TestMeasurementsAreReadFromTheDocument(t *testing.T) {
	found, err := measurements(figures)
	if want := (measured{calls: 4, reads: 11.5, writes: 1, cpuMillis: 2.4}); err != nil || len(found) != 1 || found["listTokens"] != want {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := measurements(strings.Replace(figures, "/bench:routes", "", 1)); err == nil {
		t.Error("a section without its end marker is read")
	}
}

// A request's price by hand: the front of the gateway, the gateway and a call, 20 ms and 8.5 ms of half a GB, its
// units, a line of 500 bytes in the log of the function and one of 250 in the log of the gateway.
func TestPriceOfRequest(t *testing.T) {
	for _, r := range route.All() {
		if r.Operation != "getHealth" {
			continue
		}
		got := measured{calls: 4, reads: 10, writes: 1, cpuMillis: 2.4}.dollars(r) * million
		const byHand = 1.70 + 1.00 + 0.20 + 0.0284912*0.5*13.3334 + 10*0.125 + 0.625 + 0.375
		if math.Abs(got-byHand) > 0.001 {
			t.Errorf("%.4f dollars a million, by hand %.4f", got, byHand)
		}
	}
}

func TestNumbersAreReadable(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 999: "999", 1000: "1,000", 16859191: "16,859,191"} {
		if got := grouped(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A run's partitions limit neither the payers nor the rate that Solana accepts; a single partition
// would.
func TestLargeRunFitsPartitions(t *testing.T) {
	all, one := paymentsASecond(ledgertable.Partitions), paymentsASecond(1)
	for what, rate := range map[string]float64{"payers": payersASecond(payoutCalls), "network": network} {
		if all < 2*rate {
			t.Errorf("%s: %.0f payments a second, and the partitions take %.0f", what, rate, all)
		}
		if one > rate {
			t.Errorf("%s: %.0f payments a second, which one partition takes: why are there more?", what, rate)
		}
	}
}

func TestQuotasAreSortedByWhatBreaksFirst(t *testing.T) {
	before := 0.0
	for _, q := range allQuotas() {
		times := q.limit / q.taken
		if times < before || math.IsInf(times, 0) || q.then == "" || q.source == "" {
			t.Errorf("%s is used up at %.2f times, after one at %.2f; then %q, by %q", q.what, times, before, q.then, q.source)
		}
		before = times
	}
}

func TestConcurrencyIsTheStacks(t *testing.T) {
	s, err := stack.ReadSettings(map[string]string{"stage": stack.StageLocal, "functionsDir": t.TempDir(), "treasuryAddress": "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL", "ipfsApiUrl": "http://127.0.0.1", "rpcUrl": "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	if s.RunConcurrency != runCalls || s.PayoutConcurrency != payoutCalls {
		t.Errorf("%d and %d calls at once", s.RunConcurrency, s.PayoutConcurrency)
	}
}

// By hand: 3,000 requests of each of a thousand tokens through WAF; 24 backups a day of a
// table of a GB, kept for a day, cost 2.40 a month in each Region, and 14.40 to send.
func TestMonthByHand(t *testing.T) {
	lines := map[string]float64{}
	hourly := backups{24, 1}
	for _, l := range monthLines(map[string]measured{}, deployed{walled: true, ledger: hourly, small: hourly}, 1000) {
		lines[l.what] += l.price
	}
	if got := lines["WAF, by requests"]; math.Abs(got-1.8) > 1e-9 {
		t.Errorf("WAF: %.4f dollars", got)
	}
	gigabytes := lines["tables, with point-in-time recovery"] / 0.45
	if got := lines["copies of the tables, kept"] / gigabytes; math.Abs(got-2*2.40) > 1e-9 {
		t.Errorf("a GB of backups: %.4f dollars", got)
	}
	if got := lines["copies of the tables, sent"] / gigabytes; math.Abs(got-14.40) > 1e-9 {
		t.Errorf("to send a GB: %.4f dollars", got)
	}
}

// A stage of one resource of each kind, counted by hand.
const smallStage = `{"Resources": {
	"Key": {"Type": "AWS::KMS::Key"}, "Copy": {"Type": "AWS::KMS::ReplicaKey"},
	"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [
		{"Action": "secretsmanager:GetSecretValue", "Resource": ["node", {"Ref": "Front"}]},
		{"Action": "secretsmanager:GetSecretValue", "Resource": "node"}, {"Action": "s3:GetObject", "Resource": "bucket"}]}}},
	"ACL": {"Type": "AWS::WAFv2::WebACL", "Properties": {"Rules": [{}, {}]}},
	"Alarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Namespace": "AWS/SQS", "MetricName": "Age"}},
	"Sum": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Metrics": [{"Expression": "a + b"},
		{"MetricStat": {"Metric": {"Namespace": "stack", "MetricName": "Runs"}}},
		{"MetricStat": {"Metric": {"Namespace": "stack", "MetricName": "Runs", "Dimensions": [{"Name": "Kind"}]}}}]}},
	"Money": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Namespace": "stack", "MetricName": "Undecided"}},
	"Cause": {"Type": "AWS::CloudWatch::CompositeAlarm"},
	"Plan": {"Type": "AWS::Backup::BackupPlan", "Properties": {"BackupPlan": {"BackupPlanRule": [
		{"ScheduleExpression": "cron(10 0 * * ? *)", "Lifecycle": {"DeleteAfterDays": 3}}, {"ScheduleExpression": "cron(0 * * * ? *)", "Lifecycle": {"DeleteAfterDays": 9}}]}}},
	"Tables": {"Type": "AWS::Backup::BackupSelection", "Properties": {"BackupPlanId": {"Fn::GetAtt": ["Plan", "BackupPlanId"]}, "BackupSelection": {"Resources": [{"Fn::GetAtt": ["LedgerTable1", "Arn"]}]}}},
	"Board": {"Type": "AWS::CloudWatch::Dashboard", "Properties": {"DashboardBody": {"Fn::Join": ["", [
		"{\"widgets\":[{\"type\":\"metric\",\"properties\":{\"metrics\":[[\"", {"Ref": "Name"}, "\",\"Runs\",{}],[\"stack\",\"Paid\",{}],[\"stack\",\"Requests\",{}],[\"AWS/SQS\",\"Age\",{}],[{\"expression\":\"x\"}]]}}]}"]]}}},
	"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"ReplicationConfiguration": {"Rules": [{"Destination": {"Metrics": {"Status": "Enabled"}}}, {"Destination": {}}]}}},
	"Minute": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(1 minute)", "Targets": [{}, {}]}},
	"Slots": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "cron(0/5 * * * ? *)", "Targets": [{"InputTransformer": {"InputTemplate": "{\"task\":\"slot\"}"}}]}},
	"Canary": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "cron(0 0/6 * * ? *)", "Targets": [{"Arn": {"Fn::GetAtt": ["CanaryFunction1", "Arn"]}}]}},
	"Event": {"Type": "AWS::Events::Rule", "Properties": {"EventPattern": {}, "Targets": [{}]}},
	"Bounded": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {"EventSourceArn": {"Fn::GetAtt": ["Queue", "Arn"]}, "ScalingConfig": {"MaximumConcurrency": 2}}},
	"Free": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {"EventSourceArn": {"Fn::GetAtt": ["Queue", "Arn"]}}},
	"Stream": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {"EventSourceArn": {"Fn::GetAtt": ["Table", "StreamArn"]}}}
}}`

func TestIdleBillCountsEveryResource(t *testing.T) {
	folder := t.TempDir()
	if _, err := readInventory(folder); err == nil {
		t.Error("a folder without templates is read")
	}
	if err := os.WriteFile(filepath.Join(folder, "small.template.json"), []byte(smallStage), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := readInventory(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"KMS keys and their replicas": 2, "secrets that functions read": 2, "web ACL of the front": 1, "rules of the web ACL": 2,
		"metrics of alarms": 4, "composite alarms": 1, "metrics of the service that have data": 3,
		"metrics of replication": 4, "dashboards": 1, "scheduled calls": 2*43_200 + 8_640,
		"checks of the canary": 120, "polls of empty queues": 7 * 129_600,
	}
	lines := read.idle()
	for _, l := range lines {
		if l.count != want[l.what] || l.price <= 0 {
			t.Errorf("%s: %.0f at %g, want %.0f", l.what, l.count, l.price, want[l.what])
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d lines, want %d", len(lines), len(want))
	}
	use := read.deployed()
	if use.metrics != 1 || !use.walled || !use.timed || use.ledger != (backups{1, 3}) || use.small != (backups{}) || use.idle != total(lines) {
		t.Errorf("in use: %+v", use)
	}
}

// paymentsASecond returns the number of payments a second for a number of partitions.
func paymentsASecond(partitions float64) float64 { return partitions * partitionWrites / paymentWrites }

// payersASecond returns the number of payments a second for a number of payers with 32 concurrent
// payments each.
func payersASecond(payers float64) float64 {
	r := runOf(million)
	return payers * paymentsAtOnce * r.payments / r.payerSeconds
}
