package run_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
	"tokenlaunch.example/service/pkg/token/origin"
)

// TestUnsignedRecordPaysNothing tests that a token with a changed record has no run and raises an alarm, and
// that the next slot after the correction has a run.
func TestUnsignedRecordPaysNothing(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	holder(t, w, 1_000*tokens)
	w.Forged = origin.ErrForged
	w.Slot()
	w.Drive(t, nil)
	if head := w.Head(t); !head.LastSlot.IsZero() || head.Origin != "" {
		t.Errorf("a run of %s was opened, of origin %q", head.LastSlot, head.Origin)
	}
	rang := func(l telemetrytest.Line) bool { return strings.HasPrefix(l.Text("msg"), "ALARM: a token's record") }
	if !slices.ContainsFunc(w.Log.Lines(t), rang) {
		t.Error("nothing rings")
	}
	w.Forged = nil
	slot := w.Slot()
	w.Drive(t, nil)
	if head := w.Head(t); !head.LastSlot.Equal(slot) || head.Origin != origin.Mark(w.Token) {
		t.Errorf("the last slot is %s, of origin %q", head.LastSlot, head.Origin)
	}
}
