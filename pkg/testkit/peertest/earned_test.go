package peertest_test

import (
	"math/big"
	"strconv"
	"testing"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// TestEarnedFeesEqualTheOfficialClient: what a position may claim, also where the pool's sums
// have wrapped around or 64 bits are not enough.
func TestEarnedFeesEqualTheOfficialClient(t *testing.T) {
	g := newGenerator(5)
	const rounds = 300
	var cases []peertest.Case
	var want [][2]uint64
	small, wrapped := 0, 0
	for range rounds {
		own := meteora.Position{
			FeeCheckpointA: g.u256(), FeeCheckpointB: g.u256(), FeePendingA: g.u64(), FeePendingB: g.u64(),
			Unlocked: g.u128(), Vested: g.u128(), Locked: g.u128(),
		}
		p := meteora.Pool{FeesPerLiquidityA: g.u256(), FeesPerLiquidityB: g.u256()}
		if g.IntN(2) == 0 { // as it is: a little more than at the last look
			p.FeesPerLiquidityA = new(big.Int).Add(own.FeeCheckpointA, g.u128())
			p.FeesPerLiquidityA.Mod(p.FeesPerLiquidityA, new(big.Int).Lsh(big.NewInt(1), 256))
		}
		if p.FeesPerLiquidityB.Cmp(own.FeeCheckpointB) < 0 {
			wrapped++
		}
		tokens, lamports := bonding.Earned(p, own)
		if tokens != ^uint64(0) {
			small++
		}
		want = append(want, [2]uint64{tokens, lamports})
		cases = append(cases, peertest.Case{"kind": "earned", "pool": peertest.Case{
			"fee_a_per_liquidity": p.FeesPerLiquidityA.String(), "fee_b_per_liquidity": p.FeesPerLiquidityB.String(),
		}, "position": peertest.Case{
			"fee_a_per_token_checkpoint": own.FeeCheckpointA.String(), "fee_b_per_token_checkpoint": own.FeeCheckpointB.String(),
			"fee_a_pending": u64(own.FeePendingA), "fee_b_pending": u64(own.FeePendingB), "unlocked_liquidity": own.Unlocked.String(),
			"vested_liquidity": own.Vested.String(), "permanent_locked_liquidity": own.Locked.String(),
		}})
	}
	for i, got := range peertest.Meteora(t, cases) {
		if len(got.Numbers) != 2 || got.Numbers[0] != strconv.FormatUint(want[i][0], 10) || got.Numbers[1] != strconv.FormatUint(want[i][1], 10) {
			t.Errorf("%v: ours %v, the client's %v %s", cases[i], want[i], got.Numbers, got.Error)
		}
	}
	if small < rounds/4 || wrapped < rounds/10 {
		t.Errorf("%d of %d fit into 64 bits, %d wrapped around", small, rounds, wrapped)
	}
}
