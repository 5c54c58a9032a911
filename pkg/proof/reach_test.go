package proof_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/content"
)

// Nodes that do not answer.
const (
	dead lie = "dead"
	slow lie = "slow"
)

// gateway is a folder that does not give some files.
type gateway struct {
	format.Folder

	unreachable []string
	err         error
}

func (g gateway) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	if slices.Contains(g.unreachable, cid+kind.Extension) {
		return nil, g.err
	}
	return g.Folder.File(ctx, kind, cid)
}

// outcome returns the result of a verification, in the words of the table.
func outcome(r verify.Report) string {
	_, unreached := r.Unreached()
	switch {
	case r.Complete():
		return "complete"
	case r.OK():
		return "not complete"
	case unreached:
		return "unreachable"
	}
	return "refuted"
}

// A node or a gateway that does not answer, lags or forgets refutes nothing, and makes no proof
// complete. What contradicts a proof refutes the proof, whatever else cannot be reached. The other
// verifier's tests hold their own outcomes against the recorded ones.
func TestUnreachableIsNotRefuted(t *testing.T) {
	refused, late := errors.New("connection refused"), context.DeadlineExceeded
	s, _, second := twoRuns(t, 40)
	m := second.closed.Manifest
	anchor := second.anchor + content.ProofAnchor.Extension
	manifest := second.closed.CID + content.ProofManifest.Extension
	before := m.Previous + content.ProofManifest.Extension
	honest := func(*sim) {}
	all := slices.DeleteFunc(slices.Sorted(maps.Keys(s.files)), func(name string) bool { return name == anchor })
	lists := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasSuffix(name, content.ProofList.Extension) })
	for _, c := range []struct {
		reach   string
		node    func(*sim)
		files   func(format.Folder, *gateway)
		outcome string
	}{
		{"both answer", honest, nil, "complete"},
		{"node: dead", func(s *sim) { s.lie, s.err = dead, refused }, nil, "not complete"},
		{"node: slow", func(s *sim) { s.lie, s.err = slow, late }, nil, "not complete"},
		{"node: lags behind the books", func(s *sim) { s.newest = m.Cut - 1 }, nil, "not complete"},
		{"node: lags behind the anchor", func(s *sim) { s.newest = m.Cut }, nil, "not complete"},
		{"node: lags behind the anchor, and claims that another may withdraw", func(s *sim) { s.newest, s.withdrawer = m.Cut, stranger }, nil, "not complete"},
		{"node: pruned", func(s *sim) { s.first = 1 << 40 }, nil, "not complete"},
		{"node: lies about the mint", func(s *sim) { s.withdrawer = stranger }, nil, "refuted"},
		{"node: knows all slots, and no transaction", func(s *sim) { s.landed = nil }, nil, "refuted"},
		{"node: lies about a history", func(s *sim) { s.lie = twice }, nil, "not complete"},
		{"gateway: dead", honest, func(_ format.Folder, g *gateway) { g.unreachable, g.err = append(all, anchor), refused }, "unreachable"},
		{"gateway: slow", honest, func(_ format.Folder, g *gateway) { g.unreachable, g.err = all, late }, "unreachable"},
		{"gateway: dead after the anchor", honest, func(_ format.Folder, g *gateway) { g.unreachable, g.err = all, refused }, "unreachable"},
		{"gateway: does not give the run before", honest, func(_ format.Folder, g *gateway) { g.unreachable, g.err = []string{before}, refused }, "unreachable"},
		{"gateway: does not give the lists", honest, func(_ format.Folder, g *gateway) { g.unreachable, g.err = lists, refused }, "unreachable"},
		{"gateway: lacks the manifest", honest, func(f format.Folder, _ *gateway) { delete(f.Files.(fstest.MapFS), manifest) }, "refuted"},
		{"gateway: has another manifest", honest, func(f format.Folder, _ *gateway) { f.Files.(fstest.MapFS)[manifest] = f.Files.(fstest.MapFS)[before] }, "refuted"},
		{"gateway: does not give the lists; node: lies about the mint", func(s *sim) { s.withdrawer = stranger }, func(_ format.Folder, g *gateway) { g.unreachable, g.err = lists, refused }, "refuted"},
		{"both dead", func(s *sim) { s.lie, s.err = dead, refused }, func(_ format.Folder, g *gateway) { g.unreachable, g.err = all, refused }, "unreachable"},
	} {
		node, files := onChain(t, second), gateway{Folder: s.folder()}
		c.node(node)
		if c.files != nil {
			c.files(files.Folder, &files)
		}
		report, err := verify.Bundle(t.Context(), files, second.anchor, verify.Options{Node: node})
		check(t, err)
		told := node.told()
		record.addCase(t, files.Folder, second.anchor, report, &told)
		record.reach(c.reach, c.outcome, files.unreachable)
		why, unreached := report.Unreached()
		t.Logf("%-66s | %-12s | %s: %s", c.reach, outcome(report), why.Name, why.Detail)
		if got := outcome(report); got != c.outcome {
			t.Errorf("%s: %s, want %s: %+v", c.reach, got, c.outcome, report.Checks)
		}
		if want := c.outcome == "unreachable" || c.outcome == "not complete" && node.lie != twice; unreached != want {
			t.Errorf("%s: unreached is %v, want %v: %+v", c.reach, unreached, want, report.Checks)
		}
	}
}
