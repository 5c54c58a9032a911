package auth_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
)

func TestParseWalletRefuses(t *testing.T) {
	const address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	for name, text := range map[string]string{
		"nothing":           "",
		"31 bytes":          strings.Repeat("1", 31),
		"33 bytes":          strings.Repeat("1", 33),
		"44 digits of more": strings.Repeat("z", 44),
		"another alphabet":  "0Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
		"hexadecimal":       "0x" + strings.Repeat("ab", 20),
		"a space before":    " " + address,
		"a space after":     address + " ",
		"not ASCII":         "é" + address[2:],
		"very long":         strings.Repeat("1", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if wallet, ok := auth.ParseWallet(text); ok {
				t.Errorf("ParseWallet = %s, want it rejected", wallet)
			}
		})
	}
	for _, text := range []string{address, strings.Repeat("1", 32)} {
		if wallet, ok := auth.ParseWallet(text); !ok || wallet.String() != text {
			t.Errorf("ParseWallet(%q) = %s, %v", text, wallet, ok)
		}
	}
}

func TestParseSignatureRefuses(t *testing.T) {
	base64Of := func(bytes int) string { return base64.StdEncoding.EncodeToString(make([]byte, bytes)) }
	for name, text := range map[string]string{
		"nothing":                "",
		"63 bytes in base64":     base64Of(63),
		"65 bytes in base64":     base64Of(65),
		"63 bytes in base58":     strings.Repeat("1", 63),
		"65 bytes in base58":     strings.Repeat("1", 65),
		"hexadecimal":            strings.Repeat("0", 128),
		"a list of numbers":      "[" + strings.Repeat("0,", 63) + "0]",
		"a line break in base64": base64Of(64)[:40] + "\n" + base64Of(64)[40:86],
		"half padded":            base64Of(64)[:87],
		"both alphabets":         "+-" + base64Of(64)[2:],
		"very long":              strings.Repeat("1", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := auth.ParseSignature(text); ok {
				t.Error("accepted")
			}
		})
	}
}

func FuzzParseSignature(f *testing.F) {
	f.Add(strings.Repeat("1", 64))
	f.Add(base64.StdEncoding.EncodeToString(make([]byte, 64)))
	f.Fuzz(func(t *testing.T, text string) {
		// A text that is accepted is short; nothing panics.
		if _, ok := auth.ParseSignature(text); ok && len(text) > 88 {
			t.Errorf("%q accepted", text)
		}
	})
}

func FuzzParseWallet(f *testing.F) {
	f.Add("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
	f.Fuzz(func(t *testing.T, text string) {
		if wallet, ok := auth.ParseWallet(text); ok && wallet.String() != text {
			t.Errorf("ParseWallet(%q) = %s: another spelling of the same wallet", text, wallet)
		}
	})
}

// TestKeysOfSmallOrderAreRefused forges a signature for each key of small order
// that crypto/ed25519 accepts without a private key.
func TestKeysOfSmallOrderAreRefused(t *testing.T) {
	for _, wallet := range smallOrder(t) {
		t.Run(wallet.String(), func(t *testing.T) {
			b := newBench(t)
			// S = 0 and R = -kA: with A of small order, R is one of the eight points
			// too, and the right one is found by trying, once k suits.
			for range 1000 {
				c := b.issue(t, wallet)
				for _, r := range smallOrder(t) {
					forged := append(r[:], make([]byte, 32)...)
					if !ed25519.Verify(wallet[:], []byte(c.Message), forged) {
						continue
					}
					_, err := b.Verify(t.Context(), wallet, c.Message, parse(t, solana.Signature(forged).String()))
					if apperr.CodeOf(err) != "invalid_signature" {
						t.Errorf("Verify of a forged signature = %v, want %s", err, "invalid_signature")
					}
					return
				}
			}
			t.Fatal("no signature could be forged: the test proves nothing")
		})
	}
}

// smallOrder finds all encodings of the points of small order: those of the
// eight points, and those whose y exceeds the prime and means the same.
func smallOrder(t *testing.T) []solana.PublicKey {
	t.Helper()
	var found []solana.PublicKey
	add := func(encoding []byte) {
		point, err := new(edwards25519.Point).SetBytes(encoding)
		if err == nil && new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1 {
			found = append(found, solana.PublicKey(encoding))
		}
	}
	// The eight points are the multiples of one of order 8 (RFC 8032's torsion,
	// as in the comment of the list under test, checked by add).
	generator, err := new(edwards25519.Point).SetBytes([]byte{
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
	})
	if err != nil {
		t.Fatal(err)
	}
	point := edwards25519.NewIdentityPoint()
	for range 8 {
		add(point.Bytes())
		point.Add(point, generator)
	}
	if len(found) != 8 || point.Equal(edwards25519.NewIdentityPoint()) != 1 {
		t.Fatalf("%d points of small order, want 8", len(found))
	}
	// y from p = 2^255-19 to 2^255-1, with either sign of x.
	for low := 0xed; low <= 0xff; low++ {
		for _, high := range []byte{0x7f, 0xff} {
			encoding := make([]byte, 32)
			for i := range encoding {
				encoding[i] = 0xff
			}
			encoding[0], encoding[31] = byte(low), high
			add(encoding)
		}
	}
	// So does the sign of an x that is 0.
	for _, y := range []byte{1, 0xec} {
		encoding := make([]byte, 32)
		if y == 0xec {
			for i := range encoding {
				encoding[i] = 0xff
			}
		}
		encoding[0], encoding[31] = y, encoding[31]|0x80
		add(encoding)
	}
	return found
}
