// Package venue exchanges a wallet's tokens in the pools of a token and SOL
// directly, on Raydium CPMM or Meteora DAMM v2, whichever pays more.
//
// Anyone can make a pool of any token, at any price. So a token is sold, and bought, only
// in pools that its creator made, as its record says; one that was not launched here has
// none. And a quote says up to which impact trading around it does not pay.
//
// A token becomes SOL in one swap. It becomes another token in two, through SOL, in
// one transaction: the first gives an exact amount of SOL for no more than the
// order's tokens, the second sells exactly that. So nothing is left over as SOL,
// which the books of a distribution could not tell from a deposit: what a better
// price leaves over are tokens that were not sold, and they wait for the next run.
//
// It promises that a quote is what the programs would do with the state that was
// read, in one slot, taxes and fees included; that a swap is made of addresses that
// it derives itself from the pool's, never of such that an account names; and that pools which do
// not trade, or whose arithmetic it does not know, are left alone.
package venue
