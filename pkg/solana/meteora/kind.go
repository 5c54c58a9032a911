package meteora

// Kind is the kind of an instruction of the program.
type Kind string

// Kinds. KindOther is any instruction that the service does not read.
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
	// KindEvent is the program's call to itself, which carries an event.
	KindEvent Kind = "event"
)

// eventTag begins the data of KindEvent (anchor_lang::event::EVENT_IX_TAG, the first bytes of a
// hash, reversed).
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

// InstructionKind returns the kind of an instruction of the program, by the instruction's data.
func InstructionKind(data []byte) Kind {
	if len(data) < discriminatorSize {
		return KindOther
	}
	if kind, ok := kinds[[discriminatorSize]byte(data)]; ok {
		return kind
	}
	return KindOther
}

// IsSwap reports whether the instruction trades.
func (k Kind) IsSwap() bool { return k == KindSwap || k == KindSwap2 }

// SignerIndex returns the index, among the accounts of the instruction, of the acting wallet: the
// payer of a new pool, the trader, or the position's owner. It returns -1 for other kinds. Behind a
// router, the account may belong to the router.
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

// PoolIndex returns the index of the pool among the accounts of the instruction, or -1 if the kind
// has no pool.
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
