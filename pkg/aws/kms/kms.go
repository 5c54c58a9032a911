// Package kms requests MACs, signatures and public keys from AWS KMS, whose keys never leave KMS. A
// failed call of KMS returns an upstream error. Errors contain no key material and no MAC.
package kms

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// API is the part of the KMS client that this package calls.
type API interface {
	GenerateMac(ctx context.Context, in *kms.GenerateMacInput, opts ...func(*kms.Options)) (*kms.GenerateMacOutput, error)
	GetPublicKey(ctx context.Context, in *kms.GetPublicKeyInput, opts ...func(*kms.Options)) (*kms.GetPublicKeyOutput, error)
	Sign(ctx context.Context, in *kms.SignInput, opts ...func(*kms.Options)) (*kms.SignOutput, error)
}

var _ API = (*kms.Client)(nil)

// P256Keys is P-256 keys of KMS, by ID.
type P256Keys struct {
	Client API
	IDs    []string
}

// PublicKeys fetches the public keys concurrently, and returns the public keys in the order of IDs.
// It returns all keys or an error.
func (k P256Keys) PublicKeys(ctx context.Context) ([]*ecdsa.PublicKey, error) {
	keys := make([]*ecdsa.PublicKey, len(k.IDs))
	group, ctx := errgroup.WithContext(ctx)
	for i, id := range k.IDs {
		group.Go(func() error {
			key, err := p256PublicKey(ctx, k.Client, id)
			keys[i] = key
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return keys, nil
}

func p256PublicKey(ctx context.Context, client API, keyID string) (*ecdsa.PublicKey, error) {
	key, err := publicKey(ctx, client, keyID)
	if err != nil {
		return nil, err
	}
	p256, ok := key.(*ecdsa.PublicKey)
	if !ok || p256.Curve != elliptic.P256() {
		return nil, fmt.Errorf("key %s is not an ECDSA P-256 key", keyID)
	}
	return p256, nil
}

// publicKey fetches and parses the SubjectPublicKeyInfo of a key.
func publicKey(ctx context.Context, client API, keyID string) (any, error) {
	out, err := client.GetPublicKey(ctx, &kms.GetPublicKeyInput{KeyId: aws.String(keyID)})
	if err != nil {
		return nil, unavailable(fmt.Errorf("get public key %s: %w", keyID, err))
	}
	key, err := x509.ParsePKIXPublicKey(out.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("parse public key %s: %w", keyID, err)
	}
	return key, nil
}

func unavailable(cause error) error { return apperr.Upstream("The key service", cause) }
