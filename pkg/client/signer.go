package client

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

// Signer is a wallet that signs, wherever the key is stored. The Client returns a Signer's error
// wrapped.
type Signer interface {
	// PublicKey returns the wallet's address.
	PublicKey() solana.PublicKey
	// SignMessage signs the bytes of a text: a sign-in message or settings.
	SignMessage(ctx context.Context, text []byte) (solana.Signature, error)
	// SignTransaction signs the message of a transaction.
	SignTransaction(ctx context.Context, message []byte) (solana.Signature, error)
}

// WholeSigner is a Signer that returns whole transactions, as browser wallets do. The Client checks
// a returned transaction with CheckSigned.
type WholeSigner interface {
	Signer
	// SignWhole returns a serialized transaction with the wallet's signature. The Client calls
	// SignWhole in place of SignTransaction.
	SignWhole(ctx context.Context, unsigned []byte) ([]byte, error)
}

// Key is a Signer with a private key in memory. Every format prints only the address.
type Key struct{ private ed25519.PrivateKey }

// NewKey generates a key.
func NewKey() (Key, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	return Key{private}, nil
}

// KeyOf returns the Key of an Ed25519 private key of 64 bytes. It returns an error if the two
// halves do not match.
func KeyOf(private ed25519.PrivateKey) (Key, error) {
	if len(private) != ed25519.PrivateKeySize {
		return Key{}, fmt.Errorf("an Ed25519 key has %d bytes, this one %d", ed25519.PrivateKeySize, len(private))
	}
	key := ed25519.NewKeyFromSeed(private.Seed())
	if !key.Equal(private) {
		return Key{}, errors.New("the two halves of the key are not of one key")
	}
	return Key{key}, nil
}

// ParseKey parses a key in one of three forms: a JSON array of 64 numbers, as solana-keygen writes;
// PKCS #8 in PEM, as docs/wallet.mjs and OpenSSL write; or base58 of 64 bytes, as wallets such as
// Phantom export. Errors contain no part of the key.
func ParseKey(content []byte) (Key, error) {
	if block, _ := pem.Decode(content); block != nil {
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return Key{}, errors.New("the PEM file holds no private key in PKCS #8")
		}
		private, ok := parsed.(ed25519.PrivateKey)
		if !ok {
			return Key{}, errors.New("the private key is not one of Ed25519")
		}
		return KeyOf(private)
	}
	if private, err := base58.Decode(string(bytes.TrimSpace(content))); err == nil && len(private) == ed25519.PrivateKeySize {
		return KeyOf(private)
	}
	var numbers []uint8
	var wide []uint16 // encoding/json would decode []uint8 from base64
	if err := json.Unmarshal(content, &wide); err != nil {
		return Key{}, errors.New("the key is in none of the accepted forms: a JSON array of 64 numbers (solana-keygen), PKCS #8 in PEM, or base58 of 64 bytes (as wallets export it)")
	}
	for _, n := range wide {
		if n > 255 {
			return Key{}, errors.New("the key has numbers above 255")
		}
		numbers = append(numbers, uint8(n))
	}
	return KeyOf(ed25519.PrivateKey(numbers))
}

// maxKeyFile is the maximum size of a key file, in bytes.
const maxKeyFile = 16 << 10

// LoadKey reads a key file. exposed reports that users other than the owner may access the file;
// warn the owner.
func LoadKey(path string) (key Key, exposed bool, err error) {
	file, err := os.Open(path) // #nosec G304 -- the caller's own file
	if err != nil {
		return Key{}, false, fmt.Errorf("read the key file: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return Key{}, false, fmt.Errorf("read the key file: %w", err)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return Key{}, false, fmt.Errorf("read the key file: %w", err)
	}
	if key, err = ParseKey(content); err != nil {
		return Key{}, false, fmt.Errorf("read the key file %s: %w", path, err)
	}
	const others = 0o077
	return key, info.Mode().Perm()&others != 0, nil
}

// PublicKey returns the wallet's address.
func (k Key) PublicKey() solana.PublicKey {
	return solana.PublicKeyFromBytes(k.private[ed25519.SeedSize:])
}

// SignMessage signs a text.
func (k Key) SignMessage(_ context.Context, text []byte) (solana.Signature, error) {
	return solana.SignatureFromBytes(ed25519.Sign(k.private, text)), nil
}

// SignTransaction signs the message of a transaction.
func (k Key) SignTransaction(_ context.Context, message []byte) (solana.Signature, error) {
	return solana.SignatureFromBytes(ed25519.Sign(k.private, message)), nil
}

// Format prints the address for every verb.
func (k Key) Format(f fmt.State, _ rune) {
	if len(k.private) == 0 {
		_, _ = io.WriteString(f, "no key")
		return
	}
	_, _ = fmt.Fprintf(f, "key of %s", k.PublicKey())
}
