package proof_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// by is a run by the settings of twoScripts' first run, with a delay of a day.
func by(version int64, change func(*format.Manifest)) func(*script) {
	return func(c *script) {
		first, _ := twoScripts()
		c.minimum, c.burnBps, c.reward = first.minimum, first.burnBps, first.reward
		c.plan = func(m *format.Manifest) {
			m.Settings.Version, m.Settings.ChangeDelay = version, "24h"
			change(m)
		}
	}
}

// delayed is an honest run by settings with a delay.
var delayed = by(1, func(*format.Manifest) {})

// lowering are settings that lower what holders get.
func lowering(m *format.Manifest, version int64) format.Settings {
	s := m.Settings
	s.Version, s.BurnBps = version, 9000
	return s
}

// earlier is an honest run by the settings of twoScripts' first run, while later settings are in force
// since a slot: it takes up everything.
func earlier(since time.Time, change func(*format.Manifest)) func(*script) {
	return by(1, func(m *format.Manifest) {
		m.Next = &format.Next{Settings: lowering(m, 2), Since: uint64(since.Unix())}
		if m.Kind == format.Distribution {
			cut := allocation.Split(uint64(m.Split.Spendable), uint64(m.Split.Unsold), terms.FullBps, m.Settings.BurnBps)
			m.Split.Slice, m.Split.Burn, m.Split.Sell = format.Amount(cut.Slice), format.Amount(cut.Burn), format.Amount(cut.Sell)
			m.Split.Burned = m.Split.Burn
			m.Exchange.Sold = m.Split.Sell - 1000
		}
		change(m)
	})
}

// waits leaves some of the tax unsold.
func waits(m *format.Manifest) {
	m.Split.UnsoldAfter = 7
	m.Exchange.Sold -= 7
}

// began has a run begin with what waits leaves.
func began(change func(*script)) func(*script) {
	return func(c *script) {
		change(c)
		plan := c.plan
		c.plan = func(m *format.Manifest) {
			m.Split.Unsold = 7
			sellBps := m.Settings.SellBps
			if plan(m); m.Next != nil {
				return
			}
			cut := allocation.Split(uint64(m.Split.Spendable), 7, sellBps, m.Settings.BurnBps)
			m.Split.Slice, m.Split.Burn, m.Split.Sell, m.Split.Burned = format.Amount(cut.Slice), format.Amount(cut.Burn), format.Amount(cut.Sell), format.Amount(cut.Burn)
			m.Exchange.Sold = m.Split.Sell - 1000
		}
	}
}

// byLater is a run by the settings that lower what holders get.
func byLater(c *script) {
	by(2, func(m *format.Manifest) { m.Settings.BurnBps = 9000 })(c)
	c.burnBps, c.proceeds = 9000, 200_000
}

// following makes a run after another run, at a time after the first.
func following(hours int, change func(*script)) func(testing.TB, *shelf, run) run {
	return func(t testing.TB, s *shelf, before run) run {
		_, c := twoScripts()
		c.slot = hour.Add(time.Duration(hours) * time.Hour)
		change(&c)
		return s.run(t, c, &before)
	}
}

// history makes a first run with a delay, and more runs.
func history(list ...func(testing.TB, *shelf, run) run) func(testing.TB, *shelf) run {
	return func(t testing.TB, s *shelf) run {
		c, _ := twoScripts()
		delayed(&c)
		r := s.run(t, c, nil)
		for _, next := range list {
			r = next(t, s, r)
		}
		return r
	}
}

// asClaim makes a claim of a run.
func asClaim(change func(*script)) func(*script) {
	return func(c *script) {
		c.kind, c.holders, c.proceeds = format.Claim, 0, 0
		change(c)
	}
}

func unchanged(*format.Manifest) {}

// at returns the time of the run some hours after the first.
func at(hours int) time.Time { return hour.Add(time.Duration(hours) * time.Hour) }

// never is the Since of a claim before the first distribution by earlier settings.
var never = time.Unix(0, 0)

