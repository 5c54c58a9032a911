package wallet

import (
	"context"
	"crypto/ed25519"
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
