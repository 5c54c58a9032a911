package run_test

import (
	"context"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// history returns a token with its settings of a slot, as the launch table does.
type history struct {
	fixture  *runworld.Fixture
	versions *terms.Versions
}

func (h history) TokenAt(_ context.Context, _ solana.PublicKey, slot time.Time) (token.Record, error) {
	record := h.fixture.Token
	then, ok := h.versions.At(slot)
	if !ok {
		return token.Record{}, token.ErrSettingsUnknown
	}
	record.Settings, record.SettingsVersion, record.SettingsSignature = then.Settings, then.Number, then.Signature
	record.SettingsNewest = h.versions.Newest().Number
	return record, nil
}

// TestLateRunHasSettingsOfItsSlot tests late messages and messages from dead-letter queues, with changes of
// settings in between.
func TestLateRunHasSettingsOfItsSlot(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	versions := terms.Versions{{Settings: w.Token.Settings, Number: terms.LaunchVersion}}
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Tokens = history{w, &versions} }
	orders := map[int64]solana.Signature{}
	change := func(bps int) {
		s := versions.Newest().Settings
		s.BurnBps = bps
		opened := w.Head(t).LastSlot
		next := versions.Next(s, w.Clock.Now(), opened)
		signed, err := w.Creator.Sign([]byte(terms.OrderText(w.Token.Mint, next.Number, next.Settings)))
		if err != nil {
			t.Fatal(err)
		}
		next.Signature, orders[next.Number] = signed, signed
		versions = versions.Change(next, opened)
	}
	h := holder(t, w, 1_000*tokens).PublicKey()
	interval := w.Token.Settings.Interval
	slot := interval.Next(w.Clock.Now())
	w.Clock.Pass(slot.Sub(w.Clock.Now()) - time.Second)
	change(1_000) // before the slot
	w.Clock.Pass(time.Minute)
	change(2_000) // after it
	w.Clock.Pass(time.Minute)
	change(3_000)
	w.Clock.Pass(time.Second)
	w.Again(slot)
	w.Drive(t, nil)
	r := w.Look(t, slot)
	if r.Status() != run.Settled || r.Settings.BurnBps != 1_000 || r.SettingsVersion != 2 || r.SettingsNewest != 4 || r.SettingsSignature != orders[2] {
		t.Fatalf("%s with %+v of version %d, signed %s, newest %d", r.Status(), r.Settings, r.SettingsVersion, r.SettingsSignature, r.SettingsNewest)
	}
	same(t, "burned", r.Burn.Amount, 5*tokens)

	w.Give(t, h, 1_000*tokens)
	next := w.Slot()
	w.Drive(t, nil)
	if r := w.Look(t, next); r.Settings.BurnBps != 3_000 || r.SettingsVersion != 4 {
		t.Errorf("%+v of version %d", r.Settings, r.SettingsVersion)
	}

	// A slot whose settings are forgotten is part of the next run.
	w.Give(t, h, 1_000*tokens)
	forgotten := w.Slot()
	versions = terms.Versions{{Settings: versions.Newest().Settings, Number: 5, From: forgotten}}
	w.Drive(t, nil)
	if r, opened := w.Opened(t, forgotten); opened {
		t.Errorf("%+v", r)
	}
	w.Settle(t)
}
