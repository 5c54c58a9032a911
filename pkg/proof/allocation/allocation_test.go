package allocation_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
)

func TestSplit(t *testing.T) {
	const most = math.MaxUint64
	for name, c := range map[string]struct {
		spendable, unsold uint64
		shares            settings
		want              allocation.Cut
	}{
		"everything is sold":                      {1000, 0, settings{sell: 10000}, allocation.Cut{Slice: 1000, Sell: 1000}},
		"a quarter, a tenth of it burned":         {1000, 0, settings{sell: 2500, burn: 1000}, allocation.Cut{Slice: 250, Burn: 25, Sell: 225}},
		"rounded down":                            {999, 0, settings{sell: 3333, burn: 3333}, allocation.Cut{Slice: 332, Burn: 110, Sell: 222}},
		"what is left unsold is not burned again": {1000, 400, settings{sell: 5000, burn: 5000}, allocation.Cut{Slice: 300, Burn: 150, Sell: 550}},
		"all of it was left unsold":               {400, 400, settings{sell: 10000, burn: 5000}, allocation.Cut{Sell: 400}},
		"everything is burned":                    {1000, 400, settings{sell: 5000, burn: 10000}, allocation.Cut{Slice: 300, Burn: 700}},
		"nothing there":                           {0, 0, settings{sell: 10000, burn: 100}, allocation.Cut{}},
		"nothing is taken":                        {1000, 0, settings{}, allocation.Cut{}},
		"more unsold than there is":               {100, 101, settings{sell: 10000, burn: 5000}, allocation.Cut{Sell: 100}},
		"the largest amount":                      {most, 0, settings{sell: 10000, burn: 1}, allocation.Cut{Slice: most, Burn: most / 10000, Sell: most - most/10000}},
	} {
		t.Run(name, func(t *testing.T) {
			got := allocation.Split(c.spendable, c.unsold, c.shares.sell, c.shares.burn)
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// settings are shares in basis points.
type settings struct{ sell, burn, developer int }

func drawSettings(t *rapid.T) settings {
	burn := rapid.IntRange(0, 10000).Draw(t, "burn")
	return settings{
		sell: rapid.IntRange(0, 10000).Draw(t, "sell"), burn: burn,
		developer: rapid.IntRange(0, 10000-burn).Draw(t, "developer"),
	}
}

// part is a × b / c by another way of arithmetic.
func part(a uint64, b, c int) uint64 {
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), big.NewInt(int64(b)))
	return product.Quo(product, big.NewInt(int64(c))).Uint64()
}

func TestSplitsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawSettings(t)
		spendable := rapid.Uint64().Draw(t, "spendable")
		unsold := rapid.Uint64Range(0, spendable).Draw(t, "unsold")
		split := allocation.Split(spendable, unsold, shares.sell, shares.burn)
		if split.Burn+split.Sell != split.Slice+unsold || split.Slice > spendable-unsold {
			t.Fatalf("%+v of %d with %d unsold", split, spendable, unsold)
		}
		if want := part(spendable-unsold, shares.sell, 10000); split.Slice != want {
			t.Fatalf("the slice is %d, want %d", split.Slice, want)
		}
		if shares.burn < 10000 && split.Burn != part(split.Slice, shares.burn, 10000) {
			t.Fatalf("%d are burned of %d", split.Burn, split.Slice)
		}
		if shares.burn == 10000 && split.Sell != 0 {
			t.Fatalf("%d are sold where everything is burned", split.Sell)
		}
	})
}

func TestCreatorGetsPartOfRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawSettings(t)
		proceeds := rapid.Uint64().Draw(t, "proceeds")
		got := allocation.Creator(proceeds, shares.burn, shares.developer)
		if got > proceeds {
			t.Fatalf("%d of %d", got, proceeds)
		}
		if shares.burn < 10000 && got != part(proceeds, shares.developer, 10000-shares.burn) {
			t.Fatalf("%d of %d with %+v", got, proceeds, shares)
		}
	})
	if got := allocation.Creator(1000, 10000, 0); got != 0 {
		t.Errorf("%d where everything is burned", got)
	}
	if got := allocation.Creator(1001, 4000, 6000); got != 1001 {
		t.Errorf("%d of 1001 where nothing is for holders", got)
	}
	if got := allocation.Creator(1000, 9000, 2000); got != 1000 {
		t.Errorf("%d of 1000: more than there is", got)
	}
}

func TestEveryReasonHasASentence(t *testing.T) {
	const unknown = allocation.Reason("the_moon_is_full")
	for _, r := range []allocation.Reason{
		allocation.BelowCost, allocation.BelowRentFloor, allocation.AccountMissingTooSmall, allocation.AccountFrozen,
		allocation.AccountNotOwned, allocation.NotAWallet, allocation.WalletTooLow, allocation.Refused, allocation.Held, allocation.Undecided, allocation.TimeOver,
	} {
		if !r.Valid() || r.Sentence() == unknown.Sentence() {
			t.Errorf("%s: valid %v, %q", r, r.Valid(), r.Sentence())
		}
	}
	if !unknown.Valid() || unknown.Sentence() == "" {
		t.Error("a new reason is not taken")
	}
	for _, bad := range []allocation.Reason{"", "Below", "below cost", "below,cost", "x9", "abcdefghijklmnopqrstuvwxyz_abcdefg"} {
		if bad.Valid() {
			t.Errorf("%q is taken", bad)
		}
	}
}
