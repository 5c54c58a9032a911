package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

// runs is what a distribution costs, by the number of its holders.
func runs() document.Table {
	rows := [][]string{{"holders", "transactions", "write units", "read units", "node calls", "AWS, dollars", "fees, SOL", "lanes", "payments take"}}
	for _, holders := range []float64{100, 1_000, 10_000, 100_000, million, 10 * million} {
		r := runOf(holders)
		rows = append(rows, []string{
			grouped(holders), grouped(r.intents), grouped(r.writes), grouped(r.reads), grouped(r.nodeCalls),
			fmt.Sprintf("%.4f", r.dollars), fmt.Sprintf("%.6f", r.sol), short(r.lanes), span(r.atLeast),
		})
	}
	return document.Table{Name: "cost:runs", Text: document.Markdown(rows)}
}

// fixed is what a stage costs when nobody uses it.
func fixed() document.Table {
	const keys, secrets, alarms, metrics = 4, 4, 40, 80
	rows := [][]string{{"what", "how many", "dollars a month"}}
	sum := 0.0
	add := func(what string, count, price float64) {
		sum += count * price
		rows = append(rows, []string{what, short(count), fmt.Sprintf("%.2f", count*price)})
	}
	add("KMS keys, the replica of the wallets' root included", keys, priceKey)
	add("secrets", secrets, priceSecret)
	add("alarms, about", alarms, priceAlarm)
	add("metrics of the service, about", metrics, priceMetric)
	add("dashboard", 1, priceDashboard)
	minutes := daysPerMonth * secondsPerDay / 60
	add("reconciler, sweep and monitor: calls of a minute each", 3*minutes, priceInvocation+0.3*usualGB*priceGBSecond+20*priceRead)
	rows = append(rows, []string{"**together**", "", fmt.Sprintf("**%.2f**", sum)})
	return document.Table{Name: "cost:fixed", Text: document.Markdown(rows)}
}

// plan is what it takes to serve 100,000 tokens every five minutes, of which a part has
// enough tax for a distribution to 100 holders; the others are looked at and skipped.
func plan() document.Table {
	const (
		tokens, every, holders = 100_000.0, 300.0, 100.0
		// What a slot takes that is skipped: open, ask the chain, end.
		skippedWrites, skippedReads, skippedNode, skippedSeconds = 12.0, 10.0, 4.0, 0.4
	)
	each := runOf(holders)
	rows := [][]string{{
		"of the due tokens pay", "runs a second", "transactions a second", "node calls a second", "write units a second",
		"distributors at once", "payers at once", "AWS, dollars a day", "fees, SOL a day",
	}}
	for _, part := range []float64{0.01, 0.05, 0.20, 1} {
		paying := tokens / every * part
		skipped := tokens/every - paying
		nodeCalls := paying*each.nodeCalls + skipped*skippedNode
		writes := paying*each.writes + skipped*skippedWrites
		distributors := paying*each.distributorSeconds + skipped*skippedSeconds
		payers := paying * each.payerSeconds
		skippedCost := skippedWrites*priceWrite + skippedReads*priceRead + skippedSeconds*distributorGB*priceGBSecond + 2*priceInvocation + 6*priceMessage
		rows = append(rows, []string{
			fmt.Sprintf("%.0f%%", 100*part), fmt.Sprintf("%.1f", paying), grouped(paying * each.intents), grouped(nodeCalls), grouped(writes),
			grouped(math.Ceil(distributors)), grouped(math.Ceil(payers)),
			grouped((paying*each.dollars + skipped*skippedCost) * secondsPerDay), fmt.Sprintf("%.1f", paying*each.sol*secondsPerDay),
		})
	}
	return document.Table{Name: "cost:plan", Text: document.Markdown(rows)}
}

// crowd is what ten million holders of one token take, by the number of lanes.
func crowd() document.Table {
	r := runOf(10 * million)
	rows := [][]string{{"lanes", "payments take", "transactions a second", "rent of the lanes, SOL"}}
	for _, lanes := range []float64{16, 64, 256, 1024, payout.MostLanes} {
		takes := time.Duration(math.Ceil(r.payments/lanes)) * finality
		rows = append(rows, []string{short(lanes), span(takes), fmt.Sprintf("%.1f", lanes/finality.Seconds()), fmt.Sprintf("%.3f", lanes*laneRent/lamportsPerSOL)})
	}
	return document.Table{Name: "cost:crowd", Text: document.Markdown(rows)}
}

// laneRent is what a nonce account of 80 bytes must hold to be rent-exempt, in lamports
// (Solana documentation, "Rent": (128 + 80) bytes, 6,960 lamports each).
const laneRent = 1_447_680

// grouped writes a whole number with commas.
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
