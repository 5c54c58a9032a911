package main

import (
	"fmt"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/api/route"
)

// What a token is taken to do in a month: it has a slot an hour, and so many of them pay 100
// holders; a tenth of the tokens are new; each is looked at so often, and its picture with it.
// So little is stored of it for a year.
const (
	monthSlots    = 24 * daysPerMonth
	monthPaying   = 0.05
	monthLaunches = 0.1
	pictureGB     = 50_000 / bytesPerGB
	answerGB      = 3_000 / bytesPerGB
	yearMonths    = 12.0
	// runBytes and paymentBytes stay in the ledger, and signedBytes in the journal, twice: as
	// it was signed and as it landed.
	runBytes, paymentBytes, signedBytes = 12_000.0, 1_500.0, 6_000.0
)

// The copies in the second Region (infra/stack): a backup an hour, each a whole one, which is
// kept a day in both Regions; files are replicated.
const (
	backupsADay = 24.0
	regions     = 2.0
)

// monthLines is what so many tokens cost in a month, after a year.
func monthLines(found map[string]measured, idle, tokens float64) (lines []line) {
	add := func(what string, dollars float64) { lines = append(lines, line{what, 1, dollars}) }
	r := runOf(planHolders)
	runs := tokens * monthSlots * monthPaying
	looksAt := tokens * tokenReads

	read, launch := 0.0, 0.0
	for _, step := range launchSteps {
		for _, of := range route.All() {
			if of.Operation == step.operation {
				launch += step.times * found[of.Operation].dollars(of)
			}
			if of.Operation == "getToken" {
				read = found[of.Operation].dollars(of)
			}
		}
	}
	tables := (runs*(runBytes+r.payments*paymentBytes)*yearMonths + tokens*monthLaunches*yearMonths*runBytes) / bytesPerGB
	newFiles := runs * (planHolders*rowBytes + 2*r.payments*signedBytes) / bytesPerGB
	files := newFiles * yearMonths
	add("a stage that is not used", idle)
	add("metrics of routes", routeLine())
	add("launches", tokens*monthLaunches*launch)
	add("requests, without WAF", looksAt*(read-priceInspected))
	add("WAF, by requests", looksAt*priceInspected)
	add("answers and pictures to viewers", looksAt*(answerGB+pictureGB)*priceEdgeGB)
	add("distributions", runs*r.dollars)
	add("slots without one", tokens*monthSlots*(1-monthPaying)*emptyCost)
	add("tables, with point-in-time recovery", tables*(priceTableGB+priceRecoveryGB))
	add("files", files*priceStoredGB)
	add("copies of the tables, kept", tables*backupsADay*priceBackupGB*regions)
	add("copies of the tables, sent", tables*backupsADay*daysPerMonth*priceRegionGB)
	add("copies of the files", files*priceStoredGB+newFiles*(priceRegionGB+priceRTCGB)+runs*r.puts*pricePut)
	return lines
}

// month is the bill of four sizes.
func month(found map[string]measured, idle float64) document.Table {
	sizes := []float64{10, 100, 1_000, 100_000}
	header := []string{"dollars a month"}
	bills := make([][]line, len(sizes))
	for n, tokens := range sizes {
		header = append(header, grouped(tokens)+" tokens")
		bills[n] = monthLines(found, idle, tokens)
	}
	rows, sums := [][]string{header}, make([]float64, len(sizes))
	for i := range bills[0] {
		row := []string{bills[0][i].what}
		for n := range sizes {
			sums[n] += bills[n][i].price
			row = append(row, dollars(bills[n][i].price))
		}
		rows = append(rows, row)
	}
	last, fees, node := []string{"**together**"}, []string{"the wallets' fees, SOL"}, []string{"calls of the node, a second"}
	for n, tokens := range sizes {
		calls := tokens * monthSlots * (monthPaying*runOf(planHolders).nodeCalls + (1-monthPaying)*emptyNode)
		node = append(node, fmt.Sprintf("%.2f", calls/(daysPerMonth*secondsPerDay)))
		last = append(last, "**"+dollars(sums[n])+"**")
		fees = append(fees, fmt.Sprintf("%.1f", tokens*monthSlots*monthPaying*runOf(planHolders).sol))
	}
	return document.Table{Name: "cost:month", Text: document.Markdown(append(rows, last, fees, node))}
}

func dollars(n float64) string {
	if n < 100 {
		return fmt.Sprintf("%.2f", n)
	}
	return grouped(n)
}
