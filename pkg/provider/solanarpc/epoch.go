package solanarpc

import "context"

// Epoch gives the epoch of the network, confirmed.
func (c *Client) Epoch(ctx context.Context) (uint64, error) {
	var info struct {
		Epoch uint64 `json:"epoch"`
	}
	err := c.call(ctx, &info, "getEpochInfo", object{"commitment": Confirmed})
	return info.Epoch, err
}
