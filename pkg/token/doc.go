// Package token is the room for the nouns that the other rooms share: a token's record,
// the terms of its distributions, its wallet, its content files, its pools and curve.
//
// It imports platform and solana.
//
// Its own package is what the service knows of a token that it launched: the
// creator's draft, the record that is public, and its metadata file.
package token
