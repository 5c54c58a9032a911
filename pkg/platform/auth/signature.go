package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

const (
	// maxWalletLength is that of 32 bytes in base58; decoding takes time that is
	// quadratic in the length.
	maxWalletLength = 44
	// maxSignatureLength is that of 64 bytes in base58 or in padded base64.
	maxSignatureLength = 88
)

// ParseWallet reads a base58 address of exactly 32 bytes. The address need not
// be that of a key: nobody can sign for one that is not.
func ParseWallet(text string) (wallet solana.PublicKey, ok bool) {
	if len(text) > maxWalletLength {
		return solana.PublicKey{}, false
	}
	wallet, err := solana.PublicKeyFromBase58(text)
	return wallet, err == nil && wallet.String() == text
}

// Signature is what a caller sent as his signature. A text that can be read both
// as base58 and as base64 stands for both readings.
type Signature struct{ readings []solana.Signature }

// ParseSignature reads a signature of exactly 64 bytes in base58, or in base64
// of either alphabet, padded or not.
func ParseSignature(text string) (s Signature, ok bool) {
	if len(text) > maxSignatureLength || strings.ContainsAny(text, "\r\n") { // encoding/base64 skips line breaks
		return Signature{}, false
	}
	if signature, err := solana.SignatureFromBase58(text); err == nil {
		s.readings = append(s.readings, signature)
	}
	for _, encoding := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
	} {
		if raw, err := encoding.DecodeString(text); err == nil && len(raw) == ed25519.SignatureSize {
			s.readings = append(s.readings, solana.Signature(raw))
		}
	}
	return s, len(s.readings) > 0
}

// isOf says whether this is wallet's signature of message.
func (s Signature) isOf(wallet solana.PublicKey, message []byte) bool {
	return slices.ContainsFunc(s.readings, func(signature solana.Signature) bool { return Signed(wallet, message, signature) })
}

// Signed says whether this is wallet's signature of message. It is false for a key with
// which anybody can sign.
func Signed(wallet solana.PublicKey, message []byte, signature solana.Signature) bool {
	return !isWeak(wallet) && ed25519.Verify(wallet[:], message, signature[:])
}

// isWeak says whether the key is one of the points of small order, for which
// signatures can be made without a private key. The system program's address,
// all zeros, is one of them. ed25519.Verify does not refuse them.
func isWeak(key solana.PublicKey) bool {
	key[31] &= 0x7f // the sign of x: both points with this y are of small order
	for _, y := range smallOrder {
		if key == y {
			return true
		}
	}
	return false
}

// smallOrder holds the y of the eight points of small order, little-endian, with
// those encodings that exceed p = 2^255-19 and mean the same (libsodium,
// ge25519_has_small_order).
var smallOrder = [...]solana.PublicKey{
	{0}, // order 4
	{1}, // order 1
	{ // order 8
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
	},
	{ // order 8
		0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
		0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
	},
	nearP(0xec), // p-1: order 2
	nearP(0xed), // p: is 0
	nearP(0xee), // p+1: is 1
}

// nearP gives 2^255-256+low.
func nearP(low byte) (y solana.PublicKey) {
	for i := range y {
		y[i] = 0xff
	}
	y[0], y[31] = low, 0x7f
	return y
}
