// Package ed25519strict verifies signatures as Solana does: by ed25519-dalek's verify_strict,
// which refuses some that RFC 8032 and crypto/ed25519 let pass. A signature that we took and
// the chain refused would make a launch that can never land.
package ed25519strict

import (
	"bytes"
	"crypto/ed25519"

	"filippo.io/edwards25519"
)

// Verify says whether signature is key's signature of message, and neither key nor the
// signature's R is a point of small order or written in a form that is not the canonical one.
// Anyone can sign for a key of small order. A key or signature of another length is false.
func Verify(key, message, signature []byte) bool {
	return len(key) == ed25519.PublicKeySize && len(signature) == ed25519.SignatureSize &&
		proper(key) && proper(signature[:ed25519.PublicKeySize]) &&
		ed25519.Verify(key, message, signature) // refuses an S that is not below the group's order
}

// proper says whether an encoding is the one of a point whose order is not 1, 2, 4 or 8.
func proper(encoding []byte) bool {
	p, err := new(edwards25519.Point).SetBytes(encoding)
	if err != nil || !bytes.Equal(p.Bytes(), encoding) {
		return false
	}
	return p.MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 0
}
