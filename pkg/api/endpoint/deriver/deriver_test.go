package deriver_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
)

// book knows one address, and which ids it was asked for.
type book struct {
	address solana.PublicKey
	err     error
	asked   []string
}

func (b *book) Address(_ context.Context, walletID string) (solana.PublicKey, error) {
	b.asked = append(b.asked, walletID)
	return b.address, b.err
}

const id = "7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11"

func TestHandler(t *testing.T) {
	b := &book{address: solana.PublicKey{7}}
	got, err := deriver.Handler(b)(t.Context(), deriver.Request{WalletID: strings.ToUpper(id)})
	want := deriver.Answer{WalletID: id, Address: solana.PublicKey{7}.String()}
	if err != nil || got != want || b.asked[0] != id {
		t.Errorf("got %+v, %v after asking for %v; want %+v", got, err, b.asked, want)
	}
}

func TestHandlerRefuses(t *testing.T) {
	b := &book{}
	for _, walletID := range []string{"", "x", "../" + id, "urn:uuid:" + id, strings.Repeat("a", 1<<20)} {
		answer, err := deriver.Handler(b)(t.Context(), deriver.Request{WalletID: walletID})
		if err == nil || answer != (deriver.Answer{}) || len(err.Error()) > 200 {
			t.Errorf("%.60q: %+v, %v; want a short error", walletID, answer, err)
		}
	}
	if len(b.asked) != 0 {
		t.Errorf("the key was used for %v", b.asked)
	}
	b.err = errors.New("no key")
	if answer, err := deriver.Handler(b)(t.Context(), deriver.Request{WalletID: id}); !errors.Is(err, b.err) || answer != (deriver.Answer{}) {
		t.Errorf("%+v, %v; want %v", answer, err, b.err)
	}
}
