package settings_test

import (
	"crypto/ed25519"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// signer makes the desk's creator one whose key is known.
func (d *desk) signer(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	must.Do(t, err)
	record := d.record(t)
	d.creator = solana.PublicKeyFromBytes(public)
	record.Creator, record.Settings = d.creator, terms.Default(d.creator)
	d.store.Put(record)
	return key
}

func (d *desk) record(t *testing.T) token.Record {
	t.Helper()
	record, err := d.store.Token(t.Context(), d.mint)
	must.Do(t, err)
	return record
}

// order signs what a version of the settings says.
func (d *desk) order(key ed25519.PrivateKey, version int64, s terms.Settings) *settings.Order {
	text := terms.OrderText(d.mint, version, s)
	return &settings.Order{Version: version, Signature: solana.Signature(ed25519.Sign(key, []byte(text)))}
}

// burn wants so much burned, by an order.
func burn(bps int, order *settings.Order) settings.Wanted {
	return settings.Wanted{Patch: terms.Patch{BurnBps: &bps}, Order: order}
}

func burning(s terms.Settings, bps int) terms.Settings {
	s.BurnBps = bps
	return s
}

// stands checks which version stands, and by whose signature.
func (d *desk) stands(t *testing.T, what string, version int64, bps int, order *settings.Order) {
	t.Helper()
	want := solana.Signature{}
	if order != nil {
		want = order.Signature
	}
	r := d.record(t)
	if r.SettingsVersion != version || r.Settings.BurnBps != bps || r.SettingsSignature != want {
		t.Errorf("%s: version %d burns %d by %s, want version %d, %d by %s",
			what, r.SettingsVersion, r.Settings.BurnBps, r.SettingsSignature, version, bps, want)
	}
}

func TestOrderIsKeptWithItsVersion(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	base := d.record(t).Settings

	launched := d.order(key, terms.LaunchVersion, base)
	changed, err := d.Change(t.Context(), d.mint, settings.Wanted{Order: launched})
	must.Do(t, err)
	d.stands(t, "the launch's settings, signed", terms.LaunchVersion, 0, launched)
	if got := changed.Token; got.SettingsVersion != 1 || got.SettingsSignature != launched.Signature {
		t.Errorf("answered: version %d, %s", got.SettingsVersion, got.SettingsSignature)
	}

	second := d.order(key, 2, burning(base, 700))
	changed, err = d.Change(t.Context(), d.mint, burn(700, second))
	must.Do(t, err)
	d.stands(t, "a change, signed", 2, 700, second)
	if got := changed.Token; got.SettingsVersion != 2 || got.SettingsSignature != second.Signature {
		t.Errorf("answered: version %d, %s", got.SettingsVersion, got.SettingsSignature)
	}
	current, err := d.store.Current(t.Context(), d.mint)
	must.Do(t, err)
	if before := current.Versions[0]; before.Number != 1 || before.Signature != launched.Signature {
		t.Errorf("the version before: %+v", before)
	}

	// The answer is lost, and the client asks again.
	_, err = d.Change(t.Context(), d.mint, burn(700, second))
	must.Do(t, err)
	d.stands(t, "again", 2, 700, second)

	_, err = d.Change(t.Context(), d.mint, burn(800, nil))
	must.Do(t, err)
	d.stands(t, "a change without an order", 3, 800, nil)
}

// TestWriteWithLostResponse tests a write that took effect although the store reported a failure.
func TestWriteWithLostResponse(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	base := d.record(t).Settings
	for what, wanted := range map[string]settings.Wanted{
		"a signature": {Order: d.order(key, 1, base)},
		"a change":    burn(700, d.order(key, 2, burning(base, 700))),
	} {
		d.store.Put(token.Record{Mint: d.mint, Creator: d.creator, Status: token.Confirmed, Settings: base})
		d.store.Before = func() { d.store.Err = errors.New("the answer is lost") }
		if _, err := d.Change(t.Context(), d.mint, wanted); err == nil {
			t.Errorf("%s: it did not fail", what)
		}
		d.store.Before, d.store.Err = nil, nil
		_, err := d.Change(t.Context(), d.mint, wanted)
		must.Do(t, err)
		r := d.record(t)
		if r.SettingsVersion != wanted.Order.Version || r.SettingsSignature != wanted.Order.Signature {
			t.Errorf("%s: version %d by %s", what, r.SettingsVersion, r.SettingsSignature)
		}
	}
}

// TestOrdersThatAreRefused: nothing of what they come with is done.
func TestOrdersThatAreRefused(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	_, stranger, err := ed25519.GenerateKey(nil)
	must.Do(t, err)
	base := d.record(t).Settings
	other := &desk{mint: solana.NewWallet().PublicKey()}
	first := d.order(key, 2, burning(base, 700))
	_, err = d.Change(t.Context(), d.mint, burn(700, first))
	must.Do(t, err)

	signedBy := func(signature solana.Signature, version int64) *settings.Order {
		return &settings.Order{Version: version, Signature: signature}
	}
	for what, c := range map[string]struct {
		wanted settings.Wanted
		code   string
	}{
		"of another wallet":                 {burn(800, d.order(stranger, 3, burning(base, 800))), "validation_failed"},
		"of another token":                  {burn(800, other.order(key, 3, burning(base, 800))), "validation_failed"},
		"of other settings":                 {burn(800, d.order(key, 3, burning(base, 801))), "validation_failed"},
		"of another number":                 {burn(800, signedBy(d.order(key, 4, burning(base, 800)).Signature, 3)), "validation_failed"},
		"without a signature":               {burn(800, signedBy(solana.Signature{}, 3)), "validation_failed"},
		"replayed":                          {burn(700, signedBy(first.Signature, 3)), "settings_version_conflict"},
		"of the version that stands":        {burn(800, d.order(key, 2, burning(base, 800))), "settings_version_conflict"},
		"of a later version":                {burn(800, d.order(key, 4, burning(base, 800))), "settings_version_conflict"},
		"of an earlier version":             {burn(0, d.order(key, 1, base)), "settings_version_conflict"},
		"of what stands, as a change":       {burn(700, d.order(key, 3, burning(base, 700))), "settings_version_conflict"},
		"of what stands, by another wallet": {settings.Wanted{Order: d.order(stranger, 2, burning(base, 700))}, "validation_failed"},
	} {
		_, err := d.Change(t.Context(), d.mint, c.wanted)
		if apperr.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", what, err, c.code)
		}
		if refusal, _ := errors.AsType[*apperr.Error](err); refusal != nil && c.code == "validation_failed" {
			want := terms.OrderText(d.mint, c.wanted.Order.Version, c.wanted.Patch.Apply(burning(base, 700)))
			if f := refusal.Fields[0]; f.Field != "order.signature" || f.Code.String() != "invalid_signature" || !strings.HasSuffix(f.Message, ":\n"+want) {
				t.Errorf("%s: %+v", what, f)
			}
		}
		d.stands(t, what, 2, 700, first)
	}
}

