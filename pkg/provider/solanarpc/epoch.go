package solanarpc

import "context"

// Epoch returns the confirmed epoch of the network.
func (c *Client) Epoch(ctx context.Context) (uint64, error) {
	var info struct {
		Epoch uint64 `json:"epoch"`
	}
	err := c.call(ctx, &info, "getEpochInfo", object{"commitment": Confirmed})
	return info.Epoch, err
}
