package main

import (
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
)

func TestWhatGoesBeyondItsBudgetIsSaid(t *testing.T) {
	taken := samples{}
	for operation := range budgets {
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
