package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// A run on a network that finalizes at once goes from its slot to its end in the call that its
// slot's message starts. Chunks that are worked on at the same time take two messages each: to
// the payer, and back.
func TestRunTakesFewMessages(t *testing.T) {
	g := runworld.NewEnv(t)
	for name, c := range map[string]struct{ chunk, want int }{
		"one stripe":  {0, 1},
		"two stripes": {1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			w := g.Fixture(t)
			w.Payouts, w.Chunk = payout.Legacy, c.chunk
			w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 1_000, 900
			w.Token.Settings.DeveloperWallet = solana.NewWallet().PublicKey()
			w.Holders(t, 24, 40_000_000) // two batches, with the creator
			slot := w.Slot()
			began := w.Clock.Now()
			messages := w.Served(t, nil).Serve(t)
			r := w.Look(t, slot)
			if r.Status() != run.Settled || r.Payment.Legs[0].Payments != 25 || r.Burn.Amount == 0 || r.Payment.Legs[0].CreatorPaid.Amount == 0 {
				t.Fatalf("the run is %s, %+v, of %+v", r.Status(), r.End, r.Payment)
			}
			if messages != c.want {
				t.Errorf("%d messages, want %d", messages, c.want)
			}
			t.Logf("%d messages; waited %s", messages, w.Clock.Now().Sub(began))
		})
	}
}
