package allocation_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/allocation"
	"tokenlaunch.example/service/pkg/distribution"
)

func TestSplit(t *testing.T) {
	const most = math.MaxUint64
	for name, c := range map[string]struct {
		spendable, unsold uint64
		shares            allocation.Shares
		want              allocation.Split
	}{
		"everything is sold":                     {1000, 0, allocation.Shares{Sell: 10000}, allocation.Split{Slice: 1000, Sell: 1000}},
		"a quarter, a tenth of it burned":        {1000, 0, allocation.Shares{Sell: 2500, Burn: 1000}, allocation.Split{Slice: 250, Burn: 25, Sell: 225}},
		"rounded down":                           {999, 0, allocation.Shares{Sell: 3333, Burn: 3333}, allocation.Split{Slice: 332, Burn: 110, Sell: 222}},
		"what is left unsold is not burned anew": {1000, 400, allocation.Shares{Sell: 5000, Burn: 5000}, allocation.Split{Slice: 300, Burn: 150, Sell: 550}},
		"all of it was left unsold":              {400, 400, allocation.Shares{Sell: 10000, Burn: 5000}, allocation.Split{Sell: 400}},
		"everything is burned":                   {1000, 400, allocation.Shares{Sell: 5000, Burn: 10000}, allocation.Split{Slice: 300, Burn: 700}},
		"nothing there":                          {0, 0, allocation.Shares{Sell: 10000, Burn: 100}, allocation.Split{}},
		"nothing is taken":                       {1000, 0, allocation.Shares{}, allocation.Split{}},
		"the largest amount":                     {most, 0, allocation.Shares{Sell: 10000, Burn: 1}, allocation.Split{Slice: most, Burn: most / 10000, Sell: most - most/10000}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.shares.Split(c.spendable, c.unsold)
			if err != nil || got != c.want {
				t.Errorf("%+v (%v), want %+v", got, err, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		unsold uint64
		shares allocation.Shares
	}{
		"more unsold than there is":      {11, allocation.Shares{}},
		"a negative share":               {0, allocation.Shares{Sell: -1}},
		"more than everything":           {0, allocation.Shares{Sell: 10001}},
		"more than everything, together": {0, allocation.Shares{Burn: 5000, Developer: 5001}},
	} {
		if got, err := c.shares.Split(10, c.unsold); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func drawShares(t *rapid.T) allocation.Shares {
	burn := rapid.IntRange(0, 10000).Draw(t, "burn")
	return allocation.Shares{
		Sell: rapid.IntRange(0, 10000).Draw(t, "sell"), Burn: burn,
		Developer: rapid.IntRange(0, 10000-burn).Draw(t, "developer"),
	}
}

// part is a × b / c by another way of arithmetic.
func part(a uint64, b, c int) uint64 {
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), big.NewInt(int64(b)))
	return product.Quo(product, big.NewInt(int64(c))).Uint64()
}

func TestSplitsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		spendable := rapid.Uint64().Draw(t, "spendable")
		unsold := rapid.Uint64Range(0, spendable).Draw(t, "unsold")
		split, err := shares.Split(spendable, unsold)
		if err != nil {
			t.Fatal(err)
		}
		if split.Burn+split.Sell != split.Slice+unsold || split.Slice > spendable-unsold {
			t.Fatalf("%+v of %d with %d unsold", split, spendable, unsold)
		}
		if want := part(spendable-unsold, shares.Sell, 10000); split.Slice != want {
			t.Fatalf("the slice is %d, want %d", split.Slice, want)
		}
		if shares.Burn < 10000 && split.Burn != part(split.Slice, shares.Burn, 10000) {
			t.Fatalf("%d are burned of %d", split.Burn, split.Slice)
		}
		if shares.Burn == 10000 && split.Sell != 0 {
			t.Fatalf("%d are sold where everything is burned", split.Sell)
		}
	})
}

func TestTheCreatorGetsHisPartOfWhatIsNotBurned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		proceeds := rapid.Uint64().Draw(t, "proceeds")
		got := shares.Creator(proceeds)
		if got > proceeds {
			t.Fatalf("%d of %d", got, proceeds)
		}
		if shares.Burn < 10000 && got != part(proceeds, shares.Developer, 10000-shares.Burn) {
			t.Fatalf("%d of %d with %+v", got, proceeds, shares)
		}
	})
	if got := (allocation.Shares{Burn: 10000}).Creator(1000); got != 0 {
		t.Errorf("%d where everything is burned", got)
	}
	if got := (allocation.Shares{Burn: 4000, Developer: 6000}).Creator(1001); got != 1001 {
		t.Errorf("%d of 1001 where nothing is for holders", got)
	}
	if got := (allocation.Shares{Burn: 9000, Developer: 2000}).Creator(1000); got != 0 {
		t.Errorf("%d of 1000 for shares that cannot be", got)
	}
}

func TestSharesOfSettings(t *testing.T) {
	got := allocation.SharesOf(distribution.Settings{SellBps: 1, BurnBps: 2, DeveloperFeeBps: 3})
	if want := (allocation.Shares{Sell: 1, Burn: 2, Developer: 3}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestEveryReasonHasASentence(t *testing.T) {
	const unknown = allocation.Reason("the_moon_is_full")
	for _, r := range []allocation.Reason{
		allocation.BelowCost, allocation.BelowRentFloor, allocation.AccountMissingTooSmall, allocation.AccountFrozen,
		allocation.AccountNotOwned, allocation.MemoRequired, allocation.Refused, allocation.Held, allocation.Undecided, allocation.TimeOver,
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
