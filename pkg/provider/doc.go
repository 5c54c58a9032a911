// Package provider is the layer of adapters to third parties: Solana nodes, Helius, Jupiter, the
// market maker, IPFS, Telegram, creators' webhook servers. The adapters implement interfaces of the
// domain.
//
// The layer imports platform, solana, token, proof, launch, distribution and market.
package provider
