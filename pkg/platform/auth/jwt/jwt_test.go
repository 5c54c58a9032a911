package jwt_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	lib "github.com/golang-jwt/jwt/v5"

	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

const (
	wallet   = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	issuer   = "https://launch.example"
	audience = "launch.example/api"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 890e6, time.UTC)

// localSigner signs as KMS does, with a key of the test.
type localSigner struct{ key *ecdsa.PrivateKey }

func (s localSigner) Sign(_ context.Context, digest [32]byte) (raw [64]byte, err error) {
	r, n, err := ecdsa.Sign(rand.Reader, s.key, digest[:])
	if err != nil {
		return raw, err
	}
	r.FillBytes(raw[:32])
	n.FillBytes(raw[32:])
	return raw, nil
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// source counts how often keys are fetched and fails while err is set.
type source struct {
	public  []*ecdsa.PublicKey
	err     error
	fetched int
}

func (s *source) fetch(context.Context) ([]*ecdsa.PublicKey, error) {
	s.fetched++
	return s.public, s.err
}

func at(moment time.Time) func() time.Time { return func() time.Time { return moment } }

func setUp(t testing.TB, keys ...*ecdsa.PrivateKey) (jwt.Issuer, jwt.Verifier, *source) {
	t.Helper()
	src := &source{}
	for _, k := range keys {
		src.public = append(src.public, &k.PublicKey)
	}
	cached := &jwt.CachedKeys{Fetch: src.fetch}
	issues := jwt.Issuer{
		Keys: cached, Signer: localSigner{keys[0]}, Issuer: issuer, Audience: audience,
		Now: at(now), NewID: func() string { return "id-1" },
	}
	return issues, jwt.Verifier{Keys: cached, Issuer: issuer, Audience: audience, Now: at(now)}, src
}

func issue(t testing.TB, i jwt.Issuer) jwt.Token {
	t.Helper()
	token, err := i.Issue(t.Context(), wallet)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestIssuedTokenHasTheClaimsOfTheContract(t *testing.T) {
	key := newKey(t)
	i, _, _ := setUp(t, key)
	token := issue(t, i)

	// The library reads the access token back, without any of our code.
	var claims lib.MapClaims
	parsed, err := lib.ParseWithClaims(token.Raw, &claims, func(*lib.Token) (any, error) { return &key.PublicKey, nil },
		lib.WithTimeFunc(at(now)), lib.WithValidMethods([]string{"ES256"}))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := jwt.NewKeys([]*ecdsa.PublicKey{&key.PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	wantHeader := map[string]any{"alg": "ES256", "typ": "JWT", "kid": keys.SigningKeyID()}
	if !maps.Equal(parsed.Header, wantHeader) {
		t.Errorf("header %v, want %v", parsed.Header, wantHeader)
	}
	issued := float64(now.Unix())
	want := map[string]any{
		"iss": issuer, "sub": wallet, "jti": "id-1",
		"iat": issued, "nbf": issued, "exp": issued + 7*24*3600,
	}
	aud, _ := json.Marshal(claims["aud"])
	delete(claims, "aud")
	if !maps.Equal(claims, lib.MapClaims(want)) || string(aud) != `["`+audience+`"]` {
		t.Errorf("claims %v, aud %s; want %v", claims, aud, want)
	}
	if wantExp := now.Truncate(time.Second).Add(7 * 24 * time.Hour); !token.ExpiresAt.Equal(wantExp) {
		t.Errorf("ExpiresAt %v, want %v", token.ExpiresAt, wantExp)
	}
}

func TestVerifyAccepts(t *testing.T) {
	old, current := newKey(t), newKey(t)
	before, _, _ := setUp(t, old)
	i, v, _ := setUp(t, current, old)
	token := issue(t, i)
	lastMoment := v
	lastMoment.Now = at(token.ExpiresAt.Add(-time.Millisecond))
	for name, c := range map[string]struct {
		verifier jwt.Verifier
		raw      string
	}{
		"a new token":                       {v, token.Raw},
		"in the last moment":                {lastMoment, token.Raw},
		"a token of the key before the new": {v, issue(t, before).Raw},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := c.verifier.Verify(t.Context(), c.raw); got != wallet || err != nil {
				t.Errorf("Verify = %q, %v; want %q", got, err, wallet)
			}
		})
	}
}

// order is that of P-256's group (SEC 2, section 2.4.2).
const order = "\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xbc\xe6\xfa\xad\xa7\x17\x9e\x84\xf3\xb9\xca\xc2\xfc\x63\x25\x51"

// TestVerifyRefusesByRFC8725 has what the sections of RFC 8725 warn of. Section
// 3.5 is about making keys, which is KMS's part and TestNewKeysRefuses; the checks
// of times are those of RFC 7519.
func TestVerifyRefusesByRFC8725(t *testing.T) {
	key, other := newKey(t), newKey(t)
	i, v, _ := setUp(t, key)
	keys, err := jwt.NewKeys([]*ecdsa.PublicKey{&key.PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	good := issue(t, i).Raw
	parts := strings.Split(good, ".")

	type object = map[string]any
	header := func(change object) string {
		return segment(t, object{"alg": "ES256", "typ": "JWT", "kid": keys.SigningKeyID()}, change)
	}
	second := now.Unix()
	claims := func(change object) string {
		return segment(t, object{
			"iss": issuer, "aud": audience, "sub": wallet, "jti": "id",
			"iat": second, "nbf": second, "exp": second + 3600,
		}, change)
	}
	// Signed by our own key, so that only the change can be the reason.
	if _, err := v.Verify(t.Context(), sign(t, key, header(nil), claims(nil))); err != nil {
		t.Fatalf("the token that the cases change is rejected: %v", err)
	}

	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	pemKey := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	otherPoint, err := other.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	otherJWK := object{
		"kty": "EC", "crv": "P-256",
		"x": base64.RawURLEncoding.EncodeToString(otherPoint[1:33]),
		"y": base64.RawURLEncoding.EncodeToString(otherPoint[33:]),
	}
	otherKeys, err := jwt.NewKeys([]*ecdsa.PublicKey{&other.PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	none := header(object{"alg": "none"})

	for name, raw := range map[string]string{
		"3.3: nothing":            "",
		"3.3: one segment":        "abc",
		"3.3: two segments":       parts[0] + "." + parts[1],
		"3.3: four segments":      good + ".x",
		"3.3: dots":               "..",
		"3.3: not base64":         "%." + parts[1] + "." + parts[2],
		"3.3: another spelling":   good[:len(good)-1] + string(good[len(good)-1]+1), // unused bits of the last digit
		"3.3: padded":             parts[0] + "." + parts[1] + "." + parts[2] + "==",
		"3.3: standard base64":    strings.Repeat("+", 8) + "." + parts[1] + "." + parts[2],
		"3.3: a line feed inside": parts[0] + "." + parts[1] + "." + parts[2][:10] + "\n" + parts[2][10:],
		"3.3: a space before":     " " + good,
		"3.3: the scheme inside":  "Bearer " + good,
		"3.3: huge":               good + strings.Repeat("A", 1<<20),
		"3.3: header not JSON":    encode("x") + "." + parts[1] + "." + parts[2],
		"3.3: header null":        sign(t, key, encode("null"), claims(nil)),
		"3.3: header an array":    sign(t, key, encode("[]"), claims(nil)),
		"3.3: claims not JSON":    sign(t, key, header(nil), encode("x")),
		"3.3: claims null":        sign(t, key, header(nil), encode("null")),
		"3.3: claims an array":    sign(t, key, header(nil), encode("[]")),

		"3.2: none, no signature":   none + "." + claims(nil) + ".",
		"3.1: none, our signature":  sign(t, key, none, claims(nil)),
		"3.2: None":                 header(object{"alg": "None"}) + "." + claims(nil) + ".",
		"3.1: no alg":               sign(t, key, header(object{"alg": nil}), claims(nil)),
		"3.1: alg a number":         sign(t, key, header(object{"alg": 1}), claims(nil)),
		"3.1: alg a list":           sign(t, key, header(object{"alg": []string{"ES256"}}), claims(nil)),
		"3.1: alg in lower case":    sign(t, key, header(object{"alg": "es256"}), claims(nil)),
		"3.1: ES384":                sign(t, key, header(object{"alg": "ES384"}), claims(nil)),
		"3.1: ES384 by our key":     signES384(t, key, header(object{"alg": "ES384"}), claims(nil)),
		"3.1: RS256":                sign(t, key, header(object{"alg": "RS256"}), claims(nil)),
		"3.1: EdDSA":                sign(t, key, header(object{"alg": "EdDSA"}), claims(nil)),
		"3.1: HS256 by DER key":     mac(header(object{"alg": "HS256"}), claims(nil), der),
		"3.1: HS256 by PEM key":     mac(header(object{"alg": "HS256"}), claims(nil), pemKey),
		"3.1: HS256 by point":       mac(header(object{"alg": "HS256"}), claims(nil), point),
		"3.1: HS256 by kid":         mac(header(object{"alg": "HS256"}), claims(nil), []byte(keys.SigningKeyID())),
		"3.1: HS256 without secret": mac(header(object{"alg": "HS256"}), claims(nil), nil),

		"3.3: other key, our kid":   sign(t, other, header(nil), claims(nil)),
		"3.3: other key, its kid":   sign(t, other, header(object{"kid": otherKeys.SigningKeyID()}), claims(nil)),
		"3.10: other key by jwk":    sign(t, other, header(object{"jwk": otherJWK}), claims(nil)),
		"3.10: other key by jku":    sign(t, other, header(object{"jku": "https://evil.example/jwks.json"}), claims(nil)),
		"3.10: other key by x5u":    sign(t, other, header(object{"x5u": "https://evil.example/cert.pem"}), claims(nil)),
		"3.10: no kid":              sign(t, key, header(object{"kid": nil}), claims(nil)),
		"3.10: empty kid":           sign(t, key, header(object{"kid": ""}), claims(nil)),
		"3.10: kid a number":        sign(t, key, header(object{"kid": 1}), claims(nil)),
		"3.10: kid a path":          sign(t, key, header(object{"kid": "../../dev/null"}), claims(nil)),
		"3.3: crit":                 sign(t, key, header(object{"crit": []string{"exp"}}), claims(nil)),
		"3.3: crit, empty":          sign(t, key, header(object{"crit": []string{}}), claims(nil)),
		"3.11: another typ":         sign(t, key, header(object{"typ": "at+jwt"}), claims(nil)),
		"3.11: no typ":              sign(t, key, header(object{"typ": nil}), claims(nil)),
		"2.4: alg twice in header":  sign(t, key, encode(`{"alg":"none","alg":"ES256","typ":"JWT","kid":"`+keys.SigningKeyID()+`"}`), claims(nil)),
		"3.3: no signature":         parts[0] + "." + parts[1] + ".",
		"3.4: zero signature":       parts[0] + "." + parts[1] + "." + encode(string(make([]byte, 64))),
		"3.3: signature cut":        parts[0] + "." + parts[1] + "." + parts[2][:80],
		"3.3: signature of another": strings.Join([]string{header(nil), claims(object{"sub": "x"}), parts[2]}, "."),
		"3.3: signature as DER":     signDER(t, key, header(nil), claims(nil)),

		"3.8: other issuer":              sign(t, key, header(nil), claims(object{"iss": issuer + "/"})),
		"3.8: no issuer":                 sign(t, key, header(nil), claims(object{"iss": nil})),
		"3.9: other audience":            sign(t, key, header(nil), claims(object{"aud": "other"})),
		"3.9: no audience":               sign(t, key, header(nil), claims(object{"aud": nil})),
		"3.9: empty audience":            sign(t, key, header(nil), claims(object{"aud": []string{}})),
		"3.9: a second audience":         sign(t, key, header(nil), claims(object{"aud": []string{audience, "other"}})),
		"3.8: no subject":                sign(t, key, header(nil), claims(object{"sub": nil})),
		"3.8: subject a number":          sign(t, key, header(nil), claims(object{"sub": 7})),
		"4.1 of RFC 7519: no jti":        sign(t, key, header(nil), claims(object{"jti": nil})),
		"4.1 of RFC 7519: expired":       sign(t, key, header(nil), claims(object{"exp": second})),
		"4.1 of RFC 7519: no exp":        sign(t, key, header(nil), claims(object{"exp": nil})),
		"4.1 of RFC 7519: exp a string":  sign(t, key, header(nil), claims(object{"exp": "9999999999"})),
		"4.1 of RFC 7519: exp too far":   sign(t, key, header(nil), claims(object{"exp": second + 7*24*3600 + 1})),
		"4.1 of RFC 7519: not yet valid": sign(t, key, header(nil), claims(object{"nbf": second + 1})),
		"4.1 of RFC 7519: no nbf":        sign(t, key, header(nil), claims(object{"nbf": nil})),
		"4.1 of RFC 7519: issued later":  sign(t, key, header(nil), claims(object{"iat": second + 1})),
		"4.1 of RFC 7519: no iat":        sign(t, key, header(nil), claims(object{"iat": nil})),
		"2.4: sub twice": sign(t, key, header(nil), encode(fmt.Sprintf(
			`{"sub":"evil","iss":%q,"aud":%q,"sub":%q,"jti":"id","iat":%d,"nbf":%d,"exp":%d}`,
			issuer, audience, wallet, second, second, second+1))),
		"2.4: sub in two cases": sign(t, key, header(nil), encode(fmt.Sprintf(
			`{"Sub":"evil","iss":%q,"aud":%q,"sub":%q,"jti":"id","iat":%d,"nbf":%d,"exp":%d}`,
			issuer, audience, wallet, second, second, second+1))),

		"3.3: a token inside":                 sign(t, key, header(object{"cty": "JWT"}), encode(good)),
		"3.4: r alone is zero":                strings.Join([]string{parts[0], parts[1], encode(string(make([]byte, 32)) + string(decode(t, parts[2])[32:]))}, "."),
		"3.4: s alone is zero":                strings.Join([]string{parts[0], parts[1], encode(string(decode(t, parts[2])[:32]) + string(make([]byte, 32)))}, "."),
		"3.4: r and s are the order":          strings.Join([]string{parts[0], parts[1], encode(order + order)}, "."),
		"3.4: r and s beyond the order":       strings.Join([]string{parts[0], parts[1], encode(strings.Repeat("\xff", 64))}, "."),
		"3.6: encrypted, five segments":       header(object{"alg": "dir", "enc": "A128GCM", "zip": "DEF"}) + ".." + encode("iv") + "." + encode("text") + "." + encode("tag"),
		"3.7: claims in UTF-16":               sign(t, key, header(nil), encode("\xfe\xff\x00{\x00}")),
		"3.7: a byte order mark":              sign(t, key, header(nil), encode("\xef\xbb\xbf{}")),
		"3.7: a subject that is not UTF-8":    sign(t, key, header(nil), encode(strings.Replace(string(decode(t, claims(nil))), wallet, "\xff", 1))),
		"3.7: a header that is not UTF-8":     sign(t, key, encode(strings.Replace(string(decode(t, header(object{"x": "?"}))), "?", "\xff", 1)), claims(nil)),
		"3.8: issuer a list":                  sign(t, key, header(nil), claims(object{"iss": []string{issuer}})),
		"3.8: subject empty":                  sign(t, key, header(nil), claims(object{"sub": ""})),
		"3.9: audience in upper case":         sign(t, key, header(nil), claims(object{"aud": strings.ToUpper(audience)})),
		"3.10: kid a query":                   sign(t, key, header(object{"kid": "' OR 1=1 --"}), claims(nil)),
		"3.10: other key by x5c":              sign(t, other, header(object{"x5c": []string{base64.StdEncoding.EncodeToString(der)}}), claims(nil)),
		"3.11: typ a list":                    sign(t, key, header(object{"typ": []string{"JWT"}}), claims(nil)),
		"3.12: an access token of another":    sign(t, key, header(object{"typ": "at+jwt"}), claims(object{"client_id": "x"})),
		"3.12: an ID token of another issuer": sign(t, key, header(nil), claims(object{"iss": "https://accounts.example", "aud": "client"})),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := v.Verify(t.Context(), raw)
			if !errors.Is(err, jwt.ErrInvalid) || got != "" {
				t.Errorf("Verify = %q, %v; want ErrInvalid", got, err)
			}
		})
	}
}

func TestVerifyRefusesARevokedKey(t *testing.T) {
	revoked, current := newKey(t), newKey(t)
	i, _, _ := setUp(t, revoked)
	_, v, _ := setUp(t, current)
	if _, err := v.Verify(t.Context(), issue(t, i).Raw); !errors.Is(err, jwt.ErrInvalid) {
		t.Errorf("Verify = %v, want ErrInvalid", err)
	}
}

func TestVerifyRefusesOneSecondAfterAWeek(t *testing.T) {
	i, v, _ := setUp(t, newKey(t))
	token := issue(t, i)
	v.Now = at(token.ExpiresAt)
	if _, err := v.Verify(t.Context(), token.Raw); !errors.Is(err, jwt.ErrInvalid) {
		t.Errorf("Verify = %v, want ErrInvalid", err)
	}
}

func TestKeysAreFetchedOnce(t *testing.T) {
	i, v, src := setUp(t, newKey(t))
	raw := issue(t, i).Raw
	for range 5 {
		if _, err := v.Verify(t.Context(), raw); err != nil {
			t.Fatal(err)
		}
	}
	if src.fetched != 1 {
		t.Errorf("keys fetched %d times, want once", src.fetched)
	}
}

func TestVerifyWithoutKeys(t *testing.T) {
	i, _, _ := setUp(t, newKey(t))
	raw := issue(t, i).Raw
	down := errors.New("down")
	src := &source{err: down}
	v := jwt.Verifier{Keys: &jwt.CachedKeys{Fetch: src.fetch}, Issuer: issuer, Audience: audience, Now: at(now)}
	if _, err := v.Verify(t.Context(), raw); !errors.Is(err, down) || errors.Is(err, jwt.ErrInvalid) {
		t.Errorf("Verify = %v, want %v and not ErrInvalid", err, down)
	}
	if _, err := v.Verify(t.Context(), "garbage"); !errors.Is(err, jwt.ErrInvalid) || src.fetched != 1 {
		t.Errorf("Verify(garbage) = %v after %d fetches, want ErrInvalid without asking for keys", err, src.fetched)
	}
}

func TestKeysAreFetchedAgainAfterAFailure(t *testing.T) {
	i, v, src := setUp(t, newKey(t))
	src.err = errors.New("down")
	if _, err := i.Issue(t.Context(), wallet); !errors.Is(err, src.err) {
		t.Fatalf("Issue = %v, want %v", err, src.err)
	}
	src.err = nil
	if _, err := v.Verify(t.Context(), issue(t, i).Raw); err != nil {
		t.Errorf("Verify after the failure: %v", err)
	}
}

func decode(t testing.TB, segment string) []byte {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// segment encodes base with change applied; nil removes a member.
func segment(t testing.TB, base, change map[string]any) string {
	t.Helper()
	maps.Copy(base, change)
	maps.DeleteFunc(base, func(_ string, v any) bool { return v == nil })
	text, err := json.Marshal(base)
	if err != nil {
		t.Fatal(err)
	}
	return encode(string(text))
}

func sign(t testing.TB, key *ecdsa.PrivateKey, header, claims string) string {
	t.Helper()
	text := header + "." + claims
	raw, err := localSigner{key}.Sign(t.Context(), sha256.Sum256([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + encode(string(raw[:]))
}

func signDER(t testing.TB, key *ecdsa.PrivateKey, header, claims string) string {
	t.Helper()
	text := header + "." + claims
	digest := sha256.Sum256([]byte(text))
	der, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + encode(string(der))
}

// signES384 is right in all but the algorithm.
func signES384(t testing.TB, key *ecdsa.PrivateKey, header, claims string) string {
	t.Helper()
	text := header + "." + claims
	digest := sha512.Sum384([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	var raw [96]byte
	r.FillBytes(raw[:48])
	s.FillBytes(raw[48:])
	return text + "." + encode(string(raw[:]))
}

func mac(header, claims string, secret []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(header + "." + claims))
	return header + "." + claims + "." + encode(string(h.Sum(nil)))
}

// FuzzVerify tests that no unsigned access token is accepted, and that nothing panics.
func FuzzVerify(f *testing.F) {
	i, v, _ := setUp(f, newKey(f))
	token, err := i.Issue(f.Context(), wallet)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token.Raw[:strings.LastIndex(token.Raw, ".")+1])
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add("..")
	f.Fuzz(func(t *testing.T, raw string) {
		if _, err := v.Verify(t.Context(), raw); !errors.Is(err, jwt.ErrInvalid) {
			t.Errorf("Verify(%q) = %v, want ErrInvalid", raw, err)
		}
	})
}
