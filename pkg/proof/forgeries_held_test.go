package proof_test

import (
	"slices"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// lesser has the lesser of two snapshots' balances count.
func lesser(c *script) { c.held = true }

// halves has every third owner with half of what they had, and every fourth with twice as much.
func halves(n int) uint64 {
	switch {
	case n%3 == 0:
		return balance(n) / 2
	case n%4 == 0:
		return 2 * balance(n)
	}
	return balance(n)
}

// holding is lesser, with other balances than in the run before.
func holding(c *script) { c.held, c.holds = true, halves }

// recalling says of an owner that they had something else before.
func recalling(who int, before uint64) func(*script) {
	return func(c *script) {
		holding(c)
		c.recalls = func(n int, had uint64) uint64 {
			if n == who {
				return before
			}
			return had
		}
	}
}

// three makes three runs, the last by the change.
func three(t testing.TB, s *shelf, change func(third *script, first, second run)) run {
	a, b := twoScripts()
	first := s.run(t, a, nil)
	holding(&b)
	second := s.run(t, b, &first)
	_, c := twoScripts()
	c.slot, c.held = c.slot.Add(time.Hour), true
	change(&c, first, second)
	return s.run(t, c, &second)
}

// inventedPasts say of what owners held before what the snapshot before does not bear out.
func inventedPasts() []forgery {
	const before, outside = "held before", "left out because they did not hold it before, and that is not so"
	without := func(m *format.Manifest) { m.Snapshot.Held.Before = nil }
	return []forgery{
		{
			name: "a buyer of the last minute who is said to have held before", check: before, says: "is said to have held",
			first: honest, second: recalling(25, 5000),
		},
		{
			name: "a holder who is said to have held more before", check: before, says: "is said to have held",
			first: honest, second: recalling(8, 2*balance(8)),
		},
		{
			name: "a holder who is said not to have held before", check: before, says: "is said to have held 0 before",
			first: honest, second: recalling(8, 0),
		},
		{
			name: "something held before a token's first snapshot", check: before, says: "is said to have held 1 before",
			first: all(lesser, func(c *script) {
				c.proceeds = 0
				c.recalls = func(int, uint64) uint64 { return 1 }
			}),
		},
		{
			name: "the snapshot of an earlier proof in place of the one before", check: before, says: "the snapshot before is of proof 2",
			runs: func(t testing.TB, s *shelf) run {
				return three(t, s, func(c *script, first, _ run) {
					c.recalls = func(n int, _ uint64) uint64 { return first.had[owner(n)] }
					c.plan = func(m *format.Manifest) { m.Snapshot.Held.Before = first.snapshot }
				})
			},
		},
		{
			name: "the snapshot of an earlier proof under the number of the one before", check: "snapshot", says: "the snapshot before is said to be of proof 1",
			first: honest, second: holding, forge: func(m *format.Manifest) { m.Snapshot.Held.Before.Manifest = m.Rows.Pages[0].CID },
		},
		{
			name: "the snapshot before at another slot", check: before, says: "at slot 103", first: honest,
			second: all(holding, plans(func(m *format.Manifest) { b := *m.Snapshot.Held.Before; b.ChainSlot--; m.Snapshot.Held.Before = &b })),
		},
		{name: "no snapshot before where there is one", check: "snapshot", says: "no snapshot before is named", first: honest, second: holding, forge: without},
		{
			name: "nothing held before where the settings ask for it", check: "snapshot", says: "what counts follows another one",
			first: honest, second: holding, forge: func(m *format.Manifest) { m.Snapshot.Held = nil },
		},
		{
			name: "what was held before where the settings do not ask for it", check: "snapshot", says: "what counts follows another one",
			first: honest, second: holding, forge: func(m *format.Manifest) { m.Settings.RewardBasis = "" },
		},
		{
			name: "the reward basis changed under the old version", check: "run before", says: "their version has not", first: honest,
			second: all(holding, plans(func(m *format.Manifest) { m.Settings.Version = 1 })),
		},
		{
			name: "a reward basis that there is not", check: "run", says: "the setting rewardBasis", first: honest,
			forge: func(m *format.Manifest) { m.Settings.RewardBasis = "snapshot" },
		},
		{
			name: "more that counts than the lesser balances", check: "rows", says: "the share of", first: honest, second: holding,
			forge: func(m *format.Manifest) { m.Snapshot.Held.Weight++ },
		},
		{
			name: "a holder left out who held enough before", check: "rows", says: outside, first: honest, second: all(holding, func(c *script) {
				c.leave = func(n int, l *format.LeftOut) {
					if n == 9 {
						l.Why = format.NotHeld
					}
				}
			}),
		},
		{
			name: "a holder left out for what they held before where that does not count", check: "rows", says: outside, first: func(c *script) {
				c.leave = func(n int, l *format.LeftOut) {
					if n == 9 {
						l.Why = format.NotHeld
					}
				}
			},
		},
	}
}

// The answer reports whether what was held before was held against the snapshot that says it, and
// a proof of which that was not done is not complete.
func TestReportTellsWhetherSnapshotBeforeWasRead(t *testing.T) {
	s := newShelf()
	first, second := twoScripts()
	before := s.run(t, first, nil)
	holding(&second)
	r := s.run(t, second, &before)
	for _, c := range []struct {
		files *shelf
		want  verify.Verdict
	}{{s, verify.Consistent}, {alone(s, r), verify.Skipped}} {
		report, failed := verified(t, c.files.folder(), r.anchor)
		i := slices.IndexFunc(report.Checks, func(of verify.Check) bool { return of.Name == "held before" })
		if len(failed) > 0 || i < 0 || report.Checks[i].Verdict != c.want || report.Complete() {
			t.Errorf("want %s: %q, %+v", c.want, failed, report.Checks)
		}
	}
}
