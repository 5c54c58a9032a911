package journal_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// copied reads the copy of the first run and of the head.
func (w *fixture) copied() (r run.Run, withRun, alone *run.Head) {
	w.Helper()
	read := func(key string) (content struct {
		Run  *run.Run
		Head *run.Head
	},
	) {
		text, err := w.files.Get(w.Context(), "journal/"+w.mint.String()+"/"+key)
		must.Do(w, err)
		must.Do(w, json.Unmarshal(text, &content))
		return content
	}
	ofRun, ofHead := read("runs/001795248000.json"), read("head.json")
	return *ofRun.Run, ofRun.Head, ofHead.Head
}

func TestCopiesAreWhatTheLedgerHas(t *testing.T) {
	w := newFixture(t)
	for _, write := range w.life()[:6] {
		must.Do(t, write.do(w.store(nil)))
		r, withRun, alone := w.copied()
		if want := w.run(first); !reflect.DeepEqual(r, want) {
			t.Errorf("after %s: the run's copy is %+v, want %+v", write.name, r, want)
		}
		if want := w.head(); !reflect.DeepEqual(*alone, want) || withRun == nil || withRun.Version > want.Version {
			t.Errorf("after %s: the head's copy is %+v, want %+v", write.name, *alone, want)
		}
	}
	if w.log.Len() > 0 {
		t.Error(w.log.String())
	}
}

// TestFailedCopyFailsNothing tests that a write succeeds without its copy, and that the next write repeats the
// copy.
func TestFailedCopyFailsNothing(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	p := fault.NewProcess()
	p.On(fault.Operation("s3", "PutObject"), fault.Down)
	store := w.store(p)
	must.Do(t, w.save(store, first))
	must.Do(t, w.saveHead(store))
	must.Do(t, w.burn(store, first))
	if w.log.Len() == 0 {
		t.Error("no line is logged")
	}
	if r, _, _ := w.copied(); r.Version != 1 {
		t.Errorf("version %d is copied", r.Version)
	}
	must.Do(t, w.end(w.store(nil), first))
	r, _, head := w.copied()
	if !reflect.DeepEqual(r, w.run(first)) || !reflect.DeepEqual(*head, w.head()) {
		t.Errorf("the copies are %+v, %+v", r, head)
	}
}

// TestWhatCannotBeComparedIsNotWritten: the ledger may be an old one.
func TestWhatCannotBeComparedIsNotWritten(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	p := fault.NewProcess()
	p.On(fault.Operation("s3", "GetObject"), fault.Down)
	before := w.items()
	for _, write := range w.life()[1:6] {
		if err := write.do(w.store(p)); err == nil || errors.Is(err, run.ErrConflict) {
			t.Errorf("%s: %v", write.name, err)
		}
	}
	if changed := differing(before, w.items(), same); len(changed) > 0 {
		t.Errorf("written: %q", changed)
	}
}

// TestLateCopyReplacesNoNewerCopy tests a copy during which another worker writes and copies.
func TestLateCopyReplacesNoNewerCopy(t *testing.T) {
	w := newFixture(t)
	must.Do(t, w.open(w.store(nil), first))
	p := fault.NewProcess()
	p.On(fault.Operation("s3", "PutObject"), fault.Times(1, func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		must.Do(t, w.save(w.store(nil), first))
		return send(r)
	}))
	must.Do(t, w.save(w.store(p), first))
	if r, _, _ := w.copied(); r.Version != 3 || w.run(first).Version != 3 {
		t.Errorf("version %d is copied, the ledger has %d", r.Version, w.run(first).Version)
	}
	if w.log.Len() > 0 {
		t.Error(w.log.String())
	}
}
