package main

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/infra/bench/coldstart"
	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/images"
	"tokenlaunch.example/service/infra/bench/launchtx"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/bench/tables"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// coldTables are the section on cold starts.
func coldTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	functions := map[string]map[string]string{}
	for name, env := range o.place.Functions {
		functions[name] = env
	}
	result, err := coldstart.Measure(ctx, coldstart.Options{
		Folder: o.folder, Scratch: o.scratch, Env: functions, RPCURL: o.place.RPCURL, Runs: o.runs,
	})
	if err != nil {
		return nil, err
	}
	grown, err := result.Growth(o.folder.Path(""))
	if err != nil {
		return nil, err
	}
	o.out.Done("Cold starts", fmt.Sprintf("%d functions, %d starts each", len(functions), o.runs))
	return []document.Table{
		{Name: "bench:cold-start", Text: machine + "\n\n" + result.Functions()},
		{Name: "bench:cold-start-node", Text: result.Peers()},
		{Name: "bench:cold-start-growth", Text: grown},
	}, nil
}

// routeTables are the sections on the routes and on DynamoDB.
func routeTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	m, err := measureApart(ctx, o.stack.AWS, o.place)
	if err != nil {
		return nil, err
	}
	grown, err := growth.Section(o.folder.Path("."), routeCharts(m.Grown)...)
	if err != nil {
		return nil, err
	}
	o.out.Done("Routes", fmt.Sprintf("%d samples of each", pageSize))
	windows, err := growth.Section(o.folder.Path("."), windowCharts(m.Taken)...)
	if err != nil {
		return nil, err
	}
	return []document.Table{
		{Name: "bench:routes", Text: machine + "\n\n" + routeTable(m.Taken)},
		{Name: "bench:units", Text: unitTable(m.Taken)},
		{Name: "bench:units-growth", Text: windows},
		{Name: "bench:routes-growth", Text: grown},
	}, nil
}

// launchTables are the section on the transaction of a launch.
func launchTables(ctx context.Context, o on) ([]document.Table, error) {
	tables, err := launchtx.Tables(ctx, o.folder)
	if err == nil {
		o.out.Done("Transaction of a launch", "as in @solana/kit, byte for byte")
	}
	return tables, err
}

// imageTables are the section on the pictures.
func imageTables(ctx context.Context, o on) ([]document.Table, error) {
	tables, err := images.Tables(ctx, o.folder, o.scratch, o.runs)
	if err == nil {
		o.out.Done("Pictures", "as in sharp")
	}
	return tables, err
}

// localMachine describes the machine, and what stands for AWS and the chain on it.
func localMachine(ctx context.Context, folder project.Folder) (string, error) {
	stack, err := report.LocalStack(folder)
	if err != nil {
		return "", err
	}
	return report.Machine(ctx, folder, stack...)
}

// lookupTables is the section on lookup tables.
func lookupTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	text, err := tables.Section(ctx, o.folder, o.runs)
	if err != nil {
		return nil, err
	}
	return []document.Table{{Name: "bench:tables", Text: machine + "\n\n" + text}}, nil
}

func routeTable(taken samples) string {
	rows := [][]string{{"route", "CPU time", "spread", "allocations", "allocated"}}
	forEach(taken, func(name string, list []sample) {
		cpu := report.Each(list, func(s sample) time.Duration { return s.CPU })
		rows = append(rows, []string{
			name, report.Millis(report.Median(cpu)), report.Spread(cpu),
			fmt.Sprint(report.Median(report.Each(list, func(s sample) uint64 { return s.Allocs }))),
			fmt.Sprintf("%.0f KB", float64(report.Median(report.Each(list, func(s sample) uint64 { return s.Bytes })))/1e3),
		})
	})
	return document.Markdown(rows)
}

func unitTable(taken samples) string {
	rows := [][]string{{"route", "calls", "read units", "write units", "may take", "goal, in all"}}
	forEach(taken, func(name string, list []sample) {
		operation := list[0].Operation
		may := budgets[operation]
		goal := ""
		if most, named := goals[operation]; named {
			goal = report.Decimal(most)
		}
		rows = append(rows, []string{
			name,
			fmt.Sprint(report.Median(report.Each(list, func(s sample) int { return s.Units.Calls }))),
			report.Decimal(report.Median(report.Each(list, func(s sample) float64 { return s.Units.Read }))),
			report.Decimal(report.Median(report.Each(list, func(s sample) float64 { return s.Units.Write }))),
			report.Decimal(may.read) + " + " + report.Decimal(may.write), goal,
		})
	})
	return document.Markdown(rows)
}

// forEach goes through the routes in the order of their table, the authorizer
// first.
func forEach(taken samples, row func(name string, list []sample)) {
	if list := taken[authorizing]; len(list) > 0 {
		row("authorizer, before each route with a token", list)
	}
	for _, r := range route.All() {
		if list := taken[r.Operation]; len(list) > 0 {
			row("`"+r.Pattern()+"`", list)
		}
		if list := taken[keyed]; len(list) > 0 && r.Operation == "generateDistributionWallet" {
			row("the same with an `Idempotency-Key`", list)
		}
	}
	if list := taken[countingLate]; len(list) > 0 {
		row("the limiter alone, requests 81 to 100 of 100", list)
	}
}
