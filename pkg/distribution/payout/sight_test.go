package payout_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// onlooker is a node that says what it sees, and on which nothing lands.
type onlooker struct {
	payout.Chain
	sees        payout.Sighting
	away        error
	read, taken int
}

func (o *onlooker) Sightings(_ context.Context, signatures ...solana.Signature) ([]payout.Sighting, error) {
	return append(make([]payout.Sighting, len(signatures)-1), o.sees), o.away
}

func (o *onlooker) NonceAt(ctx context.Context, account solana.PublicKey, from uint64) (solana.Hash, uint64, error) {
	o.read++
	return o.Chain.NonceAt(ctx, account, from)
}

func (o *onlooker) Send(context.Context, []byte) error {
	o.taken++
	return nil
}

// What is seen says when the lane is read, and whether the same is sent again; it decides
// nothing.
func TestATransactionIsSentAgainOnlyWhileItIsNotSeen(t *testing.T) {
	pace := payout.DefaultPace()
	seen := func(left uint64) payout.Sighting { return payout.Sighting{Seen: true, Left: left} }
	l := lifeOf(t, all(payouttest.Drops))
	l.Pace = pace
	node := &onlooker{Chain: l.Chain}
	e := l.Engine(t, nil)
	e.Chains = []payout.Chain{node}
	work := l.First(l.phase, 0)
	if next, err := e.Work(t.Context(), work); err != nil || next.After != pace.Sight || node.taken != 1 {
		t.Fatalf("%+v, sent %d times, %v", next, node.taken, err)
	}
	began := l.Clock.Now()
	for _, c := range []struct {
		name  string
		at    time.Duration // after it was signed
		sees  payout.Sighting
		away  error
		sends int
		reads bool
		after time.Duration
	}{
		{name: "seen soon", at: pace.Sight, sees: seen(27), after: 27 * pace.Slot},
		{name: "not seen soon", at: pace.Sight, sends: 1, after: pace.Sight},
		{name: "not seen later", at: 2 * pace.Sight, sends: 1, after: 2 * pace.Sight},
		{name: "not seen for long", at: pace.Land - 1, sends: 1, after: pace.Look},
		{name: "nobody says", at: pace.Sight, away: errors.New("away"), sends: 1, after: pace.Sight},
		{name: "seen, final in years", at: pace.Sight, sees: seen(1 << 60), after: pace.Land / pace.Slot * pace.Slot},
		{name: "said to be final at once", at: pace.Sight, sees: seen(0), reads: true, after: pace.Look},
		{name: "final a little later", at: pace.Land, sees: seen(2), reads: true, after: 2 * pace.Slot},
		{name: "said to be final, and its lane is as it was", at: pace.Land, sees: seen(0), sends: 1, reads: true, after: pace.Look},
		{name: "gone", at: pace.Land, sends: 1, reads: true, after: pace.Look},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.Clock.Pass(began.Add(c.at).Sub(l.Clock.Now()))
			node.sees, node.away, node.read, node.taken = c.sees, c.away, 0, 0
			next, err := e.Work(t.Context(), work)
			if err != nil || next.After != c.after || node.taken != c.sends || (node.read > 0) != c.reads {
				t.Errorf("again after %s, sent %d times, its lane read %d times, %v", next.After, node.taken, node.read, err)
			}
			if i := l.only(t); i.Status() != payout.Sent || len(i.Attempts) != 1 || !i.MovedAt.IsZero() {
				t.Errorf("%s by %d attempts, moved at %s", i.Status(), len(i.Attempts), i.MovedAt)
			}
		})
	}
}
