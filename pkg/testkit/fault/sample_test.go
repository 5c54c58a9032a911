package fault_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

// A sample has every kind, is small, and is the same whatever the order of the cases; by
// night it is the whole.
func TestSampleHasEveryKind(t *testing.T) {
	type one struct{ fate, step, n int }
	var cases []one
	kinds := map[string]bool{}
	kindsOf := func(c one) []string { return []string{fmt.Sprint("fate ", c.fate), fmt.Sprint("step ", c.step)} }
	for i := range 5 * 7 * 9 {
		c := one{i % 5, i / 5 % 7, i / 35}
		cases = append(cases, c)
		for _, kind := range kindsOf(c) {
			kinds[kind] = true
		}
	}
	name := func(c one) string { return fmt.Sprint(c) }
	t.Setenv("NIGHTLY", "")
	t.Setenv("WHOLE_MATRIX", "")
	kept := fault.Sample(t, cases, name, kindsOf)
	for _, c := range kept {
		for _, kind := range kindsOf(c) {
			delete(kinds, kind)
		}
	}
	if len(kinds) > 0 || len(kept) != 7 {
		t.Errorf("%d cases, and no case of %v", len(kept), kinds)
	}
	turned := slices.Clone(cases)
	slices.Reverse(turned)
	if again := fault.Sample(t, turned, name, kindsOf); !slices.Equal(again, kept) {
		t.Errorf("%v is not %v", again, kept)
	}
	t.Setenv("NIGHTLY", "1")
	if all := fault.Sample(t, cases, name, kindsOf); !slices.Equal(all, cases) {
		t.Errorf("%d cases by night, not %d", len(all), len(cases))
	}
	t.Setenv("WHOLE_MATRIX", "0")
	if again := fault.Sample(t, cases, name, kindsOf); !slices.Equal(again, kept) {
		t.Errorf("%v is not %v", again, kept)
	}
	var shares []one
	for _, asked := range []string{"1/3", "2/3", "3/3"} {
		t.Setenv("WHOLE_MATRIX", asked)
		shares = append(shares, fault.Sample(t, cases, name, kindsOf)...)
	}
	order := func(a, b one) int { return cmp.Compare(name(a), name(b)) }
	if slices.SortFunc(shares, order); !slices.Equal(shares, slices.SortedFunc(slices.Values(cases), order)) {
		t.Errorf("%d cases in three shares, not %d", len(shares), len(cases))
	}
}
