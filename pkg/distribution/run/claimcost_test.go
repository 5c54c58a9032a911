package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What a claim across tokens takes: by night of 20, the most that one request claims of, by
// day of two.
func TestWhatAClaimAcrossTokensCosts(t *testing.T) {
	g := runworld.NewEnv(t)
	tokens := 2
	if nightly.Whole(t) {
		tokens = 20
	}
	owner := solana.NewWallet().PublicKey()
	var worlds []*runworld.Fixture
	for range tokens {
		w := g.Fixture(t)
		w.Token.Settings.SellBps = terms.FullBps
		w.Holders(t, 1, much)
		w.Give(t, owner, little)
		w.Settle(t)
		worlds = append(worlds, w)
	}
	worlds[0].Pay(t, owner, rentExempt)
	had := g.Lamports(t, owner)
	var transactions, bytes int
	var fees, kept, arrives uint64
	for _, w := range worlds {
		w.Claim(t, owner)
		w.Drive(t, nil)
		r := w.Look(t, w.Head(t).LastSlot)
		if r.Claim == nil || r.Status() != run.Settled {
			t.Fatalf("the claim is %s: %+v", r.Status(), r.End)
		}
		row := paid(t, w, r, terms.SOL, owner)
		kept, arrives = kept+row.Charged, arrives+row.Received
		for p, err := range run.All(t.Context(), w.Payments, r) {
			must.Do(t, err)
			if p.Outcome == nil {
				continue
			}
			transactions++
			fees += p.Outcome.FeeLamports
			signed, _, err := w.Node.Signed(t.Context(), p.Outcome.Signature)
			must.Do(t, err)
			bytes += len(signed.Bytes())
		}
	}
	same(t, "what arrived", g.Lamports(t, owner)-had, arrives)
	if fees > kept {
		t.Errorf("the network took %d, and %d were kept for it", fees, kept)
	}
	figures.Show(t, "a claim across %d tokens: %d transactions of %d bytes, %d lamports of fees, %d kept of %d that were owed",
		tokens, transactions, bytes, fees, kept, kept+arrives)
}
