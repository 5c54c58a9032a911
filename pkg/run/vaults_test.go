package run_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/run"
	"tokenlaunch.example/service/pkg/run/runworld"
)

// snapshots does something before each snapshot of holders is taken, when the run
// is open.
type snapshots struct {
	run.Holders
	before func()
}

func (s snapshots) Snapshot(ctx context.Context, r run.Run, file string) (run.Snapshot, error) {
	s.before()
	return s.Holders.Snapshot(ctx, r, file)
}

// What lies in pools has no share, whether or not the token's record names them, and
// the tax that is withheld there is collected. What counts is what was known when
// the run was opened.
func TestVaultsHaveNoShare(t *testing.T) {
	t.Parallel()
	w := runworld.NewGround(t).World(t)
	person := holder(t, w, 1_000*tokens).PublicKey()
	any, _, err := solana.FindProgramAddress([][]byte{[]byte("authority")}, solana.VoteProgramID)
	must(t, err)
	// Keys belong to these two: nothing but the record says what they are.
	named, late := holder(t, w, 5_000*tokens).PublicKey(), holder(t, w, 2_000*tokens).PublicKey()
	w.Give(t, any, 3_000*tokens)
	w.Token.Pools = []market.Pool{{Kind: market.RaydiumCPMM, Authority: named}, {Kind: market.MeteoraDAMMv2, Authority: any}, {}}
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Vaults = []solana.PublicKey{any}
		worker.Machine.Holders = snapshots{worker.Machine.Holders, func() {
			w.Token.Pools = append(w.Token.Pools[:2:2], market.Pool{Authority: late})
		}}
	}
	before := w.Lamports(t, named)

	r := w.Settle(t)
	for _, vault := range []solana.PublicKey{named, any} {
		if got := w.LeftOut(t, r, vault); got != "vault" {
			t.Errorf("%s is left out as %q", vault, got)
		}
		if row := w.Row(t, r, distribution.SOL, vault); !row.Owner.IsZero() {
			t.Errorf("a vault has a row: %+v", row)
		}
	}
	same(t, "lamports of a vault's owner", w.Lamports(t, named), before)
	same(t, "tax collected, also from the vaults", r.Collecting.Collected, (50+250+150+100)*tokens)
	same(t, "tokens in a vault", own(t, w, named), 4_750*tokens)
	same(t, "eligible owners", uint64(r.Snapshot.Eligible), 3)
	paid(t, w, r, distribution.SOL, person)
	paid(t, w, r, distribution.SOL, late)
	if want := []solana.PublicKey{named, any}; len(r.Token.Vaults) != 2 ||
		!slices.Contains(r.Token.Vaults, want[0]) || !slices.Contains(r.Token.Vaults, want[1]) {
		t.Errorf("the run was opened with the vaults %v, want %v", r.Token.Vaults, want)
	}

	w.Give(t, person, 1_000*tokens)
	r = w.Settle(t)
	if got := w.LeftOut(t, r, late); got != "vault" {
		t.Errorf("the owner of a new pool's vault is left out as %q in the run after", got)
	}
	paid(t, w, r, distribution.SOL, person)
}