// brokenDelays are runs of an operator who helps a creator to the tax that was withheld before a change.
// Each run is divided by its settings to the unit, so only the delay is broken.
func brokenDelays() []forgery {
	const check, taken = "run before", "the tax withheld before is divided by version 1, and the run is by version 2"
	return []forgery{
		{name: "tax that was withheld before by settings that lower what holders get", check: check, says: "lowers burnPercent: " + taken, runs: history(following(1, byLater))},
		{name: "a pause, tax that piles up, and all of it by the settings after the pause", check: check, says: taken, runs: history(following(24*90, byLater))},
		{name: "lower settings after a claim", check: check, says: taken, runs: history(following(1, asClaim(earlier(never, unchanged))), following(2, byLater))},
		{
			name: "a claim by settings that lower what holders get", check: check, says: taken,
			runs: history(following(1, asClaim(by(2, func(m *format.Manifest) { m.Settings.BurnBps = 9000 })))),
		},
		{
			name: "tax that was not sold by the settings before, by lower settings", check: check, says: taken,
			runs: history(following(1, earlier(at(1), waits)), following(24, began(byLater))),
		},
		{
			name: "a run by earlier settings that leaves tax to lower settings", check: "split", says: "a run takes 1500000",
			first: delayed, second: delayed,
			forge: func(m *format.Manifest) {
				m.Next = &format.Next{Settings: lowering(m, 2), Since: uint64(m.Slot.Unix())}
			},
		},
		{
			name: "a wait for a sale that began before the run", check: check, says: "the run is by earlier settings since",
			runs: history(following(2, earlier(at(1), unchanged))),
		},
		{
			name: "a wait for a sale that began with a claim", check: check, says: "the run is by earlier settings since 0, and names",
			runs: history(following(1, asClaim(earlier(at(1), unchanged)))),
		},
		{
			name: "a wait for a sale that is to begin later", check: "run", says: "which is later than the run",
			runs: history(following(1, earlier(at(1), unchanged))), forge: func(m *format.Manifest) { m.Next.Since++ },
		},
		{
			name: "earlier settings when the tax is sold", check: check, says: "the tax withheld before is divided by version 2, and the run is by version 1",
			runs: history(following(1, earlier(at(1), unchanged)), following(2, earlier(at(2), func(m *format.Manifest) { m.Next.Settings.Version, m.Next.Settings.MinimumHolding = 3, 5000 }))),
		},
		{
			name: "earlier settings without a reason", check: "run", says: "version 2 of the settings was in force, and is no reason for a run by version 1",
			runs: history(following(1, earlier(at(1), unchanged))), forge: func(m *format.Manifest) { m.Next.Settings.BurnBps = m.Settings.BurnBps },
		},
		{
			name: "earlier settings without a delay", check: "run", says: "is no reason for a run by version 2", first: honest, second: honest,
			forge: func(m *format.Manifest) { m.Next = &format.Next{Settings: lowering(m, 3)} },
		},
		{
			name: "earlier settings before settings that are not valid", check: "run", says: "version 2 of the settings was in force, and is not valid",
			runs: history(following(1, earlier(at(1), unchanged))), forge: func(m *format.Manifest) { m.Next.Settings.DeveloperFeeBps = 1001 },
		},
		{
			name: "another version than the settings before", check: check, says: "the tax withheld before is divided by version 1, and the run is by version 2",
			runs: history(following(1, earlier(at(1), func(m *format.Manifest) {
				m.Settings.Version, m.Next.Settings.Version = 2, 3
			}))),
		},
		{
			name: "a delay of changes that was taken back", check: check, says: `changeDelay: Can only be raised: must be at least "24h".`,
			first: delayed, second: by(2, func(m *format.Manifest) { m.Settings.ChangeDelay = "" }),
		},
		{
			name: "a delay of changes that is no time", check: "run", says: "the setting changeDelay: Must be",
			first: honest, forge: func(m *format.Manifest) { m.Settings.ChangeDelay = "soon" },
		},
		{
			name: "a first run by settings that lower what the launch promised", check: "launch", says: "lowers burnPercent: " + taken,
			first: all(byLater, func(c *script) {
				c.launched = func(s *terms.Settings) { s.BurnBps = 2000 }
			}),
		},
		{
			name: "a first run by the settings of the launch, since an earlier time", check: "launch", says: "the run is by earlier settings since",
			first: earlier(at(-1), unchanged),
		},
	}
}

// TestHonestRunsAroundLoweringChange: the honest runs around a change that lowers what holders
// get, with and without claims and sales that are not possible.
func TestHonestRunsAroundLoweringChange(t *testing.T) {
	for name, runs := range map[string]func(testing.TB, *shelf) run{
		"no change":                       history(following(1, delayed)),
		"the first run after the change":  history(following(1, earlier(at(1), unchanged))),
		"the second run after the change": history(following(1, earlier(at(1), unchanged)), following(2, byLater)),
		"after a pause of months":         history(following(24*90, earlier(at(24*90), unchanged)), following(24*91, byLater)),
		"a claim between":                 history(following(1, asClaim(earlier(never, unchanged))), following(2, earlier(at(2), unchanged)), following(3, byLater)),
		"a sale that takes two runs":      history(following(1, earlier(at(1), waits)), following(2, began(earlier(at(1), unchanged))), following(3, byLater)),
		"a claim between two parts of a sale": history(following(1, earlier(at(1), waits)), following(2, asClaim(earlier(at(1), func(m *format.Manifest) {
			m.Split = format.Split{Spendable: 7, Unsold: 7, Sell: 7, UnsoldAfter: 7}
		}))), following(3, began(earlier(at(1), unchanged))), following(4, byLater)),
		"a sale that is not possible for a day": history(following(1, earlier(at(1), waits)), following(25, began(byLater))),
		"a first run by the launch's settings": func(t testing.TB, s *shelf) run {
			c, _ := twoScripts()
			earlier(c.slot, unchanged)(&c)
			return s.run(t, c, nil)
		},
		"SOL in place of a reward that cannot be paid": history(following(1, func(c *script) {
			earlier(at(1), unchanged)(c)
			plan := c.plan
			c.reward = terms.SOL
			c.plan = func(m *format.Manifest) {
				m.Settings.RewardToken = usd.String()
				plan(m)
			}
		})),
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf()
			r := runs(t, s)
			report, failed := asked(t, s.folder(), r.anchor, onChain(t, r))
			if len(failed) > 0 || !report.Complete() {
				t.Errorf("%q: %+v", failed, report.Checks)
			}
		})
	}
}

// A launch with a delay is in the metadata file, and a better first run needs no proof of the delay.
func TestHonestFirstRunBetterThanLaunch(t *testing.T) {
	s := newShelf()
	c, _ := twoScripts()
	by(2, unchanged)(&c)
	c.launched = func(of *terms.Settings) { of.BurnBps = 2001 }
	r := s.run(t, c, nil)
	report, failed := asked(t, s.folder(), r.anchor, onChain(t, r))
	if at := slices.IndexFunc(report.Checks, func(one verify.Check) bool { return one.Name == "launch" }); len(failed) > 0 || at < 0 || !strings.Contains(report.Checks[at].Detail, "keep the minimum") {
		t.Errorf("%q: %+v", failed, report.Checks)
	}
}
