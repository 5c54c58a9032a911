package main

import (
	"math"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
)

// The model gives what was measured: 994 holders paid in SOL by version 1 took 1,180 units
// of writing and 466 of reading, and 527 calls of the node by a process that shares none of
// them (section "Distribution" of docs/performance.md).
func TestTheModelIsNearWhatWasMeasured(t *testing.T) {
	r := runOf(994)
	for what, c := range map[string]struct{ got, want float64 }{
		"writes": {r.writes, 1180}, "reads": {r.reads, 466}, "node calls": {runNodeCalls + aloneNodeCalls*r.payments, 527},
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
	for name := range nodeCallsOf {
		if !known[name] {
			t.Errorf("no route is called %s", name)
		}
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
		t.Error("a section without an end is read")
	}
}

// A request's price by hand: what stands before the gateway, the gateway and a call, 20 ms and 8.5 ms of half a GB, its
// units, its line of the log, and the part of a trace.
func TestThePriceOfARequest(t *testing.T) {
	for _, r := range route.All() {
		if r.Operation != "getHealth" {
			continue
		}
		got := measured{calls: 4, reads: 10, writes: 1, cpuMillis: 2.4}.dollars(r) * million
		const byHand = 1.70 + 1.00 + 0.20 + 0.0284912*0.5*13.3334 + 10*0.125 + 0.625 + 0.75 + 0.25
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
