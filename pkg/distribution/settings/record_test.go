package settings_test

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/settingstest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// desk is a service over a store in memory and a chain of a few facts.
type desk struct {
	settings.Service
	store   settingstest.Memory
	chain   settingstest.Chain
	records settingstest.Records
	mint    solana.PublicKey
	creator solana.PublicKey
}

func newDesk() *desk {
	d := &desk{mint: solana.NewWallet().PublicKey(), creator: solana.NewWallet().PublicKey()}
	d.chain.Lamports = solana.LAMPORTS_PER_SOL
	d.chain.Accounts = map[solana.PublicKey]onchain.Account{
		d.mint: {Owner: solana.Token2022ProgramID, Data: adjustableMint(d.creator)},
	}
	now := func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }
	d.store.Put(token.Record{
		Mint: d.mint, Creator: d.creator, Status: token.Confirmed, FeeAdjustable: true, TransferFeeBps: 500,
		Settings: terms.Default(d.creator), CreatedAt: now().Add(-time.Hour),
	})
	d.Service = settings.Service{
		Store: &d.store, Chain: &d.chain, Records: &d.records,
		Preparer: transaction.Preparer{Chain: &d.chain, Now: now, NewID: func() string { return "id" }},
		Now:      now, Pause: func(context.Context) error { return nil }, Log: slog.New(slog.DiscardHandler),
	}
	return d
}

// adjustableMint has a transfer fee of 5 percent that authority may change. Layout:
// spl-token-2022, Mint and TransferFeeConfig.
func adjustableMint(authority solana.PublicKey) []byte {
	data := make([]byte, 170+108)
	data[44], data[45], data[165] = 6, 1, 1
	binary.LittleEndian.PutUint16(data[166:], 1)
	binary.LittleEndian.PutUint16(data[168:], 108)
	copy(data[170:], authority[:])
	for _, fee := range []int{242, 260} {
		binary.LittleEndian.PutUint64(data[fee+8:], 1<<63)
		binary.LittleEndian.PutUint16(data[fee+16:], 500)
	}
	return data
}

// both wants another tax, and another share to burn.
func both() settings.Wanted {
	return settings.Wanted{TaxBps: new(300), Patch: terms.Patch{BurnBps: new(700)}}
}

func (d *desk) burns(t *testing.T) int {
	t.Helper()
	record, err := d.store.Token(t.Context(), d.mint)
	must.Do(t, err)
	return record.Settings.BurnBps
}

// elsewhere writes settings as another function does.
func (d *desk) elsewhere(t *testing.T, s terms.Settings) {
	t.Helper()
	before, err := d.store.Current(t.Context(), d.mint)
	must.Do(t, err)
	must.Do(t, d.store.ChangeSettings(t.Context(), before, before.Versions.Next(s, d.Now(), before.Opened)))
}

// TestTaxChangeIsRecordedFirst tests that every holder of an issued transaction is recorded, and that a holder
// who could not be recorded got no transaction.
func TestTaxChangeIsRecordedFirst(t *testing.T) {
	d := newDesk()
	writes := 0
	d.store.Before = func() {
		writes++
		if len(d.records.Issued) != 1 {
			t.Errorf("%d transactions are recorded when the settings change, want 1", len(d.records.Issued))
		}
		if writes == 1 { // another change goes before
			d.store.Before = func() { writes++ }
			d.elsewhere(t, terms.Default(d.creator))
		}
	}
	changed, err := d.Change(t.Context(), d.mint, both())
	must.Do(t, err)
	if writes != 3 || len(d.records.Issued) != 1 {
		t.Errorf("%d writes and %d records, want 3 and 1: the same transaction serves however often others go before", writes, len(d.records.Issued))
	}
	got, u := d.records.Issued[0], changed.TaxChange.Unsigned
	message, err := wire.ParseMessage(got.Message)
	must.Do(t, err)
	want := transaction.Issued{
		ID: "id", Kind: transaction.KindTax, Caller: d.creator, Mint: d.mint, Message: u.Message, LastValid: u.LastValid,
		CreatedAt: u.CreatedAt, ExpiresAt: u.CreatedAt.Add(30 * time.Second), Fate: transaction.Open,
	}
	if !reflect.DeepEqual(got, want) || len(message.Instructions()) != 3 {
		t.Errorf("recorded as %+v, want %+v", got, want)
	}
}

func TestUnrecordedTaxChangeChangesNothing(t *testing.T) {
	d := newDesk()
	before := d.burns(t)
	d.records.Err = apperr.Upstream("The store", errors.New("away"))
	if changed, err := d.Change(t.Context(), d.mint, both()); apperr.KindOf(err) != apperr.Unavailable || changed.TaxChange != nil {
		t.Errorf("%+v, %v", changed, err)
	}
	if got := d.burns(t); got != before {
		t.Errorf("%d basis points are burned, want %d as before", got, before)
	}
	d.records.Err = nil // and the creator asks again
	changed, err := d.Change(t.Context(), d.mint, both())
	must.Do(t, err)
	if changed.TaxChange == nil || d.burns(t) != 700 {
		t.Errorf("then: %+v, %d basis points are burned", changed.TaxChange, d.burns(t))
	}
}

// TestChangeThatEndsAfterRecord tests a lost response after which the creator asks again, before and after the
// settings are written.
func TestChangeThatEndsAfterRecord(t *testing.T) {
	for name, written := range map[string]bool{"before the write": false, "after the write": true} {
		d := newDesk()
		d.store.Before = func() {
			d.store.Before = nil
			if written {
				d.elsewhere(t, wantedSettings(d))
			}
			d.store.Err = errors.New("broken off")
		}
		if _, err := d.Change(t.Context(), d.mint, both()); err == nil {
			t.Errorf("%s: it did not break off", name)
		}
		d.store.Err = nil
		changed, err := d.Change(t.Context(), d.mint, both())
		must.Do(t, err)
		if changed.TaxChange == nil || d.burns(t) != 700 || len(d.records.Issued) != 2 {
			t.Errorf("%s: then %+v, %d basis points are burned, %d records", name, changed.TaxChange, d.burns(t), len(d.records.Issued))
		}
	}
}

func wantedSettings(d *desk) terms.Settings {
	return both().Patch.Apply(terms.Default(d.creator))
}

// No transaction, no record.
func TestOtherChangesRecordNothing(t *testing.T) {
	d := newDesk()
	wanted := both()
	wanted.TaxBps = nil
	_, err := d.Change(t.Context(), d.mint, wanted)
	must.Do(t, err)
	if len(d.records.Issued) != 0 {
		t.Errorf("%d records", len(d.records.Issued))
	}
}
