package computebudget_test

import (
	"maps"
	"math"
	"math/big"
	"testing"

	"github.com/gagliardetto/solana-go"
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
		if maximum := new(big.Int).SetUint64(math.MaxUint64); want.Cmp(maximum) > 0 {
			want = maximum
		}
		if got := computebudget.PriorityFee(units, price); got != want.Uint64() {
			t.Errorf("%d, want %s", got, want)
		}
	})
}

// Each reader reads its own instruction, and no other instruction, program or length.
func TestReadInstructions(t *testing.T) {
	for tag, in := range map[byte]solana.Instruction{
		2: computebudget.SetUnitLimit(7), 3: computebudget.SetUnitPrice(7), 4: computebudget.SetAccountsData(7),
	} {
		data, err := in.Data()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			program solana.PublicKey
			data    []byte
			good    bool
		}{
			{in.ProgramID(), data, true},
			{solana.SystemProgramID, data, false},
			{in.ProgramID(), data[:len(data)-1], false},
			{in.ProgramID(), append(data[:len(data):len(data)], 0), false},
			{in.ProgramID(), nil, false},
		} {
			limit, isLimit := computebudget.ReadUnitLimit(c.program, c.data)
			price, isPrice := computebudget.ReadUnitPrice(c.program, c.data)
			loads, isData := computebudget.ReadAccountsData(c.program, c.data)
			got := map[byte]bool{2: isLimit, 3: isPrice, 4: isData}
			want := map[byte]bool{2: false, 3: false, 4: false}
			want[tag] = c.good
			if !maps.Equal(got, want) || c.good && uint64(limit)+price+uint64(loads) != 7 {
				t.Errorf("read %x of %s as %v (%d, %d, %d), want %v", c.data, c.program, got, limit, price, loads, want)
			}
		}
	}
}
