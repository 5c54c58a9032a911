package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

func TestHoldersArePaidInSOL(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 1_000, 900
	creator := solana.NewWallet().PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	holders := w.Holders(t, 3, 1_000_000_000)
	before := make([]uint64, len(holders))
	for i, h := range holders {
		before[i] = w.Lamports(t, h)
	}
	own, supply := w.Lamports(t, w.Token.Creator), w.Supply(t)
	slot := w.Slot()
	w.Drive(t, nil)

	r, err := w.Runs.Run(t.Context(), w.Token.Mint, slot)
	must.Do(t, err)
	if r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	t.Logf("%+v", r.Closing)
	// 5 percent of 6,000 tokens; the creator's own account withheld nothing.
	if r.Collecting.Collected != 300_000_000 {
		t.Errorf("collected %d", r.Collecting.Collected)
	}
	if got := supply - w.Supply(t); got != 30_000_000 || r.Burn.Amount != got {
		t.Errorf("burned %d, the run says %d", got, r.Burn.Amount)
	}
	if got := w.Lamports(t, creator); got != r.Payment.CreatorShare || got == 0 {
		t.Errorf("the creator got %d of %d", got, r.Payment.CreatorShare)
	}
	all := w.Lamports(t, w.Token.Creator) - own // who holds what the others have not
	for i, h := range holders {
		got := w.Lamports(t, h) - before[i]
		all += got
		want := r.Payment.HoldersShare * (950_000_000 * uint64(i+1)) / r.Snapshot.EligibleBalance
		if got != want || got == 0 {
			t.Errorf("holder %d got %d, not %d", i, got, want)
		}
	}
	// The public figures equal the holders' amounts on the chain.
	if counted := figures.Of(r); len(counted.Paid) != 1 || counted.Paid[0] != (figures.Paid{Asset: terms.SOL, Decimals: 9, Amount: all}) || counted.Manifest != r.Closing.Manifest {
		t.Errorf("counted %+v, holders got %d", counted, all)
	}
	if r.Closing.Legs[0].Asset != terms.SOL || r.Anchor.Signature.IsZero() || r.Closing.AnchorTx == "" {
		t.Errorf("closing %+v, anchor %+v", r.Closing, r.Anchor)
	}
}
