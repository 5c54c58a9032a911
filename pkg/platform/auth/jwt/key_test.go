package jwt_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

func TestNewKeysRefuses(t *testing.T) {
	key := newKey(t)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, public := range map[string][]*ecdsa.PublicKey{
		"none":          nil,
		"nil":           {nil},
		"another curve": {&p384.PublicKey},
		"the same":      {&key.PublicKey, &key.PublicKey},
	} {
		t.Run(name, func(t *testing.T) {
			if keys, err := jwt.NewKeys(public); err == nil {
				t.Errorf("NewKeys = %v, want an error", keys)
			}
		})
	}
}

// TestJWKSet reads the document as a third party would: each key is rebuilt only from its
// coordinates, and each kid from the members of RFC 7638.
func TestJWKSet(t *testing.T) {
	private := []*ecdsa.PrivateKey{newKey(t), newKey(t)}
	keys, err := jwt.NewKeys([]*ecdsa.PublicKey{&private[0].PublicKey, &private[1].PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	document, err := jwt.JWKSet(keys)
	if err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []map[string]string }
	if err := json.Unmarshal(document, &set); err != nil {
		t.Fatal(err)
	}
	if len(set.Keys) != 2 || set.Keys[0]["kid"] != keys.SigningKeyID() {
		t.Fatalf("got %s, want two keys, the signing one (%s) first", document, keys.SigningKeyID())
	}
	for i, k := range set.Keys {
		point := slices.Concat([]byte{4}, coordinate(t, k["x"]), coordinate(t, k["y"]))
		public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
		if err != nil {
			t.Fatal(err)
		}
		if !public.Equal(&private[i].PublicKey) {
			t.Errorf("key %d differs", i)
		}
		thumbprint := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + k["x"] + `","y":"` + k["y"] + `"}`))
		delete(k, "x")
		delete(k, "y")
		want := map[string]string{
			"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
			"kid": base64.RawURLEncoding.EncodeToString(thumbprint[:]),
		}
		for name, value := range want {
			if k[name] != value {
				t.Errorf("key %d: %s = %q, want %q", i, name, k[name], value)
			}
		}
		if len(k) != len(want) {
			t.Errorf("key %d has other members: %v", i, k)
		}
	}
}

func coordinate(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != 32 {
		t.Fatalf("coordinate %q: %d bytes, %v; want 32", text, len(raw), err)
	}
	return raw
}
