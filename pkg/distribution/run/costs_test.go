package run_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/distribution/run"
)

func TestCostsAt(t *testing.T) {
	for _, test := range []struct {
		microLamports, funding uint64
		want                   run.Costs
	}{
		{0, 0, run.Costs{Transaction: 5_000}},
		{10_000, 20_000_000, run.Costs{Transaction: 7_000, Float: 10_000_000}},
		{1, 1, run.Costs{Transaction: 5_001}}, // a started lamport is paid
	} {
		if got := run.CostsAt(test.microLamports, test.funding); got != test.want {
			t.Errorf("at %d, funded with %d: %+v, want %+v", test.microLamports, test.funding, got, test.want)
		}
	}
}
