// Package market is the room for the markets of a token: pools, bonding curves and the launchpad,
// venues for the exchange, the trade index, promotions, and the watcher of all markets.
//
// Package market imports platform, solana, token, proof and distribution.
//
// The package itself has the common parts of a token's markets: the programs of the markets, their
// addresses, and the tokens that the markets accept.
package market
