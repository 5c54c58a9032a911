package proof_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// promises has holders promised a share in a run.
func promises(bps int) func(*script) {
	return plans(func(m *format.Manifest) { m.Settings.MinimumHoldersBps = bps })
}

// promised is an honest run under a minimum for holders.
var promised = promises(6000)

// launched is a first run under settings that were changed since the launch, which promised a share.
func launched(launch func(*terms.Settings), change func(*format.Manifest)) func(*script) {
	return func(c *script) {
		promised(c)
		c.launched = func(s *terms.Settings) {
			s.MinimumHoldersBps = 6000
			launch(s)
		}
		plans(func(m *format.Manifest) {
			m.Settings.Version, m.Settings.MinimumHoldersBps = 2, 6000
			change(m)
		})(c)
	}
}

// brokenPromises are runs of an operator who helps a creator below the minimum for holders. Each run is
// divided by its settings to the unit, so only the promise is broken.
func brokenPromises() []forgery {
	return []forgery{
		{
			name: "a share of holders below the minimum", check: "run", says: "promises 60.01 percent to holders",
			first: honest, second: honest, // 30 percent is burned, 10 percent is the creator's
			forge: func(m *format.Manifest) { m.Settings.MinimumHoldersBps = 6001 },
		},
		{
			name: "a minimum for holders of more than all", check: "run", says: "the setting minimumHoldersPercent", first: honest,
			forge: func(m *format.Manifest) { m.Settings.MinimumHoldersBps = 10_001 },
		},
		{
			name: "a minimum for holders that was taken back", check: "run before", says: "Can only be raised: must be at least 60.",
			first: promised, second: honest,
		},
		{
			name: "a minimum for holders that was lowered", check: "run before", says: "Can only be raised: must be at least 60.",
			first: promised, second: promises(5999),
		},
		{
			name: "another reward for holders who were promised a share", check: "run before", says: `the settings break the minimum`,
			first: all(promised, func(c *script) { c.reward = terms.SOL }), second: all(promised, func(c *script) { c.reward = usd }),
		},
		{
			name: "a minimum holding that leaves promised holders out", check: "run before", says: "Can only be lowered: must be at most 1200",
			first: promised, second: all(promised, func(c *script) { c.minimum = 1300 }),
		},
		{
			name: "a first run under other settings than the launch's", check: "launch", says: "version 1 of the settings is not the text in the metadata file",
			first: all(promises(5999), func(c *script) { c.launched = func(s *terms.Settings) { s.MinimumHoldersBps = 6000 } }),
		},
		{
			name: "a minimum for holders that was taken back before the first run", check: "launch", says: "Can only be raised: must be at least 60.",
			first: launched(func(*terms.Settings) {}, func(m *format.Manifest) { m.Settings.MinimumHoldersBps = 0 }),
		},
		{
			name: "a minimum for holders that was lowered before the first run", check: "launch", says: "Can only be raised: must be at least 60.",
			first: launched(func(*terms.Settings) {}, func(m *format.Manifest) { m.Settings.MinimumHoldersBps = 5999 }),
		},
		{
			name: "another reward in the first run than was promised at the launch", check: "launch", says: "rewardToken: Must be \"SOL\" or stay",
			first: launched(func(s *terms.Settings) { s.RewardToken = mint.String() }, func(*format.Manifest) {}),
		},
		{
			name: "a minimum holding that leaves out holders of the launch", check: "launch", says: "Can only be lowered: must be at most 1199",
			first: launched(func(s *terms.Settings) { s.MinimumHolding = 1199 }, func(*format.Manifest) {}),
		},
	}
}

// The launch's metadata file shows the promise. Without the file nothing is refuted, and nothing is
// complete. A launch without settings has promised nothing.
func TestLaunchWithoutFileIsNotComplete(t *testing.T) {
	none, other, listed, spelled := "", `{"properties":{"Distribution":"x"}}`, `["properties"]`, `{"properties":{"distribution":"Minimum for holders: all"}}`
	second := plans(func(m *format.Manifest) { m.Settings.Version = 2 })
	file := func(s *shelf) string {
		for name, body := range s.files {
			if strings.Contains(string(body), `"distribution":"`) {
				return name
			}
		}
		t.Fatal("no metadata file")
		return ""
	}
	for _, c := range []struct {
		name     string
		script   func(*script)
		files    func(*shelf)
		verdict  verify.Verdict
		complete bool
		says     string
	}{
		{"at hand", honest, nil, verify.Proven, true, "the settings are those in the metadata file"},
		{"at hand, after a change", launched(func(*terms.Settings) {}, func(*format.Manifest) {}), nil, verify.Proven, true, "keep the minimum of 6000 basis points"},
		{"at hand, with a higher minimum", launched(func(*terms.Settings) {}, func(m *format.Manifest) { m.Settings.MinimumHoldersBps = 6001 }), nil, verify.Proven, true, "keep the minimum of 6000 basis points"},
		{"missing", honest, func(s *shelf) { delete(s.files, file(s)) }, verify.Skipped, false, "of the launch is not here"},
		{"altered", honest, func(s *shelf) { s.files[file(s)] = []byte("{}") }, verify.Failed, false, "the content is not what"},
		{"never written", func(c *script) { c.metadata = &none }, nil, verify.Proven, true, "names no metadata file"},
		{"without settings", func(c *script) { c.metadata = &other }, nil, verify.Proven, true, "has no settings"},
		{"a list", func(c *script) { c.metadata = &listed }, nil, verify.Proven, true, "has no settings"},
		{"not to be read", all(second, func(c *script) { c.metadata = &spelled }), nil, verify.Skipped, false, "cannot be read"},
		{"other settings", func(c *script) { c.metadata = &spelled }, nil, verify.Failed, false, "is not the text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf()
			r := forgery{first: c.script}.make(t, s)
			if c.files != nil {
				c.files(s)
			}
			report, _ := asked(t, s.folder(), r.anchor, onChain(t, r))
			at := slices.IndexFunc(report.Checks, func(one verify.Check) bool { return one.Name == "launch" })
			if at < 0 || report.Checks[at].Verdict != c.verdict || !strings.Contains(report.Checks[at].Detail, c.says) {
				t.Errorf("want %q (%s): %+v", c.says, c.verdict, report.Checks)
			}
			if report.Complete() != c.complete || report.OK() != (c.verdict != verify.Failed) {
				t.Errorf("complete %v, OK %v", report.Complete(), report.OK())
			}
		})
	}
}
