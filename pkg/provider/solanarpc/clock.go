package solanarpc

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
)

// FinalizedClock returns the slot and the time of the newest finalized block, according to the
// chain's clock; see status.Node.
func (c *Client) FinalizedClock(ctx context.Context) (slot uint64, at time.Time, err error) {
	account, slot, _, err := c.FinalizedAccount(ctx, solana.SysVarClockPubkey)
	if err != nil {
		return 0, time.Time{}, err
	}
	clock, err := market.DecodeClock(account.Data)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("read the chain's clock: %w", err)
	}
	return slot, clock.Time(), nil
}
