package walkthrough

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
)

// Wallet is a creator's key. It never leaves this process.
type Wallet struct{ key ed25519.PrivateKey }

// NewWallet makes a wallet that nobody has used.
func NewWallet() (Wallet, error) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return Wallet{}, fmt.Errorf("make a wallet: %w", err)
	}
	return Wallet{key}, nil
}

// Address is the wallet's address, base58.
func (w Wallet) Address() string { return w.PublicKey().String() }

// PublicKey is the wallet's address in binary.
func (w Wallet) PublicKey() solana.PublicKey {
	return solana.PublicKeyFromBytes(w.key[ed25519.SeedSize:])
}

// SignMessage signs text as a wallet does, its UTF-8 bytes as they are.
func (w Wallet) SignMessage(text string) (signature string) {
	return base58.Encode(ed25519.Sign(w.key, []byte(text)))
}

// SignTransaction puts the wallet's signature into its place in an encoded
// transaction and changes nothing else.
func (w Wallet) SignTransaction(encoded string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", fmt.Errorf("decode the transaction: %w", err)
	}
	parsed, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return "", fmt.Errorf("read the transaction: %w", err)
	}
	const one = 1 // byte of the number of signatures, which is under 128
	signers := int(parsed.Message.Header.NumRequiredSignatures)
	message := raw[one+signers*ed25519.SignatureSize:]
	for i, key := range parsed.Message.AccountKeys[:signers] {
		if key == w.PublicKey() {
			copy(raw[one+i*ed25519.SignatureSize:], ed25519.Sign(w.key, message))
			return base64.StdEncoding.EncodeToString(raw), nil
		}
	}
	return "", errors.New("the transaction does not ask for this wallet's signature")
}

// SignIn proves to the API that the caller has the wallet and keeps the token
// that it gives.
func (c *Client) SignIn(ctx context.Context, w Wallet) (expiresAt string, err error) {
	var challenge struct{ Challenge string }
	err = c.Call(ctx, http.MethodPost, "/auth/challenge", map[string]string{"wallet": w.Address()}, &challenge)
	if err != nil {
		return "", err
	}
	return c.verify(ctx, w, challenge.Challenge)
}

func (c *Client) verify(ctx context.Context, w Wallet, challenge string) (expiresAt string, err error) {
	var verified struct{ Token, Wallet, ExpiresAt string }
	err = c.Call(ctx, http.MethodPost, "/auth/verify", map[string]string{
		"wallet": w.Address(), "challenge": challenge, "signature": w.SignMessage(challenge),
	}, &verified)
	if err != nil {
		return "", err
	}
	if verified.Token == "" || verified.Wallet != w.Address() {
		return "", fmt.Errorf("POST /auth/verify gives no token for %s", w.Address())
	}
	c.Token = verified.Token
	return verified.ExpiresAt, nil
}
