package walkthrough

import (
	"crypto/ed25519"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Wallet is a creator's key. The key never leaves this process.
type Wallet struct{ key ed25519.PrivateKey }

// NewWallet returns a new wallet.
func NewWallet() (Wallet, error) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return Wallet{}, fmt.Errorf("make a wallet: %w", err)
	}
	return Wallet{key}, nil
}

// Address returns the wallet's address in base58.
func (w Wallet) Address() string { return w.PublicKey().String() }

// PublicKey returns the wallet's address in binary.
func (w Wallet) PublicKey() solana.PublicKey {
	return solana.PublicKeyFromBytes(w.key[ed25519.SeedSize:])
}

// Key returns the key for signing clients.
func (w Wallet) Key() ed25519.PrivateKey { return w.key }

// SignMessage signs the UTF-8 bytes of a text, like a wallet.
func (w Wallet) SignMessage(text string) (signature string) {
	return base58.Encode(ed25519.Sign(w.key, []byte(text)))
}

// SignTransaction puts the wallet's signature into its place in an encoded transaction and changes
// nothing else.
func (w Wallet) SignTransaction(encoded string) (string, error) {
	tx, err := wire.ParseBase64(encoded)
	if err == nil {
		err = tx.Sign(w.key)
	}
	if err != nil {
		return "", err
	}
	return tx.Base64(), nil
}

// Signer returns the wallet as a signer of the client.
func (w Wallet) Signer() (client.Signer, error) { return client.KeyOf(w.key) }
