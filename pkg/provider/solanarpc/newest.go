package solanarpc

import (
	"context"

	"github.com/gagliardetto/solana-go"
)

// Newest returns the newest finalized transaction that names an address, failed transactions
// included; zero if there is none. Every transfer of a taxed mint names the mint.
func (c *Client) Newest(ctx context.Context, address solana.PublicKey) (solana.Signature, error) {
	list, err := c.Signatures(ctx, address, solana.Signature{}, 1)
	if err != nil || len(list) == 0 {
		return solana.Signature{}, err
	}
	return list[0].Signature, nil
}
