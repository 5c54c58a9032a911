package launchtx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// Flag has bench answer as our side.
	Flag = "launchtx"
	// processes of each side are measured, in turns.
	processes = 5
	// different launches, over and over.
	launches = 64
)

// inARow is how many transactions are made for the growth.
var inARow = []int{10, 100, 1000}

// A side is a program that answers questions.
type side struct {
	name    string
	command func(context.Context) (*exec.Cmd, error)
	measure measure
}

// sides are ours and the peer. Each warms up until it gets no faster, and does what can be
// told from the clock: some seconds of it.
func sides(folder project.Folder) []side {
	return []side{
		{"ours", func(ctx context.Context) (*exec.Cmd, error) {
			self, err := os.Executable()
			return exec.CommandContext(ctx, self, "-"+Flag), err // #nosec G204 -- this program
		}, measure{Warm: 1_000, Rounds: 5_000, Growth: inARow}},
		{"kit", func(ctx context.Context) (*exec.Cmd, error) { return kit(ctx, folder) }, measure{Warm: 250, Rounds: 150, Growth: inARow}},
	}
}

func kit(ctx context.Context, folder project.Folder) (*exec.Cmd, error) {
	if _, err := os.Stat(folder.Path("infra/peer/node_modules")); err != nil {
		return nil, errors.New("the official Solana clients are not installed: run `make tools`")
	}
	return exec.CommandContext(ctx, "node", folder.Path("infra/peer/launch.mjs")), nil // #nosec G204 -- a script of ours
}

// ask has a side answer once, in a process of its own.
func (s side) ask(ctx context.Context, q question) (a answer, err error) {
	in, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	cmd, err := s.command(ctx)
	if err != nil {
		return a, err
	}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return a, fmt.Errorf("%s: %w", s.name, err)
	}
	return a, json.Unmarshal(out, &a)
}

// Tables measures both sides and gives the section.
func Tables(ctx context.Context, folder project.Folder) ([]document.Table, error) {
	node, err := report.Node(ctx)
	if err != nil {
		return nil, err
	}
	version, err := report.Pinned(folder.Path("infra/peer/package.json"), `"@solana/kit": "([^"]+)"`)
	if err != nil {
		return nil, err
	}
	machine, err := report.Machine(ctx, folder, node, "@solana/kit "+version)
	if err != nil {
		return nil, err
	}
	both := sides(folder)
	taken := make([][]answer, len(both))
	for range processes {
		for i, s := range both {
			a, err := s.ask(ctx, question{Inputs: inputs(launches), Measure: &s.measure})
			if err != nil {
				return nil, err
			}
			taken[i] = append(taken[i], a)
		}
		if last := processes - len(taken[0]); !same(taken[0], taken[1]) {
			return nil, fmt.Errorf("the two sides made different bytes, with %d rounds to go", last)
		}
	}
	grown, err := growth.Section(folder.Path("."), chart(both, taken))
	if err != nil {
		return nil, err
	}
	return []document.Table{
		{Name: "bench:launch", Text: machine + "\n\n" + table(taken[0], taken[1])},
		{Name: "bench:launch-growth", Text: grown},
	}, nil
}

// same says whether the last answers of both sides are the same transactions.
func same(a, b []answer) bool {
	last := func(list []answer) []string { return list[len(list)-1].Transactions }
	return slices.Equal(last(a), last(b))
}

func table(ours, theirs []answer) string {
	rows := [][]string{{"work", "ours, CPU", "spread", "wall", "a second", "kit, CPU", "spread", "wall", "a second", "CPU, ratio"}}
	for _, w := range works {
		row := []string{w.what}
		var medians []time.Duration
		for _, side := range [][]answer{ours, theirs} {
			cpu := report.Each(side, func(a answer) time.Duration { return a.Samples[w.name].each(a.Samples[w.name].CPU) })
			wall := report.Each(side, func(a answer) time.Duration { return a.Samples[w.name].each(a.Samples[w.name].Wall) })
			median := report.Median(cpu)
			medians = append(medians, median)
			row = append(row, micros(median), micros(slices.Min(cpu))+" to "+micros(slices.Max(cpu)), micros(report.Median(wall)),
				report.Number(float64(time.Second)/float64(median)))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.1fx", float64(medians[1])/float64(medians[0]))))
	}
	return document.Markdown(rows)
}

func micros(d time.Duration) string {
	return report.Number(float64(d)/float64(time.Microsecond)) + " µs"
}

func chart(both []side, taken [][]answer) growth.Chart {
	c := growth.Chart{
		Name: "launch", Title: "CPU time to build and sign transactions of launches, one after the other", Work: "transactions", Unit: "ms",
	}
	for i, s := range both {
		line := growth.Line{Name: s.name}
		for n, times := range inARow {
			cpu := report.Median(report.Each(taken[i], func(a answer) time.Duration { return a.Growth[n].CPU }))
			line.Points = append(line.Points, growth.Point{Work: float64(times), Value: float64(cpu) / float64(time.Millisecond)})
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}
