package launchtable_test

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestHistoryKeepsEveryVersion tests that each change has an entry with the settings before, even
// if the stored versions no longer include the change, and that a signature is added to the entry
// of its version.
func TestHistoryKeepsEveryVersion(t *testing.T) {
	o := openOrders(t)
	launch, first := o.base, o.order(1, 0)
	must.Do(t, o.changeBy(t.Context(), 0, first))
	const changes = terms.KeepVersions + 4
	for n := range changes {
		o.now = o.now.Add(time.Minute)
		must.Do(t, o.changeBy(t.Context(), 100*(n+1), nil))
	}
	last := o.order(changes+1, 100*changes)
	must.Do(t, o.changeBy(t.Context(), 100*changes, last))

	var all []terms.Change
	for after, pages := "", 0; ; pages++ {
		page, next, err := o.settings.Changes(t.Context(), o.mint, after, 7)
		must.Do(t, err)
		if all = append(all, page...); next == "" {
			if pages != changes/7 {
				t.Errorf("%d pages", pages)
			}
			break
		}
		after = next
	}
	if len(all) != changes+1 {
		t.Fatalf("%d changes, want %d", len(all), changes+1)
	}
	for i, one := range all[:changes] {
		n := changes - i
		if one.Number != int64(n+1) || one.BurnBps != 100*n || one.Before == nil || one.Before.BurnBps != 100*(n-1) || one.Ordered() != (i == 0) ||
			!one.OrderedAt.Equal(o.now.Add(-time.Duration(i)*time.Minute)) || fmt.Sprint(one.Differences()) != fmt.Sprintf("[{burnPercent %d %d}]", n-1, n) {
			t.Errorf("entry %d: %+v", i, one)
		}
	}
	if got := all[0]; got.Signature != last.Signature {
		t.Errorf("the signature of the newest version is %s", got.Signature)
	}
	if got := all[changes]; got.Number != terms.LaunchVersion || got.Settings != launch || got.Before != nil || got.Signature != first.Signature || len(got.Differences()) != 0 {
		t.Errorf("the launch: %+v", got)
	}
}
