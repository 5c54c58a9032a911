package launchtable_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// orders is a token of a creator whose key is known.
type orders struct {
	*books

	mint solana.PublicKey
	key  ed25519.PrivateKey
	base terms.Settings
}

func openOrders(t *testing.T) orders {
	t.Helper()
	b := openBooks(t)
	public, key, err := ed25519.GenerateKey(nil)
	must.Do(t, err)
	l := b.launch(t, solana.PublicKeyFromBytes(public))
	return orders{b, l.Mint, key, l.Token.Settings}
}

// order signs a version that burns so much.
func (o orders) order(version int64, bps int) *settings.Order {
	s := o.base
	s.BurnBps = bps
	return &settings.Order{
		Version: version, Signature: solana.Signature(ed25519.Sign(o.key, []byte(terms.OrderText(o.mint, version, s)))),
	}
}

func (o orders) changeBy(ctx context.Context, bps int, order *settings.Order) error {
	s := settings.Service{
		Store: o.settings, Now: func() time.Time { return o.now }, Pause: settings.ShortPause, Log: slog.New(slog.DiscardHandler),
	}
	_, err := s.Change(ctx, o.mint, settings.Wanted{Patch: terms.Patch{BurnBps: &bps}, Order: order})
	return err
}

func (o orders) versions(t *testing.T) terms.Versions {
	t.Helper()
	found, err := o.settings.Current(t.Context(), o.mint)
	must.Do(t, err)
	newest := found.Versions.Newest()
	if r := found.Token; r.Settings != newest.Settings || r.SettingsVersion != newest.Number || r.SettingsSignature != newest.Signature {
		t.Errorf("the record is of version %d by %s, the newest is %+v", r.SettingsVersion, r.SettingsSignature, newest)
	}
	return found.Versions
}

// TestOrdersAreKept with their versions, also among those before, until a run's slot.
func TestOrdersAreKept(t *testing.T) {
	o := openOrders(t)
	slot := o.now.Add(time.Hour)
	first, second := o.order(1, 0), o.order(2, 700)
	for range 2 { // the answer is lost, and the client asks again
		must.Do(t, o.changeBy(t.Context(), 0, first))
	}
	o.now = slot.Add(time.Minute)
	for range 2 {
		must.Do(t, o.changeBy(t.Context(), 700, second))
	}
	v := o.versions(t)
	if len(v) != 2 || v[0].Number != 1 || v[0].Signature != first.Signature || v[1].Number != 2 || v[1].Signature != second.Signature {
		t.Fatalf("versions = %+v, want both orders with their signatures", v)
	}
	for at, want := range map[time.Time]terms.Version{slot: v[0], slot.Add(time.Hour): v[1]} {
		record, err := o.settings.TokenAt(t.Context(), o.mint, at)
		must.Do(t, err)
		if record.Settings != want.Settings || record.SettingsVersion != want.Number || record.SettingsSignature != want.Signature || record.SettingsNewest != 2 {
			t.Errorf("at %s: version %d by %s, newest %d", at, record.SettingsVersion, record.SettingsSignature, record.SettingsNewest)
		}
	}
	must.Do(t, o.open(t, o.mint, slot))
	r, err := o.runs.Run(t.Context(), o.mint, slot)
	must.Do(t, err)
	if r.SettingsVersion != 1 || r.SettingsSignature != first.Signature {
		t.Errorf("the run is of version %d by %s", r.SettingsVersion, r.SettingsSignature)
	}
}

// TestSignatureOfChangedSettingsConflicts tests a signature of another version, and a second
// signature.
func TestSignatureOfChangedSettingsConflicts(t *testing.T) {
	o := openOrders(t)
	before, err := o.settings.Current(t.Context(), o.mint)
	must.Do(t, err)
	order := o.order(1, 0)
	must.Do(t, o.settings.SignSettings(t.Context(), before, order.Signature))
	if err := o.settings.SignSettings(t.Context(), before, solana.Signature{1}); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("signed twice: %v", err)
	}
	// A change that saw the version without its signature would lose it.
	if err := o.settings.ChangeSettings(t.Context(), before, before.Versions.Next(o.base, o.now, before.Opened)); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("changed over a signature: %v", err)
	}
	must.Do(t, o.changeBy(t.Context(), 700, nil))
	before, err = o.settings.Current(t.Context(), o.mint)
	must.Do(t, err)
	must.Do(t, o.changeBy(t.Context(), 800, nil))
	if err := o.settings.SignSettings(t.Context(), before, o.order(2, 700).Signature); !errors.Is(err, settings.ErrConflict) {
		t.Errorf("a version that is not the newest any more: %v", err)
	}
	if newest := o.versions(t).Newest(); newest.Number != 3 || newest.Ordered() {
		t.Errorf("newest version = %+v, want 3 without an order", newest)
	}
	if err := o.settings.ChangeSettings(t.Context(), before, terms.Version{Settings: o.base, Number: 9}); err == nil || errors.Is(err, settings.ErrConflict) {
		t.Errorf("a number that is not the next: %v", err)
	}
}

// TestOrdersAtOnce tests that one of many concurrent orders of a version is stored and the others
// conflict, and that no order is stored without its signature.
func TestOrdersAtOnce(t *testing.T) {
	o := openOrders(t)
	for round := range 6 {
		o.now = o.now.Add(time.Minute)
		current := o.versions(t).Newest()
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			bps := 100*(round+1) + i
			all.Go(func() { errs[i] = o.changeBy(t.Context(), bps, o.order(current.Number+1, bps)) })
		}
		all.Go(func() { // while the settings in force are signed
			if err := o.changeBy(t.Context(), current.BurnBps, o.order(current.Number, current.BurnBps)); err != nil && apperr.CodeOf(err) != "settings_version_conflict" {
				t.Error(err)
			}
		})
		all.Wait()
		newest, won := o.versions(t).Newest(), 0
		for i, err := range errs {
			switch bps := 100*(round+1) + i; {
			case err == nil:
				won++
				if newest.BurnBps != bps || newest.Signature != o.order(newest.Number, bps).Signature {
					t.Errorf("round %d: %d was ordered, and version %d burns %d by %s", round, bps, newest.Number, newest.BurnBps, newest.Signature)
				}
			case apperr.CodeOf(err) != "settings_version_conflict":
				t.Error(err)
			}
		}
		if won != 1 || newest.Number != current.Number+1 {
			t.Errorf("round %d: %d orders held, version %d after %d", round, won, newest.Number, current.Number)
		}
	}
}
