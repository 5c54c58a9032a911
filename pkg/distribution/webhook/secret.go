package webhook

import (
	"context"
	"encoding/base64"
	"strconv"
)

// MAC computes a message's MAC with a key that never leaves the key store.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}

// Keys derives the secrets of webhooks from one key, like the keys of distribution wallets. No
// secret is stored.
type Keys struct{ MAC MAC }

// secretBytes is the length of a secret. Standard Webhooks requires 24 to 64 bytes.
const secretBytes = 32

// Secret returns a version of a webhook's secret, in the format of the receivers' libraries.
// Version 0 is the first secret.
func (k Keys) Secret(ctx context.Context, id string, version int64) (string, error) {
	name := "webhook/v1/" + id
	if version > 0 {
		name += "/" + strconv.FormatInt(version, 10)
	}
	sum, err := k.MAC.Sum512(ctx, []byte(name))
	if err != nil {
		return "", err
	}
	defer clear(sum[:])
	return "whsec_" + base64.StdEncoding.EncodeToString(sum[:secretBytes]), nil
}
