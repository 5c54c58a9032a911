package launchtable_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// burnAt returns what a run of a slot would burn, in basis points.
func (b *books) burnAt(t *testing.T, mint solana.PublicKey, slot time.Time) int {
	t.Helper()
	record, err := b.settings.TokenAt(t.Context(), mint, slot)
	must.Do(t, err)
	return record.Settings.BurnBps
}

// open opens the run of a slot with the settings as they were then, and ends it at once.
func (b *books) open(t *testing.T, mint solana.PublicKey, slot time.Time) error {
	t.Helper()
	record, err := b.settings.TokenAt(t.Context(), mint, slot)
	must.Do(t, err)
	return b.openWith(t, record, slot)
}

func (b *books) openWith(t *testing.T, record token.Record, slot time.Time) error {
	t.Helper()
	head, err := b.runs.Head(t.Context(), record.Mint)
	must.Do(t, err)
	head.Mint, head.LastSlot = record.Mint, slot
	r := runtest.New(record.Mint, slot)
	r.Settings, r.SettingsVersion, r.SettingsSignature, r.SettingsNewest = record.Settings, record.SettingsVersion, record.SettingsSignature, record.SettingsNewest
	r.End = &run.End{At: b.now, Code: run.CodeNothing}
	return b.runs.Open(t.Context(), head, r)
}

// TestRunHasSettingsOfSlot tests that changes before the slot apply, and changes between the slot
// and its opening do not.
func TestRunHasSettingsOfSlot(t *testing.T) {
	b := openBooks(t)
	mint := b.launch(t, key()).Mint
	slot := b.now.Add(time.Hour)
	change := func(at time.Time, bps int) {
		t.Helper()
		b.now = at
		must.Do(t, b.change(t.Context(), mint, terms.Patch{BurnBps: new(bps)}))
	}
	want := func(what string, at time.Time, bps int) {
		t.Helper()
		if got := b.burnAt(t, mint, at); got != bps {
			t.Errorf("%s: burns %d, want %d", what, got, bps)
		}
	}
	change(slot.Add(-time.Minute), 100)
	want("changed before the slot", slot, 100)
	want("the slot before", slot.Add(-time.Hour), 0)
	change(slot.Add(time.Millisecond), 200)
	change(slot.Add(2*time.Minute), 300)
	want("two changes between slot and opening", slot, 100)
	want("the next slot", slot.Add(time.Hour), 300)
	must.Do(t, b.open(t, mint, slot))
	want("the next slot, after the run", slot.Add(time.Hour), 300)

	// A version that no slot needs any more is removed by the next change, except a version that a
	// claim's slot needs.
	change(slot.Add(3*time.Minute), 400)
	if _, err := b.settings.TokenAt(t.Context(), mint, slot.Add(-time.Minute)); !errors.Is(err, token.ErrSettingsUnknown) {
		t.Errorf("the settings of a slot before one that was opened: %v", err)
	}
	want("a claim after the slot that was opened", slot.Add(time.Second), 100)
	found, err := b.settings.Current(t.Context(), mint)
	must.Do(t, err)
	if len(found.Versions) != 2 || found.Versions.Newest().Number != 5 || !found.Opened.Equal(slot) {
		t.Errorf("settings = %+v, want version 5 at slot %s", found, slot)
	}
	record, err := b.tokens.Token(t.Context(), mint)
	must.Do(t, err)
	if record.Settings.BurnBps != 400 {
		t.Errorf("other readers see %d", record.Settings.BurnBps)
	}
}

// TestIntervalChangeAfterSlot tests that a late run uses the interval in which its slot was due,
// and that the token is due by the new interval from then on.
func TestIntervalChangeAfterSlot(t *testing.T) {
	b := openBooks(t)
	mint := b.launch(t, key()).Mint
	slot := b.now.Add(time.Hour)
	b.now = slot.Add(30 * time.Second)
	must.Do(t, b.change(t.Context(), mint, terms.Patch{Interval: new(terms.Every24Hours)}))
	if n := b.dueIn(t, terms.EveryHour, slot, mint); n != 1 {
		t.Errorf("a dispatcher that is late finds it %d times", n)
	}
	record, err := b.settings.TokenAt(t.Context(), mint, slot)
	must.Do(t, err)
	if record.Settings.Interval != terms.EveryHour || record.SettingsVersion != 1 || record.SettingsNewest != 2 {
		t.Errorf("%+v of version %d, newest %d", record.Settings, record.SettingsVersion, record.SettingsNewest)
	}
	must.Do(t, b.openWith(t, record, slot))
	if n := b.dueIn(t, terms.EveryHour, slot.Add(time.Hour), mint); n != 0 {
		t.Errorf("due by the old interval %d times", n)
	}
	if n := b.dueIn(t, terms.Every24Hours, terms.Every24Hours.Next(slot), mint); n != 1 {
		t.Errorf("due by the new interval %d times", n)
	}
}

