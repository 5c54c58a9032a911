package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// budgetOf returns what one request may ask of DynamoDB, its limiter included: the row of its route,
// or the budget of a part.
func budgetOf(operation string) (may route.Work, known bool) {
	if may, known = beside[operation]; known {
		return may, true
	}
	r, known := find(operation)
	return r.Work, known
}

var beside = map[string]route.Work{
	authorizing:  {},
	countingLate: {Write: 2},           // two guesses at a window that is almost full
	keyed:        {Read: .5, Write: 7}, // the picture is stored already
}

// measured lists what must be measured.
func measured() []string {
	all := slices.Collect(maps.Keys(beside))
	for _, r := range route.All() {
		all = append(all, r.Operation)
	}
	return all
}

// overdrawn lists the requests that took more than their budget, and those without a budget.
func overdrawn(taken samples) (lines []string) {
	for _, operation := range slices.Sorted(maps.Keys(taken)) {
		may, known := budgetOf(operation)
		if !known {
			lines = append(lines, operation+" has no budget")
		}
		for _, s := range taken[operation] {
			if known && (s.Units.Read > may.Read || s.Units.Write > may.Write) {
				lines = append(lines, fmt.Sprintf("%s took %.1f units of reading and %.0f of writing, and may %.1f and %.0f",
					operation, s.Units.Read, s.Units.Write, may.Read, may.Write))
				break
			}
		}
	}
	for _, operation := range measured() {
		if len(taken[operation]) == 0 {
			lines = append(lines, operation+" has a budget and was not measured")
		}
	}
	return lines
}

func TestWhatGoesBeyondItsBudgetIsSaid(t *testing.T) {
	taken := samples{}
	for _, operation := range measured() {
		taken[operation] = []sample{{}}
	}
	if lines := overdrawn(taken); len(lines) > 0 {
		t.Errorf("nothing was taken, and %q", lines)
	}
	delete(taken, "getDocs")
	taken["getHealth"] = []sample{{}, {Units: meter.Units{Write: 2}}, {Units: meter.Units{Read: 0.5}}}
	taken["new"] = []sample{{}}
	want := []string{
		"getHealth took 0.0 units of reading and 2 of writing, and may 0.0 and 1",
		"new has no budget", "getDocs has a budget and was not measured",
	}
	if lines := overdrawn(taken); !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestRoutesKeepToTheirBudget calls every route of the deployed stack's parts and holds
// what it asked of DynamoDB against the table.
func TestRoutesKeepToTheirBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it deploys the stack")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	stack, err := runner.Start(t.Context(), runner.Options{Project: folder, Folder: t.TempDir(), Offline: true, Progress: progress.New(io.Discard)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stack.Stop)
	at, err := placeOf(t.Context(), stack)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range access(stack.AWS) {
		t.Setenv(name, value)
	}
	const rounds = 2
	taken, err := measureRoutes(t.Context(), at, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range overdrawn(taken) {
		t.Error(line)
	}
	if testing.Verbose() {
		t.Log("\n" + routeTable(taken))
	}
}
