package run_test

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// taxed lists accounts that hold these amounts.
func taxed(amounts ...uint64) iter.Seq2[snapshot.Tax, error] {
	return func(yield func(snapshot.Tax, error) bool) {
		for _, amount := range amounts {
			if !yield(snapshot.Tax{Withheld: amount}, nil) {
				return
			}
		}
	}
}

func TestWhatIsCollected(t *testing.T) {
	t.Parallel()
	const cost = 5_500
	lamport := snapshot.Price{Lamports: 1, BaseUnits: 1}
	many := func(n int, amount uint64) []uint64 { return slices.Repeat([]uint64{amount}, n) }
	for name, c := range map[string]struct {
		amounts  []uint64
		price    snapshot.Price
		known    uint64
		spare    uint64
		accounts uint32
		withheld uint64
	}{
		"nothing":                                {price: lamport, spare: 20_000_000},
		"no price: a fiftieth":                   {many(100_000, 1_000_000), snapshot.Price{}, 0, 20_000_000, 69 * 25, 69 * 25 * 1_000_000},
		"as many as it can pay for":              {many(100_000, 11_000), lamport, 2_000_000, 20_000_000, 3_462 * 25, 3_462 * 25 * 11_000},
		"each just brings enough":                {many(25, 11_000), lamport, 2_000_000, 20_000_000, 25, 275_000},
		"each brings a little less":              {many(25, 10_999), lamport, 2_000_000, 20_000_000, 0, 0},
		"the rest of a list":                     {append(many(25, 100_000), 275_000), lamport, 0, 20_000_000, 26, 2_775_000},
		"a rest that is too little":              {append(many(25, 100_000), 99_999), lamport, 0, 20_000_000, 25, 2_500_000},
		"too little for the run":                 {many(25, 80_000), lamport, 0, 20_000_000, 0, 0},
		"enough with what is there":              {many(25, 80_000), lamport, 200_000, 20_000_000, 25, 2_000_000},
		"the wallet has only what the run needs": {many(100, 1_000_000), lamport, 0, 955_000, 0, 0},
		"one transaction more":                   {many(100, 1_000_000), lamport, 0, 955_000 + cost, 25, 25_000_000},
		"less than the run needs":                {many(100, 1_000_000), lamport, 0, 1, 0, 0},
		"worth nothing":                          {many(100, 1<<40), snapshot.Price{BaseUnits: 1}, 1 << 40, 20_000_000, 0, 0},
	} {
		got, withheld, err := run.Collectable{
			Price: c.price, Known: c.known, PerTransaction: 25, Transaction: cost, Others: 7,
			Spare: c.spare, Keep: 955_000,
		}.Choose(taxed(c.amounts...))
		if err != nil || got != c.accounts || withheld != c.withheld {
			t.Errorf("%s: %d accounts with %d, %v, want %d with %d", name, got, withheld, err, c.accounts, c.withheld)
		}
	}
	broken := errors.New("broken")
	_, _, err := run.Collectable{Spare: 1 << 40}.Choose(func(yield func(snapshot.Tax, error) bool) { yield(snapshot.Tax{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestCollectingStrandsNoWallet: whatever there is to collect, what the rest of the run
// needs stays, and all transactions together cost a fiftieth at most.
func TestCollectingStrandsNoWallet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		amounts := rapid.SliceOf(rapid.Uint64Range(1, 1<<40)).Draw(r, "withheld")
		slices.SortFunc(amounts, func(a, b uint64) int { return cmp.Compare(b, a) })
		c := run.Collectable{
			Known: rapid.Uint64Range(0, 1<<40).Draw(r, "known"), PerTransaction: rapid.Uint32Range(1, 30).Draw(r, "per"),
			Transaction: rapid.Uint64Range(1, 1<<20).Draw(r, "cost"), Others: rapid.Uint64Range(0, 20).Draw(r, "others"),
			Spare: rapid.Uint64Range(0, 1<<26).Draw(r, "spare"), Keep: rapid.Uint64Range(0, 1<<24).Draw(r, "keep"),
		}
		if rapid.Bool().Draw(r, "priced") {
			c.Price = snapshot.Price{Lamports: rapid.Uint64Range(0, 1<<20).Draw(r, "lamports"), BaseUnits: rapid.Uint64Range(1, 1<<20).Draw(r, "units")}
		}
		n, withheld, err := c.Choose(taxed(amounts...))
		if err != nil {
			r.Fatal(err)
		}
		sum := uint64(0)
		for _, amount := range amounts[:n] {
			sum += amount
		}
		made := uint64((n + c.PerTransaction - 1) / c.PerTransaction)
		if sum != withheld || made > 0 && made*c.Transaction+c.Keep > c.Spare {
			r.Fatalf("%d accounts with %d, not %d, for %d of %d lamports", n, withheld, sum, made*c.Transaction, c.Spare)
		}
		if c.Price.BaseUnits == 0 || made == 0 {
			return
		}
		value := float64(c.Known+withheld) * float64(c.Price.Lamports) / float64(c.Price.BaseUnits)
		if costs := float64((c.Others + made) * c.Transaction); costs > value/50*1.000001 {
			r.Fatalf("costs of %f, of %f", costs, value)
		}
	})
}
