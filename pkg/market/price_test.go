package market_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

func TestPrice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lamports, units int64
		decimals        int
		want            string
	}{
		"one for one":                {1_000_000_000, 1_000_000, 6, "1"},
		"a third":                    {1_000_000_000, 3_000_000, 6, "0.333333333333"},
		"two thirds are cut":         {2_000_000_000, 3_000_000, 6, "0.666666666666"},
		"small":                      {43, 1_000_000_000, 6, "0.000000000043"},
		"smaller than twelve places": {1, 3_000_000_000_000_000, 6, "0.000000000000000000333333333333"},
		"no decimals":                {1_500_000_000, 1, 0, "1.5"},
		"nine decimals":              {7, 7, 9, "1"},
		"large":                      {math.MaxInt64, 1, 9, "9223372036850000000"},
		"large and broken":           {1_234_567_890_123_456_789, 1_000_000_000, 9, "1234567890.12"},
		"nothing paid":               {0, 5, 6, "0"},
		"nothing bought":             {5, 0, 6, "0"},
	} {
		if got := market.Price(big.NewInt(c.lamports), big.NewInt(c.units), c.decimals); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A price is below the exact quotient, by less than one in its twelfth digit.
func TestPriceIsRoundedDown(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 1))
	for range 10_000 {
		lamports := max(1, random.Uint64()>>random.UintN(64))
		units := max(1, random.Uint64()>>random.UintN(64))
		decimals := random.IntN(10)
		text := market.Price(new(big.Int).SetUint64(lamports), new(big.Int).SetUint64(units), decimals)
		got, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(lamports), new(big.Int).SetUint64(units))
		exact.Mul(exact, new(big.Rat).SetFrac(
			new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil), big.NewInt(1_000_000_000)))
		if got.Cmp(exact) > 0 {
			t.Fatalf("%s is above %s", text, exact.FloatString(30))
		}
		off := new(big.Rat).Sub(exact, got)
		if off.Mul(off, big.NewRat(100_000_000_000, 1)).Cmp(exact) > 0 {
			t.Fatalf("%s is too far below %s", text, exact.FloatString(30))
		}
	}
}

func TestSOL(t *testing.T) {
	t.Parallel()
	for lamports, want := range map[uint64]string{
		0: "0", 1: "0.000000001", 1_000_000_000: "1", 1_500_000_000: "1.5",
		24_700_000: "0.0247", math.MaxUint64: "18446744073.709551615",
	} {
		if got := decimal.SOL(lamports); got != want {
			t.Errorf("%d: %s, want %s", lamports, got, want)
		}
		if back, ok := market.ParseDecimal(want, 9); !ok || back != lamports {
			t.Errorf("%s is read as %d, %t", want, back, ok)
		}
	}
}

func TestParseDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{"100": 100_000_000_000, "0.1": 100_000_000, "2.50": 2_500_000_000, "1.0000000000": 1_000_000_000} {
		if got, ok := market.ParseDecimal(text, 9); !ok || got != want {
			t.Errorf("ParseDecimal(%q) = %d, %t; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".", "1.", ".5", "-1", "+1", "1e3", "01", "1,5", "0.0000000001", "18446744073.709551616", "1.2.3", " 1", "٣"} {
		if got, ok := market.ParseDecimal(text, 9); ok {
			t.Errorf("%q is taken as %d", text, got)
		}
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n        int64
		decimals int
		want     string
	}{{0, 2, "0"}, {7, 0, "7"}, {1111, 2, "11.11"}, {10_000, 2, "100"}, {150_000, 4, "15"}, {15_500, 4, "1.55"}, {5, 2, "0.05"}} {
		if got := market.Decimal(c.n, c.decimals); got != c.want {
			t.Errorf("%d of %d decimals: %s, want %s", c.n, c.decimals, got, c.want)
		}
	}
}
