package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/api/route"
)

// measured is the demand of a request to a route, from docs/performance.md.
type measured struct {
	calls, reads, writes float64
	cpuMillis            float64
}

// gigabytes is the memory of functions that differ from usualGB.
var gigabytes = map[string]float64{route.FunctionTokens: 1, route.FunctionImages: processorGB}

const (
	usualGB = 0.5
	// processorGB is the memory of a function with one whole processor (AWS Lambda Developer Guide,
	// "Configure Lambda function memory").
	processorGB  = 1.769
	authorizerGB = 0.5
	authorizing  = 0.003 // seconds
	perMilli     = 1000
)

// fronted is the price of a request in front of the gateway.
const fronted = priceEdge + priceViewer + priceInspected

// dollars returns the price of a request: front, gateway, functions, store and log.
func (m measured) dollars(r route.Route) float64 {
	memory := usualGB
	if gb, other := gigabytes[r.Function]; other {
		memory = gb
	}
	seconds := m.calls*storeCall + float64(r.Work.Node)*nodeCall + m.cpuMillis/perMilli*processorGB/memory
	sum := fronted + priceGateway + priceInvocation + seconds*memory*priceGBSecond +
		m.reads*priceRead + m.writes*priceWrite + (requestLine+gatewayLine)*logByte
	if r.NeedsToken() {
		sum += priceInvocation + authorizing*authorizerGB*priceGBSecond
	}
	work := r.Work
	if work.Node > 0 {
		sum += nodeLine * logByte
	}
	sum += float64(work.Sign)*priceSign + float64(work.MAC)*priceMAC + float64(work.Put)*pricePut + float64(work.Call)*priceInvocation
	return sum
}

// rowsOf reads the tables of a document's section. It returns the cells of each row by the first
// cell.
func rowsOf(text, section string) (map[string][]string, error) {
	_, rest, ok := strings.Cut(text, "<!-- "+section+" -->")
	inside, _, closed := strings.Cut(rest, "<!-- /"+section+" -->")
	if !ok || !closed {
		return nil, fmt.Errorf("there is no section %s", section)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(inside) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	return rows, nil
}

var firstNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// value returns the first number in a cell, or zero.
func value(cell string) float64 {
	n, _ := strconv.ParseFloat(firstNumber.FindString(cell), 64)
	return n
}

// measurements reads docs/performance.md, by operation. The map omits operations without
// measurements.
func measurements(text string) (map[string]measured, error) {
	rows, err := rowsOf(text, "bench:routes")
	if err != nil {
		return nil, err
	}
	const columns = 4 // calls, read units, write units, CPU time
	found := map[string]measured{}
	for _, r := range route.All() {
		if row := rows["`"+r.Pattern()+"`"]; len(row) >= columns {
			found[r.Operation] = measured{calls: value(row[0]), reads: value(row[1]), writes: value(row[2]), cpuMillis: value(row[3])}
		}
	}
	return found, nil
}

// dearest is the number of routes in the table of the cost of a million requests.
const dearest = 8

// byRoute returns the table of the cost of a million requests to the dearest routes.
func byRoute(found map[string]measured) document.Table {
	all := slices.DeleteFunc(route.All(), func(r route.Route) bool { _, known := found[r.Operation]; return !known })
	slices.SortStableFunc(all, func(a, b route.Route) int {
		return cmp.Compare(found[b.Operation].dollars(b), found[a.Operation].dollars(a))
	})
	rows := [][]string{{"route", "read units", "write units", "dollars per million"}}
	for _, r := range all[:min(dearest, len(all))] {
		m := found[r.Operation]
		rows = append(rows, []string{"`" + r.Pattern() + "`", short(m.reads), short(m.writes), fmt.Sprintf("%.2f", m.dollars(r)*million)})
	}
	return document.Table{Name: "cost:routes", Text: document.Markdown(rows)}
}

// launchSteps are the requests of a page for a launch.
var launchSteps = []struct {
	operation string
	times     float64
}{
	{"createChallenge", 1},
	{"verifyChallenge", 1},
	{"uploadImage", 1},
	{"generateDistributionWallet", 1},
	{"createUnsignedToken", 2},
	{"submitToken", 1},
	{"getToken", 10},
}

// launchOf returns the table of a launch's cost.
func launchOf(found map[string]measured) document.Table {
	rows := [][]string{{"request", "times", "dollars"}}
	sum := 0.0
	for _, step := range launchSteps {
		for _, r := range route.All() {
			if r.Operation != step.operation {
				continue
			}
			cost := step.times * found[r.Operation].dollars(r)
			sum += cost
			rows = append(rows, []string{"`" + r.Pattern() + "`", short(step.times), fmt.Sprintf("%.6f", cost)})
		}
	}
	rows = append(rows, []string{"**together**", "", fmt.Sprintf("**%.6f**", sum)})
	return document.Table{Name: "cost:launch", Text: document.Markdown(rows)}
}

func short(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
