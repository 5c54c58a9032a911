package webhook

import (
	"context"
	"encoding/base64"
	"strconv"
)

// MAC computes a message's MAC with a key that never leaves its keeper.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}

// Keys derives the secrets of webhooks from one key, as the distribution wallets are: none is
// stored anywhere.
type Keys struct{ MAC MAC }

// secretBytes is how long a secret is; Standard Webhooks asks for 24 to 64.
const secretBytes = 32

// Secret returns a version of the secret of a webhook in the form that its receiver's library
// takes. Version 0 is the secret of the creation.
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
