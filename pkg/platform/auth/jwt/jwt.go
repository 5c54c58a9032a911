// Package jwt issues and verifies access tokens, which identify the calling wallet.
//
// The only accepted algorithm is ES256, whatever the headers of an access token say (RFC 8725). An
// access token is for one issuer and one audience, names the key by kid, and expires a week after
// the issue. Verifying needs the public keys and a regularly refreshed list of revocations, but no
// call for each access token.
package jwt

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Lifetime is the validity of an access token ("Authentication", spec).
const Lifetime = 7 * 24 * time.Hour

const (
	algorithm = "ES256"
	tokenType = "JWT"
	// maxLength bounds the work on a third party's header, in bytes. The service's access tokens
	// have about 600 bytes.
	maxLength = 4096
)

// ErrInvalid is returned for every invalid access token. The error's text describes the problem,
// for the log.
var ErrInvalid = errors.New("token is not valid")

// Signer returns an ECDSA P-256 signature, R and S of 32 bytes each, of a SHA-256 digest, with the
// first of the keys.
type Signer interface {
	Sign(ctx context.Context, digest [32]byte) ([64]byte, error)
}

// Issuer issues access tokens.
type Issuer struct {
	Keys     KeySource
	Signer   Signer
	Issuer   string
	Audience string
	Now      func() time.Time
	NewID    func() string // for jti: a new ID each time
}

// Token is a signed access token and the time of the expiry.
type Token struct {
	Raw       string
	ExpiresAt time.Time
}

// Issue returns an access token for wallet, which the caller has verified.
func (i Issuer) Issue(ctx context.Context, wallet string) (Token, error) {
	keys, err := i.Keys.Keys(ctx)
	if err != nil {
		return Token{}, err
	}
	// Claims have whole seconds. Truncate here, so that ExpiresAt equals the claim.
	issued := i.Now().UTC().Truncate(time.Second)
	expires := issued.Add(Lifetime)
	unsigned := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.RegisteredClaims{
		Issuer:    i.Issuer,
		Audience:  jwt.ClaimStrings{i.Audience},
		Subject:   wallet,
		IssuedAt:  jwt.NewNumericDate(issued),
		NotBefore: jwt.NewNumericDate(issued),
		ExpiresAt: jwt.NewNumericDate(expires),
		ID:        i.NewID(),
	})
	unsigned.Header["kid"] = keys.SigningKeyID()
	text, err := unsigned.SigningString()
	if err != nil {
		return Token{}, fmt.Errorf("encode token: %w", err)
	}
	signature, err := i.Signer.Sign(ctx, sha256.Sum256([]byte(text)))
	if err != nil {
		return Token{}, fmt.Errorf("sign token: %w", err)
	}
	return Token{Raw: text + "." + unsigned.EncodeSegment(signature[:]), ExpiresAt: expires}, nil
}

// Verifier verifies access tokens.
type Verifier struct {
	Keys KeySource
	// Revoked returns the revocations; nil if access tokens cannot be revoked.
	Revoked  RevocationSource
	Issuer   string
	Audience string
	Now      func() time.Time
}

// Verify returns the wallet of the access token. It returns ErrInvalid if the access token is
// invalid. Any other error means that the keys or the revocations are unavailable, so the validity
// is unknown.
func (v Verifier) Verify(ctx context.Context, raw string) (wallet string, err error) {
	if len(raw) > maxLength {
		return "", fmt.Errorf("%w: %d bytes long", ErrInvalid, len(raw))
	}
	if strings.ContainsAny(raw, "\r\n") { // encoding/base64 skips line breaks
		return "", fmt.Errorf("%w: line break", ErrInvalid)
	}
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm}),
		jwt.WithStrictDecoding(),
		jwt.WithIssuer(v.Issuer),
		jwt.WithAudience(v.Audience),
		jwt.WithIssuedAt(),
		jwt.WithNotBeforeRequired(),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(v.Now),
	)
	var noKeys error
	var claims jwt.RegisteredClaims
	token, err := parser.ParseWithClaims(raw, &claims, func(t *jwt.Token) (any, error) {
		if err := checkHeader(t); err != nil {
			return nil, err
		}
		keys, err := v.Keys.Keys(ctx)
		if err != nil {
			noKeys = err
			return nil, err
		}
		kid, _ := t.Header["kid"].(string)
		public, known := keys.find(kid)
		if !known {
			return nil, errors.New("unknown kid")
		}
		return public, nil
	})
	if noKeys != nil {
		return "", noKeys
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := checkClaims(token, claims); err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := v.notRevoked(ctx, claims); err != nil {
		return "", err
	}
	return claims.Subject, nil
}

// notRevoked also rejects an access token that was issued in the second of the revocation, because
// claims have whole seconds.
func (v Verifier) notRevoked(ctx context.Context, c jwt.RegisteredClaims) error {
	if v.Revoked == nil {
		return nil
	}
	revoked, err := v.Revoked.Revocations(ctx)
	if err != nil {
		return err
	}
	if until, is := revoked[c.Subject]; is && !c.IssuedAt.After(until) {
		return fmt.Errorf("%w: revoked", ErrInvalid)
	}
	return nil
}

// checkHeader rejects headers that the library does not check: another type, and critical
// extensions (RFC 7515, section 4.1.11). Headers that point to a key (jku, jwk, x5u, x5c) are never
// read.
func checkHeader(t *jwt.Token) error {
	if typ, _ := t.Header["typ"].(string); typ != tokenType {
		return errors.New("typ is not " + tokenType)
	}
	if _, critical := t.Header["crit"]; critical {
		return errors.New("crit is not supported")
	}
	return nil
}

func checkClaims(t *jwt.Token, c jwt.RegisteredClaims) error {
	for _, segment := range strings.Split(t.Raw, ".")[:2] {
		if err := uniqueNames(segment); err != nil {
			return err
		}
	}
	switch {
	case len(c.Audience) != 1:
		return errors.New("more than one audience")
	case c.Subject == "":
		return errors.New("no sub")
	case c.ID == "":
		return errors.New("no jti")
	case c.IssuedAt == nil:
		return errors.New("no iat")
	case c.ExpiresAt.Sub(c.IssuedAt.Time) > Lifetime:
		return errors.New("valid for too long")
	}
	return nil
}
