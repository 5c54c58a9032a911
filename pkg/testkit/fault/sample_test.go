package fault_test

import (
	"fmt"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

// Every case is in one of the parts, and the parts are about as large as each other.
func TestPartsOfASampleAreTheWhole(t *testing.T) {
	var cases []string
	for i := range 400 {
		cases = append(cases, fmt.Sprint("case ", i))
	}
	var all []string
	for part := range 4 {
		t.Setenv("WHOLE_MATRIX", fmt.Sprintf("%d/4", part))
		kept := fault.Sample(t, cases, 7, func(c string) string { return c })
		if len(kept) < 60 || len(kept) > 140 {
			t.Errorf("part %d has %d of 400 cases", part, len(kept))
		}
		all = append(all, kept...)
	}
	slices.Sort(cases)
	slices.Sort(all)
	if !slices.Equal(all, cases) {
		t.Errorf("%d cases in all parts, want each of %d once", len(all), len(cases))
	}
	t.Setenv("WHOLE_MATRIX", "")
	if today := fault.Sample(t, cases, 4, func(c string) string { return c }); len(today) < 60 || len(today) > 140 {
		t.Errorf("%d of 400 cases today, want about a quarter", len(today))
	}
}
