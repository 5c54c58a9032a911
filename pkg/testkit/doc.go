// Package testkit is the room for test code: the local chain and AWS, injected faults, fixtures of
// whole launches and runs, contract suites, the official clients.
//
// Package testkit imports platform, solana, token, proof, launch, distribution, market, aws,
// provider, api and web. No production code imports testkit.
package testkit
