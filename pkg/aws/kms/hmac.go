package kms

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// HMAC computes MACs with an HMAC_512 key.
type HMAC struct {
	Client API
	KeyID  string
}

// Sum512 returns the HMAC-SHA-512 of message, which has at most 4,096 bytes (the limit of KMS). The
// result is as secret as the caller's use of the result.
func (h HMAC) Sum512(ctx context.Context, message []byte) ([64]byte, error) {
	out, err := h.Client.GenerateMac(ctx, &kms.GenerateMacInput{
		KeyId: aws.String(h.KeyID), MacAlgorithm: types.MacAlgorithmSpecHmacSha512, Message: message,
	})
	if err != nil {
		return [64]byte{}, unavailable(fmt.Errorf("generate MAC with key %s: %w", h.KeyID, err))
	}
	defer clear(out.Mac)
	if len(out.Mac) != 64 {
		return [64]byte{}, fmt.Errorf("MAC of key %s has %d bytes, not 64", h.KeyID, len(out.Mac))
	}
	return [64]byte(out.Mac), nil
}
