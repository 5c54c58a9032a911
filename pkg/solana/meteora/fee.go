package meteora

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// BaseFeeMode is how a pool's fee on trades changes (state/fee.rs, BaseFeeMode).
type BaseFeeMode uint8

// Base fee modes. New pools of ours are linear; a constant fee is a linear one
// with no periods.
const (
	FeeLinear               BaseFeeMode = 0
	FeeExponential          BaseFeeMode = 1
	FeeRateLimiter          BaseFeeMode = 2
	FeeMarketCapLinear      BaseFeeMode = 3
	FeeMarketCapExponential BaseFeeMode = 4
)

// BaseFee is the fee on trades: Cliff at first, and less by Reduction for each
// period that passed since the pool's activation, until Periods of them passed.
type BaseFee struct {
	Cliff         uint64 // over FeeDenominator
	Periods       uint16 // 0: the fee is constant
	PeriodSeconds uint64
	// Reduction is over FeeDenominator in a linear fee, in ten-thousandths of what
	// the fee was in an exponential one.
	Reduction uint64
	Mode      BaseFeeMode
}

// ErrFee appears when a fee is outside what the program takes.
var ErrFee = errors.New("the program does not take this trade fee")

// ConstantFee gives a fee in ten-thousandths, MinFeeBps to MaxFeeBps.
func ConstantFee(bps int) (BaseFee, error) {
	if bps < MinFeeBps || bps > MaxFeeBps {
		return BaseFee{}, fmt.Errorf("%w: %d ten-thousandths", ErrFee, bps)
	}
	return BaseFee{Cliff: uint64(bps) * FeeNumeratorPerBps}, nil
}

// DecayingFee gives a fee that falls from startBps to endBps, in ten-thousandths,
// evenly over a time, once in every step. It ends exactly at endBps: what does not
// divide by the number of steps is taken off the start, less than a step's worth.
func DecayingFee(startBps, endBps int, over, step time.Duration) (BaseFee, error) {
	if endBps < MinFeeBps || startBps <= endBps || startBps > MaxFeeBps {
		return BaseFee{}, fmt.Errorf("%w: from %d down to %d ten-thousandths", ErrFee, startBps, endBps)
	}
	if step < time.Second || step%time.Second != 0 || over < step || over%step != 0 || over/step > 0xffff {
		return BaseFee{}, fmt.Errorf("%w: %v in steps of %v", ErrFee, over, step)
	}
	periods := uint64(over / step) //nolint:gosec // 1 to 65,535, by the checks above.
	end := uint64(endBps) * FeeNumeratorPerBps
	// A step is at least one unit: the least difference has more units than there are steps.
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