// TestOldOrderIsNotNew tests that a return to earlier settings needs an order with a new number.
func TestOldOrderIsNotNew(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	base := d.record(t).Settings
	second := d.order(key, 2, burning(base, 700))
	for _, bps := range []int{700, 0} {
		_, err := d.Change(t.Context(), d.mint, burn(bps, nil))
		must.Do(t, err)
	}
	if _, err := d.Change(t.Context(), d.mint, burn(700, second)); apperr.CodeOf(err) != "settings_version_conflict" {
		t.Errorf("replayed: %v", err)
	}
	d.stands(t, "replayed", 3, 0, nil)
}

// TestSignatureThatComesMeanwhile tests that a change which read the settings before a signature neither loses
// the signature nor lets the version be signed twice.
func TestSignatureThatComesMeanwhile(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	base := d.record(t).Settings
	order := d.order(key, terms.LaunchVersion, base)
	meanwhile := func() {
		d.store.Before = nil
		_, err := d.Change(t.Context(), d.mint, settings.Wanted{Order: order})
		must.Do(t, err)
	}
	d.store.Before = meanwhile
	_, err := d.Change(t.Context(), d.mint, settings.Wanted{Order: order})
	must.Do(t, err)
	d.stands(t, "signed at once by two", 1, 0, order)

	d.store.Put(token.Record{Mint: d.mint, Creator: d.creator, Status: token.Confirmed, Settings: base})
	d.store.Before = meanwhile
	_, err = d.Change(t.Context(), d.mint, burn(700, nil))
	must.Do(t, err)
	current, err := d.store.Current(t.Context(), d.mint)
	must.Do(t, err)
	if len(current.Versions) != 2 || current.Versions[0].Signature != order.Signature || current.Versions[1].Ordered() {
		t.Errorf("%+v", current.Versions)
	}
}

// TestOrdersThatRace: of two for the same version one holds, and the other is told so.
func TestOrdersThatRace(t *testing.T) {
	d := newDesk()
	key := d.signer(t)
	base := d.record(t).Settings
	errs := make([]error, 2)
	list := []*settings.Order{d.order(key, 2, burning(base, 700)), d.order(key, 2, burning(base, 800))}
	var all sync.WaitGroup
	for i, order := range list {
		all.Go(func() { _, errs[i] = d.Change(t.Context(), d.mint, burn(700+100*i, order)) })
	}
	all.Wait()
	won := 0
	if errs[0] != nil {
		won = 1
	}
	if errs[won] != nil || apperr.CodeOf(errs[1-won]) != "settings_version_conflict" {
		t.Fatalf("%v", errs)
	}
	d.stands(t, "the one that was first", 2, 700+100*won, list[won])
}

// A tax that is wanted with an order that is refused leaves no transaction behind.
func TestRejectedOrderRecordsNothing(t *testing.T) {
	d := newDesk()
	wanted := both()
	wanted.Order = &settings.Order{Version: 2}
	if _, err := d.Change(t.Context(), d.mint, wanted); apperr.CodeOf(err) != "validation_failed" {
		t.Error(err)
	}
	if len(d.records.Issued) != 0 {
		t.Errorf("%d records", len(d.records.Issued))
	}
}
