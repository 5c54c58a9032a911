package solanarpc

import (
	"context"

	"github.com/gagliardetto/solana-go"
)

// Newest gives the newest finalized transaction that names an address, also one that
// failed; zero when there is none. On a taxed mint every transfer names it.
func (c *Client) Newest(ctx context.Context, address solana.PublicKey) (solana.Signature, error) {
	list, err := c.Signatures(ctx, address, solana.Signature{}, 1)
	if err != nil || len(list) == 0 {
		return solana.Signature{}, err
	}
	return list[0].Signature, nil
}
