package jwt

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// key is a verification key with an ID, the RFC 7638 thumbprint.
type key struct {
	id     string
	public *ecdsa.PublicKey
	x, y   string // coordinates, base64url
}

// Keys is the set of keys whose access tokens are accepted. The first key signs. The set is never
// empty and never changes.
type Keys struct{ list []key }

// NewKeys returns the set of the P-256 public keys, in order.
func NewKeys(public []*ecdsa.PublicKey) (Keys, error) {
	if len(public) == 0 {
		return Keys{}, errors.New("no key to verify tokens with")
	}
	var keys Keys
	for i, p := range public {
		k, err := newKey(p)
		if err != nil {
			return Keys{}, fmt.Errorf("key %d: %w", i, err)
		}
		if _, twice := keys.find(k.id); twice {
			return Keys{}, fmt.Errorf("key %d: the same key twice", i)
		}
		keys.list = append(keys.list, k)
	}
	return keys, nil
}

func newKey(public *ecdsa.PublicKey) (key, error) {
	if public == nil || public.Curve != elliptic.P256() {
		return key{}, errors.New("not a P-256 key")
	}
	point, err := public.Bytes() // 4, then X and Y of 32 bytes each (SEC 1, section 2.3.3)
	if err != nil {
		return key{}, fmt.Errorf("encode the point: %w", err)
	}
	k := key{
		public: public,
		x:      base64.RawURLEncoding.EncodeToString(point[1:33]),
		y:      base64.RawURLEncoding.EncodeToString(point[33:]),
	}
	// RFC 7638, section 3: the required members, sorted, without white space.
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + k.x + `","y":"` + k.y + `"}`))
	k.id = base64.RawURLEncoding.EncodeToString(sum[:])
	return k, nil
}

// SigningKeyID returns the kid of new access tokens.
func (k Keys) SigningKeyID() string { return k.list[0].id }

func (k Keys) find(id string) (*ecdsa.PublicKey, bool) {
	for _, have := range k.list {
		if have.id == id {
			return have.public, true
		}
	}
	return nil, false
}

// jwk is one key of a JWK Set (RFC 7517, section 4; RFC 7518, section 6.2.1).
type jwk struct {
	KeyType   string `json:"kty"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
	KeyID     string `json:"kid"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	Y         string `json:"y"`
}

// JWKSet returns the keys as the JSON document for other services that verify access tokens (RFC
// 7517, section 5).
func JWKSet(keys Keys) ([]byte, error) {
	set := struct {
		Keys []jwk `json:"keys"`
	}{Keys: make([]jwk, 0, len(keys.list))}
	for _, k := range keys.list {
		set.Keys = append(set.Keys, jwk{
			KeyType: "EC", Use: "sig", Algorithm: algorithm, KeyID: k.id, Curve: "P-256", X: k.x, Y: k.y,
		})
	}
	return json.Marshal(set)
}

// KeySource returns the keys.
type KeySource interface {
	Keys(ctx context.Context) (Keys, error)
}

// CachedKeys fetches the keys at the first use, and keeps the keys for the life of the process. A
// failure is not kept. A CachedKeys must not be copied after the first use.
type CachedKeys struct {
	// Fetch returns the public keys in the order of NewKeys.
	Fetch func(ctx context.Context) ([]*ecdsa.PublicKey, error)

	mu   sync.Mutex
	keys Keys
}

// Keys returns the keys. Concurrent callers wait for one fetch.
func (c *CachedKeys) Keys(ctx context.Context) (Keys, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.keys.list) > 0 {
		return c.keys, nil
	}
	public, err := c.Fetch(ctx)
	if err != nil {
		return Keys{}, fmt.Errorf("fetch token keys: %w", err)
	}
	keys, err := NewKeys(public)
	if err != nil {
		return Keys{}, err
	}
	c.keys = keys
	return keys, nil
}
