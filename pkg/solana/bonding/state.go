package bonding

import (
	"fmt"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// State is the part of a pool's state that decides a trade.
type State struct {
	Liquidity                             *big.Int
	SqrtPrice, MinSqrtPrice, MaxSqrtPrice *big.Int
	Fee                                   meteora.BaseFee
	// FeeVersion bounds the fee, like FeeVersion of meteora.Pool.
	FeeVersion uint8
	// ActivatedAt and Now are Unix seconds of the chain's clock. Only a fee that
	// decays depends on them.
	ActivatedAt, Now uint64
}

// StateOf returns the state of a pool for a trade at a time. It returns ErrUnsupported if the pool
// collects fees in the token, has a fee that depends on more than time, counts time in slots while
// its fee decays, or does not trade at that time. If the pool is to trade later, it returns
// ErrNotOpen as well.
func StateOf(p meteora.Pool, now time.Time) (State, error) {
	s := State{
		Liquidity: p.Liquidity, SqrtPrice: p.SqrtPrice, MinSqrtPrice: p.MinSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
		Fee: p.Fee, FeeVersion: p.FeeVersion, ActivatedAt: p.ActivationPoint, Now: uint64(max(0, now.Unix())),
	}
	switch {
	case p.Status != meteora.PoolStatusEnabled:
		return State{}, fmt.Errorf("%w: it is disabled", ErrUnsupported)
	case p.CollectFeeMode != meteora.CollectOnlyB:
		return State{}, fmt.Errorf("%w: it does not collect its fees in SOL only", ErrUnsupported)
	case p.DynamicFee:
		return State{}, fmt.Errorf("%w: its fee follows volatility", ErrUnsupported)
	case p.Fee.Mode != meteora.FeeLinear && p.Fee.Mode != meteora.FeeExponential:
		return State{}, fmt.Errorf("%w: fee mode %d", ErrUnsupported, p.Fee.Mode)
	case p.ActivationType != meteora.ActivationByTime && p.Fee.Periods != 0:
		return State{}, fmt.Errorf("%w: its fee decays by slots", ErrUnsupported)
	case p.ActivationType == meteora.ActivationByTime && s.Now < s.ActivatedAt:
		return State{}, fmt.Errorf("%w: %w: it opens at second %d", ErrUnsupported, ErrNotOpen, s.ActivatedAt)
	}
	return s, nil
}

// newestFeeVersion is the fee version of new pools.
const newestFeeVersion = 1

// Opening returns the state of a planned pool at its opening, for the first trade.
func (p Params) Opening(fee meteora.BaseFee) State {
	return State{
		Liquidity: p.Liquidity, SqrtPrice: p.StartSqrtPrice, MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
		Fee: fee, FeeVersion: newestFeeVersion,
	}
}

// After returns the state after a trade.
func (s State) After(q Quote) State {
	s.SqrtPrice = q.NextSqrtPrice
	return s
}
