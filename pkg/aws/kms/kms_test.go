package kms_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"math/big"
	"sync/atomic"
	"testing"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"

	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// service answers every call with what it holds, and counts the calls.
type service struct {
	mac, public, signature []byte
	err                    error
	calls                  atomic.Int64
}

func (s *service) GenerateMac(context.Context, *awskms.GenerateMacInput, ...func(*awskms.Options)) (*awskms.GenerateMacOutput, error) {
	s.calls.Add(1)
	return &awskms.GenerateMacOutput{Mac: s.mac}, s.err
}

func (s *service) GetPublicKey(context.Context, *awskms.GetPublicKeyInput, ...func(*awskms.Options)) (*awskms.GetPublicKeyOutput, error) {
	s.calls.Add(1)
	return &awskms.GetPublicKeyOutput{PublicKey: s.public}, s.err
}

func (s *service) Sign(context.Context, *awskms.SignInput, ...func(*awskms.Options)) (*awskms.SignOutput, error) {
	s.calls.Add(1)
	return &awskms.SignOutput{Signature: s.signature}, s.err
}

func TestKeysServiceUnavailable(t *testing.T) {
	down := errors.New("down")
	s := &service{err: down}
	ed := &kms.Ed25519Signer{Client: s, KeyID: "k"}
	for name, call := range map[string]func() error{
		"HMAC": func() error { _, err := kms.HMAC{Client: s, KeyID: "k"}.Sum512(t.Context(), nil); return err },
		"P-256 signature": func() error {
			_, err := kms.P256Signer{Client: s, KeyID: "k"}.Sign(t.Context(), [32]byte{})
			return err
		},
		"Ed25519 signature":  func() error { _, err := ed.Sign(t.Context(), nil); return err },
		"Ed25519 public key": func() error { _, err := ed.PublicKey(t.Context()); return err },
		"public keys": func() error {
			_, err := (kms.P256Keys{Client: s, IDs: []string{"a", "b"}}).PublicKeys(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := call(); apperr.KindOf(err) != apperr.Unavailable || !errors.Is(err, down) {
				t.Errorf("%v, want it unavailable because of %v", err, down)
			}
		})
	}
}

func TestWrongAnswersAreRefused(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ed, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(s *service) error{
		"a short MAC": func(s *service) error {
			s.mac = make([]byte, 32)
			_, err := kms.HMAC{Client: s}.Sum512(t.Context(), nil)
			return err
		},
		"a short Ed25519 signature": func(s *service) error {
			s.signature = make([]byte, 63)
			_, err := (&kms.Ed25519Signer{Client: s}).Sign(t.Context(), nil)
			return err
		},
		"no public key": func(s *service) error {
			_, err := (kms.P256Keys{Client: s, IDs: []string{"a"}}).PublicKeys(t.Context())
			return err
		},
		"a P-384 key for P-256": func(s *service) error {
			s.public = spki(t, &p384.PublicKey)
			_, err := (kms.P256Keys{Client: s, IDs: []string{"a"}}).PublicKeys(t.Context())
			return err
		},
		"an Ed25519 key for P-256": func(s *service) error {
			s.public = spki(t, ed)
			_, err := (kms.P256Keys{Client: s, IDs: []string{"a"}}).PublicKeys(t.Context())
			return err
		},
		"a P-384 key for Ed25519": func(s *service) error {
			s.public = spki(t, &p384.PublicKey)
			_, err := (&kms.Ed25519Signer{Client: s}).PublicKey(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := call(&service{}); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func spki(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestSignatureOfP256IsRAndS(t *testing.T) {
	big256 := new(big.Int).Lsh(big.NewInt(1), 256)
	largest := new(big.Int).Sub(big256, big.NewInt(1))
	type signature struct{ R, S *big.Int }
	der := func(r, s *big.Int) []byte {
		t.Helper()
		b, err := asn1.Marshal(signature{r, s})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one := big.NewInt(1)
	for name, c := range map[string]struct {
		der  []byte
		want [64]byte
		ok   bool
	}{
		"short numbers":     {der(one, big.NewInt(0x0203)), [64]byte{31: 1, 62: 2, 63: 3}, true},
		"a leading zero":    {der(largest, one), func() (w [64]byte) { largest.FillBytes(w[:32]); w[63] = 1; return }(), true},
		"zero R":            {der(big.NewInt(0), one), [64]byte{}, false},
		"negative S":        {der(one, big.NewInt(-1)), [64]byte{}, false},
		"S of 257 bits":     {der(one, big256), [64]byte{}, false},
		"bytes after it":    {append(der(one, one), 0), [64]byte{}, false},
		"one number":        {[]byte{0x30, 3, 2, 1, 1}, [64]byte{}, false},
		"raw, not DER":      {make([]byte, 64), [64]byte{}, false},
		"nothing":           {nil, [64]byte{}, false},
		"cut off":           {der(one, largest)[:20], [64]byte{}, false},
		"not minimal":       {[]byte{0x30, 8, 2, 2, 0, 1, 2, 2, 0, 1}, [64]byte{}, false},
		"indefinite length": {[]byte{0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0}, [64]byte{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := kms.P256Signer{Client: &service{signature: c.der}}.Sign(t.Context(), [32]byte{})
			if (err == nil) != c.ok || got != c.want {
				t.Errorf("Sign = %x, %v; want %x, ok %v", got, err, c.want, c.ok)
			}
		})
	}
}

func TestEd25519PublicKeyIsFetchedOnceAndAgainAfterAFailure(t *testing.T) {
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{public: spki(t, public), err: errors.New("down")}
	signer := &kms.Ed25519Signer{Client: s}
	if _, err := signer.PublicKey(t.Context()); err == nil {
		t.Fatal("no error from a service that is down")
	}
	s.err = nil
	for range 3 {
		if got, err := signer.PublicKey(t.Context()); err != nil || got != [32]byte(public) {
			t.Errorf("PublicKey = %x, %v; want %x", got, err, public)
		}
	}
	if s.calls.Load() != 2 {
		t.Errorf("%d calls, want 2", s.calls.Load())
	}
}

// FuzzP256Signature parses arbitrary responses of KMS: nothing panics, and an accepted signature
// has the same numbers as the DER.
func FuzzP256Signature(f *testing.F) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	digest := sha256.Sum256([]byte("x"))
	good, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte{0x30, 6, 2, 1, 1, 2, 1, 1})
	f.Fuzz(func(t *testing.T, der []byte) {
		raw, err := kms.P256Signer{Client: &service{signature: der}}.Sign(t.Context(), digest)
		if err != nil {
			return
		}
		var sent struct{ R, S *big.Int }
		if _, err := asn1.Unmarshal(der, &sent); err != nil ||
			sent.R.Cmp(new(big.Int).SetBytes(raw[:32])) != 0 || sent.S.Cmp(new(big.Int).SetBytes(raw[32:])) != 0 {
			t.Errorf("%x became %x", der, raw)
		}
	})
}
