package decimal_test

import (
	"math"
	"testing"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

func TestPercent(t *testing.T) {
	for bps, want := range map[int][2]string{
		-1: {"0", "0.00"}, 0: {"0", "0.00"}, 1: {"0.01", "0.01"}, 10: {"0.1", "0.10"}, 29: {"0.29", "0.29"}, 100: {"1", "1.00"},
		250: {"2.5", "2.50"}, 3_333: {"33.33", "33.33"}, 9_990: {"99.9", "99.90"}, 10_000: {"100", "100.00"}, 123_456: {"1234.56", "1234.56"},
	} {
		if got := [2]string{decimal.Percent(bps), decimal.PercentFixed(bps)}; got != want {
			t.Errorf("%d basis points are %v, want %v", bps, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		n      uint64
		places int
		want   string
	}{
		{0, 0, "0"},
		{0, 9, "0"},
		{7, 0, "7"},
		{70, 1, "7"},
		{1, 9, "0.000000001"},
		{10, 9, "0.00000001"},
		{999_999, 6, "0.999999"},
		{1_000_000, 6, "1"},
		{1_500_000, 6, "1.5"},
		{1_000_000_500_000, 6, "1000000.5"},
		{math.MaxUint64, 9, "18446744073.709551615"},
		{math.MaxUint64, 20, "0.18446744073709551615"},
	} {
		if got := decimal.Text(c.n, c.places); got != c.want {
			t.Errorf("%d with %d places is %s, want %s", c.n, c.places, got, c.want)
		}
	}
	if got := decimal.SOL(20_000_000); got != "0.02" {
		t.Errorf("20,000,000 lamports are %s", got)
	}
}

func TestGrouped(t *testing.T) {
	for _, c := range []struct {
		n      uint64
		places int
		want   string
	}{
		{0, 6, "0"},
		{999, 0, "999"},
		{1_000, 0, "1,000"},
		{1_000_000_500_000, 6, "1,000,000.5"},
		{123_456, 6, "0.123456"},
		{math.MaxUint64, 0, "18,446,744,073,709,551,615"},
	} {
		if got := decimal.Grouped(c.n, c.places); got != c.want {
			t.Errorf("Grouped(%d, %d) = %q, want %q", c.n, c.places, got, c.want)
		}
	}
}
