package main

import (
	"fmt"
	"strings"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/api/route"
)

// The assumptions about a token in a month. A token has a slot an hour, and monthPaying of the
// slots pay 100 holders. monthLaunches of the tokens are new. pictureGB and answerGB are the sizes
// of an image and a response. Storage is for a year.
const (
	monthSlots    = 24 * daysPerMonth
	monthPaying   = 0.05
	monthLaunches = 0.1
	pictureGB     = 50_000 / bytesPerGB
	answerGB      = 3_000 / bytesPerGB
	yearMonths    = 12.0
	// runBytes and paymentBytes are stored in the ledger. signedBytes are stored in the journal
	// twice, as signed and as landed.
	runBytes, paymentBytes, signedBytes = 12_000.0, 1_500.0, 6_000.0
)

// The Regions with copies. Each backup is complete and stored in both Regions, and files are
// replicated.
const regions = 2.0

// deployed is a profile's properties that determine the costs of use, from the templates.
type deployed struct {
	idle float64 // dollars a month without callers
	// metrics is the number of additional metrics with data if the stage has callers and tokens.
	metrics float64
	// walled reports whether a web ACL inspects each request. timed reports whether S3 replicates
	// within 15 minutes.
	walled, timed bool
	// ledger and small are the backups of the ledger and of the small tables: the number a day, and
	// the days of retention.
	ledger, small backups
}

type backups struct{ aDay, days float64 }

// deployed returns the properties in the templates.
func (i inventory) deployed() deployed {
	d := deployed{
		idle: total(i.idle()), metrics: i.ownMetrics(used),
		walled: i.sum("AWS::WAFv2::WebACL", one) > 0, timed: i.sum("AWS::S3::Bucket", replicated) > 0,
	}
	for _, selection := range i {
		if selection.Type != "AWS::Backup::BackupSelection" {
			continue
		}
		of := i.backups(fmt.Sprint(list(at(selection.Properties, "BackupPlanId", "Fn::GetAtt"))[0]))
		tables := fmt.Sprint(at(selection.Properties, "BackupSelection", "Resources"))
		if strings.Contains(tables, "LedgerTable") {
			d.ledger = of
		}
		if strings.Contains(tables, "LaunchTable") {
			d.small = of
		}
	}
	return d
}

// backups reads the first rule of a plan. The other rules copy to another account.
func (i inventory) backups(plan string) backups {
	for id, r := range i {
		if strings.HasSuffix(id, "/"+plan) {
			rule := list(at(r.Properties, "BackupPlan", "BackupPlanRule"))[0]
			expression, _ := at(rule, "ScheduleExpression").(string)
			kept, _ := at(rule, "Lifecycle", "DeleteAfterDays").(float64)
			return backups{perDay(expression), kept}
		}
	}
	return backups{}
}

// kept and sent are the monthly prices of a GB with these backups, in dollars.
func (b backups) kept() float64 { return b.aDay * b.days * priceBackupGB * regions }
func (b backups) sent() float64 { return b.aDay * daysPerMonth * priceRegionGB }

// monthLines returns the monthly bill of a number of tokens, after a year.
func monthLines(found map[string]measured, of deployed, tokens float64) (lines []line) {
	add := func(what string, dollars float64) { lines = append(lines, line{what, 1, dollars}) }
	r := runOf(planHolders)
	runs := tokens * monthSlots * monthPaying
	looksAt := tokens * tokenReads

	read, launch := 0.0, 0.0
	for _, step := range launchSteps {
		for _, to := range route.All() {
			if to.Operation == step.operation {
				launch += step.times * found[to.Operation].dollars(to)
			}
			if to.Operation == "getToken" {
				read = found[to.Operation].dollars(to)
			}
		}
	}
	ledger := runs * (runBytes + r.payments*paymentBytes) * yearMonths / bytesPerGB
	small := tokens * monthLaunches * yearMonths * runBytes / bytesPerGB
	inspected, hurried := 0.0, 0.0
	if of.walled {
		inspected = priceInspected
	}
	if of.timed {
		hurried = priceRTCGB
	}
	newFiles := runs * (planHolders*rowBytes + 2*r.payments*signedBytes) / bytesPerGB
	files := newFiles * yearMonths
	add("a stage that is not used", of.idle)
	if tokens == 0 {
		return lines
	}
	add("metrics that have data when it is used", of.metrics*priceMetric)
	add("launches", tokens*monthLaunches*launch)
	add("requests, without WAF", looksAt*(read-priceInspected))
	add("WAF, by requests", looksAt*inspected)
	add("answers and images to viewers", looksAt*(answerGB+pictureGB)*priceEdgeGB)
	add("distributions", runs*r.dollars)
	add("slots without one", tokens*monthSlots*(1-monthPaying)*emptyCost)
	add("tables, with point-in-time recovery", (ledger+small)*(priceTableGB+priceRecoveryGB))
	add("files", files*priceStoredGB)
	add("copies of the tables, kept", ledger*of.ledger.kept()+small*of.small.kept())
	add("copies of the tables, sent", ledger*of.ledger.sent()+small*of.small.sent())
	add("copies of the files", files*priceStoredGB+newFiles*(priceRegionGB+hurried)+runs*r.puts*pricePut)
	return lines
}

// month returns the table of both profiles' bills on mainnet, without tokens and by number of
// tokens.
func month(found map[string]measured, of []deployed) document.Table {
	sizes := []float64{0, 10, 100, 1_000, 100_000}
	header := []string{"dollars a month"}
	var bills [][]line
	var sums, tokens []float64
	for _, profile := range []struct {
		name string
		at   int
	}{{"small", billSmall}, {"standard", billStandard}} {
		for _, n := range sizes {
			name := grouped(n) + " tokens"
			if n == 0 {
				name = "idle"
			}
			header = append(header, profile.name+", "+name)
			bill := monthLines(found, of[profile.at], n)
			bills, sums, tokens = append(bills, bill), append(sums, total(bill)), append(tokens, n)
		}
	}
	rows := [][]string{header}
	for i, whole := range bills[len(bills)-1] {
		row := []string{whole.what}
		for _, bill := range bills {
			if i >= len(bill) {
				row = append(row, "")
				continue
			}
			row = append(row, dollars(bill[i].price))
		}
		rows = append(rows, row)
	}
	last, fees, node := []string{"**together**"}, []string{"the wallets' fees, SOL"}, []string{"calls of the node, a second"}
	for i, n := range tokens {
		calls := n * monthSlots * (monthPaying*runOf(planHolders).nodeCalls + (1-monthPaying)*emptyNode)
		node = append(node, fmt.Sprintf("%.2f", calls/(daysPerMonth*secondsPerDay)))
		last = append(last, "**"+dollars(sums[i])+"**")
		fees = append(fees, fmt.Sprintf("%.1f", n*monthSlots*monthPaying*runOf(planHolders).sol))
	}
	return document.Table{Name: "cost:month", Text: document.Markdown(append(rows, last, fees, node))}
}

func dollars(n float64) string {
	if n < 100 {
		return fmt.Sprintf("%.2f", n)
	}
	return grouped(n)
}
