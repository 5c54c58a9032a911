// Package api is the room for how a request or message reaches the domain: the gateway, the
// table of routes, the frame of queue consumers, and a package for each function.
//
// It imports platform, solana, token, proof, launch, distribution, market and web.
package api
