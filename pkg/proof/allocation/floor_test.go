package allocation_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestCreatorGetsNoMoreThanPromised: a creator pauses, lets tax pile up, changes the settings in any
// way that the rules accept, and resumes, again and again. Holders get their minimum of everything that
// is divided. The only loss is the remainder of rounding, a base unit for every run.
func TestCreatorGetsNoMoreThanPromised(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		bps := rapid.IntRange(0, terms.FullBps)
		s := terms.Default(solana.PublicKey{1})
		s.MinimumHoldersBps = bps.Draw(r, "minimum")
		least := uint64(s.MinimumHoldersBps)
		var waiting, holders, divided, runs uint64
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			patch := terms.Patch{
				Enabled: new(rapid.Bool().Draw(r, "enabled")), BurnBps: new(bps.Draw(r, "burn")), DeveloperFeeBps: new(bps.Draw(r, "fee")),
				SellBps: new(rapid.IntRange(100, terms.FullBps).Draw(r, "sell")), MinimumHoldersBps: new(rapid.IntRange(0, terms.FullBps).Draw(r, "another minimum")),
			}
			if rapid.Bool().Draw(r, "the same minimum") {
				patch.MinimumHoldersBps = nil
			}
			if len(patch.Check(s)) == 0 {
				s = patch.Apply(s)
			}
			waiting += rapid.Uint64Range(0, 1<<40).Draw(r, "tax")
			if !s.Enabled {
				continue
			}
			cut := allocation.Split(waiting, 0, s.SellBps, s.BurnBps)
			waiting -= cut.Slice
			divided += cut.Slice
			holders += cut.Sell - allocation.Creator(cut.Sell, s.BurnBps, s.DeveloperFeeBps)
			runs++
		}
		if promised := divided / terms.FullBps * least; holders+runs < promised {
			r.Fatalf("of %d, holders got %d, and were promised %d", divided, holders, promised)
		}
	})
}
