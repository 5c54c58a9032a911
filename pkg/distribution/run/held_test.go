package run_test

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// basisOf chooses the reward basis as a change of the settings does, and takes the creator's
// tokens for those of a pool, from which purchases come.
func basisOf(w *runworld.Fixture, basis terms.Basis) {
	w.Token.Settings.RewardBasis = basis
	w.Token.SettingsVersion++
	w.Token.Pools = []token.Pool{{Kind: token.RaydiumCPMM, Authority: w.Creator.PublicKey()}}
}

// sell sends all that an owner has back to the pool.
func sell(t *testing.T, w *runworld.Fixture, from solana.PrivateKey) {
	t.Helper()
	w.Execute(t, []solana.PrivateKey{w.Bank, from}, token2022.TransferChecked{
		Source: w.Account(t, from.PublicKey()), Mint: w.Token.Mint, Destination: w.Account(t, w.Creator.PublicKey()), Owner: from.PublicKey(),
		Amount: own(t, w, from.PublicKey()), Decimals: runworld.Decimals,
	}.Instruction())
}

// What one gains who buys just before the slot, and one who held throughout, by each basis:
// each of three slots has such a buyer, with ten times as much, who sells after it.
func TestWhatABuyerOfTheLastMinuteGains(t *testing.T) {
	t.Parallel()
	for _, basis := range []terms.Basis{terms.BasisSnapshot, terms.BasisHeld} {
		t.Run(basis.String(), func(t *testing.T) {
			t.Parallel()
			w := runworld.NewEnv(t).Fixture(t)
			basisOf(w, basis)
			steady := holder(t, w, 10_000*tokens)
			var late, shared uint64
			for range 3 {
				buyer := holder(t, w, 100_000*tokens)
				r := w.Settle(t)
				late += w.Lamports(t, buyer.PublicKey()) - rentExempt
				shared += r.Payment.HoldersShare
				if why := w.LeftOut(t, r, buyer.PublicKey()); basis == terms.BasisHeld && why != format.NotHeld {
					t.Errorf("the buyer is left out as %q", why)
				}
				sell(t, w, buyer)
			}
			held := w.Lamports(t, steady.PublicKey()) - rentExempt
			figures.Show(t, "reward basis %s: of %s SOL for holders in 3 slots, buyers of the last minute with ten times as much got %s, and who held throughout %s",
				basis, sol(shared), sol(late), sol(held))
			if gains := late > 0; gains != (basis == terms.BasisSnapshot) || held == 0 {
				t.Errorf("buyers of the last minute got %d, and who held throughout %d", late, held)
			}
			if basis == terms.BasisHeld && held+10 < shared {
				t.Errorf("%d of %d are not the holder's", shared-held, shared)
			}
		})
	}
}

// A claim has no snapshot, and a run that was skipped leaves none: what the last distribution's
// proof says was held counts, however many come between, and a reader is told of which proof that is.
func TestClaimsBetweenChangeNothingOfWhatWasHeld(t *testing.T) {
	t.Parallel()
	c := newClaimants(t, runworld.NewEnv(t), 2)
	first := c.Head(t).Snapshot
	basisOf(c.Fixture, terms.BasisHeld)
	buyer := holder(t, c.Fixture, little) // before the claims, and after the snapshot
	for _, owner := range c.poor {
		c.Clock.Pass(run.ClaimPause)
		c.Claim(t, owner)
		c.Drive(t, nil)
		if now := c.claimed(t); now.Status() != run.Settled {
			t.Fatalf("the claim is %s: %+v", now.Status(), now.End)
		}
		if now := c.Head(t).Snapshot; *now != *first {
			t.Errorf("after a claim the snapshot is %+v, not %+v", now, first)
		}
	}
	c.Give(t, c.rich, much)
	r := c.Settle(t)
	m := c.Manifest(t, r)
	if b := m.Snapshot.Held.Before; b == nil || b.Number != 1 || b.RunID != first.Run || b.Manifest != first.Manifest || m.Number != 4 {
		t.Errorf("proof %d compares with %+v, not with %+v", m.Number, b, first)
	}
	row := paid(t, c.Fixture, r, terms.SOL, c.rich)
	same(t, "what the holder had before", row.Before, much*95/100)
	if why := c.LeftOut(t, r, buyer.PublicKey()); why != format.NotHeld {
		t.Errorf("the buyer is left out as %q", why)
	}
	checked := slices.ContainsFunc(c.Report(t, r).Checks, func(of verify.Check) bool { return of.Name == "held before" && of.Verdict == verify.Consistent })
	if !checked {
		t.Error("the proof is not held against the snapshot before")
	}
}

// opened makes an owner's account.
func opened(t *testing.T, w *runworld.Fixture, owner solana.PublicKey) solana.Instruction {
	t.Helper()
	create, _, err := token2022.CreateAssociatedIdempotent{
		Payer: w.Bank.PublicKey(), Wallet: owner, Mint: w.Token.Mint, Program: solana.Token2022ProgramID,
	}.Instruction()
	must.Do(t, err)
	return create
}

// lost is the ledger's files without some.
type lost struct {
	snapshot.Store
	key string
}

func (l lost) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	if key == l.key {
		return nil, content.ErrNoObject
	}
	return l.Store.Open(ctx, key)
}

func (l lost) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	if key == l.key {
		return nil, content.ErrNoObject
	}
	return l.Store.GetRange(ctx, key, from, length)
}

// Where the ledger's file of the snapshot before is gone, its proof says who held the token.
func TestProofHasSnapshotBefore(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	basisOf(w, terms.BasisHeld)
	steady := holder(t, w, 10_000*tokens)
	first := w.Settle(t)
	w.Prepare = func(worker *runworld.Worker) {
		k, ok := worker.Machine.Books.(books.Bookkeeper)
		if !ok {
			t.Fatalf("the books are kept by %T", worker.Machine.Books)
		}
		k.Files = lost{k.Files, first.Snapshot.File}
		worker.Machine.Books, worker.Machine.Holders = k, k
	}
	buyer := holder(t, w, 5_000*tokens)
	r := w.Settle(t)
	row := paid(t, w, r, terms.SOL, steady.PublicKey())
	same(t, "what the holder had before", row.Before, 9_500*tokens)
	if why := w.LeftOut(t, r, buyer.PublicKey()); why != format.NotHeld {
		t.Errorf("the buyer is left out as %q", why)
	}
}
