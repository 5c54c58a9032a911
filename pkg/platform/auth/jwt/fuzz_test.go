package jwt_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// FuzzSignedClaims signs arbitrary headers and claims with the right key, so that only the checks
// after the signature are left. An accepted access token has exactly the claims of the contract,
// read here only by encoding/json.
func FuzzSignedClaims(f *testing.F) {
	key := newKey(f)
	issuing, verifier, _ := setUp(f, key)
	keys, err := issuing.Keys.Keys(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	kid := keys.SigningKeyID()
	// The key is another one in every process, so KID is a placeholder of its ID.
	const header = `{"alg":"ES256","typ":"JWT","kid":"KID"}`
	const claims = `{"iss":"` + issuer + `","aud":["` + audience + `"],"sub":"` + wallet + `","iat":1772600767,"nbf":1772600767,"exp":1773205567,"jti":"id-1"}`
	f.Add(header, claims)
	f.Add(`{"alg":"none"}`, claims)
	f.Add(header, `{"aud":"`+audience+`","exp":1e400}`)
	f.Add(header, `{"iss":"`+issuer+`","aud":["`+audience+`","b"],"sub":"x","sub":"y","iat":1,"nbf":1,"exp":99999999999,"jti":""}`)
	f.Fuzz(func(t *testing.T, header, claims string) {
		header = strings.ReplaceAll(header, "KID", kid)
		text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
		signature, err := localSigner{key}.Sign(t.Context(), sha256.Sum256([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := verifier.Verify(t.Context(), text+"."+base64.RawURLEncoding.EncodeToString(signature[:]))
		if err != nil {
			if !errors.Is(err, jwt.ErrInvalid) {
				t.Errorf("%v is not ErrInvalid", err)
			}
			return
		}
		var h struct{ Alg, Typ, Kid string }
		var c struct {
			Iss, Sub, Jti string
			Aud           any
			Iat, Nbf, Exp float64
		}
		if json.Unmarshal([]byte(header), &h) != nil || json.Unmarshal([]byte(claims), &c) != nil {
			t.Fatalf("accepted claims that encoding/json does not read: %s %s", header, claims)
		}
		list, isList := c.Aud.([]any)
		switch at := float64(now.Unix()); {
		case h.Alg != "ES256", h.Typ != "JWT", h.Kid != kid,
			c.Iss != issuer, c.Jti == "", c.Sub == "", c.Sub != got,
			c.Aud != any(audience) && (!isList || len(list) != 1 || list[0] != any(audience)),
			c.Iat > at+1, c.Nbf > at+1, c.Exp < at, c.Exp-c.Iat > jwt.Lifetime.Seconds()+1:
			t.Errorf("accepted %s %s at %s", header, claims, now.Format(time.RFC3339))
		}
	})
}
