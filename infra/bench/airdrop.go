package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/airdrop"
	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// crowds are how many are paid: once, ten and a hundred times as much work, and how often,
// each time with another seed.
var crowds = []struct{ people, runs int }{{1_000, 9}, {10_000, 5}, {100_000, 3}}

type paying struct {
	way, title string
	limited    bool
	done       string // what it waits for
}

// payings are the ways of paying that are compared at each size, within a plan's limits
// where limited.
var payings = []paying{
	{airdrop.Now, "ours", false, "final"},
	{airdrop.Now, "ours, Business plan", true, "final"},
	{airdrop.NowV1, "ours, version 1", false, "final"},
	{airdrop.NowV1, "ours, version 1, Business plan", true, "final"},
	{airdrop.AirshipName, "AirShip", false, "confirmed"},
	{airdrop.AirshipName, "AirShip, Business plan", true, "confirmed"},
	{airdrop.TokensName, "solana-tokens", false, "final"},
}

// choices are what was decided about, at ten thousand recipients.
var choices = []struct{ way, title string }{
	{"lanes-7", "7 lanes"},
	{"lanes-16", "16 lanes"},
	{"lanes-128", "128 lanes"},
	{"lanes-512", "512 lanes"},
	{"alone", "128 lanes, each asks for itself"},
}

// airdropTables pays crowds on the scripted node.
func airdropTables(ctx context.Context, o on) ([]document.Table, error) {
	binary := filepath.Join(o.scratch, "airdrop.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./bench/airdrop") // #nosec G204 -- of the project
	build.Dir = o.folder.Path("infra")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the bench of airdrops: %w\n%s", err, out)
	}
	machine, err := report.Machine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	payer := airdropPayer{binary: binary, scratch: o.scratch}
	taken, err := payer.all(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := payer.choices(ctx)
	if err != nil {
		return nil, err
	}
	charts, err := growth.Section(o.folder.Path("."), airdropCharts(taken)...)
	if err != nil {
		return nil, err
	}
	return []document.Table{
		{Name: "bench:airdrop", Text: machine + "\n\n" + airdropSpeed(taken)},
		{Name: "bench:airdrop-cost", Text: airdropCost(taken)},
		{Name: "bench:airdrop-choices", Text: chosen},
		{Name: "bench:airdrop-growth", Text: charts},
	}, nil
}

// paid are the runs of one way of paying, for each of the crowds.
type paid [][]airdrop.Figures

// of gives the median, the least and the most of a figure, of one crowd.
func (p paid) of(crowd int, figure func(airdrop.Figures) float64) (median, least, most float64) {
	list := report.Each(p[crowd], figure)
	return report.Median(list), slices.Min(list), slices.Max(list)
}

// Figures that are shown.
func speedPaid(f airdrop.Figures) float64 { return float64(f.Recipients) / f.Paid.Seconds() }
func speedDone(f airdrop.Figures) float64 { return float64(f.Recipients) / f.Took.Seconds() }
func callsEach(f airdrop.Figures) float64 { return float64(f.Calls) / float64(f.Recipients) }
func cpuOf(f airdrop.Figures) float64     { return f.CPU.Seconds() }

func airdropSpeed(taken []paid) string {
	rows := [][]string{{
		"", "recipients", "runs", "all have their money", "recipients a second", "spread", "against AirShip", "done", "recipients a second", "spread", "done means", "lanes made in",
	}}
	for i, p := range payings {
		peer := slices.IndexFunc(payings, func(other paying) bool { return other.way == airdrop.AirshipName && other.limited == p.limited })
		for c, crowd := range crowds {
			has, hasLeast, hasMost := taken[i].of(c, speedPaid)
			done, doneLeast, doneMost := taken[i].of(c, speedDone)
			theirs, _, _ := taken[peer].of(c, speedPaid)
			setup := ""
			if made := report.Median(report.Each(taken[i][c], func(f airdrop.Figures) time.Duration { return f.Setup })); made > 0 {
				setup = made.Round(time.Second).String()
			}
			rows = append(rows, []string{
				p.title, report.Number(float64(crowd.people)), strconv.Itoa(crowd.runs),
				seconds(float64(crowd.people) / has), report.Number(has), span(hasLeast, hasMost), report.Number(has/theirs) + "x",
				seconds(float64(crowd.people) / done), report.Number(done), span(doneLeast, doneMost), p.done, setup,
			})
		}
	}
	return strings.TrimSpace(document.Markdown(rows))
}

func airdropCost(taken []paid) string {
	rows := [][]string{{"", "recipients", "a transaction", "base fee each", "all fees each", "calls each", "sent again", "CPU", "peak memory"}}
	for i, p := range payings {
		for c, crowd := range crowds {
			f := taken[i][c][0]
			people := float64(crowd.people)
			median := func(figure func(airdrop.Figures) float64) float64 {
				value, _, _ := taken[i].of(c, figure)
				return value
			}
			rows = append(rows, []string{
				p.title, report.Number(people), report.Number(people / float64(f.Transactions)),
				report.Number(median(func(f airdrop.Figures) float64 { return float64(f.BaseFee) / people })),
				report.Number(median(func(f airdrop.Figures) float64 { return float64(f.Fees) / people })),
				fmt.Sprintf("%.2f", median(callsEach)), strconv.Itoa(int(median(func(f airdrop.Figures) float64 { return float64(f.Resent) }))),
				fmt.Sprintf("%.1f s", median(cpuOf)), fmt.Sprintf("%.0f MiB", median(func(f airdrop.Figures) float64 { return float64(f.PeakKB) / (1 << 10) })),
			})
		}
	}
	return strings.TrimSpace(document.Markdown(rows))
}

