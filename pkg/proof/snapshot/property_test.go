package snapshot_test

import (
	"bytes"
	"iter"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// TestAggregation: whatever the order of the accounts, the file is the same, byte by
// byte, and has the sums that a map gives. Chunks are small, so that most are set
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
			take := taker(t, s, n)
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

func seq(list []snapshot.Tax) iter.Seq2[snapshot.Tax, error] {
	return func(yield func(snapshot.Tax, error) bool) {
		for _, tax := range list {
			if !yield(tax, nil) {
				return
			}
		}
	}
}

// TestWorth: each transaction that is made brings three times its cost, and the next
// one would not.
func TestWorth(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var list []snapshot.Tax
		for _, withheld := range rapid.SliceOf(rapid.Uint64Range(1, 1<<40)).Draw(r, "withheld") {
			list = append(list, snapshot.Tax{Withheld: withheld})
		}
		slices.SortFunc(list, func(a, b snapshot.Tax) int { return int(b.Withheld) - int(a.Withheld) })
		price := snapshot.Price{Lamports: rapid.Uint64().Draw(r, "lamports"), BaseUnits: rapid.Uint64().Draw(r, "base units")}
		per := rapid.IntRange(1, 30).Draw(r, "per transaction")
		cost := rapid.Uint64().Draw(r, "cost")
		got, err := snapshot.Worth(seq(list), price, per, cost)
		if err != nil {
			r.Fatal(err)
		}
		worth := uint64(0)
		for batch := range slices.Chunk(list, per) {
			brings := new(big.Int)
			for _, tax := range batch {
				brings.Add(brings, new(big.Int).SetUint64(tax.Withheld))
			}
			brings.Mul(brings, new(big.Int).SetUint64(price.Lamports))
			costs := new(big.Int).Mul(new(big.Int).SetUint64(cost), big.NewInt(3))
			costs.Mul(costs, new(big.Int).SetUint64(price.BaseUnits))
			if price.BaseUnits != 0 && brings.Cmp(costs) < 0 {
				break
			}
			worth += uint64(len(batch))
		}
		if got != worth {
			r.Errorf("%d accounts, want %d", got, worth)
		}
	})
}

func TestWorthOfRealSizes(t *testing.T) {
	list := make([]snapshot.Tax, 75) // 30 at 2,000, 30 at 1,000, 15 at 1,000
	for i := range list {
		list[i].Withheld = 1000
		if i < 30 {
			list[i].Withheld = 2000
		}
	}
	const cost = 5000
	for name, c := range map[string]struct {
		price snapshot.Price
		want  uint64
	}{
		"unknown price":             {snapshot.Price{}, 75},
		"worthless":                 {snapshot.Price{BaseUnits: 1}, 0},
		"one lamport each":          {snapshot.Price{Lamports: 1, BaseUnits: 1}, 75},
		"just enough for the first": {snapshot.Price{Lamports: 1, BaseUnits: 4}, 30},
		"a little less":             {snapshot.Price{Lamports: 1000, BaseUnits: 4001}, 0},
		"two batches":               {snapshot.Price{Lamports: 1, BaseUnits: 2}, 60},
	} {
		if got, err := snapshot.Worth(seq(list), c.price, 30, cost); err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", name, got, err, c.want)
		}
	}
}
