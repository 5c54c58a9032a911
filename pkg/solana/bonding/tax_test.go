package bonding_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// The gross amount delivers the net amount, and a smaller amount would not.
func TestGrossIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tax := token2022.TransferFee{
			BasisPoints: uint16(rapid.IntRange(0, token2022.MaxBasisPoints).Draw(t, "bps")),
			MaximumFee:  rapid.Uint64().Draw(t, "maximum") >> rapid.IntRange(0, 63).Draw(t, "shift"),
		}
		net := rapid.Uint64().Draw(t, "net") >> rapid.IntRange(0, 63).Draw(t, "smaller")
		sent, err := bonding.Gross(tax, net)
		if err != nil {
			if !errors.Is(err, bonding.ErrOverflow) || math.MaxUint64-tax.On(math.MaxUint64) > net {
				t.Errorf("tax %+v, Gross(%d) = %v, want ErrOverflow only if it overflows", tax, net, err)
			}
			return
		}
		if sent-tax.On(sent) != net {
			t.Errorf("%+v: of %d sent %d arrive, want %d", tax, sent, sent-tax.On(sent), net)
		}
		if sent > 0 && sent-1-tax.On(sent-1) >= net && net > 0 {
			t.Errorf("%+v: %d would do for %d", tax, sent-1, net)
		}
	})
}

func TestGrossByHand(t *testing.T) {
	for _, c := range []struct {
		bps          uint16
		maximum, net uint64
		want         uint64
	}{
		{500, math.MaxUint64, 950, 1_000},
		{500, math.MaxUint64, 951, 1_002}, // 1,001.05 rounded up; 51 are withheld
		{500, 10, 950, 960},               // capped
		{0, 10, 950, 950},
		{10_000, 7, 950, 957}, // all of it, at most 7
		{10_000, 7, 0, 0},
		{1, math.MaxUint64, 1, 2}, // the least tax is one
	} {
		tax := token2022.TransferFee{BasisPoints: c.bps, MaximumFee: c.maximum}
		if got, err := bonding.Gross(tax, c.net); err != nil || got != c.want {
			t.Errorf("%+v: %d for %d, %v; want %d", tax, got, c.net, err, c.want)
		}
	}
}
