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

// Signer signs any message for distribution wallets. Package signing decides which messages are
// allowed. Only package signing, and tests, have a Signer.
type Signer struct{ Derivation Derivation }

// Open derives the key of a wallet. It returns ErrOtherAddress if the derived address is not the
// recorded address. The caller closes the key.
func (s Signer) Open(ctx context.Context, wallet token.Wallet) (Key, error) {
	key, err := s.Derivation.PrivateKey(ctx, Path(wallet.ID, wallet.Root))
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

// Key is the key of a wallet during its use.
type Key struct{ private ed25519.PrivateKey }

// Close erases the key.
func (k Key) Close() { clear(k.private) }

// Sign signs a message.
func (k Key) Sign(message []byte) solana.Signature {
	return solana.Signature(ed25519.Sign(k.private, message))
}

// receiptSeeds is the prefix of the text in the MAC of a receipt's seed. The MAC's key is the seed
// of the wallet's private key. The result signs nothing.
const receiptSeeds = "receipt-seed/v1/"

// Seed returns a receipt's seed, 22 characters of base64url. The seed is derived from the text, and
// must stay secret like the wallet's key. The same text always has the same seed.
func (k Key) Seed(text string) string {
	mac := hmac.New(sha256.New, k.private.Seed())
	mac.Write([]byte(receiptSeeds + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:seedBytes])
}

// seedBytes is the length of a seed. 16 bytes are 22 characters, the maximum that leaves room for
// the 17th recipient of a legacy transaction in SOL.
const seedBytes = 16
