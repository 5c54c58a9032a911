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

// Signer signs for distribution wallets. It is the one place where that happens:
// what signs for them holds the key only while it signs.
type Signer struct{ Derivation Derivation }

// Sign signs a message with the key of a wallet. It fails when the wallet's id
// does not lead to the address that was recorded.
func (s Signer) Sign(ctx context.Context, wallet token.Wallet, message []byte) (solana.Signature, error) {
	key, err := s.Derivation.PrivateKey(ctx, wallet.ID)
	if err != nil {
		return solana.Signature{}, err
	}
	defer clear(key)
	if address := solana.PublicKey(key[ed25519.SeedSize:]); address != wallet.Address {
		return solana.Signature{}, fmt.Errorf("the key of wallet %s is that of %s, not of the recorded %s", wallet.ID, address, wallet.Address)
	}
	return solana.Signature(ed25519.Sign(key, message)), nil
}

// receiptSeeds is what the key of receipts' seeds is a MAC of, beside the wallet's own
// key: it signs nothing.
const receiptSeeds = "receipt-seed/v1/"

// Seed gives a receipt's seed, 22 characters of base64url, which follows from the text
// and is secret like the wallet's key. Two callers who ask for the same text get the same.
func (s Signer) Seed(ctx context.Context, wallet token.Wallet, text string) (string, error) {
	key, err := s.Derivation.PrivateKey(ctx, wallet.ID)
	if err != nil {
		return "", err
	}
	defer clear(key)
	mac := hmac.New(sha256.New, key.Seed())
	mac.Write([]byte(receiptSeeds + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:seedBytes]), nil
}

// seedBytes of a seed are 22 characters: the 17th recipient of a legacy transaction in
// SOL fits beside no longer one.
const seedBytes = 16
