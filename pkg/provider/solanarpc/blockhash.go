package solanarpc

import (
	"context"
	"errors"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// RecentBlockhash returns a recent confirmed blockhash. It returns an apperr.Upstream if the node
// does not report the last valid block height, because a transaction without a last valid height
// would count as expired immediately.
func (c *Client) RecentBlockhash(ctx context.Context) (onchain.Blockhash, error) {
	var result contextual[struct {
		Hash      solana.Hash `json:"blockhash"`
		LastValid uint64      `json:"lastValidBlockHeight"`
	}]
	err := c.call(ctx, &result, "getLatestBlockhash", object{"commitment": Confirmed})
	if err == nil && result.Value.LastValid == 0 {
		err = apperr.Upstream(upstream, errors.New("getLatestBlockhash: no last valid block height"))
	}
	if err != nil {
		return onchain.Blockhash{}, err
	}
	return onchain.Blockhash{Hash: result.Value.Hash, LastValid: result.Value.LastValid, Slot: result.Context.Slot}, nil
}

// LatestBlockhash returns a recent confirmed blockhash without the last valid block height.
func (c *Client) LatestBlockhash(ctx context.Context) (solana.Hash, error) {
	recent, err := c.RecentBlockhash(ctx)
	return recent.Hash, err
}

// Knows reports whether the node accepts transactions on a blockhash now; see payout.Chain.
func (c *Client) Knows(ctx context.Context, blockhash solana.Hash) (bool, error) {
	var result contextual[bool]
	err := c.call(ctx, &result, "isBlockhashValid", blockhash, object{"commitment": Processed})
	return result.Value, err
}

// Finality returns the newest finalized slot and the block height of the slot, both from one
// response of one node.
func (c *Client) Finality(ctx context.Context) (onchain.Tip, error) {
	return c.tip(ctx, Finalized)
}

// Height returns the height of the newest block that the node has processed. The height is never
// below the height of a block that the node calls confirmed.
func (c *Client) Height(ctx context.Context) (uint64, error) {
	tip, err := c.tip(ctx, Processed)
	return tip.Height, err
}

func (c *Client) tip(ctx context.Context, commitment Commitment) (onchain.Tip, error) {
	var info struct {
		Height *uint64 `json:"blockHeight"`
		Slot   *uint64 `json:"absoluteSlot"`
	}
	if err := c.call(ctx, &info, "getEpochInfo", object{"commitment": commitment}); err != nil {
		return onchain.Tip{}, err
	}
	if info.Height == nil || info.Slot == nil {
		return onchain.Tip{}, apperr.Upstream(upstream, errors.New("getEpochInfo: no height or no slot"))
	}
	return onchain.Tip{Slot: *info.Slot, Height: *info.Height}, nil
}

// Genesis returns the genesis hash, which identifies the network.
func (c *Client) Genesis(ctx context.Context) (solana.Hash, error) {
	var hash solana.Hash
	err := c.call(ctx, &hash, "getGenesisHash")
	return hash, err
}
