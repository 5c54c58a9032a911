package base58_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/base58"
)

// bytesOf draws so many bytes, often with zeros or ones of all bits in front.
func bytesOf(t *rapid.T, n int) []byte {
	b := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "bytes")
	front := rapid.IntRange(0, n).Draw(t, "front")
	switch rapid.SampledFrom([]string{"any", "zeros", "ones"}).Draw(t, "kind") {
	case "zeros":
		clear(b[:front])
	case "ones":
		copy(b, bytes.Repeat([]byte{0xff}, front))
	}
	return b
}

// TestTextsAreThoseOfTheLibrary: both ways.
func TestTextsAreThoseOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := solana.PublicKey(bytesOf(t, 32))
		text := base58.AppendKey([]byte("before "), (*[32]byte)(&key))
		if string(text) != "before "+key.String() {
			t.Fatalf("%x: %s, want %s", key[:], text, key)
		}
		if back, ok := base58.DecodeKey([]byte(key.String())); !ok || back != key {
			t.Fatalf("%s: %x, %v", key, back, ok)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		signature := solana.Signature(bytesOf(t, 64))
		if text := base58.AppendSignature([]byte("before "), (*[64]byte)(&signature)); string(text) != "before "+signature.String() {
			t.Fatalf("%x: %s, want %s", signature[:], text, signature)
		}
	})
	for _, fill := range []byte{0, 1, 0xff} { // The least and the most of all.
		key := solana.PublicKey(bytes.Repeat([]byte{fill}, 32))
		if text := base58.AppendKey(nil, (*[32]byte)(&key)); string(text) != key.String() {
			t.Errorf("%x: %s", fill, text)
		}
		signature := solana.Signature(bytes.Repeat([]byte{fill}, 64))
		if text := base58.AppendSignature(nil, (*[64]byte)(&signature)); string(text) != signature.String() {
			t.Errorf("%x: %s", fill, text)
		}
	}
}

// TestDecodeKeyReadsWhatTheLibraryReads: any text is an address to both or to neither.
func TestDecodeKeyReadsWhatTheLibraryReads(t *testing.T) {
	for _, text := range []string{
		"", "1", strings.Repeat("1", 31), strings.Repeat("1", 32), strings.Repeat("1", 33), strings.Repeat("z", 43), strings.Repeat("z", 44),
		strings.Repeat("1", 45), "0" + strings.Repeat("1", 31), strings.Repeat("1", 31) + "é", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
	} {
		agree(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		agree(t, rapid.StringMatching(`1{0,3}[1-9A-HJ-NP-Za-km-z]{28,46}[0OIl]?`).Draw(t, "text"))
	})
}

func agree(t interface{ Errorf(string, ...any) }, text string) {
	want, err := solana.PublicKeyFromBase58(text)
	got, ok := base58.DecodeKey([]byte(text))
	if ok != (err == nil) || ok && got != want {
		t.Errorf("%q: %x, %v; the library %s, %v", text, got, ok, want, err)
	}
}

// FuzzDecodeKey reads any text as the library does, and writes it as it was.
func FuzzDecodeKey(f *testing.F) {
	for _, text := range []string{"", "1", some.String(), strings.Repeat("1", 32), strings.Repeat("z", 44)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		agree(t, text)
		if key, ok := base58.DecodeKey([]byte(text)); ok && string(base58.AppendKey(nil, &key)) != text {
			t.Errorf("%q is written as %q", text, base58.AppendKey(nil, &key))
		}
	})
}

var some = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

func BenchmarkKey(b *testing.B) {
	var text []byte
	for b.Loop() {
		text = base58.AppendKey(text[:0], (*[32]byte)(&some))
	}
}

func BenchmarkKeyOfTheLibrary(b *testing.B) {
	for b.Loop() {
		_ = some.String()
	}
}

var signed = solana.MustSignatureFromBase58("5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW")

func BenchmarkSignature(b *testing.B) {
	var text []byte
	for b.Loop() {
		text = base58.AppendSignature(text[:0], (*[64]byte)(&signed))
	}
}

func BenchmarkSignatureOfTheLibrary(b *testing.B) {
	for b.Loop() {
		_ = signed.String()
	}
}

func BenchmarkDecodeKey(b *testing.B) {
	text := []byte(some.String())
	for b.Loop() {
		_, _ = base58.DecodeKey(text)
	}
}

func BenchmarkDecodeKeyOfTheLibrary(b *testing.B) {
	text := some.String()
	for b.Loop() {
		_, _ = solana.PublicKeyFromBase58(text)
	}
}
