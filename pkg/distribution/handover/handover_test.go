package handover_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/handover"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	rules "tokenlaunch.example/service/pkg/token/handover"
)

// memory stores one token's hand-over. Before runs once, before the next write, like a process
// that writes first.
type memory struct {
	state  rules.State
	before func()
}

func (m *memory) Handover(context.Context, solana.PublicKey) (rules.State, error) {
	return m.state, nil
}

func (m *memory) SaveHandover(_ context.Context, _ solana.PublicKey, s rules.State, _ time.Time) error {
	if before := m.before; before != nil {
		m.before = nil
		before()
	}
	if s.Version != m.state.Version {
		return rules.ErrConflict
	}
	s.Version++
	m.state = s
	return nil
}

type fixture struct {
	handover.Service
	store   *memory
	now     time.Time
	creator solana.PrivateKey
	token   token.Record
}

func newFixture() *fixture {
	f := &fixture{store: &memory{}, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), creator: solana.NewWallet().PrivateKey}
	f.token = token.Record{Mint: solana.NewWallet().PublicKey(), Creator: f.creator.PublicKey(), Wallet: token.Wallet{Address: solana.NewWallet().PublicKey()}}
	f.Service = handover.Service{Store: f.store, Delay: time.Hour, Now: func() time.Time { return f.now }}
	return f
}

// order is an order that the creator signed after the change.
func (f *fixture) order(t *testing.T, change func(*rules.Order)) rules.Order {
	t.Helper()
	o := rules.Order{Number: f.store.state.Number + 1, To: f.creator.PublicKey(), EffectiveAt: f.now.Add(2 * time.Hour)}
	if change != nil {
		change(&o)
	}
	var err error
	if o.Signature, err = f.creator.Sign([]byte(o.Text(f.token.Mint))); err != nil {
		t.Fatal(err)
	}
	return o
}

func codeOf(err error) string {
	if e := (*apperr.Error)(nil); errors.As(err, &e) {
		return e.Code.String()
	}
	return ""
}

func TestOrderIsCheckedWhole(t *testing.T) {
	f := newFixture()
	for field, change := range map[string]func(*rules.Order){
		"number":       func(o *rules.Order) { o.Number = 0 },
		"newAuthority": func(o *rules.Order) { o.To = f.token.Wallet.Address },
		"effectiveAt":  func(o *rules.Order) { o.EffectiveAt = f.now.Add(59 * time.Minute) },
	} {
		if _, err := f.Order(t.Context(), f.token, f.order(t, change)); codeOf(err) != "validation_failed" || !fieldOf(err, field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	forged := f.order(t, nil)
	forged.Signature[0]++
	if _, err := f.Order(t.Context(), f.token, forged); !fieldOf(err, "signature") {
		t.Errorf("a false signature: %v", err)
	}
	if f.store.state.Version != 0 {
		t.Error("something is written of an order that is refused")
	}
}

func fieldOf(err error, field string) bool {
	e := (*apperr.Error)(nil)
	if !errors.As(err, &e) {
		return false
	}
	for _, f := range e.Fields {
		if f.Field == field {
			return true
		}
	}
	return false
}

func TestGuardedTokenIsNotHandedOverByWallet(t *testing.T) {
	f := newFixture()
	o := f.order(t, nil)
	f.token.Guardian = solana.NewWallet().PublicKey()
	if _, err := f.Order(t.Context(), f.token, o); codeOf(err) != "handover_needs_guardian" || f.store.state.Version != 0 {
		t.Errorf("%v, version %d", err, f.store.state.Version)
	}
}

func TestOrderIsPlacedOnceAndCancelledOnce(t *testing.T) {
	f := newFixture()
	o := f.order(t, nil)
	for range 2 { // a repeated request returns the same
		if v, err := f.Order(t.Context(), f.token, o); err != nil || v.Status() != rules.Ordered || v.Version != 1 {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	if _, err := f.Order(t.Context(), f.token, f.order(t, nil)); codeOf(err) != "handover_ordered" {
		t.Errorf("a second order: %v", err)
	}
	// The machine begins between the read and the write of a cancellation.
	f.store.before = func() {
		f.store.state.BegunAt = f.now
		f.store.state.Version++
	}
	if _, err := f.Cancel(t.Context(), f.token); codeOf(err) != "handover_not_cancellable" || f.store.state.Status() != rules.Begun {
		t.Errorf("a cancellation of what has begun: %v, %s", err, f.store.state.Status())
	}
	f.store.state.BegunAt = time.Time{}
	for range 2 {
		if v, err := f.Cancel(t.Context(), f.token); err != nil || v.Status() != rules.Cancelled {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	if _, err := f.Order(t.Context(), f.token, f.order(t, nil)); codeOf(err) != "handover_ordered" {
		t.Errorf("an order before the signer knows of the cancellation: %v", err)
	}
	f.store.state.RevokedAt = f.now
	if v, err := f.Order(t.Context(), f.token, f.order(t, nil)); err != nil || v.Number != 2 {
		t.Fatalf("%+v, %v", v, err)
	}
	f.store.state.DoneAt = f.now
	if _, err := f.Order(t.Context(), f.token, f.order(t, nil)); codeOf(err) != "token_handed_over" {
		t.Errorf("an order after the hand-over: %v", err)
	}
	if _, err := f.Cancel(t.Context(), f.token); codeOf(err) != "token_handed_over" {
		t.Errorf("a cancellation after the hand-over: %v", err)
	}
}
