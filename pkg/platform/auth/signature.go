package auth

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth/ed25519strict"
)

const (
	// maxWalletLength is the maximum length of 32 bytes in base58. The limit is checked first,
	// because decoding takes time that is quadratic in the length.
	maxWalletLength = 44
	// maxSignatureLength is the maximum length of 64 bytes in base58 or in padded base64.
	maxSignatureLength = 88
)

// ParseWallet parses a base58 address of exactly 32 bytes. The address may be off the curve; such
// an address cannot sign.
func ParseWallet(text string) (wallet solana.PublicKey, ok bool) {
	if len(text) > maxWalletLength {
		return solana.PublicKey{}, false
	}
	wallet, err := solana.PublicKeyFromBase58(text)
	return wallet, err == nil && wallet.String() == text
}

// Signature is a caller's signature. A text that is valid as base58 and as base64 has several
// readings.
type Signature struct{ readings []solana.Signature }

// ParseSignature parses a signature of exactly 64 bytes in base58, or in base64 of either alphabet,
// padded or not.
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

// Check returns an error unless s is wallet's signature of a text in one of the forms of
// SignedText.
func (s Signature) Check(wallet solana.PublicKey, text string) error {
	if slices.ContainsFunc(s.readings, func(signature solana.Signature) bool { return SignedText(wallet, text, signature) }) {
		return nil
	}
	return errors.New("signature is not this wallet's signature of this challenge")
}

// Signed reports whether signature is wallet's signature of message by the rules of the chain. It
// returns false for a key with which anyone can sign, such as the system program's address.
func Signed(wallet solana.PublicKey, message []byte, signature solana.Signature) bool {
	return ed25519strict.Verify(wallet[:], message, signature[:])
}
