// Package solana is the room for the chain's formats: messages and transactions, the programs'
// instructions and accounts, and the one way to build a transaction that a caller signs.
//
// It imports platform.
package solana
