package wallet

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
)

// Signer signs for distribution wallets whatever it is given. Package signing decides what
// that may be; it alone, and tests, have one.
type Signer struct{ Derivation Derivation }

// Open derives the key of a wallet. It fails when the wallet's id does not lead to the
// address that was recorded. The caller closes the key.
func (s Signer) Open(ctx context.Context, wallet token.Wallet) (Key, error) {
	key, err := s.Derivation.PrivateKey(ctx, wallet.ID)
	if err != nil {
		return Key{}, err
	}
	if address := solana.PublicKey(key[ed25519.SeedSize:]); address != wallet.Address {
		clear(key)
		return Key{}, fmt.Errorf("%w: the key of wallet %s is that of %s, not of the recorded %s", ErrOtherAddress, wallet.ID, address, wallet.Address)
	}
	return Key{key}, nil
}

// Sign signs a message with the key of a wallet.
func (s Signer) Sign(ctx context.Context, wallet token.Wallet, message []byte) (solana.Signature, error) {
	key, err := s.Open(ctx, wallet)
	if err != nil {
		return solana.Signature{}, err
	}
	defer key.Close()
	return key.Sign(message), nil
}

// Key is the key of a wallet while it is used.
type Key struct{ private ed25519.PrivateKey }

// Close forgets the key.
func (k Key) Close() { clear(k.private) }

// Sign signs a message.
func (k Key) Sign(message []byte) solana.Signature {
	return solana.Signature(ed25519.Sign(k.private, message))
}

// receiptSeeds is what the key of receipts' seeds is a MAC of, beside the wallet's own
// key: it signs nothing.
const receiptSeeds = "receipt-seed/v1/"

// Seed gives a receipt's seed, 22 characters of base64url, which follows from the text
// and is secret like the wallet's key. Two callers who ask for the same text get the same.
func (k Key) Seed(text string) string {
	mac := hmac.New(sha256.New, k.private.Seed())
	mac.Write([]byte(receiptSeeds + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:seedBytes])
}

// seedBytes of a seed are 22 characters: the 17th recipient of a legacy transaction in
// SOL fits beside no longer one.
const seedBytes = 16
