package proof_test

import (
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What is reserved for holders and is there leaves a proof complete. What is reserved and is not
// held could be given to others, and what is reserved for the creator may be left out by the next
// run: no transaction shows either.
func TestWhatIsReservedAndNotHeldIsNotComplete(t *testing.T) {
	waits := func(m *format.Manifest) {
		c, s := &m.Legs[0].Creators[0], &m.Statements[2]
		c.Reserved, c.Reason = c.Carried, allocation.Undecided
		for i, held := range s.HeldFor {
			if held.Name == format.Owed {
				s.HeldFor[i].Amount -= c.Carried
			}
			if held.Name == format.Reserved {
				s.HeldFor[i].Amount += c.Carried
			}
		}
	}
	spends := func(m *format.Manifest) {
		held := m.Statements[2].HeldFor
		last := len(held) - 1
		if held[1].Name != format.Reserved || held[last].Name != format.Float {
			t.Fatalf("nothing is reserved: %+v", held)
		}
		held[1].Amount, held[last].Amount = held[1].Amount-1, held[last].Amount+1
	}
	for name, c := range map[string]struct {
		change   func(*script)
		complete bool
	}{
		"held for holders":                    {honest, true},
		"a unit of it in the float":           {func(c *script) { c.book = spends }, false},
		"held for the creator":                {all(unpaid, func(c *script) { c.book = waits }), false},
		"held for one of the creator's":       {all(splits, unpaid, func(c *script) { c.book = waits }), false},
		"the creator's part waits, and is it": {unpaid, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, script := newShelf(), script{holders: 24, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
			c.change(&script)
			r := s.run(t, script, nil)
			report, failed := asked(t, s.folder(), r.anchor, onChain(t, r))
			said := slices.ContainsFunc(report.Checks, func(c verify.Check) bool { return c.Name == "undecided" && c.Verdict == verify.Trusted })
			if len(failed) > 0 || report.Complete() != c.complete || said == c.complete {
				t.Errorf("complete %v, said %v: %q", report.Complete(), said, failed)
			}
		})
	}
}

// Two wallets of the creator's who are owed 2^63 each are not owed nothing.
func TestWhatTheCreatorIsOwedHas64BitsTogether(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 24, minimum: 1200, burnBps: 2000, reward: terms.SOL, proceeds: 3_000_000, slot: hour, partner: stranger}, nil)
	failed := forge(t, s, r, walletKey, func(m *format.Manifest) {
		for i := range m.Legs[0].Creators {
			c := &m.Legs[0].Creators[i]
			c.Owed, c.Carried, c.Reserved, c.Reason = 1<<63, 1<<63, 1<<63, allocation.Undecided
		}
	})
	if len(failed) == 0 {
		t.Error("nothing fails")
	}
}

// Runs that came to no proof may have burned, too: how much, and for what run, is the service's word.
func TestBurnsBesideTheRunsAreOnTrust(t *testing.T) {
	s, script := newShelf(), script{holders: 24, minimum: 1200, reward: usd, proceeds: 3_000_000, slot: hour}
	all(also(format.Burn, act(format.Burn, signature("more"), 7, burns(1000)...)), books(terms.Asset(mint), format.Burned, 1000))(&script)
	r := s.run(t, script, nil)
	report, failed := asked(t, s.folder(), r.anchor, onChain(t, r))
	said := slices.ContainsFunc(report.Checks, func(c verify.Check) bool { return c.Name == "burns" && c.Verdict == verify.Trusted })
	if len(failed) > 0 || !said || !slices.Contains(verify.OnTrust(report.Manifest), "burns") {
		t.Errorf("said %v: %q", said, failed)
	}
}

// A run that leaves of the tax what it could have taken up has it in the wallet: a reader is told.
func TestWhatARunLeavesIsSaid(t *testing.T) {
	s, first, second := twoRuns(t, 24)
	for _, c := range []struct {
		run  run
		left string
	}{{first, ""}, {second, "499000 that the run could have taken up stayed in the wallet"}} {
		report, failed := asked(t, s.folder(), c.run.anchor, onChain(t, c.run))
		var said string
		for _, one := range report.Checks {
			if one.Name == "spendable" {
				said = one.Detail
			}
		}
		if len(failed) > 0 || said != c.left {
			t.Errorf("run %d says %q, not %q; %q", report.Manifest.Number, said, c.left, failed)
		}
	}
}
