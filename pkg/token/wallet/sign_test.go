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

func TestSignerSignsForTheRecordedAddressAlone(t *testing.T) {
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
	if got, err := s.Sign(t.Context(), other, message); err == nil || got != (solana.Signature{}) || !strings.Contains(err.Error(), "recorded") {
		t.Errorf("for another address: %s, %v", got, err)
	}
	down := errors.New("down")
	s.Derivation.MAC = localMAC{err: down}
	if _, err := s.Sign(t.Context(), token.Wallet{ID: id, Address: address}, message); !errors.Is(err, down) {
		t.Errorf("without the key service: %v", err)
	}
}
