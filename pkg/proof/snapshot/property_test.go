package snapshot_test

import (
	"bytes"
	"maps"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// TestAggregation: whatever the order of the accounts, the file is the same, byte by
// byte, and has the sums of a map. Chunks are small, so that most are set
// aside and merged.
func TestAggregation(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := &node{}
		balances := map[solana.PublicKey]uint64{}
		var withheld uint64
		for i := range rapid.IntRange(0, 200).Draw(r, "accounts") {
			a := snapshot.Account{
				Address:  key(1000 + i),
				Owner:    key(rapid.IntRange(0, 30).Draw(r, "owner")),
				Amount:   rapid.Uint64Range(0, 1<<50).Draw(r, "amount"),
				Withheld: rapid.Uint64Range(0, 3).Draw(r, "withheld"),
			}
			n.accounts = append(n.accounts, a)
			if a.Amount > 0 {
				balances[a.Owner] += a.Amount
			}
			withheld += a.Withheld
		}
		minimum := rapid.Uint64Range(0, 1<<51).Draw(r, "minimum")
		n.settle(rapid.Uint64Range(0, 9).Draw(r, "withheld on the mint"))
		request := snapshot.Request{Mint: mint, Key: holdersKey, TaxKey: taxKey, Policy: snapshot.Policy{Minimum: minimum}}
		var before *shelf
		for range 2 {
			s := &shelf{}
			take := snapshotter(t, s, n)
			take.Chunk = rapid.IntRange(1, 100).Draw(r, "chunk")
			summary, err := take.Take(t.Context(), request)
			if err != nil {
				r.Fatal(err)
			}
			got := map[solana.PublicKey]uint64{}
			var eligible, sum uint64
			for _, row := range rows(t, s) {
				got[row.Owner] = row.Balance
				sum += row.Balance
				if row.Standing == snapshot.Eligible {
					eligible++
				}
				if (row.Standing == snapshot.Eligible) != (row.Balance >= minimum) {
					r.Errorf("%+v with a minimum of %d", row, minimum)
				}
			}
			if !maps.Equal(got, balances) || sum != summary.Balances || summary.WithheldInAccounts != withheld || eligible != summary.Eligible().Owners {
				r.Errorf("%+v of %v, want %v", summary, got, balances)
			}
			if before != nil && !bytes.Equal(before.files[holdersKey], s.files[holdersKey]) || before != nil && !bytes.Equal(before.files[taxKey], s.files[taxKey]) {
				r.Error("the order of the accounts shows")
			}
			before = s
			rand.Shuffle(len(n.accounts), func(i, j int) { n.accounts[i], n.accounts[j] = n.accounts[j], n.accounts[i] })
		}
	})
}

// TestCovers: what is covered brings fifty times its cost, as computed without bounds.
func TestCovers(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		price := snapshot.Price{Lamports: rapid.Uint64().Draw(r, "lamports"), BaseUnits: rapid.Uint64().Draw(r, "base units")}
		withheld, cost := rapid.Uint64().Draw(r, "withheld"), rapid.Uint64().Draw(r, "cost")
		brings := new(big.Int).Mul(new(big.Int).SetUint64(withheld), new(big.Int).SetUint64(price.Lamports))
		costs := new(big.Int).Mul(new(big.Int).SetUint64(cost), big.NewInt(50))
		costs.Mul(costs, new(big.Int).SetUint64(price.BaseUnits))
		if want := price.BaseUnits == 0 || brings.Cmp(costs) >= 0; price.Covers(withheld, cost) != want {
			r.Errorf("%d at %+v for %d: not %v", withheld, price, cost, want)
		}
	})
}
