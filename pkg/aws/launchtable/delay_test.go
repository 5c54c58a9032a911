package launchtable_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestPendingChangeMovesNothingYet tests that a token with a delay is due, and has settings in its
// record, by the version in force until the time of the pending version. Taking the pending version
// back leaves no trace of it in the lists.
func TestPendingChangeMovesNothingYet(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{ChangeDelay: new(terms.Delay24Hours)}))
	check := func(what string, hour int, interval terms.Interval, version int64) {
		t.Helper()
		at := b.now.Add(time.Duration(hour) * time.Hour)
		for _, each := range []terms.Interval{terms.EveryHour, terms.Every6Hours, terms.Every24Hours} {
			want := 0
			if each == interval {
				want = 1
			}
			if got := b.dueIn(t, each, each.Next(at), l.Mint); got != want {
				t.Errorf("%s: due %s %d times after %d hours, want %d", what, each, got, hour, want)
			}
		}
		record, err := b.tokens.Token(t.Context(), l.Mint)
		must.Do(t, err)
		slots, err := b.settings.TokenAt(t.Context(), l.Mint, at.Add(time.Millisecond))
		must.Do(t, err)
		if got := record.InForce(at); got.SettingsVersion != version || got.Settings != slots.Settings || slots.SettingsVersion != version || slots.Held.Number != 0 {
			t.Errorf("%s: after %d hours the record has version %d, and a run version %d, want %d", what, hour, got.SettingsVersion, slots.SettingsVersion, version)
		}
	}
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Interval: new(terms.Every6Hours)}))
	check("slower", 1, terms.EveryHour, 2)
	check("slower", 23, terms.EveryHour, 2)
	check("slower", 24, terms.Every6Hours, 3)

	b.now = b.now.Add(time.Hour)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Interval: new(terms.EveryHour)}))
	check("taken back", 1, terms.EveryHour, 4)
	check("taken back", 48, terms.EveryHour, 4)

	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Enabled: new(false)}))
	check("paused", 23, terms.EveryHour, 4)
	check("paused", 24, "", 5)
	b.now = b.now.Add(25 * time.Hour)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{Enabled: new(true)}))
	check("resumed", 0, terms.EveryHour, 6)
}

// TestPendingChangeBeforeConfirmation tests a launch whose creator changes the settings before the
// confirmation: the token is due by the settings in force at the confirmation, and later by the
// pending settings.
func TestPendingChangeBeforeConfirmation(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	for _, patch := range []terms.Patch{{ChangeDelay: new(terms.Delay24Hours)}, {Interval: new(terms.Every6Hours)}} {
		must.Do(t, b.change(t.Context(), l.Mint, patch))
	}
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	for at, want := range map[time.Time]int{b.now.Add(time.Hour): 1, b.now.Add(24 * time.Hour): 1, b.now.Add(25 * time.Hour): 0} {
		if got := b.dueIn(t, terms.EveryHour, at, l.Mint); got != want {
			t.Errorf("at %s: due each hour %d times, want %d", at, got, want)
		}
	}
	if got := b.dueIn(t, terms.Every6Hours, b.now.Add(30*time.Hour), l.Mint); got != 1 {
		t.Errorf("due every six hours %d times, want 1", got)
	}
}

// TestLaunchedSettingsAreKept tests that a token with a delay keeps its launch's settings for the
// first run, however often the settings change.
func TestLaunchedSettingsAreKept(t *testing.T) {
	b := openBooks(t)
	l := b.lease(t, key())
	l.Token.Settings.ChangeDelay = terms.Delay24Hours
	must.Do(t, b.launches.Issue(t.Context(), l, nil, b.now))
	l = signedOff(l)
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	record := func() token.Record {
		got, err := b.settings.TokenAt(t.Context(), l.Mint, b.now.Add(time.Hour))
		must.Do(t, err)
		return got
	}
	want := terms.Version{Settings: l.Token.Settings, Number: terms.LaunchVersion}
	for bps := range 3 {
		got := record()
		if got.Launched != want || got.LaunchTerms != terms.OrderHash(l.Mint, 1, want.Settings) {
			t.Errorf("after %d changes: %+v, want %+v", bps, got.Launched, want)
		}
		must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{BurnBps: new(100 + bps), DeveloperWallet: new(solana.PublicKey{byte(bps + 1)})}))
	}
	plain := b.launch(t, key())
	must.Do(t, b.change(t.Context(), plain.Mint, terms.Patch{BurnBps: new(1)}))
	if got, err := b.settings.TokenAt(t.Context(), plain.Mint, b.now.Add(time.Hour)); err != nil || got.Launched.Number != 0 {
		t.Errorf("without a delay: %+v, %v", got.Launched, err)
	}
}
