package solanarpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Holdings reads accounts, MaxAccounts at most, at one finalized slot, which is
// from or later, and gives that slot; nil where there is none. A node that has not
// come so far is an apperr.Upstream.
func (c *Client) Holdings(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*run.Account, uint64, error) {
	accounts, slot, err := c.accounts(ctx, Finalized, from, addresses...)
	var refusal *rpcError
	if errors.As(err, &refusal) && refusal.Code == codeSlotNotReached || err == nil && slot < from {
		err = apperr.Upstream(upstream, fmt.Errorf("read %d accounts: the node is in slot %d, before %d", len(addresses), slot, from))
	}
	if err != nil {
		return nil, 0, err
	}
	list := make([]*run.Account, len(accounts))
	for i, a := range accounts {
		if a != nil {
			list[i] = &run.Account{Owner: a.Owner, Lamports: a.Lamports, Data: a.Data}
		}
	}
	return list, slot, nil
}
