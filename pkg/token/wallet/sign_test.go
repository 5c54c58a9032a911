package wallet_test

import (
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

func TestSignerRejectsUnrecordedAddress(t *testing.T) {
	s := wallet.Signer{Derivation: wallet.Derivation{MAC: localMAC{key: []byte("a key of the test")}}}
	address, err := s.Derivation.Address(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	message := []byte("a message")
	got, err := s.Sign(t.Context(), token.Wallet{ID: id, Address: address}, message)
	if err != nil || !ed25519.Verify(address[:], message, got[:]) {
		t.Errorf("signed %s, %v", got, err)
	}
	other := token.Wallet{ID: id, Address: solana.NewWallet().PublicKey()}
	if got, err := s.Sign(t.Context(), other, message); err == nil || got != (solana.Signature{}) || !errors.Is(err, wallet.ErrOtherAddress) {
		t.Errorf("for another address: %s, %v", got, err)
	}
	down := errors.New("down")
	s.Derivation.MAC = localMAC{err: down}
	if _, err := s.Sign(t.Context(), token.Wallet{ID: id, Address: address}, message); !errors.Is(err, down) {
		t.Errorf("without the key service: %v", err)
	}
}

// TestReceiptSeedVectors tests that a restored ledger derives the same receipts. The vector was
// computed with another implementation of HMAC.
func TestReceiptSeedVectors(t *testing.T) {
	ctx := t.Context()
	s := wallet.Signer{Derivation: wallet.Derivation{MAC: localMAC{key: []byte("a key of the test")}}}
	const text = "5b1c0a52-1f35-5c0b-9d0e-0f4b8b6a7c11/pay/0/17/01/0"
	const want = "hiR7grC92a3B08sglQLYiA"
	seed := func(id, text string) string {
		t.Helper()
		address, err := s.Derivation.Address(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		key, err := s.Open(ctx, token.Wallet{ID: id, Address: address})
		if err != nil {
			t.Fatal(err)
		}
		defer key.Close()
		got := key.Seed(text)
		if len(got) != 22 || strings.Trim(got, base64url) != "" {
			t.Errorf("the seed of %q is %q", text, got)
		}
		return got
	}
	for range 2 {
		if got := seed(id, text); got != want {
			t.Errorf("Seed = %s, want %s: the derivation has changed", got, want)
		}
	}
	others := map[string]bool{want: true}
	for _, c := range []struct{ id, text string }{
		{id, text[:len(text)-1] + "1"}, {id, text + "0"}, {id, ""}, {strings.Replace(id, "7", "8", 1), text},
	} {
		got := seed(c.id, c.text)
		if others[got] {
			t.Errorf("%s, %q has the seed of another", c.id, c.text)
		}
		others[got] = true
	}
	down := errors.New("down")
	s.Derivation.MAC = localMAC{err: down}
	if _, err := s.Open(ctx, token.Wallet{ID: id}); !errors.Is(err, down) {
		t.Errorf("without the key service: %v", err)
	}
}

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
