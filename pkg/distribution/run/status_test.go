package run_test

import (
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
)

// The facts of a run, each with what it may be:
//
//   - -  it has not happened
//   - p  it is there, and under way if it takes time
//   - d  it is done
//
// and of the end: e settled, s skipped, f failed.
var columns = []struct {
	name   string
	values string
	set    func(r *run.Run, value byte)
}{
	{"End", "-esf", func(r *run.Run, v byte) {
		r.End = &run.End{Failed: v == 'f'}
		if v != 'e' {
			r.End.Code = run.CodeNothing
		}
	}},
	{"Opening", "-p", func(r *run.Run, _ byte) { r.Opening = &run.Opening{} }},
	{"Collecting", "-pd", func(r *run.Run, v byte) { r.Collecting = &run.Collecting{Done: v == 'd'} }},
	{"Snapshot", "-p", func(r *run.Run, _ byte) { r.Snapshot = &run.Snapshot{} }},
	{"Split", "-p", func(r *run.Run, _ byte) { r.Split = &run.Split{} }},
	{"Burn", "-p", func(r *run.Run, _ byte) { r.Burn = &run.Movement{} }},
	{"Exchange", "-pd", func(r *run.Run, v byte) { r.Exchange = &run.Exchange{Done: v == 'd'} }},
	{"Fuel", "-pd", func(r *run.Run, v byte) { r.Fuel = &run.Exchange{Done: v == 'd'} }},
	{"Payment", "-p", func(r *run.Run, _ byte) { r.Payment = &run.Payment{} }},
	{"Closing", "-p", func(r *run.Run, _ byte) { r.Closing = &run.Closing{} }},
	{"Anchor", "-p", func(r *run.Run, _ byte) { r.Anchor = &run.Movement{} }},
}

// truth is the whole table: every combination of facts is in one row, and one only.
// A dot is any value.
var truth = []struct {
	facts  string
	status run.Status
}{
	// End first: what has ended has ended, whatever else is there.
	{"f..........", run.Failed},
	{"s..........", run.Skipped},
	{"e..........", run.Settled},
	{"--.........", run.Opened},
	{"-p-........", run.InCollecting},
	{"-pp........", run.InCollecting},
	{"-pd-.......", run.Snapshotting},
	{"-pdp-......", run.Snapshotting},
	{"-pdpp-.....", run.Burning},
	{"-pdppp-....", run.Exchanging},
	{"-pdpppp....", run.Exchanging},
	{"-pdpppd-...", run.Exchanging},
	{"-pdpppdp...", run.Exchanging},
	{"-pdpppdd...", run.Paying},
}

func matches(facts, row string) bool {
	for i := range row {
		if row[i] != '.' && row[i] != facts[i] {
			return false
		}
	}
	return true
}

func TestStatusOfEveryCombinationOfFacts(t *testing.T) {
	combinations := []string{""}
	for _, column := range columns {
		var longer []string
		for _, facts := range combinations {
			for _, value := range column.values {
				longer = append(longer, facts+string(value))
			}
		}
		combinations = longer
	}
	if want := 4 * 2 * 3 * 2 * 2 * 2 * 3 * 3 * 2 * 2 * 2; len(combinations) != want {
		t.Fatalf("%d combinations, want %d", len(combinations), want)
	}
	used := make([]int, len(truth))
	for _, facts := range combinations {
		var rows []int
		for n, row := range truth {
			if matches(facts, row.facts) {
				rows = append(rows, n)
			}
		}
		if len(rows) != 1 {
			t.Fatalf("%s is in the rows %v of the table, and not in one", facts, rows)
		}
		used[rows[0]]++
		var r run.Run
		for i, column := range columns {
			if facts[i] != '-' {
				column.set(&r, facts[i])
			}
		}
		if want := truth[rows[0]].status; r.Status() != want {
			t.Errorf("%s is %s, want %s", facts, r.Status(), want)
		}
	}
	if n := slices.Index(used, 0); n >= 0 {
		t.Errorf("no combination is in the row %s", truth[n].facts)
	}
}

func TestRunWithEndIsOver(t *testing.T) {
	for _, row := range truth {
		if want := row.facts[0] != '-'; row.status.Over() != want {
			t.Errorf("%s is over: %v", row.status, row.status.Over())
		}
	}
	if run.Status("").Over() {
		t.Error("a run without a status is over")
	}
}

// TestNothingGoesBackAsFactsAreAdded: whatever is done next, the status stays or
// moves on.
func TestNothingGoesBackAsFactsAreAdded(t *testing.T) {
	order := []run.Status{
		run.Opened, run.InCollecting, run.Snapshotting, run.Burning, run.Exchanging, run.Paying,
		run.Settled, run.Skipped, run.Failed,
	}
	var walk func(facts []byte, column int)
	walk = func(facts []byte, column int) {
		if column == len(columns) {
			var r run.Run
			for i, c := range columns {
				if facts[i] != '-' {
					c.set(&r, facts[i])
				}
			}
			before := slices.Index(order, r.Status())
			for i, c := range columns {
				next := r
				at := slices.Index([]byte(c.values), facts[i])
				if i == 0 && facts[0] != '-' || at+1 == len(c.values) {
					continue // an end stays; nothing comes after the last value
				}
				c.set(&next, c.values[at+1])
				if after := slices.Index(order, next.Status()); after < before {
					t.Fatalf("%s goes back from %s to %s with %s", facts, order[before], order[after], c.name)
				}
			}
			return
		}
		for _, value := range []byte(columns[column].values) {
			walk(append(facts[:column:column], value), column+1)
		}
	}
	walk(make([]byte, 0, len(columns)), 0)
}
