package kms

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// Ed25519Signer signs with an ECC_NIST_EDWARDS25519 key. An Ed25519Signer must not be copied after
// the first use.
type Ed25519Signer struct {
	Client API
	KeyID  string

	mu     sync.Mutex
	public ed25519.PublicKey // nil until fetched
}

// PublicKey returns the public key. It requests the key from KMS once and keeps the key. A failure
// is not kept.
func (s *Ed25519Signer) PublicKey(ctx context.Context) ([32]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.public == nil {
		key, err := publicKey(ctx, s.Client, s.KeyID)
		if err != nil {
			return [32]byte{}, err
		}
		public, ok := key.(ed25519.PublicKey)
		if !ok {
			return [32]byte{}, fmt.Errorf("key %s is not an Ed25519 key", s.KeyID)
		}
		s.public = public
	}
	return [32]byte(s.public), nil
}

// Sign signs the message without hashing the message first (pure Ed25519, RFC 8032), as Solana
// requires. The maximum length of the message is 4,096 bytes (the limit of KMS).
func (s *Ed25519Signer) Sign(ctx context.Context, message []byte) ([64]byte, error) {
	out, err := s.Client.Sign(ctx, &kms.SignInput{
		KeyId: aws.String(s.KeyID), Message: message,
		MessageType: types.MessageTypeRaw, SigningAlgorithm: types.SigningAlgorithmSpecEd25519Sha512,
	})
	if err != nil {
		return [64]byte{}, unavailable(fmt.Errorf("sign with key %s: %w", s.KeyID, err))
	}
	if len(out.Signature) != ed25519.SignatureSize {
		return [64]byte{}, fmt.Errorf("signature of key %s has %d bytes, not 64", s.KeyID, len(out.Signature))
	}
	return [64]byte(out.Signature), nil
}
