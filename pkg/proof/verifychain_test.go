package proof_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// asked returns the checks that fail when a chain is asked, and has the case written down
// for the other verifier. Files of other runs are no failure here.
func asked(t testing.TB, files format.Folder, anchor string, s *sim, markets ...solana.PublicKey) (report verify.Report, failed []string) {
	t.Helper()
	report, err := verify.Bundle(t.Context(), files, anchor, verify.Options{Node: s, Markets: markets})
	check(t, err)
	record.addChain(t, files, anchor, report, s, markets)
	for _, c := range report.Checks {
		if c.Verdict == verify.Failed {
			failed = append(failed, c.Name+": "+c.Detail)
		}
	}
	return report, failed
}

// Runs in a chain of proofs, of every kind of reward, are whole: their histories are
// walked, and nothing is left to trust but what the limits say.
func TestHonestRunsAreCompleteOnTheChain(t *testing.T) {
	s, first, second := twoRuns(t, 90)
	third := s.run(t, script{holders: 30, minimum: 1, burnBps: 1000, reward: terms.Asset(mint), slot: hour.Add(2 * time.Hour)}, &second)
	for i, r := range []run{first, second, third} {
		report, failed := asked(t, s.folder(), r.anchor, onChain(t, r))
		if len(failed) > 0 {
			t.Fatalf("run %d: %q", i, failed)
		}
		for _, c := range report.Checks {
			if want := verify.Proven; slices.Contains([]string{"wallet on chain", "anchor on chain", "history", "transactions on chain", "books on chain", "anchors"}, c.Name) && c.Verdict != want {
				t.Errorf("run %d: %s is %s, want %s: %s", i, c.Name, c.Verdict, want, c.Detail)
			}
		}
	}
}

// Without the proof before nothing is walked, and the named transactions alone are held
// against the rows.
func TestIncompleteHistoryIsNotComplete(t *testing.T) {
	s, _, second := twoRuns(t, 40)
	report, failed := asked(t, alone(s, second).folder(), second.anchor, onChain(t, second))
	if len(failed) > 0 || !report.OK() || report.Complete() {
		t.Fatalf("alone: %q, complete %v", failed, report.Complete())
	}
	if !slices.ContainsFunc(report.Checks, func(c verify.Check) bool {
		return c.Name == "history" && c.Verdict == verify.Skipped && strings.Contains(c.Detail, "not walked")
	}) {
		t.Errorf("%+v", report.Checks)
	}
}
