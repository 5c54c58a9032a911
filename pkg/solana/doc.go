// Package solana is the room for the chain's formats: messages and transactions, the programs'
// instructions and accounts, and the only way to build a transaction that a caller signs.
//
// Package solana imports platform.
package solana
