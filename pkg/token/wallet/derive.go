package wallet

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// derivation is the prefix of the MAC's message, followed by the wallet's ID. The MAC is the seed
// of the wallet. A new version of the prefix may add a scheme, but must never replace this scheme.
const derivation = "distribution-wallet/v1/"

// MAC is a keyed hash, HMAC-SHA-512, whose key cannot be read.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}

// Derivation derives the keys of wallets. Derivation implements Deriver.
type Derivation struct{ MAC MAC }

// PrivateKey derives the key of a wallet. The caller clears the key after use, and never stores or
// logs the key.
func (d Derivation) PrivateKey(ctx context.Context, walletID string) (ed25519.PrivateKey, error) {
	id, ok := ParseID(walletID)
	if !ok {
		return nil, fmt.Errorf("%q is not a wallet id", walletID)
	}
	mac, err := d.MAC.Sum512(ctx, []byte(derivation+id))
	if err != nil {
		return nil, fmt.Errorf("derive the key of wallet %s: %w", id, err)
	}
	defer clear(mac[:])
	return ed25519.NewKeyFromSeed(mac[:ed25519.SeedSize]), nil
}

// Address derives the address of a wallet.
func (d Derivation) Address(ctx context.Context, walletID string) (solana.PublicKey, error) {
	key, err := d.PrivateKey(ctx, walletID)
	if err != nil {
		return solana.PublicKey{}, err
	}
	defer clear(key)
	return solana.PublicKey(key[ed25519.SeedSize:]), nil // RFC 8032: seed, then public key
}
