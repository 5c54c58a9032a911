package launchtx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// Part is the name of our side, a part of the worker.
	Part = "launch"
	// processes is the maximum number of measured processes of each side, in turns.
	processes = 5
	// launches is the number of different launches, which are repeated.
	launches = 64
)

// sides returns our side and the peer. Each side warms up until its speed is stable, and then works
// long enough for a precise measurement: some seconds.
func sides(folder project.Folder) []report.Side {
	list := inputs(launches)
	return []report.Side{
		report.Ours("ours", Part, question{Inputs: list, Measure: &measure{Warm: 1_000, Rounds: 5_000}}),
		kit(folder, question{Inputs: list, Measure: &measure{Warm: 250, Rounds: 150}}),
	}
}

func kit(folder project.Folder, q question) report.Side {
	return report.Side{Name: "kit", Command: []string{"node", folder.Path("infra/peer/launch.mjs")}, In: q}
}

// Tables measures both sides and returns the section.
func Tables(ctx context.Context, folder project.Folder, runs int) ([]document.Table, error) {
	if _, err := os.Stat(folder.Path("infra/peer/node_modules")); err != nil {
		return nil, errors.New("the official Solana clients are not installed: run `make tools`")
	}
	machine, err := report.Machine(ctx, folder, report.Node, report.Pinned("@solana/kit", "infra/peer/package.json", `"@solana/kit": "([^"]+)"`))
	if err != nil {
		return nil, err
	}
	taken, err := report.Turns(min(runs, processes), sides(folder), func(s report.Side) (answer, error) { return report.Ask[answer](ctx, s) })
	if err != nil {
		return nil, err
	}
	for i, ours := range taken[0] {
		if !slices.Equal(ours.Transactions, taken[1][i].Transactions) {
			return nil, errors.New("the two sides made different bytes")
		}
	}
	return []document.Table{{Name: "bench:launch", Text: machine + "\n\n" + table(taken)}}, nil
}

func table(taken [][]answer) string {
	rows := [][]string{{"work", "ours, CPU", "spread", "wall", "a second", "kit, CPU", "spread", "wall", "a second", "CPU, ratio"}}
	for _, w := range works {
		row := []string{w.what}
		var medians []time.Duration
		for _, side := range taken {
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
