package decimal_test

import (
	"math"
	"testing"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

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
