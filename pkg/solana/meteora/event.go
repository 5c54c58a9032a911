package meteora

import (
	"math/big"

	"github.com/gagliardetto/solana-go"
)

var swapEvent = discriminator("event:EvtSwap2")

// Sizes of SwapParameters2 and SwapResult2.
const (
	swapParametersSize = 8 + 8 + 1
	swapResultSize     = 4*8 + 16 + 4*8
	swapEventSize      = 2*discriminatorSize + solana.PublicKeyLength + 3 + swapParametersSize + swapResultSize + 6*8
)

// Swap is the result of a trade. Amounts are valid for a pool whose token A is the token, and whose
// fees are collected in B.
type Swap struct {
	Pool      solana.PublicKey
	Direction Direction
	Mode      SwapMode
	// AmountIn left the trader and AmountOut arrived. Both are the trader's amounts: sent before
	// tax, and received after tax.
	AmountIn, AmountOut uint64
	// Tokens came into the vault after tax, or left it before tax.
	Tokens uint64
	// Lamports moved the price: for a Buy the payment without Fee, for a Sell the proceeds plus
	// Fee.
	Lamports uint64
	// Fee is the fee on the trade, in lamports: the shares of the position, the program and a
	// referral.
	Fee           uint64
	NextSqrtPrice *big.Int
	// Timestamp is the chain's clock, in Unix seconds.
	Timestamp int64
	// ReserveTokens and ReserveLamports are the amounts in the pool after the trade, without fees.
	ReserveTokens, ReserveLamports uint64
	CollectFeeMode                 CollectFeeMode
}

// DecodeSwap reads the event of a swap from the data of the program's call to itself (KindEvent).
// It returns false for every other event, and for other bytes. Both swap and swap2 write the event
// (event.rs, EvtSwap2). Fields that a newer program adds at the end are ignored.
func DecodeSwap(eventData []byte) (Swap, bool) {
	if len(eventData) < swapEventSize || [discriminatorSize]byte(eventData) != eventTag ||
		[discriminatorSize]byte(eventData[discriminatorSize:]) != swapEvent {
		return Swap{}, false
	}
	r := reader{eventData[2*discriminatorSize:]}
	s := Swap{Pool: r.key(), Direction: Direction(r.u8()), CollectFeeMode: CollectFeeMode(r.u8())}
	r.skip(1 + 16) // has_referral; amount_0 and amount_1
	s.Mode = SwapMode(r.u8())
	includedFeeIn, excludedFeeIn := r.u64(), r.u64()
	r.skip(8) // amount_left
	out := r.u64()
	s.NextSqrtPrice = r.u128()
	for range 4 { // claiming, protocol, compounding, referral
		s.Fee += r.u64()
	}
	includedTaxIn, includedTaxOut, excludedTaxOut := r.u64(), r.u64(), r.u64()
	s.Timestamp = int64(r.u64()) //nolint:gosec // The program casts the clock's i64 to u64.
	s.ReserveTokens, s.ReserveLamports = r.u64(), r.u64()
	s.AmountIn, s.AmountOut = includedTaxIn, excludedTaxOut
	switch s.Direction {
	case Buy:
		s.Tokens, s.Lamports = includedTaxOut, excludedFeeIn
	case Sell:
		s.Tokens, s.Lamports = includedFeeIn, out+s.Fee
	default:
		return Swap{}, false
	}
	return s, true
}
