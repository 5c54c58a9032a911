// Package ed25519strict verifies signatures as Solana does: with ed25519-dalek's verify_strict,
// which rejects some signatures that RFC 8032 and crypto/ed25519 accept. A signature that this
// service accepts and the chain rejects would result in a launch that can never land.
package ed25519strict

import (
	"bytes"
	"crypto/ed25519"

	"filippo.io/edwards25519"
)

// Verify reports whether signature is key's signature of message, and neither key nor the
// signature's R is a point of small order or in a non-canonical encoding. Anyone can sign for a key
// of small order. Verify returns false for a key or signature of another length.
func Verify(key, message, signature []byte) bool {
	return len(key) == ed25519.PublicKeySize && len(signature) == ed25519.SignatureSize &&
		proper(key) && proper(signature[:ed25519.PublicKeySize]) &&
		ed25519.Verify(key, message, signature) // rejects an S at or above the group's order
}

// proper reports whether an encoding is canonical and the point's order is not 1, 2, 4 or 8.
func proper(encoding []byte) bool {
	p, err := new(edwards25519.Point).SetBytes(encoding)
	if err != nil || !bytes.Equal(p.Bytes(), encoding) {
		return false
	}
	return p.MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 0
}
