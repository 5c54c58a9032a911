package payout_test

import (
	"context"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// block is the time of a block in the heights of payouttest.
const block = 400 * time.Millisecond

// shows is a node that measures a finality, and sees transactions as it is told.
type shows struct {
	payout.Chain

	final time.Duration
	seen  payout.SignatureStatus
}

func (s shows) FinalTime(context.Context) (time.Duration, error) { return s.final, nil }

func (s shows) SignatureStatuses(_ context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	list := make([]payout.SignatureStatus, len(signatures))
	for n := range list {
		list[n] = s.seen
	}
	return list, nil
}

// A payment is checked when it can be final, by the measured finality. No node's word makes a
// busy loop, or puts a look off for longer than 15 s.
func TestLooksFollowMeasuredFinality(t *testing.T) {
	g := payouttest.NewEnv(t)
	for final, want := range map[time.Duration]time.Duration{
		0: 200 * time.Millisecond, 150 * time.Millisecond: 200 * time.Millisecond, 600 * time.Millisecond: 600 * time.Millisecond,
		12_800 * time.Millisecond: time.Second,
	} {
		l := newLife(t, g, all(payouttest.Drops))
		l.Pace = payout.Pace{}
		e := l.engine(t)
		real := e.Chains[0]
		e.Chains = []payout.Chain{shows{Chain: real, final: final}}
		work := func() time.Duration {
			t.Helper()
			next, err := e.Work(t.Context(), l.Work(l.phase, 0))
			if err != nil || next.Done {
				t.Fatalf("Work() = %+v, %v", next, err)
			}
			return next.After
		}
		if got := work(); got != want {
			t.Errorf("a finality of %s: the first look is after %s, want %s", final, got, want)
		}
		l.Clock.Pass(time.Second)
		for _, c := range []struct {
			seen payout.SignatureStatus
			want time.Duration
		}{
			{payout.SignatureStatus{Seen: true, Left: 11 * time.Second}, 11 * time.Second},
			{payout.SignatureStatus{Seen: true, Left: 10 * time.Minute}, 15 * time.Second},
			{payout.SignatureStatus{Seen: true}, 200 * time.Millisecond}, // should be final
			{payout.SignatureStatus{}, 500 * time.Millisecond},           // half as long as it has been under way
		} {
			e.Chains = []payout.Chain{shows{Chain: real, final: final, seen: c.seen}}
			if got := work(); got != c.want {
				t.Errorf("%+v: the next look is after %s, want %s", c.seen, got, c.want)
			}
		}
		l.Clock.Pass(31 * time.Second)
		e.Chains = []payout.Chain{shows{Chain: real, final: final, seen: payout.SignatureStatus{Seen: true}}}
		if got := work(); got != 4*time.Second {
			t.Errorf("not final 32 s after it was sent: the next look is after %s, want 4s", got)
		}
	}
}

// An attempt that is not seen for 15 blocks gets a dearer sibling while it lives. One of them
// lands, and the receipt is closed when the other has expired.
func TestUnseenPaymentGetsDearerAttempt(t *testing.T) {
	l := lifeOf(t, once(payouttest.Drops))
	l.Pace = payout.Pace{}
	e := l.engine(t)
	l.Pay(t, e, l.phase)
	p := l.only(t)
	if p.Status() != payout.Landed || len(p.Attempts) != 2 || p.Outcome.Signature != p.Attempts[1].Signature {
		t.Fatalf("%s by %+v of the attempts %+v", p.Status(), p.Outcome, p.Attempts)
	}
	first, second := p.Attempts[0], p.Attempts[1]
	if after := second.SignedAt.Sub(first.SignedAt); after < 15*block || after > 25*block || second.PriceMicroLamports != 2*first.PriceMicroLamports {
		t.Errorf("the second attempt came after %s at %d, want 15 to 25 blocks at twice %d", after, second.PriceMicroLamports, first.PriceMicroLamports)
	}
	l.Return(t, e, 0)
	if lived := l.Clock.Now().Sub(first.SignedAt); lived < 150*block {
		t.Errorf("the receipt was closed %s after an attempt that could land still", lived)
	}
	l.Ledger.PassSlots(t, 151) // so that the chain itself takes it for expired
	l.sendAll(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// The price doubles up to the cap, and attempts at the cap wait until the last one has expired.
func TestDearerAttemptsEndAtCap(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	l.Pace = payout.Pace{}
	l.run(t)
	l.check(t)
	p := l.only(t)
	if p.Status() != payout.Dead || p.Refused != payout.ReasonExpired {
		t.Fatalf("%s, %s", p.Status(), p.Refused)
	}
	var capped []payout.Attempt
	for n, a := range p.Attempts {
		if want := min(l.Fees.Floor<<n, l.Fees.Cap); a.PriceMicroLamports != want {
			t.Errorf("attempt %d offers %d, want %d", n, a.PriceMicroLamports, want)
		}
		if a.PriceMicroLamports == l.Fees.Cap {
			capped = append(capped, a)
		}
	}
	// Three in the first 25 s; then one each minute, for five minutes.
	if len(p.Attempts) > 8 || len(capped) < 3 {
		t.Fatalf("%d attempts, %d at the cap", len(p.Attempts), len(capped))
	}
	for n, a := range capped[1:] {
		if a.SignedAt.Sub(capped[n].SignedAt) < 150*block {
			t.Errorf("attempt %d at the cap came after %s", n+1, a.SignedAt.Sub(capped[n].SignedAt))
		}
	}
}

// races is a node whose height is beyond every blockhash each time that it is asked.
type races struct {
	payout.Chain

	asked *uint64
}

func (r races) Height(ctx context.Context) (uint64, error) {
	*r.asked += 200
	height, err := r.Chain.Height(ctx)
	return height + *r.asked, err
}

// However fast, according to a node, blocks pass, a payment has 32 attempts at most, which its item of
// the ledger has room for; and it comes to an end.
func TestAttemptsAreBounded(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	l.Pace = payout.Pace{}
	e := l.engine(t)
	real := e.Chains[0]
	e.Chains = []payout.Chain{races{real, new(uint64)}}
	for range 60 {
		l.step(t, e)
	}
	p := l.only(t)
	if len(p.Attempts) != 32 || p.Status() != payout.Sent {
		t.Fatalf("%s by %d attempts, want 32", p.Status(), len(p.Attempts))
	}
	e.Chains = []payout.Chain{real}
	l.Pay(t, e, l.phase)
	if p := l.only(t); p.Status() != payout.Dead || len(p.Attempts) != 32 {
		t.Errorf("%s by %d attempts", p.Status(), len(p.Attempts))
	}
}
