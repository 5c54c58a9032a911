package client_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/client"
)

func TestSumsInWholeUnits(t *testing.T) {
	for _, c := range []struct {
		sum      client.Sum
		decimals int
		want     string
	}{
		{"0", 9, "0"},
		{"1", 9, "0.000000001"},
		{"1500000000", 9, "1.5"},
		{"1180591620717411303424", 9, "1180591620717.411303424"},
		{"7", 0, "7"},
		{"100", 2, "1"},
	} {
		if got := c.sum.Text(c.decimals); got != c.want {
			t.Errorf("%s with %d decimals: %s, want %s", c.sum, c.decimals, got, c.want)
		}
	}
}
