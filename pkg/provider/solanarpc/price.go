package solanarpc

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// maxPriced is how many accounts a node takes for one question about fees (Agave,
// MAX_TX_ACCOUNT_LOCKS).
const maxPriced = 128

// PriorityFee gives what was offered for a compute unit, in millionths of a lamport, by
// transactions that write these accounts: three quarters of the recent blocks in which
// anything was offered took this or less. Zero when nothing was: then there is no queue.
// Nodes look at the last 150 blocks, and name the least that each of them took. It is an
// estimate of others' making: keep it within bounds, as computebudget.Bounds does.
func (c *Client) PriorityFee(ctx context.Context, writable ...solana.PublicKey) (microLamports uint64, err error) {
	if len(writable) > maxPriced {
		return 0, fmt.Errorf("fees of %d accounts, at most %d", len(writable), maxPriced)
	}
	if writable == nil {
		writable = []solana.PublicKey{}
	}
	var list []struct {
		Fee uint64 `json:"prioritizationFee"`
	}
	if err := c.call(ctx, &list, "getRecentPrioritizationFees", writable); err != nil {
		return 0, err
	}
	var paid []uint64
	for _, block := range list {
		if block.Fee > 0 {
			paid = append(paid, block.Fee)
		}
	}
	if len(paid) == 0 {
		return 0, nil
	}
	slices.Sort(paid)
	return paid[(len(paid)-1)*3/4], nil
}
