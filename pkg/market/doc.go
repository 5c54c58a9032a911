// Package market is the room for where a token trades: pools, bonding curves and the
// launchpad, venues for the exchange, the trade index, promotions, and the watcher of all
// of them.
//
// It imports platform, solana, token, proof and distribution.
//
// Its own package holds what the markets of a token have in common: which program
// they run on, where they are, and which tokens they take.
package market
