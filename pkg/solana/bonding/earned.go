package bonding

import (
	"math"
	"math/big"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// two256 is 2^256, at which the program's fees per liquidity wrap around.
var two256 = new(big.Int).Lsh(big.NewInt(1), 2*bits128)

// Earned returns the fees that a position may claim from its pool now, in base units, before tax,
// and lamports. Locked and vesting liquidity earns like unlocked liquidity. ClaimPositionFee pays
// out the same amounts: the pending fees, and for each unit of liquidity the pool's fees since the
// checkpoint (state/position.rs, update_fee).
func Earned(p meteora.Pool, own meteora.Position) (tokens, lamports uint64) {
	liquidity := new(big.Int).Add(own.Unlocked, own.Vested)
	liquidity.Add(liquidity, own.Locked)
	return earned(own.FeePendingA, liquidity, p.FeesPerLiquidityA, own.FeeCheckpointA),
		earned(own.FeePendingB, liquidity, p.FeesPerLiquidityB, own.FeeCheckpointB)
}

// earned rounds down, and returns at most the maximum of 64 bits.
func earned(pending uint64, liquidity, now, checkpoint *big.Int) uint64 {
	fee := new(big.Int).Sub(now, checkpoint)
	fee.Mod(fee, two256) // never negative
	fee.Rsh(fee.Mul(fee, liquidity), bits128)
	if !fee.IsUint64() || fee.Uint64() > math.MaxUint64-pending {
		return math.MaxUint64
	}
	return pending + fee.Uint64()
}
