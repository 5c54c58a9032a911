// Package venue exchanges a wallet's tokens directly in the pools of a token and SOL, on Raydium
// CPMM or Meteora DAMM v2. The package uses the pool that pays more.
//
// Anyone can create a pool of any token, at any price. So a token is sold and bought only in pools
// that the token's creator created, according to the token's record. A token that was not launched
// here has no such pool. A quote also states the impact up to which trading around the swap does
// not pay.
//
// A token is exchanged for SOL in one swap. A token is exchanged for another token in two swaps
// through SOL, in one transaction. The first swap pays an exact amount of SOL for at most the
// order's tokens, and the second swap sells exactly this amount. So no SOL is left over, which the
// books of a distribution could not distinguish from a deposit. A better price leaves unsold tokens
// for the next run.
//
// The package promises: a quote is the result of the programs for the state that was read in one
// slot, including taxes and fees; a swap uses only addresses that are derived from the pool's
// address, never addresses from an account's data; and pools that do not trade, or whose arithmetic
// is unknown, are not used.
package venue
