package computebudget_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/computebudget"
)

func TestPriorityFee(t *testing.T) {
	for _, c := range []struct {
		units uint32
		price uint64
		want  uint64
	}{
		{0, 10_000, 0},
		{60_000, 0, 0},
		{60_000, 10_000, 600},
		{1, 1, 1},
		{60_001, 10_000, 601},
		{math.MaxUint32, math.MaxUint64, math.MaxUint64},
	} {
		if got := computebudget.PriorityFee(c.units, c.price); got != c.want {
			t.Errorf("%d units at %d: %d, want %d", c.units, c.price, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.Uint32().Draw(t, "units")
		price := rapid.Uint64().Draw(t, "price")
		want := new(big.Int).Mul(big.NewInt(int64(units)), new(big.Int).SetUint64(price))
		want.Add(want, big.NewInt(999_999)).Div(want, big.NewInt(1_000_000))
		if most := new(big.Int).SetUint64(math.MaxUint64); want.Cmp(most) > 0 {
			want = most
		}
		if got := computebudget.PriorityFee(units, price); got != want.Uint64() {
			t.Errorf("%d, want %s", got, want)
		}
	})
}
