package meteora

// Kind is what an instruction of the program does.
type Kind string

// Kinds. Other is any that the service does not look at.
const (
	KindOther              Kind = "other"
	KindCreatePool         Kind = "initialize_customizable_pool"
	KindLock               Kind = "permanent_lock_position"
	KindRemoveLiquidity    Kind = "remove_liquidity"
	KindRemoveAllLiquidity Kind = "remove_all_liquidity"
	KindClosePosition      Kind = "close_position"
	KindClaimFee           Kind = "claim_position_fee"
	KindSwap               Kind = "swap"
	KindSwap2              Kind = "swap2"
	// KindEvent is the program's call of itself that carries an event.
	KindEvent Kind = "event"
)

// eventTag begins the data of KindEvent (anchor_lang::event::EVENT_IX_TAG, which is
// the first bytes of a hash, reversed).
var eventTag = [discriminatorSize]byte{0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d}

var kinds = map[[discriminatorSize]byte]Kind{
	initializeCustomizablePool:               KindCreatePool,
	permanentLockPosition:                    KindLock,
	discriminator("global:remove_liquidity"): KindRemoveLiquidity,
	removeAllLiquidity:                       KindRemoveAllLiquidity,
	closePosition:                            KindClosePosition,
	claimPositionFee:                         KindClaimFee,
	swapV1:                                   KindSwap,
	swapV2:                                   KindSwap2,
	eventTag:                                 KindEvent,
}

// InstructionKind tells what an instruction of the program does from its data.
func InstructionKind(data []byte) Kind {
	if len(data) < discriminatorSize {
		return KindOther
	}
	if kind, ok := kinds[[discriminatorSize]byte(data)]; ok {
		return kind
	}
	return KindOther
}

// IsSwap reports whether it trades.
func (k Kind) IsSwap() bool { return k == KindSwap || k == KindSwap2 }

// SignerIndex gives the index, among the accounts of the instruction, of the wallet
// on whose behalf it is: who pays a pool or trades, or the position's owner. It is
// -1 where there is none. Behind a router it may be an account of the router.
func (k Kind) SignerIndex() int {
	switch k {
	case KindSwap, KindSwap2:
		return 8
	case KindCreatePool, KindLock:
		return 3
	case KindRemoveLiquidity, KindRemoveAllLiquidity, KindClaimFee:
		return 10
	case KindClosePosition:
		return 6
	case KindOther, KindEvent:
	}
	return -1
}

// PoolIndex gives the index of the pool among the accounts of the instruction, or
// -1 where there is none.
func (k Kind) PoolIndex() int {
	switch k {
	case KindLock:
		return 0
	case KindSwap, KindSwap2, KindRemoveLiquidity, KindRemoveAllLiquidity, KindClaimFee:
		return 1
	case KindClosePosition:
		return 2
	case KindCreatePool:
		return 5
	case KindOther, KindEvent:
	}
	return -1
}
