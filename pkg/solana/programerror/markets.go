package programerror

// firstCustom is the first number of a program's own errors in Anchor (anchor_lang::error,
// ERROR_CODE_OFFSET).
const firstCustom = 6000

// cpmm is ErrorCode of Raydium's constant-product program (raydium-cp-swap, error.rs), limited to
// the errors that callers can cause.
var cpmm = map[uint32]string{
	firstCustom + 0:  "The pool does not allow this now: it is closed to it, or not open yet.",
	firstCustom + 2:  "The pool is empty.",
	firstCustom + 3:  "The swap is not valid.",
	firstCustom + 5:  "The price has moved further than the slippage allows.",
	firstCustom + 6:  "The amount is too small: it buys nothing.",
	firstCustom + 7:  "Raydium does not take this mint: it has an extension that its pools do not allow.",
	firstCustom + 9:  "The pool would begin with too little: the program keeps back the first 100 shares.",
	firstCustom + 10: "The token's tax has changed meanwhile.",
	firstCustom + 11: "The amount is too large.",
	firstCustom + 12: "The pool does not hold enough.",
}

// damm is PoolError of Meteora's DAMM v2 program (damm-v2, error.rs), limited to the errors that
// callers can cause.
var damm = map[uint32]string{
	firstCustom + 0:  "The amount is too large.",
	firstCustom + 1:  "The fee is not one that the program takes.",
	firstCustom + 2:  "The price has moved further than the slippage allows.",
	firstCustom + 3:  "The pool is disabled.",
	firstCustom + 6:  "The amount is too small: it buys nothing.",
	firstCustom + 14: "The prices are outside the program's range.",
	firstCustom + 15: "The pool does not hold enough for this trade.",
	firstCustom + 20: "Meteora does not take this mint: it has an extension that its pools do not allow.",
	firstCustom + 21: "The pool would begin with too little liquidity.",
	firstCustom + 23: "The liquidity is locked, or there is none.",
	firstCustom + 25: "The pool does not allow this now.",
	firstCustom + 39: "The position still has liquidity or fees.",
	firstCustom + 69: "The token's tax takes all of the amount.",
}
