package terms_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/token/terms"
)

// version returns a version of settings with a share for the creator.
func version(number int64, fee int, delay terms.Delay) terms.Version {
	s := terms.Default(solana.PublicKey{1})
	s.DeveloperFeeBps, s.ChangeDelay = fee, delay
	return terms.Version{Settings: s, Number: number}
}

// TestDueAfterEachProof follows the proofs of a token. The tax before a lower share is paid by the
// settings before, until a distribution leaves nothing of the tax, or for the time of the delay.
func TestDueAfterEachProof(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	at := func(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }
	const day = terms.Delay24Hours
	for _, c := range []struct {
		name    string
		paid    terms.Paid
		inForce terms.Version
		hour    int
		claim   bool
		want    int64 // the number of the version that divides the tax
		since   time.Time
	}{
		{"nothing changed", terms.Paid{Version: version(1, 10, day)}, version(1, 10, day), 1, false, 1, time.Time{}},
		{"a higher share of holders", terms.Paid{Version: version(1, 10, day)}, version(2, 9, day), 1, false, 2, time.Time{}},
		{"no delay", terms.Paid{Version: version(1, 10, terms.NoDelay)}, version(2, 11, day), 1, false, 2, time.Time{}},
		{"a lower share of holders", terms.Paid{Version: version(1, 10, day)}, version(2, 11, day), 1, false, 1, at(1)},
		{"a lower share of holders, in a claim", terms.Paid{Version: version(1, 10, day)}, version(2, 11, day), 1, true, 1, time.Time{}},
		{"after a claim", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day))}, version(2, 11, day), 100, false, 1, at(100)},
		{"paid", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1), Done: true}, version(2, 11, day), 2, false, 2, time.Time{}},
		{"not all sold", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(2, 11, day), 24, false, 1, at(1)},
		{"not all sold, in a claim", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(2, 11, day), 24, true, 1, at(1)},
		{"not all sold in a day", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(2, 11, day), 25, false, 2, time.Time{}},
		{"lowered again before all is sold", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(3, 12, day), 2, false, 1, at(1)},
		{"lowered again when all is sold", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1), Done: true}, version(3, 12, day), 2, false, 2, at(2)},
		{"lowered again after a day", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(3, 12, day), 25, false, 2, at(25)},
		{"raised again before all is sold", terms.Paid{Version: version(1, 10, day), Next: new(version(2, 11, day)), Since: at(1)}, version(3, 8, day), 2, false, 3, time.Time{}},
		{"not all sold in six days of seven", terms.Paid{Version: version(1, 10, terms.Delay7Days), Next: new(version(2, 11, terms.Delay7Days)), Since: at(1)}, version(2, 11, terms.Delay7Days), 144, false, 1, at(1)},
	} {
		got := c.paid.Due(c.inForce, at(c.hour), !c.claim)
		if got.Version.Number != c.want || !got.Since.Equal(c.since) || (got.Next == nil) != (c.want == c.inForce.Number) || got.Next != nil && *got.Next != c.inForce {
			t.Errorf("%s: by version %d, since %s, next %v; want %d, %s", c.name, got.Version.Number, got.Since, got.Next, c.want, c.since)
		}
	}
}

// TestLoweringChangesWaitForTheDelay tests that, whatever changes when, holders never get less than
// was announced a day before, and at most one version is pending.
func TestLoweringChangesWaitForTheDelay(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	rapid.Check(t, func(r *rapid.T) {
		start := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
		now, opened := start, time.Time{}
		v := terms.Versions{version(1, 10, terms.Delay24Hours)}
		told := map[time.Time]int{} // the highest fee by hour, of the version in force and the pending version
		for range rapid.IntRange(1, 200).Draw(r, "hours") {
			slot := terms.EveryHour.Slot(now)
			held, ok := v.At(slot)
			if !ok && slot.After(opened) {
				r.Fatalf("the slot %s has no settings: %+v", slot, v)
			}
			if before, known := told[slot.Add(-day)]; known && ok && held.DeveloperFeeBps > before {
				r.Fatalf("the creator has %d at %s, and %d were announced a day before", held.DeveloperFeeBps, slot, before)
			}
			if rapid.Bool().Draw(r, "a run is opened") && slot.After(opened) {
				opened = slot
			}
			for range rapid.IntRange(0, 2).Draw(r, "changes") {
				at := now.Add(time.Duration(rapid.IntRange(-90, 3_000).Draw(r, "seconds")) * time.Second)
				s := v.Newest().Settings
				s.DeveloperFeeBps = rapid.IntRange(0, 20).Draw(r, "fee")
				next := v.Next(s, at, opened)
				if slot := opened; !next.From.After(slot) {
					r.Fatalf("a change is valid for the opened slot %s: %+v", slot, next)
				}
				before := v.Newest().Number
				if v = v.Change(next, opened); next.Number != before+1 || v.Newest() != next {
					r.Fatalf("version %d follows %d", next.Number, before)
				}
			}
			now = now.Add(time.Hour)
			hour := terms.EveryHour.Slot(now)
			told[hour] = v.Held(hour.Add(-time.Millisecond)).DeveloperFeeBps
			if v.Pending(hour.Add(-time.Millisecond)) {
				told[hour] = max(told[hour], v.Newest().DeveloperFeeBps)
			}
		}
	})
}

// TestPendingChangeIsReplaced tests that a pending change is taken back immediately, and improved
// without a further delay. A worse change waits again.
func TestPendingChangeIsReplaced(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for _, c := range []struct {
		name string
		fee  int
		from time.Duration // after the first change
		held int
	}{
		{"taken back", 10, 5 * time.Hour, 10},
		{"better than before", 9, 5 * time.Hour, 9},
		{"better than the pending version", 40, day, 10},
		{"the same again", 50, day, 10},
		{"worse than the pending version", 51, day + 5*time.Hour, 10},
	} {
		v := terms.Versions{version(1, 10, terms.Delay24Hours)}
		change := func(fee int, at time.Time) {
			s := v.Newest().Settings
			s.DeveloperFeeBps = fee
			v = v.Change(v.Next(s, at, time.Time{}), time.Time{})
		}
		change(50, noon)
		if got := v.Newest(); !v.Pending(noon) || !got.From.Equal(noon.Add(day)) || v.Held(noon).Number != 1 {
			t.Fatalf("versions = %+v, want the new one pending for a day", v)
		}
		at := noon.Add(5 * time.Hour)
		change(c.fee, at)
		if got := v.Newest(); len(v) != 2 || got.Number != 3 || !got.From.Equal(noon.Add(c.from)) || v.Held(at).DeveloperFeeBps != c.held {
			t.Errorf("%s: versions = %+v, want version 3 pending from %s", c.name, v, noon.Add(c.from))
		}
	}
}
