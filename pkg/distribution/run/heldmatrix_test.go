package run_test

import (
	"fmt"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestCrashMatrixOfWhatWasHeldBefore kills the process at each write of a run in which what was
// held before counts: of a token's first, which waits, and of the second, which compares. Others
// bring it to its end, and the same snapshots count as without a crash.
func TestCrashMatrixOfWhatWasHeldBefore(t *testing.T) {
	g := runworld.NewEnv(t)
	type one struct {
		name  string
		kinds []string
		after int
		hit   func(*fault.Process)
	}
	fresh := func(t *testing.T, g *runworld.Env, after int) *fullRun {
		s := newFullRun(t, g, payout.Legacy)
		s.Token.Settings.RewardBasis = terms.BasisHeld
		for range after {
			s.Slot()
			s.Drive(t, s.process)
			s.Give(t, s.holders[0], 1_000_000_000)
		}
		return s
	}
	var cases []one
	for after := range 2 {
		s := fresh(t, g, after)
		recorded := fault.NewProcess()
		s.net.On(recorded, runworld.Lands, 0)
		s.Slot()
		s.Drive(t, func() *fault.Process { return recorded })
		s.comparedInTurn(t)
		for _, call := range recorded.Calls() {
			if fault.Reads(call) || call.Service != "dynamodb" && call.Service != "s3" {
				continue
			}
			for _, hit := range hits {
				cases = append(cases, one{
					fmt.Sprintf("run %d/%s/%s", after+1, call, hit.name),
					[]string{fmt.Sprintf("run %d/%s", after+1, hit.name), fmt.Sprint(call.Service, call.Operation)},
					after, func(p *fault.Process) { hit.on(p, fault.Exactly(call)) },
				})
			}
		}
	}
	fault.Matrix[*runworld.Env, one]{
		What: "kill-point matrix of what was held before", Cases: cases,
		Name: func(c one) string { return c.name }, Kinds: func(c one) []string { return c.kinds },
		NewEnv: runworldEnv, Share: 2,
		Play: func(t *testing.T, g *runworld.Env, c one) {
			s := fresh(t, g, c.after)
			crash(t, s, runworld.Lands, 0, c.hit)
			s.comparedInTurn(t)
		},
	}.Run(t)
}

// process is one to which nothing happens.
func (s *fullRun) process() *fault.Process {
	return s.net.Process(runworld.Lands)
}

// comparedInTurn fails unless the first of the proofs compares with nothing, and each other
// with the one before it; the first shares nothing out.
func (s *fullRun) comparedInTurn(t *testing.T) {
	t.Helper()
	runs := s.Settled(t)
	for i, r := range runs {
		m := s.Manifest(t, r)
		before := m.Snapshot.Held.Before
		switch {
		case i == 0 && (before != nil || m.Snapshot.Held.Weight != 0 || m.Exchange.Proceeds != 0):
			t.Errorf("the first proof compares with %+v, and %d count", before, m.Snapshot.Held.Weight)
		case i > 0 && (before == nil || before.RunID != runs[i-1].ID || before.Manifest != m.Previous || m.Snapshot.Held.Weight == 0):
			t.Errorf("proof %d compares with %+v, not with %s; %d count", i+1, before, runs[i-1].ID, m.Snapshot.Held.Weight)
		}
	}
	if !slices.IsSortedFunc(runs, func(a, b run.Run) int { return a.Slot.Compare(b.Slot) }) || len(runs) == 0 {
		t.Errorf("%d runs are settled", len(runs))
	}
}
