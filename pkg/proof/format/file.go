package format

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/content"
)

// Version is the version of the format and of the rules.
const Version = 2

// MaxFile is the maximum size of a file, in bytes: one IPFS block.
const MaxFile = 262_144

// Source reads files by content id, and returns ErrNoFile for a missing file. The content is not
// trusted.
type Source interface {
	File(ctx context.Context, kind content.Kind, cid string) ([]byte, error)
}

var (
	// ErrNoFile is returned when a file of a bundle is missing.
	ErrNoFile = errors.New("no such file")
	// ErrAltered is returned when a file's hash differs from the file's content id.
	ErrAltered = errors.New("the content is not what the file's name says")
)

// names is the encoding of content ids: lower-case base32 (RFC 4648). The multibase prefix is b.
var names = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// prefix of the content ids of blocks: version 1, raw codec, SHA-256, 32 bytes.
const prefix = "\x01\x55\x12\x20"

// CID returns the content id of a block with the given SHA-256.
func CID(hash [sha256.Size]byte) string {
	return "b" + names.EncodeToString(append([]byte(prefix), hash[:]...))
}

// hashOf returns the SHA-256 of the block with the given content id.
func hashOf(cid string) (hash [sha256.Size]byte, err error) {
	text, ok := strings.CutPrefix(cid, "b")
	raw, decodeErr := names.DecodeString(text)
	if !ok || decodeErr != nil || len(raw) != len(prefix)+len(hash) || string(raw[:len(prefix)]) != prefix {
		return hash, fmt.Errorf("%.70q is not the content id of a block", cid)
	}
	copy(hash[:], raw[len(prefix):])
	if CID(hash) != cid {
		return hash, fmt.Errorf("%.70q is another spelling of a content id", cid)
	}
	return hash, nil
}

// IsCID reports whether a text is the content id of a file of a bundle.
func IsCID(text string) bool {
	_, err := hashOf(text)
	return err == nil
}

// Open reads a file. It returns ErrAltered if the content's hash differs from the content id.
func Open(ctx context.Context, source Source, kind content.Kind, cid string) ([]byte, error) {
	want, err := hashOf(cid)
	if err != nil {
		return nil, err
	}
	body, err := source.File(ctx, kind, cid)
	if err != nil {
		return nil, fmt.Errorf("read %s%s: %w", cid, kind.Extension, err)
	}
	if sha256.Sum256(body) != want {
		return nil, fmt.Errorf("%s%s: %w", cid, kind.Extension, ErrAltered)
	}
	return body, nil
}

// Key is an address, in base58.
type Key solana.PublicKey

// String returns the address in base58.
func (k Key) String() string { return solana.PublicKey(k).String() }

// PublicKey returns the address.
func (k Key) PublicKey() solana.PublicKey { return solana.PublicKey(k) }

// MarshalText returns the address in base58.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads an address of exactly 32 bytes.
func (k *Key) UnmarshalText(text []byte) error {
	key, err := ParseKey(string(text))
	*k = Key(key)
	return err
}

// The maximum lengths of base58 texts. The time of decoding is quadratic in the length.
const (
	maxKeyText       = 44
	maxSignatureText = 88
)

// ParseKey reads an address of exactly 32 bytes.
func ParseKey(text string) (solana.PublicKey, error) {
	if len(text) > maxKeyText {
		return solana.PublicKey{}, fmt.Errorf("an address of %d characters", len(text))
	}
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("%q is not an address", text)
	}
	return key, nil
}

// Signature is the signature of a transaction, in base58. A zero signature is an empty text.
type Signature solana.Signature

// String returns the signature in base58.
func (s Signature) String() string {
	if solana.Signature(s).IsZero() {
		return ""
	}
	return solana.Signature(s).String()
}

// MarshalText returns the signature in base58.
func (s Signature) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a signature of exactly 64 bytes, or an empty text.
func (s *Signature) UnmarshalText(text []byte) error {
	signature, err := parseSignature(string(text))
	*s = Signature(signature)
	return err
}

func parseSignature(text string) (solana.Signature, error) {
	if text == "" {
		return solana.Signature{}, nil
	}
	if len(text) > maxSignatureText {
		return solana.Signature{}, fmt.Errorf("a signature of %d characters", len(text))
	}
	signature, err := solana.SignatureFromBase58(text)
	if err != nil || signature.IsZero() {
		return solana.Signature{}, fmt.Errorf("%q is not a signature", text)
	}
	return signature, nil
}

// Amount is a number of base units; in JSON a decimal string.
type Amount uint64

// MarshalText returns the number in decimal.
func (a Amount) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(a), 10), nil }

// UnmarshalText reads a decimal number without sign or leading zeros.
func (a *Amount) UnmarshalText(text []byte) error {
	n, err := parseAmount(string(text))
	*a = Amount(n)
	return err
}

func parseAmount(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0, fmt.Errorf("%.30q is not an amount", text)
	}
	return n, nil
}
