package payout_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// capped is a wallet that signs nothing, because a limit is reached.
type capped struct{ payout.Wallet }

func (capped) Sign(context.Context, payout.Order) (solana.Signature, error) {
	return solana.Signature{}, fmt.Errorf("%w: a test", payout.ErrCap)
}

// A payment that is bound and that the signer refuses ends at the deadline of its phase. What it
// was to pay is owed, and nothing was sent.
func TestUnsignedPaymentEndsAtDeadline(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.phase.Deadline = l.Clock.Now().Add(10 * time.Minute)
	l.phase = l.Plan(l.phase, l.list)
	e := l.engine(t)
	e.Wallet = capped{e.Wallet}
	if next, err := e.Work(t.Context(), l.Work(l.phase, 0)); err != nil || next.After <= 0 {
		t.Fatalf("Work() = %+v, %v; want a wait", next, err)
	}
	if p := l.only(t); p.Status() != payout.Bound {
		t.Fatalf("status %s before the deadline; want bound", p.Status())
	}
	began := l.Clock.Now()
	l.Pay(t, e, l.phase)
	if p := l.only(t); p.Status() != payout.Cancelled || p.Refused != payout.ReasonLate || len(p.Attempts) > 0 {
		t.Errorf("%+v; want it cancelled as late", p)
	}
	if took := l.Clock.Now().Sub(began); took > 12*time.Minute {
		t.Errorf("ended after %s", took)
	}
	if paid, _ := l.check(t); paid != 0 {
		t.Errorf("%d paid", paid)
	}
}

// slowly is a wallet that lets something happen before its first signature is returned.
type slowly struct {
	payout.Wallet

	meanwhile func()
	once      *sync.Once
}

func (s slowly) Sign(ctx context.Context, o payout.Order) (solana.Signature, error) {
	signature, err := s.Wallet.Sign(ctx, o)
	s.once.Do(s.meanwhile)
	return signature, err
}

// One worker cancels a payment at its deadline while another worker waits for the signature. What
// is signed then is never sent.
func TestSignedAfterCancelIsNotSent(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.phase.Deadline = l.Clock.Now().Add(time.Minute)
	l.phase = l.Plan(l.phase, l.list)
	late, slow := l.engine(t), l.engine(t)
	slow.Wallet = slowly{Wallet: slow.Wallet, once: new(sync.Once), meanwhile: func() {
		l.Clock.Pass(2 * time.Minute)
		for range 3 {
			if next, err := late.Work(t.Context(), l.Work(l.phase, 0)); err != nil || next.Done {
				break
			}
		}
		if p := l.only(t); p.Status() != payout.Cancelled {
			t.Errorf("status %s; want cancelled", p.Status())
		}
	}}
	l.Pay(t, slow, l.phase)
	if paid, _ := l.check(t); paid != 0 {
		t.Errorf("%d paid after the payment was cancelled", paid)
	}
	if p := l.only(t); p.Status() != payout.Cancelled || len(p.Attempts) > 0 {
		t.Errorf("%+v; want it cancelled", p)
	}
}

// Cancel ends a payment that is bound and not signed, and leaves one that is signed.
func TestCancelEndsUnsignedPayment(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.engine(t)
	wallet := e.Wallet
	e.Wallet = capped{wallet}
	for n, signs := range []bool{false, true} {
		p := payout.Payment{ID: payout.ID{Run: l.Run, Kind: payout.Burn, Leg: n}, Mint: l.Mint, Amount: 1}
		if signs {
			e.Wallet = wallet
		}
		build := func(context.Context) (payout.Payload, error) {
			return payout.Payload{Instructions: []solana.Instruction{payouttest.Transfer(l.Wallet.Address, l.Wallet.Address, 1)}}, nil
		}
		if _, _, err := e.Advance(t.Context(), l.Wallet, p, build); err != nil {
			t.Fatal(err)
		}
		got, err := e.Cancel(t.Context(), p, payout.ReasonLate, "a test")
		if want := map[bool]payout.Status{false: payout.Cancelled, true: payout.Sent}[signs]; err != nil || got.Status() != want {
			t.Errorf("signed %v: Cancel() = %s, %v; want %s", signs, got.Status(), err, want)
		}
	}
}
