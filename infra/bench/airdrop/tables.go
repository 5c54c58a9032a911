package airdrop

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// peer is AirShip's name among the ways.
const peer = "AirShip"

// crowds are the numbers of recipients, and of runs, each with another seed.
var crowds = []struct{ people, runs int }{{1_000, 9}, {10_000, 5}, {100_000, 3}}

// paying is a way of paying that is compared at each size, with or without a plan's limits. done is
// the criterion of the end: all transactions final, or all transactions confirmed.
type paying struct {
	name, way string
	limits    Limits
	done      string
	// pace is the pace of the network; zero means mainnet's.
	pace Pace
}

var payings = []paying{
	{name: "ours", way: "ours", done: "final"},
	{name: "ours, Business plan", way: "ours", limits: Business, done: "final"},
	{name: "ours, version 1", way: "ours, version 1", done: "final"},
	{name: "ours, version 1, Business plan", way: "ours, version 1", limits: Business, done: "final"},
	{name: "ours, Tower", way: "ours", done: "final", pace: tower},
	{name: "ours, version 1, Tower", way: "ours, version 1", done: "final", pace: tower},
	{name: peer, way: peer, done: "confirmed"},
	{name: peer + ", Business plan", way: peer, limits: Business, done: "confirmed"},
	{name: "solana-tokens", way: "solana-tokens", done: "final"},
	{name: "solana-tokens, Business plan", way: "solana-tokens", limits: Business, done: "final"},
}

// question is the request for a measurement in a separate process.
type question struct {
	Way    string
	People int
	On     Conditions
}

// askedVariable tells the test TestMeasure that the input has a question.
const askedVariable = "AIRDROP_ASKED"

// Tables pays crowds on the simulated node, each crowd in a separate process, so that the figures
// of processor time and memory include only the payer and the node. The process is a test binary,
// because only tests have virtual time.
func Tables(ctx context.Context, folder project.Folder, scratch string) ([]document.Table, error) {
	binary := filepath.Join(scratch, "airdrop.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./bench/airdrop") // #nosec G204 -- of the project
	build.Dir = folder.Path("infra")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the bench of airdrops: %w\n%s", err, out)
	}
	machine, err := report.Machine(ctx, folder)
	if err != nil {
		return nil, err
	}
	taken := make([][][]Figures, len(crowds))
	for c, crowd := range crowds {
		seeds := map[paying]uint64{}
		taken[c], err = report.Turns(crowd.runs, payings, func(p paying) (Figures, error) {
			seeds[p]++
			q := question{Way: p.way, People: crowd.people, On: Conditions{Limits: p.limits, Seed: seeds[p], Pace: p.pace}}
			f, err := report.Ask[Figures](ctx, report.Side{
				Name: p.name, Command: []string{binary, "-test.run", "^TestMeasure$"}, Env: []string{askedVariable + "=1"}, In: q,
			})
			if err == nil && (f.Twice > 0 || f.Unpaid > 0 || f.Recipients != crowd.people) {
				err = fmt.Errorf("%+v: %d are paid twice and %d not", q, f.Twice, f.Unpaid)
			}
			return f, err
		})
		if err != nil {
			return nil, err
		}
	}
	return []document.Table{
		{Name: "bench:airdrop", Text: machine + "\n\n" + speed(taken)},
		{Name: "bench:airdrop-cost", Text: cost(taken[len(taken)-1])},
	}, nil
}

// Figures that are shown.
func speedPaid(f Figures) float64 { return float64(f.Recipients) / f.Paid.Seconds() }
func speedDone(f Figures) float64 { return float64(f.Recipients) / f.Took.Seconds() }

// overall returns the speed of all runs together, weighted by time. A peer that waits long for lost
// transactions is fast in half of its runs.
func overall(list []Figures, of func(Figures) float64) float64 {
	took := 0.0
	for _, f := range list {
		took += 1 / of(f)
	}
	return float64(len(list)) / took
}

func median(list []Figures, of func(Figures) float64) float64 {
	return report.Median(report.Each(list, of))
}

// speed returns the table of speeds by crowd and way of paying.
func speed(taken [][][]Figures) string {
	rows := [][]string{{
		"", "recipients", "runs", "all have their money", "recipients a second", "spread", "against AirShip",
		"done", "recipients a second", "spread", "done means", "receipts back after", "SOL lent",
	}}
	for i, p := range payings {
		theirs := slices.IndexFunc(payings, func(other paying) bool { return other.way == peer && other.limits == p.limits && other.pace == p.pace })
		for c, crowd := range crowds {
			list, people := taken[c][i], float64(crowd.people)
			paid, done := overall(list, speedPaid), overall(list, speedDone)
			back, lent := "", ""
			if returned := time.Duration(median(list, func(f Figures) float64 { return float64(f.Returned) })); returned > 0 {
				back = returned.Round(time.Second).String()
				lent = fmt.Sprintf("%.2f", median(list, func(f Figures) float64 { return float64(f.Lent) / lamportsPerSOL }))
			}
			against := ""
			if theirs >= 0 {
				against = report.Number(paid/overall(taken[c][theirs], speedPaid)) + "x"
			}
			rows = append(rows, []string{
				p.name, report.Number(people), strconv.Itoa(len(list)), report.Number(people/paid) + " s", report.Number(paid), span(list, speedPaid),
				against,
				report.Number(people/done) + " s", report.Number(done), span(list, speedDone), p.done, back, lent,
			})
		}
	}
	return document.Markdown(rows)
}

const lamportsPerSOL = 1e9

// cost returns the table of costs for the last crowd.
func cost(taken [][]Figures) string {
	people := float64(crowds[len(crowds)-1].people)
	rows := [][]string{{"at " + report.Number(people) + " recipients", "a transaction", "base fee each", "all fees each", "calls each", "sent again", "CPU", "peak memory"}}
	for i, p := range payings {
		list := taken[i]
		rows = append(rows, []string{
			p.name, report.Number(people / float64(list[0].Transactions)),
			report.Number(median(list, func(f Figures) float64 { return float64(f.BaseFee) / people })),
			report.Number(median(list, func(f Figures) float64 { return float64(f.Fees) / people })),
			fmt.Sprintf("%.2f", median(list, func(f Figures) float64 { return float64(f.Calls) / people })),
			fmt.Sprintf("%.0f", median(list, func(f Figures) float64 { return float64(f.Resent) })),
			fmt.Sprintf("%.1f s", median(list, func(f Figures) float64 { return f.CPU.Seconds() })),
			fmt.Sprintf("%.0f MiB", median(list, func(f Figures) float64 { return float64(f.PeakKiB) / (1 << 10) })),
		})
	}
	return document.Markdown(rows)
}

func span(list []Figures, of func(Figures) float64) string {
	values := report.Each(list, of)
	return report.Number(slices.Min(values)) + " to " + report.Number(slices.Max(values))
}
