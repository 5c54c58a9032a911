package wallet_test

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha512"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// localMAC is HMAC-SHA-512 with a key of the test.
type localMAC struct {
	key []byte
	err error
}

func (m localMAC) Sum512(_ context.Context, message []byte) (sum [64]byte, err error) {
	if m.err != nil {
		return sum, m.err
	}
	h := hmac.New(sha512.New, m.key)
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

const id = "7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11"

func TestDerivationVectors(t *testing.T) {
	key := []byte("a key of the test")
	h := hmac.New(sha512.New, key)
	h.Write([]byte("distribution-wallet/v1/7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11"))
	want := ed25519.NewKeyFromSeed(h.Sum(nil)[:32])

	d := wallet.Derivation{MAC: localMAC{key: key}}
	for _, spelling := range []string{id, strings.ToUpper(id)} {
		got, err := d.PrivateKey(t.Context(), spelling)
		if err != nil || !got.Equal(want) {
			t.Errorf("PrivateKey(%s) is another key, %v", spelling, err)
		}
		address, err := d.Address(t.Context(), spelling)
		if err != nil || address != solana.PublicKey(want.Public().(ed25519.PublicKey)) {
			t.Errorf("Address(%s) = %s, %v", spelling, address, err)
		}
	}
	// The addresses of all wallets hang on this: a fixed vector, so that no change
	// of code can move them.
	if address, _ := d.Address(t.Context(), id); address.String() != "p3VNAdBNAhNuurkuM7fR5mEDuU9QDV6hv6kFHRemz6s" {
		t.Errorf("Address = %s: the derivation has changed", address)
	}
}

// TestDerivationByRoot tests that each root derives another address for the same ID, and that an
// unset root derives nothing.
func TestDerivationByRoot(t *testing.T) {
	first, second := localMAC{key: []byte("a key of the test")}, localMAC{key: []byte("another key of the test")}
	d := wallet.Derivation{MAC: first, Next: []wallet.MAC{second}}
	want, err := wallet.Derivation{MAC: second}.Address(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Address(t.Context(), wallet.Path(id, 1)); err != nil || got != want {
		t.Errorf("Address = %s, %v, want %s", got, err, want)
	}
	if got, err := d.Address(t.Context(), wallet.Path(id, 0)); err != nil || got.String() != "p3VNAdBNAhNuurkuM7fR5mEDuU9QDV6hv6kFHRemz6s" {
		t.Errorf("Address by the first root = %s, %v", got, err)
	}
	for _, path := range []string{wallet.Path(id, 2), id + "/", id + "/0", id + "/01", id + "/256", id + "/1/1", id + "/-1", "/1"} {
		if got, err := d.Address(t.Context(), path); err == nil {
			t.Errorf("Address(%q) = %s", path, got)
		}
	}
	s := wallet.Signer{Derivation: d}
	if _, err := s.Open(t.Context(), token.Wallet{ID: id, Address: want}); !errors.Is(err, wallet.ErrOtherAddress) {
		t.Errorf("Open by the first root = %v", err)
	}
	if key, err := s.Open(t.Context(), token.Wallet{ID: id, Address: want, Root: 1}); err != nil {
		t.Errorf("Open = %v", err)
	} else {
		key.Close()
	}
}

func TestDerivationRefuses(t *testing.T) {
	down := errors.New("down")
	if _, err := (wallet.Derivation{MAC: localMAC{err: down}}).Address(t.Context(), id); !errors.Is(err, down) {
		t.Errorf("Address = %v, want %v", err, down)
	}
	if _, err := (wallet.Derivation{MAC: localMAC{}}).Address(t.Context(), "x"); err == nil {
		t.Error("Address of no wallet id")
	}
}

func TestParseID(t *testing.T) {
	for _, text := range []string{
		"", "x", id[:35], id + "0", strings.ReplaceAll(id, "-", ""), "{" + id + "}", "urn:uuid:" + id,
		strings.Replace(id, "-", "0", 1), strings.Replace(id, "7", "g", 1), " " + id[1:], id[:35] + "\n",
	} {
		if got, ok := wallet.ParseID(text); ok {
			t.Errorf("ParseID(%q) = %q, want it rejected", text, got)
		}
	}
	if got, ok := wallet.ParseID(strings.ToUpper(id)); !ok || got != id {
		t.Errorf("ParseID of upper case = %q, %v; want %q", got, ok, id)
	}
}

func FuzzParseID(f *testing.F) {
	f.Add(id)
	f.Add("urn:uuid:" + id)
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := wallet.ParseID(text); ok && got != strings.ToLower(text) {
			t.Errorf("ParseID(%q) = %q", text, got)
		}
	})
}

// shelf is a store of one wallet, or one that fails.
type shelf struct {
	put wallet.Wallet
	err error
}

func (s *shelf) Put(_ context.Context, w wallet.Wallet) error {
	s.put = w
	return s.err
}

func TestGenerate(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("east", 3600))
	d := wallet.Derivation{MAC: localMAC{key: []byte("k")}}
	address, err := d.Address(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	store := &shelf{}
	s := wallet.Service{Deriver: d, Store: store, Now: func() time.Time { return now }, NewID: func() string { return id }}
	want := wallet.Wallet{ID: id, Address: address, CreatedAt: now.UTC(), ValidUntil: now.UTC().Add(24 * time.Hour)}
	if got, err := s.Generate(t.Context()); err != nil || got != want || store.put != want {
		t.Errorf("Generate = %+v, %v, stored %+v; want %+v", got, err, store.put, want)
	}

	s.Deriver, s.Root = wallet.Derivation{MAC: localMAC{}, Next: []wallet.MAC{localMAC{key: []byte("k")}}}, 1
	want.Root = 1
	if got, err := s.Generate(t.Context()); err != nil || got != want || store.put != want {
		t.Errorf("Generate by the newest root = %+v, %v, stored %+v; want %+v", got, err, store.put, want)
	}

	store.err = errors.New("full")
	if _, err := s.Generate(t.Context()); !errors.Is(err, store.err) {
		t.Errorf("Generate = %v, want %v", err, store.err)
	}
	store.put = wallet.Wallet{}
	s.Deriver = wallet.Derivation{MAC: localMAC{err: errors.New("down")}}
	if _, err := s.Generate(t.Context()); err == nil || store.put != (wallet.Wallet{}) {
		t.Errorf("Generate without an address = %v, stored %+v; want nothing stored", err, store.put)
	}
}

func TestGone(t *testing.T) {
	end := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	free := wallet.Wallet{ValidUntil: end}
	bound := wallet.Wallet{ValidUntil: end, BoundMint: solana.PublicKey{1}}
	for _, c := range []struct {
		w    wallet.Wallet
		now  time.Time
		want bool
	}{
		{free, end.Add(-1), false},
		{free, end, true},
		{bound, end.Add(time.Hour), false},
	} {
		if got := c.w.Gone(c.now); got != c.want {
			t.Errorf("%+v.Gone(%v) = %v", c.w, c.now, got)
		}
	}
}
