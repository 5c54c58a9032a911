package jwt_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// TestRotation goes through the steps by which a key replaces another ("Rotate the token key",
// docs/operations.md). An access token issued in one step verifies in every step, including the one
// before, because functions do not change at the same moment.
func TestRotation(t *testing.T) {
	old, next := newKey(t), newKey(t)
	steps := []struct {
		name string
		keys []*ecdsa.PrivateKey
	}{
		{"1: old", []*ecdsa.PrivateKey{old}},
		{"2: old, next", []*ecdsa.PrivateKey{old, next}},
		{"3: next, old", []*ecdsa.PrivateKey{next, old}},
		{"4: next", []*ecdsa.PrivateKey{next}},
	}
	// accepted[issued in][verified in]
	accepted := [][]bool{
		{true, true, true, false},
		{true, true, true, false},
		{false, true, true, true},
		{false, true, true, true},
	}
	for i, issued := range steps {
		issuer, _, _ := setUp(t, issued.keys...)
		token := issue(t, issuer)
		for j, verified := range steps {
			t.Run("issued in "+issued.name+", verified in "+verified.name, func(t *testing.T) {
				_, verifier, _ := setUp(t, verified.keys...)
				got, err := verifier.Verify(t.Context(), token.Raw)
				if (err == nil) != accepted[i][j] || err == nil && got != wallet || err != nil && !errors.Is(err, jwt.ErrInvalid) {
					t.Errorf("Verify = %q, %v; want accepted %v", got, err, accepted[i][j])
				}
				if !accepted[i][j] {
					return
				}
				verifier.Now = at(token.ExpiresAt.Add(-time.Second))
				if _, err := verifier.Verify(t.Context(), token.Raw); err != nil {
					t.Errorf("in its last second: %v", err)
				}
				verifier.Now = at(token.ExpiresAt)
				if _, err := verifier.Verify(t.Context(), token.Raw); !errors.Is(err, jwt.ErrInvalid) {
					t.Errorf("as it expires: %v, want ErrInvalid", err)
				}
			})
		}
	}
}

// TestJWKSetHasEveryRotationKey tests that the set has all verifying keys, the signing key first.
func TestJWKSetHasEveryRotationKey(t *testing.T) {
	old, next := newKey(t), newKey(t)
	ids := func(private ...*ecdsa.PrivateKey) []string {
		var public []*ecdsa.PublicKey
		for _, k := range private {
			public = append(public, &k.PublicKey)
		}
		keys, err := jwt.NewKeys(public)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jwt.JWKSet(keys)
		if err != nil {
			t.Fatal(err)
		}
		var set struct{ Keys []struct{ Kid string } }
		if err := json.Unmarshal(document, &set); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, k := range set.Keys {
			out = append(out, k.Kid)
		}
		if out[0] != keys.SigningKeyID() {
			t.Errorf("%s is first, and %s signs", out[0], keys.SigningKeyID())
		}
		return out
	}
	before, during, after := ids(old), ids(next, old), ids(next)
	if len(before) != 1 || len(during) != 2 || len(after) != 1 || during[0] != after[0] || during[1] != before[0] {
		t.Errorf("kids %v, then %v, then %v", before, during, after)
	}
}
