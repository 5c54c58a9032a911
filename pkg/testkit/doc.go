// Package testkit is the room for what only tests use: the local chain and AWS, faults on the
// wire, fixtures of whole launches and runs, contract suites, the official clients.
//
// It imports platform, solana, token, proof, launch, distribution, market, aws,
// provider, api and web, and nothing in production imports it.
package testkit
