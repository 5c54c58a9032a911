package bonding

import (
	"math/big"
	"math/bits"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// Maximum fees by version (constants.rs, get_max_fee_numerator).
const (
	maxFeeVersion0 = 500_000_000
	maxFeeVersion1 = 990_000_000
)

// FeeNumerator returns the fee on a trade now, over meteora.FeeDenominator
// (base_fee/fee_time_scheduler.rs; state/fee.rs, get_total_fee_numerator).
func (s State) FeeNumerator() (uint64, error) {
	fee, err := baseFee(s.Fee, s.ActivatedAt, s.Now)
	if err != nil {
		return 0, err
	}
	if s.FeeVersion == 0 {
		return min(fee, maxFeeVersion0), nil
	}
	return min(fee, maxFeeVersion1), nil
}

func baseFee(f meteora.BaseFee, activated, now uint64) (uint64, error) {
	if f.PeriodSeconds == 0 {
		return f.Cliff, nil
	}
	passed := uint64(f.Periods)
	if now >= activated {
		passed = min(passed, (now-activated)/f.PeriodSeconds)
	}
	if f.Mode == meteora.FeeExponential {
		return decayed(f.Cliff, f.Reduction, passed)
	}
	high, off := bits.Mul64(f.Reduction, passed)
	if high != 0 || off > f.Cliff {
		return 0, ErrOverflow
	}
	return f.Cliff - off, nil
}

// decayed returns cliff·(1 − reduction/10,000)^periods with 64 bits behind the point, cut off at
// each multiplication (math/fee_math.rs, get_fee_in_period).
func decayed(cliff, reduction, periods uint64) (uint64, error) {
	const point = 64
	if reduction == 0 {
		return cliff, nil
	}
	one := new(big.Int).Lsh(big.NewInt(1), point)
	base := new(big.Int).Lsh(new(big.Int).SetUint64(reduction), point)
	base.Sub(one, base.Quo(base, big.NewInt(MultiplierUnit)))
	if base.Sign() < 0 {
		return 0, ErrOverflow
	}
	result := one
	for ; periods > 0; periods >>= 1 {
		if periods&1 != 0 {
			result = new(big.Int).Rsh(result.Mul(result, base), point)
		}
		base = new(big.Int).Rsh(base.Mul(base, base), point)
	}
	if result.Sign() == 0 {
		return 0, ErrOverflow
	}
	return u64(result.Rsh(result.Mul(result, new(big.Int).SetUint64(cliff)), point))
}

// feeOf returns the fee in an amount that includes the fee, rounded up (get_excluded_fee_amount).
func feeOf(numerator, included uint64) uint64 {
	high, low := bits.Mul64(included, numerator)
	low, carry := bits.Add64(low, meteora.FeeDenominator-1, 0)
	// numerator is under the denominator, so the quotient is a u64.
	fee, _ := bits.Div64(high+carry, low, meteora.FeeDenominator)
	return fee
}

// withFee returns the amount of which excluded is left after the fee, rounded up
// (get_included_fee_amount).
func withFee(numerator, excluded uint64) (uint64, error) {
	n := new(big.Int).Mul(new(big.Int).SetUint64(excluded), big.NewInt(meteora.FeeDenominator))
	return u64(quotient(n, new(big.Int).SetUint64(meteora.FeeDenominator-numerator), up))
}
