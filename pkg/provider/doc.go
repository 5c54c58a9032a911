// Package provider is the room for the adapters to third parties: Solana nodes, Helius, Jupiter,
// the market maker, IPFS, Telegram. They implement interfaces that the domain declares.
//
// It imports platform, solana, token, proof, launch, distribution and market.
package provider
