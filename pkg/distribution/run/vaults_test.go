package run_test

import (
	"context"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
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
// the tax that is withheld there is collected. The record at the opening of
// the run counts.
func TestVaultsHaveNoShare(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	person := holder(t, w, 1_000*tokens).PublicKey()
	// The programs' own authorities have tokens, and no record says anything of a pool.
	unrecorded, err := venue.Authorities(raydium.Mainnet)
	must.Do(t, err)
	for _, authority := range unrecorded {
		w.Give(t, authority, 3_000*tokens)
	}
	// Keys belong to these two: only the record names their purpose.
	named, late := holder(t, w, 5_000*tokens).PublicKey(), holder(t, w, 2_000*tokens).PublicKey()
	w.Token.Pools = []token.Pool{{Kind: token.RaydiumCPMM, Authority: named}, {Kind: token.MeteoraDAMMv2, Authority: unrecorded[1]}, {}}
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Holders = snapshots{worker.Machine.Holders, func() {
			w.Token.Pools = append(w.Token.Pools[:2:2], token.Pool{Authority: late})
		}}
	}
	before := w.Lamports(t, named)

	r := w.Settle(t)
	vaults := append([]solana.PublicKey{named}, unrecorded...)
	for _, vault := range vaults {
		if got := w.LeftOut(t, r, vault); got != "vault" {
			t.Errorf("%s is left out as %q", vault, got)
		}
		if row := w.Row(t, r, terms.SOL, vault); !row.Owner.IsZero() {
			t.Errorf("a vault has a row: %+v", row)
		}
		if !slices.Contains(r.Token.Vaults, vault) {
			t.Errorf("the run was opened with the vaults %v, without %s", r.Token.Vaults, vault)
		}
	}
	same(t, "vaults of the run", uint64(len(r.Token.Vaults)), uint64(len(vaults)))
	same(t, "lamports of a vault's owner", w.Lamports(t, named), before)
	same(t, "tax collected, also from the vaults", r.Collecting.Collected, (50+2*150+250+100)*tokens)
	same(t, "tokens in a vault", own(t, w, named), 4_750*tokens)
	same(t, "eligible owners", uint64(r.Snapshot.Eligible), 3)
	paid(t, w, r, terms.SOL, person)
	paid(t, w, r, terms.SOL, late)

	w.Give(t, person, 1_000*tokens)
	r = w.Settle(t)
	if got := w.LeftOut(t, r, late); got != "vault" {
		t.Errorf("the owner of a new pool's vault is left out as %q in the run after", got)
	}
	paid(t, w, r, terms.SOL, person)
}
