package solanarpc

import (
	"context"
	"time"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Finality gives the newest finalized slot and its block height; see payout.Chain.
func (c *Client) Finality(ctx context.Context) (onchain.Tip, error) {
	var info struct {
		Slot   uint64 `json:"absoluteSlot"`
		Height uint64 `json:"blockHeight"`
	}
	err := c.call(ctx, &info, "getEpochInfo", object{"commitment": Finalized})
	return onchain.Tip{Slot: info.Slot, Height: info.Height}, err
}

// BlockHeight gives the height of the newest block that the node has; see payout.Chain.
func (c *Client) BlockHeight(ctx context.Context) (height uint64, err error) {
	err = c.call(ctx, &height, "getBlockHeight", object{"commitment": "processed"})
	return height, err
}

// RecentBlockhash gives a confirmed blockhash; see payout.Chain.
func (c *Client) RecentBlockhash(ctx context.Context) (onchain.Blockhash, error) {
	recent, err := c.Recent(ctx)
	return onchain.Blockhash{Hash: recent.Blockhash, LastValid: recent.LastValid}, err
}

// SlotTime gives how long a slot takes; see payout.Chain.
func (c *Client) SlotTime(context.Context) (time.Duration, error) {
	return 400 * time.Millisecond, nil
}
