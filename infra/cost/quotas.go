package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// Limits of DynamoDB's partitions ("Best practices for designing and using partition keys").
const (
	partitionWrites = 1_000.0 // units a second
	// dueShards is the number of partitions of the ledger's index, and indexWrites the number of a
	// run's writes to the index (package ledgertable, and make bench).
	dueShards, indexWrites = 16.0, 27.0
)

const (
	// plannedPart is the share of due tokens that pay, for the quotas.
	plannedPart = 0.05
	// paymentsAtOnce is the number of concurrent payments of a payer (payout, atOnce). The signer
	// gets this number of orders in each call, except for the last call.
	paymentsAtOnce = 32.0
	// tokenReads is the number of API reads of a token in a month, and peak the ratio of a busy
	// second to the average.
	tokenReads, peak = 3_000.0, 10.0
	// signIns is the share of requests that sign a caller in, with a signature each.
	signIns = 0.01
	// answering is the duration of a request in a function, in seconds.
	answering = 0.05
	// secretsOfOne is the maximum number of secrets that a process reads.
	secretsOfOne = 5
	// The defaults of runConcurrency and payoutConcurrency.
	runCalls, payoutCalls = 50.0, 20.0
	// network is an optimistic share of Solana's transactions a second, which are 1,000 to 4,000 in
	// total. nodePlan is the quota of a provider's large plan.
	network, nodePlan = 1_000.0, 500.0
	// nodeScans is the number of getProgramAccounts calls a second in the plan.
	nodeScans = 75.0
)

// quota is a limit, with the plan's demand.
type quota struct {
	what         string
	limit, taken float64
	then         string
	source       string
}

// requests returns the number of requests in a busy second.
func requests() float64 { return planTokens * tokenReads * peak / (daysPerMonth * secondsPerDay) }

// signs returns the number of the signer's updates of the day's counter for a run, one for each
// group of orders.
func signs(d demand) float64 {
	collects := math.Ceil(mustCollect * planHolders / payout.CollectBatchV1)
	return otherPayments + 1 + math.Ceil(d.batches/paymentsAtOnce) + math.Ceil(collects/paymentsAtOnce)
}

// allQuotas returns the quotas, in the order in which they are exceeded.
func allQuotas() []quota {
	d := demandOf(plannedPart)
	// Each distributor and payer waits for at most one call of the signer.
	busy := 2*(d.distributors+d.payers) + dispatch.Shards + requests()*answering
	list := []quota{
		{"the node: calls a second", nodePlan, d.nodeCalls, "A second provider in `RPC_URL`, or a node of your own with the token program indexed. Slots wait in the queue, and a token is paid for two by the next run.", "large plans of Helius, Triton and QuickNode, 50 to 500"},
		{"the node: `getProgramAccounts` a second", nodeScans, d.paying * scans, "A node of your own with `--account-index spl-token-mint`, or a second provider. Runs wait, and their listings are repeated.", "Helius, Rate limits, for the same plan; 5, 25 and 50 for smaller ones. QuickNode: 3. Chainstack: paid plans only"},
		{"`payoutConcurrency`: payers at once", payoutCalls, d.payers, "Set it to the plan's column. Until then payments wait, and a run ends later; past its deadline what was not begun goes into the next run.", "infra/stack"},
		{"`runConcurrency`: distributors at once", runCalls, d.distributors, "Set it to the plan's column. Until then slots wait.", "infra/stack"},
		{"Lambda: calls at once in the account", 1_000, busy, "Ask for 3,000 before: AWS raises it to tens of thousands. Without that, the API's functions are refused first, for the money path has its own reserved.", "Lambda, Quotas; a new account has as few as 10"},
		{"Solana: transactions a second", network, d.paying * d.payments, "Longer intervals, or a higher least payment: no money buys more.", "observed, 1,000 to 4,000"},
		{"DynamoDB: write units a second of the ledger", 40_000, d.paying * d.writes, "Ask for 100,000; a table doubles within minutes. Writes are repeated, then the step.", "DynamoDB, Quotas, default of an on-demand table"},
		{"DynamoDB: read units a second of the ledger", 40_000, d.paying*d.reads + d.skipped*emptyReads, "As above.", "DynamoDB, Quotas"},
		{"DynamoDB: the item of the day's cap", partitionWrites, d.paying * signs(d), "One item counts what all wallets move in a day, and no split makes room for it. Count in parts, each with a part of the cap, as the index is cut.", "DynamoDB, Partition keys: 1,000 writes of an item"},
		{"DynamoDB: the index of runs, 16 partitions", dueShards * partitionWrites, d.paying * indexWrites, "Raise `dueShards`: lists read each of them.", "DynamoDB, Partition keys"},
		{"KMS: `GenerateMac` a second", 10_000, d.paying * d.macs, "Ask for more: 20,000 and 100,000 are the defaults of the largest Regions. Signing is tried again.", "KMS, Request quotas"},
		{"KMS: `Sign` a second, elliptic curves", 1_000, requests() * signIns, "Ask for more. Sign-ins and launches answer 503 and are tried again.", "KMS, Request quotas"},
		{"API Gateway: requests a second of the stage", 500, requests(), "Raise `requests` in `infra/stack/stage.go`, up to the account's 10,000.", "infra/stack; API Gateway, Quotas"},
		{"CloudFront: requests a second of a distribution", 250_000, requests(), "Ask for more.", "CloudFront, Quotas"},
		{"SQS: messages in flight of a queue", 120_000, max(d.distributors, d.payers*payoutBatch), "Never: a queue has as many in flight as its function has calls, times the batch.", "SQS, Quotas, a standard queue"},
		{"Lambda: most calls that a queue starts", 1_000, max(d.distributors, d.payers), "A second queue and function for a part of the tokens.", "Lambda, Maximum concurrency"},
		{"EventBridge: rules that fire a second", 18_750, 10.0 / 60, "Never: nine rules, whatever the tokens.", "EventBridge, Quotas; 1,100 in small Regions"},
		{"S3: puts a second below a prefix", 3_500, d.paying * d.puts, "S3 splits a prefix as it grows: keys begin with the mint below each folder. Meanwhile it answers 503, and puts are tried again.", "S3, Performance"},
		{"Secrets Manager: reads a second", 10_000, busy * secretsOfOne / secret.Lifetime.Seconds(), "Never: a process keeps what it has read.", "Secrets Manager, Quotas"},
		{"CloudWatch Logs: batches a second", 5_000, busy, "Lambda waits and sends more at once. Metrics are lines of the log: `PutMetricData` is not called.", "CloudWatch Logs, Quotas, PutLogEvents"},
	}
	// Runs with so few holders have no concurrent chunks, so they need no payers.
	list = slices.DeleteFunc(list, func(q quota) bool { return q.taken == 0 })
	slices.SortStableFunc(list, func(a, b quota) int { return cmp.Compare(a.limit/a.taken, b.limit/b.taken) })
	return list
}

const payoutBatch = 10 // messages in an invocation of payer

func quotas() document.Table {
	rows := [][]string{{"what", "limit", "the plan at 5% takes", "is used up at", "and then", "limit by"}}
	for _, q := range allQuotas() {
		times := q.limit / q.taken
		at := fmt.Sprintf("%.1f times that", times)
		if times >= 100 {
			at = grouped(times) + " times that"
		}
		taken := grouped(q.taken)
		if q.taken < 10 {
			taken = fmt.Sprintf("%.1f", q.taken)
		}
		rows = append(rows, []string{q.what, grouped(q.limit), taken, at, q.then, q.source})
	}
	return document.Table{Name: "cost:quotas", Text: document.Markdown(rows)}
}
