package proof_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// inventedSnapshots say of the holders what the mint's history does not bear out.
func inventedSnapshots() []forgery {
	own := terms.Asset(mint)
	// traded has a stranger's transaction land right before the last run's snapshot, of which
	// that says nothing.
	traded := func(later bool, does ...step) func(testing.TB, *shelf) run {
		return func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			r := s.run(t, first, nil)
			if later {
				before := r
				r = s.run(t, second, &before)
			}
			slot := r.closed.Manifest.Snapshot.ChainSlot
			at := slices.IndexFunc(r.acts, func(x tx) bool { return x.slot > slot })
			r.acts = slices.Insert(r.acts, at, fromStranger("trade", slot, does...))
			return r
		}
	}
	moves := func(from, to solana.PublicKey, amount int64) []step {
		return []step{give(from, own, -amount), give(to, own, amount)}
	}
	absent := solana.PublicKey{0: 77, 31: 1}
	mints := append([]step{{in: token2022.MintTo{Mint: mint, Account: ata(stranger, own), Authority: stranger, Amount: 5}.Instruction()}}, give(absent, own, 5))
	launch := func(r run) solana.Signature { return signature(r.closed.Manifest.RunID, "launch") }
	const check, says = "holders on chain", "by the mint's history"
	return []forgery{
		{name: "a holder who has more than the chain shows", check: check, says: says, runs: traded(false, moves(owner(3), owner(8), 5)...)},
		{name: "a holder who has more than the chain shows, in a later run", check: check, says: says, runs: traded(true, moves(owner(3), owner(8), 5)...)},
		{name: "an invented holder", check: check, says: says, runs: traded(false, moves(owner(3), stranger, int64(balance(3)))...)},
		{name: "a holder who is not in the snapshot", check: check, says: says, runs: traded(true, moves(owner(3), absent, 5)...)},
		{name: "tokens minted that are not in the snapshot", check: check, says: says, runs: traded(false, mints...)},
		{
			name: "a token that another one launched", check: check, says: "launched the token", first: honest,
			node: func(s *sim, r run) {
				s.bent[launch(r)] = func(t *chain.Transaction) {
					was := t.Payer()
					t.Accounts[0].Address = operator
					for _, in := range t.Instructions {
						for i, key := range in.Accounts {
							if key == was {
								in.Accounts[i] = operator
							}
						}
					}
				}
			},
		},
		{
			name: "the node hides the token's launch", check: check, says: "does not begin with its creation", unwalked: true, first: honest,
			node: func(s *sim, r run) { s.hidden[launch(r)] = true },
		},
	}
}
