package meteora

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// BaseFeeMode is the schedule of a pool's fee on trades (state/fee.rs, BaseFeeMode).
type BaseFeeMode uint8

// Base fee modes. Our new pools are linear. A constant fee is a linear fee without periods.
const (
	FeeLinear               BaseFeeMode = 0
	FeeExponential          BaseFeeMode = 1
	FeeRateLimiter          BaseFeeMode = 2
	FeeMarketCapLinear      BaseFeeMode = 3
	FeeMarketCapExponential BaseFeeMode = 4
)

// BaseFee is the fee on trades. The fee is Cliff at first, and falls by Reduction for each period
// since the pool's activation, for at most Periods periods.
type BaseFee struct {
	Cliff         uint64 // over FeeDenominator
	Periods       uint16 // 0: the fee is constant
	PeriodSeconds uint64
	// Reduction is over FeeDenominator in a linear fee. In an exponential fee, Reduction is in
	// ten-thousandths of the previous fee.
	Reduction uint64
	Mode      BaseFeeMode
}

// ErrFee is returned for a fee outside the program's range.
var ErrFee = errors.New("the program does not take this trade fee")

// ConstantFee returns a fee in ten-thousandths, MinFeeBps to MaxFeeBps.
func ConstantFee(bps int) (BaseFee, error) {
	if bps < MinFeeBps || bps > MaxFeeBps {
		return BaseFee{}, fmt.Errorf("%w: %d ten-thousandths", ErrFee, bps)
	}
	return BaseFee{Cliff: uint64(bps) * FeeNumeratorPerBps}, nil
}

// DecayingFee returns a fee that falls evenly from startBps to endBps, in ten-thousandths, over a
// time, once in every step. The fee ends exactly at endBps. The remainder of the division by the
// number of steps, less than the reduction of a step, is taken off the start.
func DecayingFee(startBps, endBps int, over, step time.Duration) (BaseFee, error) {
	if endBps < MinFeeBps || startBps <= endBps || startBps > MaxFeeBps {
		return BaseFee{}, fmt.Errorf("%w: from %d down to %d ten-thousandths", ErrFee, startBps, endBps)
	}
	if step < time.Second || step%time.Second != 0 || over < step || over%step != 0 || over/step > 0xffff {
		return BaseFee{}, fmt.Errorf("%w: %v in steps of %v", ErrFee, over, step)
	}
	periods := uint64(over / step) //nolint:gosec // 1 to 65,535, by the checks above.
	end := uint64(endBps) * FeeNumeratorPerBps
	// A step is at least one unit: the minimum difference has more units than there are steps.
	reduction := (uint64(startBps)*FeeNumeratorPerBps - end) / periods //nolint:gosec // It is more than endBps.
	return BaseFee{
		Cliff: end + reduction*periods, Periods: uint16(periods), //nolint:gosec // As above.
		PeriodSeconds: uint64(step / time.Second), Reduction: reduction,
	}, nil
}

// appendParameters encodes the fee for InitializeCustomizablePool, in 27 bytes
// (base_fee/fee_time_scheduler.rs, BorshFeeTimeScheduler).
func (f BaseFee) appendParameters(data []byte) []byte {
	data = appendU64(data, f.Cliff)
	data = binary.LittleEndian.AppendUint16(data, f.Periods)
	data = appendU64(data, f.PeriodSeconds)
	data = appendU64(data, f.Reduction)
	return append(data, byte(f.Mode))
}
