// Package venue exchanges a wallet's tokens in the pools of a token and SOL
// directly, on Raydium CPMM or Meteora DAMM v2, whichever pays more.
package venue
