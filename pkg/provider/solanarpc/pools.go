package solanarpc

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/venue"
)

// PoolAccounts reads accounts, MaxAccounts at most, in one confirmed slot; nil where
// there is none.
func (c *Client) PoolAccounts(ctx context.Context, addresses ...solana.PublicKey) ([]*venue.Account, error) {
	accounts, _, err := c.accounts(ctx, Confirmed, 0, addresses...)
	if err != nil {
		return nil, err
	}
	list := make([]*venue.Account, len(accounts))
	for i, a := range accounts {
		if a != nil {
			list[i] = &venue.Account{Owner: a.Owner, Data: a.Data}
		}
	}
	return list, nil
}