func airdropCharts(taken []paid) []growth.Chart {
	chart := func(name, title, unit string, figure func(airdrop.Figures) float64, shown func(paying) bool) growth.Chart {
		c := growth.Chart{Name: name, Title: title, Work: "recipients", Unit: unit}
		for i, p := range payings {
			if !shown(p) {
				continue
			}
			line := growth.Line{Name: p.title}
			for n, crowd := range crowds {
				value, _, _ := taken[i].of(n, figure)
				line.Points = append(line.Points, growth.Point{Work: float64(crowd.people), Value: value})
			}
			c.Lines = append(c.Lines, line)
		}
		return c
	}
	all := func(paying) bool { return true }
	return []growth.Chart{
		chart("airdrop-speed", "Recipients a second, until all have their money", "recipients/s", speedPaid, all),
		chart("airdrop-calls", "Calls of the node, a recipient", "calls", callsEach, all),
		chart("airdrop-cpu", "Processor time of ours, the scripted node's included", "s", cpuOf,
			func(p paying) bool { return p.way == airdrop.Now || p.way == airdrop.NowV1 }),
	}
}

func seconds(s float64) string { return report.Number(s) + " s" }

func span(least, most float64) string { return report.Number(least) + " to " + report.Number(most) }

// airdropPayer pays in processes of its own.
type airdropPayer struct{ binary, scratch string }

// all pays every crowd in every way, so often as is shown, in turns.
func (p airdropPayer) all(ctx context.Context) ([]paid, error) {
	taken := make([]paid, len(payings))
	for i := range taken {
		taken[i] = make(paid, len(crowds))
	}
	for c, crowd := range crowds {
		for run := range crowd.runs {
			for i, way := range payings {
				on := airdrop.Conditions{Seed: uint64(run) + 1}
				if way.limited {
					on.Limits = airdrop.Business
				}
				f, err := p.once(ctx, airdrop.Case{Way: way.way, People: crowd.people, On: on})
				if err != nil {
					return nil, err
				}
				taken[i][c] = append(taken[i][c], f)
			}
		}
	}
	return taken, nil
}

// choices pays in the ways that were decided about, three times each.
func (p airdropPayer) choices(ctx context.Context) (string, error) {
	const runs, crowd = 3, 1
	rows := [][]string{{"at 10,000 recipients", "recipients a second, all have their money", "done", "calls a transaction", "lanes made in", "sent again"}}
	for _, c := range choices {
		var list []airdrop.Figures
		for run := range runs {
			f, err := p.once(ctx, airdrop.Case{Way: c.way, People: crowds[crowd].people, On: airdrop.Conditions{Seed: uint64(run) + 1}})
			if err != nil {
				return "", err
			}
			list = append(list, f)
		}
		rows = append(rows, []string{
			c.title, report.Number(report.Median(report.Each(list, speedPaid))), report.Number(report.Median(report.Each(list, speedDone))),
			fmt.Sprintf("%.2f", report.Median(report.Each(list, func(f airdrop.Figures) float64 { return float64(f.Calls) / float64(f.Transactions) }))),
			report.Median(report.Each(list, func(f airdrop.Figures) time.Duration { return f.Setup })).Round(time.Second).String(),
			strconv.Itoa(report.Median(report.Each(list, func(f airdrop.Figures) int { return f.Resent }))),
		})
	}
	return strings.TrimSpace(document.Markdown(rows)), nil
}

// once pays in a process of its own, whose processor time and memory are those of the
// payer and of the scripted node. It fails unless everyone is paid exactly once.
func (p airdropPayer) once(ctx context.Context, c airdrop.Case) (f airdrop.Figures, err error) {
	asked, err := json.Marshal(c)
	if err != nil {
		return f, err
	}
	file := filepath.Join(p.scratch, "airdrop.json")
	cmd := exec.CommandContext(ctx, p.binary, "-test.run", "^TestMeasure$") // #nosec G204 -- of the project
	cmd.Env = append(os.Environ(), airdrop.FileVariable+"="+file, airdrop.CaseVariable+"="+string(asked))
	if out, err := cmd.CombinedOutput(); err != nil {
		return f, fmt.Errorf("pay %s: %w\n%s", asked, err, out)
	}
	text, err := os.ReadFile(file) // #nosec G304 -- written by the process above
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		return f, err
	}
	if f.Twice > 0 || f.Unpaid > 0 || f.Recipients != c.People {
		return f, fmt.Errorf("%s: %d are paid twice and %d not", asked, f.Twice, f.Unpaid)
	}
	f.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return f, nil
}