// TestChangeDuringOpening tests both orders: the later write sees the earlier.
func TestChangeDuringOpening(t *testing.T) {
	b := openBooks(t)
	mint := b.launch(t, key()).Mint
	slot := b.now.Add(time.Hour)

	// The change was computed before the slot, and is written after the run has opened.
	b.now = slot.Add(-time.Millisecond)
	before, err := b.settings.Current(t.Context(), mint)
	must.Do(t, err)
	after := before.Versions.Next(before.Token.Settings, b.now, before.Opened)
	after.BurnBps = 100
	must.Do(t, b.open(t, mint, slot))
	if err := b.settings.ChangeSettings(t.Context(), before, after); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("changed for a slot that was opened: %v", err)
	}
	must.Do(t, b.change(t.Context(), mint, terms.Patch{BurnBps: new(100)})) // as the service does it: again
	found, err := b.settings.Current(t.Context(), mint)
	must.Do(t, err)
	if from := found.Versions.Newest().From; !from.Equal(slot.Add(time.Millisecond)) {
		t.Errorf("it holds from %s", from)
	}

	// The run has read settings that change before it is opened.
	slot = slot.Add(time.Hour)
	record, err := b.settings.TokenAt(t.Context(), mint, slot)
	must.Do(t, err)
	b.now = slot.Add(-time.Second)
	must.Do(t, b.change(t.Context(), mint, terms.Patch{BurnBps: new(200)}))
	if err := b.openWith(t, record, slot); !errors.Is(err, run.ErrConflict) {
		t.Errorf("opened with settings that had changed: %v", err)
	}
	must.Do(t, b.open(t, mint, slot))
	r, err := b.runs.Run(t.Context(), mint, slot)
	must.Do(t, err)
	if r.Settings.BurnBps != 200 || r.SettingsVersion != 3 {
		t.Errorf("opened with %d, version %d", r.Settings.BurnBps, r.SettingsVersion)
	}
}

// TestChangesAndOpeningsAtOnce tests that each opened run has the settings of its slot according to
// the final versions.
func TestChangesAndOpeningsAtOnce(t *testing.T) {
	b := openBooks(t)
	mint := b.launch(t, key()).Mint
	slot := b.now
	for round := range 12 {
		slot = slot.Add(time.Hour)
		b.now = slot.Add(-time.Millisecond) // a clock that is behind
		var all sync.WaitGroup
		all.Go(func() { must.Do(t, b.change(t.Context(), mint, terms.Patch{BurnBps: new(100 + round)})) })
		all.Go(func() {
			for {
				err := b.open(t, mint, slot)
				if err == nil {
					return
				}
				if !errors.Is(err, run.ErrConflict) {
					t.Error(err)
					return
				}
			}
		})
		all.Wait()
		r, err := b.runs.Run(t.Context(), mint, slot)
		must.Do(t, err)
		found, err := b.settings.Current(t.Context(), mint)
		must.Do(t, err)
		changed := found.Versions.Newest()
		if holds := changed.From.Before(slot); holds != (r.Settings.BurnBps == 100+round) {
			t.Errorf("round %d: the change holds from %s, and the run of %s burns %d", round, changed.From, slot, r.Settings.BurnBps)
		}
	}
}

// TestVersionsAreBounded also covers tokens without any opened run.
func TestVersionsAreBounded(t *testing.T) {
	b := openBooks(t)
	mint := b.launch(t, key()).Mint
	for n := range 3 * terms.KeepVersions {
		b.now = b.now.Add(time.Hour)
		must.Do(t, b.change(t.Context(), mint, terms.Patch{BurnBps: new(100 + n)}))
	}
	found, err := b.settings.Current(t.Context(), mint)
	must.Do(t, err)
	if len(found.Versions) != terms.KeepVersions {
		t.Errorf("%d versions", len(found.Versions))
	}
	if got := b.burnAt(t, mint, b.now); got != 98+3*terms.KeepVersions {
		t.Errorf("the last slot burns %d", got)
	}
	if _, err := b.settings.TokenAt(t.Context(), mint, b.now.Add(-48*time.Hour)); !errors.Is(err, token.ErrSettingsUnknown) {
		t.Errorf("a slot without stored settings: %v", err)
	}
}
