package main

import (
	"fmt"
	"strings"

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

// The copies in the second Region: each backup is a whole one, kept in both Regions; files are
// replicated.
const regions = 2.0

// deployed is what the templates of a profile say of the costs of use.
type deployed struct {
	idle float64 // dollars a month without callers
	// metrics have data besides when there are callers and tokens.
	metrics float64
	// walled: a web ACL inspects each request. timed: S3 replicates within 15 minutes.
	walled, timed bool
	// ledger and small are the backups a day of the ledger and of the small tables, and how many
	// days each is kept.
	ledger, small backups
}

type backups struct{ aDay, days float64 }

// deployed reads the templates.
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

// backups reads the first rule of a plan: the others copy to another account.
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

// kept and sent are the dollars a month of a GB that is backed up so.
func (b backups) kept() float64 { return b.aDay * b.days * priceBackupGB * regions }
func (b backups) sent() float64 { return b.aDay * daysPerMonth * priceRegionGB }

// monthLines is what so many tokens cost in a month, after a year.
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
	add("answers and pictures to viewers", looksAt*(answerGB+pictureGB)*priceEdgeGB)
	add("distributions", runs*r.dollars)
	add("slots without one", tokens*monthSlots*(1-monthPaying)*emptyCost)
	add("tables, with point-in-time recovery", (ledger+small)*(priceTableGB+priceRecoveryGB))
	add("files", files*priceStoredGB)
	add("copies of the tables, kept", ledger*of.ledger.kept()+small*of.small.kept())
	add("copies of the tables, sent", ledger*of.ledger.sent()+small*of.small.sent())
	add("copies of the files", files*priceStoredGB+newFiles*(priceRegionGB+hurried)+runs*r.puts*pricePut)
	return lines
}

// month is the bill of both profiles on mainnet, idle and by the number of tokens.
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
