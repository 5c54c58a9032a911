package terms_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/token/terms"
)

func burning(bps int, interval terms.Interval) terms.Settings {
	s := terms.Default(solana.PublicKey{1})
	s.BurnBps, s.Interval = bps, interval
	return s
}

func TestSettingsAtASlot(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	at := func(minutes, milliseconds int) time.Time {
		return noon.Add(time.Duration(minutes)*time.Minute + time.Duration(milliseconds)*time.Millisecond)
	}
	v := terms.Versions{{Settings: burning(0, terms.Every5Minutes), Number: terms.LaunchVersion}}
	change := func(bps int, now, opened time.Time) {
		v = v.Change(v.Next(burning(bps, terms.Every5Minutes), now, opened), opened)
	}
	burns := func(what string, slot time.Time, want int) {
		t.Helper()
		if got, ok := v.At(slot); !ok || got.BurnBps != want {
			t.Errorf("%s: %d, %v, want %d", what, got.BurnBps, ok, want)
		}
	}
	burns("as launched", noon, 0)
	change(1, at(-1, 0), time.Time{})
	burns("changed before the slot", noon, 1)
	burns("the slot before the change", at(-5, 0), 0)
	change(2, at(0, 1), time.Time{})
	change(3, at(1, 0), time.Time{})
	burns("two changes after the slot", noon, 1)
	burns("of two changes the newest before the slot", at(5, 0), 3)
	change(4, at(5, 0), time.Time{})
	burns("changed at the very slot: the creator was told of the next", at(5, 0), 3)
	burns("the next", at(10, 0), 4)

	// A clock that is behind: the slot was opened already.
	change(5, at(9, 0), at(10, 0))
	burns("changed by a clock that is behind", at(15, 0), 5)
	if got := v.Newest().From; !got.Equal(at(10, 1)) {
		t.Errorf("it holds from %s", got)
	}
	if _, ok := v.At(at(10, 0)); ok || len(v) != 1 {
		t.Errorf("a version that no slot needs is stored: %+v", v)
	}
	change(9, at(11, 0), at(10, 0))
	burns("a claim's slot, before the change", at(10, 1_000), 5)
	change(9, at(11, 1), at(10, 0))
	burns("and before another", at(10, 1_000), 5)
	v = v[:1]
	change(6, at(8, 0), time.Time{})
	burns("by two clocks that are behind", at(15, 0), 6)
	if got := v.Newest(); got.Number != 7 || !got.From.Equal(at(10, 1)) {
		t.Errorf("newest version = %+v, want 7 at 10:01", got)
	}
}

// TestSettingsAtEverySlot tests that, whatever changes when, and whenever runs are opened, each
// slot that was due and may still be opened has the settings of that time.
func TestSettingsAtEverySlot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
		began, opened := now, time.Time{}
		v := terms.Versions{{Settings: burning(0, terms.Every5Minutes), Number: terms.LaunchVersion}}
		history := v
		for n := range rapid.IntRange(1, 40).Draw(r, "changes") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(r, "half minutes")) * 30 * time.Second)
			if slot := terms.Every5Minutes.Slot(now); rapid.IntRange(0, 5).Draw(r, "a run is opened") == 0 && slot.After(opened) {
				if at, _ := history.At(slot); at.Interval.Slot(slot).Equal(slot) {
					opened = slot
				}
			}
			s := burning(n+1, rapid.SampledFrom(terms.Intervals()[:4]).Draw(r, "interval"))
			next := v.Next(s, now, opened)
			if rapid.Bool().Draw(r, "signed") {
				next.Signature[0] = byte(n + 1)
			}
			if want := int64(n + 2); next.Number != want {
				r.Fatalf("version %d, want %d", next.Number, want)
			}
			v = v.Change(next, opened)
			history = append(history, next)
			if len(v) > terms.KeepVersions {
				r.Fatalf("%d versions", len(v))
			}
			if claim := opened.Add(time.Second); !opened.IsZero() && len(v) < terms.KeepVersions {
				if got, ok := v.At(claim); !ok {
					r.Fatalf("a claim at %s has no settings: %+v", claim, got)
				}
			}
		}
		for slot := began; slot.Before(now.Add(time.Hour)); slot = slot.Add(5 * time.Minute) {
			want, _ := history.At(slot)
			if !slot.After(opened) || !want.Interval.Slot(slot).Equal(slot) {
				continue
			}
			got, ok := v.At(slot)
			if !ok && len(v) == terms.KeepVersions {
				continue // forgotten; nothing wrong is said
			}
			if !ok || got != want {
				r.Fatalf("at %s: %+v, %v, want %+v", slot, got, ok, want)
			}
		}
	})
}
