package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/token/terms"
)

// runs returns the table of a distribution's cost, by number of holders.
func runs() document.Table {
	rows := [][]string{{"holders", "transactions", "write units", "read units", "node calls", "AWS, dollars", "fees, SOL", "lent to receipts, SOL", "payments take"}}
	for _, holders := range []float64{100, 1_000, 10_000, 100_000, million, 10 * million} {
		r := runOf(holders)
		rows = append(rows, []string{
			grouped(holders), grouped(r.payments), grouped(r.writes), grouped(r.reads), grouped(r.nodeCalls),
			fmt.Sprintf("%.4f", r.dollars), fmt.Sprintf("%.6f", r.sol), fmt.Sprintf("%.3f", r.rent), span(r.atLeast),
		})
	}
	return document.Table{Name: "cost:runs", Text: document.Markdown(rows)}
}

// line is a line of a bill.
type line struct {
	what         string
	count, price float64
}

// The demand of a slot without a distribution, measured by TestEmptySlots of package run and the
// distributor's own read of the head. The slot reads the head twice and the token once, requests
// the newest transaction and the accounts from the node, and writes nothing to the ledger, to S3 or
// to the chain.
const (
	emptyReads, emptyNode = 3.0, 2.0
	emptySeconds          = emptyReads*storeCall + emptyNode*nodeCall
	emptyCost             = emptyReads*priceRead + emptySeconds*distributorGB*priceGBSecond + priceInvocation + 3*priceMessage
)

// idle returns the table of the daily demand of tokens without trades.
func idle() document.Table {
	const tokens = 100_000
	rows := [][]string{{"interval", "slots a day", "node calls", "read units", "write units", "lamports", "AWS, dollars a day for 100,000 tokens"}}
	for _, interval := range terms.Intervals() {
		slots := secondsPerDay / interval.Duration().Seconds()
		rows = append(rows, []string{
			string(interval), grouped(slots), grouped(slots * emptyNode), grouped(slots * emptyReads), "0", "0",
			fmt.Sprintf("%.2f", slots*emptyCost*tokens),
		})
	}
	return document.Table{Name: "cost:idle", Text: document.Markdown(rows)}
}

// The plan: 100,000 tokens with a slot every five minutes. A share of the tokens has enough tax for
// a distribution to 100 holders. The other slots end without a distribution.
const planTokens, planEvery, planHolders = 100_000.0, 300.0, 100.0

// demand is the demand of the planned tokens in a second.
type demand struct {
	run
	paying, skipped       float64 // runs, and slots without a run
	nodeCalls             float64
	distributors, payers  float64 // concurrent invocations
	dollarsADay, solADay  float64
	messages, invocations float64
}

// demandOf returns the demand if a share of the due tokens pays.
func demandOf(part float64) demand {
	d := demand{run: runOf(planHolders), paying: planTokens / planEvery * part}
	d.skipped = planTokens/planEvery - d.paying
	d.nodeCalls = d.paying*d.run.nodeCalls + d.skipped*emptyNode
	d.distributors = d.paying*d.distributorSeconds + d.skipped*emptySeconds
	d.payers = d.paying * d.payerSeconds
	d.invocations = d.paying*d.calls + d.skipped
	d.messages = 3 * d.invocations // send, receive, delete
	d.dollarsADay = (d.paying*d.dollars + d.skipped*emptyCost) * secondsPerDay
	d.solADay = d.paying * d.sol * secondsPerDay
	return d
}

// plan returns the table of the demand, by the share of tokens that pay.
func plan() document.Table {
	rows := [][]string{{
		"of the due tokens pay", "runs a second", "transactions a second", "node calls a second", "write units a second",
		"distributors at once", "payers at once", "AWS, dollars a day", "fees, SOL a day",
	}}
	for _, part := range []float64{0.01, 0.05, 0.20, 1} {
		d := demandOf(part)
		rows = append(rows, []string{
			fmt.Sprintf("%.0f%%", 100*part), fmt.Sprintf("%.1f", d.paying), grouped(d.paying * d.payments), grouped(d.nodeCalls),
			grouped(d.paying * d.writes), grouped(math.Ceil(d.distributors)), grouped(math.Ceil(d.payers)),
			grouped(d.dollarsADay), fmt.Sprintf("%.1f", d.solADay),
		})
	}
	return document.Table{Name: "cost:plan", Text: document.Markdown(rows)}
}

// crowd returns the table of the demand of a token with ten million holders, by number of
// simultaneous receipts.
func crowd() document.Table {
	r := runOf(10 * million)
	rows := [][]string{{"receipts at once", "payments take", "transactions a second", "lent, SOL"}}
	for _, receipts := range []float64{64, 256, 1024, 4096, r.batches} {
		takes := time.Duration(math.Ceil(r.batches/receipts)) * 2 * finality // payment, and return
		rows = append(rows, []string{short(receipts), span(takes), fmt.Sprintf("%.1f", receipts/(2*finality.Seconds())), fmt.Sprintf("%.3f", receipts*receiptRent/lamportsPerSOL)})
	}
	return document.Table{Name: "cost:crowd", Text: document.Markdown(rows)}
}

// grouped formats a whole number with commas.
func grouped(n float64) string {
	text := strconv.FormatInt(int64(math.Round(n)), 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func span(d time.Duration) string {
	switch {
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", math.Ceil(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%.1f days", d.Hours()/24)
}
