package preparing_test

import (
	"testing"

	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/functions/internal/preparing"
	"tokenlaunch.example/service/pkg/solana/computebudget"
)

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		environment map[string]string
		want        computebudget.Bounds // zero: refused
	}{
		{nil, computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}},
		{map[string]string{"PRIORITY_FEE_MICROLAMPORTS": "0", "PRIORITY_FEE_MAX_MICROLAMPORTS": "7"}, computebudget.Bounds{Cap: 7}},
		{map[string]string{"PRIORITY_FEE_MICROLAMPORTS": "7", "PRIORITY_FEE_MAX_MICROLAMPORTS": "7"}, computebudget.Bounds{Floor: 7, Cap: 7}},
		{map[string]string{"PRIORITY_FEE_MICROLAMPORTS": "8", "PRIORITY_FEE_MAX_MICROLAMPORTS": "7"}, computebudget.Bounds{}},
	} {
		s, err := env.ParseAsWithOptions[preparing.Settings](env.Options{Environment: c.environment})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Preparer(nil)
		if p.Price != c.want || (err != nil) != (c.want == computebudget.Bounds{}) {
			t.Errorf("%v: %+v, %v", c.environment, p.Price, err)
		}
	}
}
