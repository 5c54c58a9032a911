// Package jwt issues and verifies the tokens that say which wallet is calling.
//
// One algorithm is accepted, ES256, and no header of a token has a say in it
// (RFC 8725). A token is for one issuer and one audience, names its key by kid
// and expires a week after it was issued. Verifying needs the public keys, and at
// times which wallets' tokens were revoked; it makes no call for each token.
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

// Lifetime is how long a token is valid ("Authentication", spec).
const Lifetime = 7 * 24 * time.Hour

const (
	algorithm = "ES256"
	tokenType = "JWT"
	// maxLength bounds the work on a stranger's header, in bytes. Our tokens have
	// about 600.
	maxLength = 4096
)

// ErrInvalid appears when a token is not one that we accept, whatever is wrong
// with it. What exactly is in the error's text, for the log.
var ErrInvalid = errors.New("token is not valid")

// Signer makes an ECDSA P-256 signature, R and S of 32 bytes each, of a SHA-256
// digest, with the first of the keys.
type Signer interface {
	Sign(ctx context.Context, digest [32]byte) ([64]byte, error)
}

// Issuer makes tokens.
type Issuer struct {
	Keys     KeySource
	Signer   Signer
	Issuer   string
	Audience string
	Now      func() time.Time
	NewID    func() string // for jti: a new one each time
}

// Token is a signed token and the moment from which it is refused.
type Token struct {
	Raw       string
	ExpiresAt time.Time
}

// Issue makes a token for wallet, which the caller has verified.
func (i Issuer) Issue(ctx context.Context, wallet string) (Token, error) {
	keys, err := i.Keys.Keys(ctx)
	if err != nil {
		return Token{}, err
	}
	// Claims carry whole seconds: cut off here, so that ExpiresAt is the claim.
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

// Verifier accepts or refuses tokens.
type Verifier struct {
	Keys KeySource
	// Revoked are tokens that are refused before they expire; nil when none can be.
	Revoked  RevocationSource
	Issuer   string
	Audience string
	Now      func() time.Time
}

// Verify gives the wallet for which the token was issued. The error is
// ErrInvalid when the token is to blame; any other error says that the keys
// or the revocations could not be had, so nothing is known about the token.
func (v Verifier) Verify(ctx context.Context, raw string) (wallet string, err error) {
	if len(raw) > maxLength {
		return "", fmt.Errorf("%w: %d bytes long", ErrInvalid, len(raw))
	}
	if strings.ContainsAny(raw, "\r\n") { // encoding/base64 skips them
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

// notRevoked refuses a token of the very second of the revocation: claims have whole ones.
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

// checkHeader refuses what the library leaves to us: another kind of token, and
// extensions that must be understood (RFC 7515, section 4.1.11). Headers that
// point to a key (jku, jwk, x5u, x5c) are never read.
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
