// Package token is the layer of the types that other layers share: a token's record, the terms of
// its distributions, its wallet, its content files, its pools and curve. The layer imports platform
// and solana.
//
// The package itself defines the draft of a creator, the public record of a launched token, and the
// token's metadata file.
package token
