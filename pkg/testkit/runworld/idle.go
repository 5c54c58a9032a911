package runworld

import (
	"errors"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Idle lets the next slot pass, which must have no run, and returns the calls.
func (w *Fixture) Idle(t testing.TB) []fault.Call {
	t.Helper()
	process := fault.NewProcess()
	slot := w.Slot()
	w.Drive(t, func() *fault.Process { return process })
	if r, opened := w.Opened(t, slot); opened {
		t.Fatalf("the slot has a run, %s: %+v", r.Status(), r.End)
	}
	return process.Calls()
}

// Pass lets some slots pass, and returns their runs.
func (w *Fixture) Pass(t testing.TB, slots int) (runs []run.Run) {
	t.Helper()
	for range slots {
		slot := w.Slot()
		w.Drive(t, nil)
		if r, opened := w.Opened(t, slot); opened {
			runs = append(runs, r)
		}
	}
	return runs
}

// Opened returns the run of a slot, if the slot has a run; see Look.
func (w *Fixture) Opened(t testing.TB, slot time.Time) (run.Run, bool) {
	t.Helper()
	_, err := w.Runs.Run(t.Context(), w.Token.Mint, slot)
	if errors.Is(err, run.ErrNotFound) {
		return run.Run{}, false
	}
	must.Do(t, err)
	return w.Look(t, slot), true
}

// Head returns the token's head.
func (w *Fixture) Head(t testing.TB) run.Head {
	t.Helper()
	head, err := w.Runs.Head(t.Context(), w.Token.Mint)
	must.Do(t, err)
	return head
}
