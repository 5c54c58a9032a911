package kms

import (
	"context"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// P256Signer signs SHA-256 digests with an ECC_NIST_P256 key.
type P256Signer struct {
	Client API
	KeyID  string
}

// Sign signs digest, the SHA-256 of the message. It returns the signature in the format of JWS: R
// and S, 32 bytes each, big-endian (RFC 7518, section 3.4).
func (s P256Signer) Sign(ctx context.Context, digest [32]byte) ([64]byte, error) {
	out, err := s.Client.Sign(ctx, &kms.SignInput{
		KeyId: aws.String(s.KeyID), Message: digest[:],
		MessageType: types.MessageTypeDigest, SigningAlgorithm: types.SigningAlgorithmSpecEcdsaSha256,
	})
	if err != nil {
		return [64]byte{}, unavailable(fmt.Errorf("sign with key %s: %w", s.KeyID, err))
	}
	raw, err := rawSignature(out.Signature)
	if err != nil {
		return [64]byte{}, fmt.Errorf("signature of key %s: %w", s.KeyID, err)
	}
	return raw, nil
}

// rawSignature converts the DER form of an ECDSA signature (RFC 3279, section 2.2.3), which KMS
// returns, into the concatenation of R and S.
func rawSignature(der []byte) (raw [64]byte, err error) {
	var parts struct{ R, S *big.Int }
	rest, err := asn1.Unmarshal(der, &parts)
	if err != nil {
		return raw, fmt.Errorf("parse DER: %w", err)
	}
	if len(rest) != 0 {
		return raw, errors.New("bytes after the DER signature")
	}
	for i, n := range []*big.Int{parts.R, parts.S} {
		if n.Sign() <= 0 || n.BitLen() > 256 {
			return raw, errors.New("number out of range")
		}
		n.FillBytes(raw[32*i : 32*i+32])
	}
	return raw, nil
}
