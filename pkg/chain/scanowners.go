package chain

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/snapshot"
)

// FinalizedAccount gives the program that owns an account, its data, and the slot at
// which both were read, finalized. found is false when there is none.
func (c *Client) FinalizedAccount(ctx context.Context, address solana.PublicKey) (program solana.PublicKey, data []byte, slot uint64, found bool, err error) {
	account, found, err := c.Account(ctx, address, Finalized)
	return account.Owner, account.Data, account.Slot, found, err
}

// Programs gives the programs that own the accounts, at most snapshot.MaxPrograms,
// finalized, as of the given slot or a later one. The account that does not exist is
// the System program's. When the node has not come so far it fails with an
// apperr.Upstream.
func (c *Client) Programs(ctx context.Context, addresses []solana.PublicKey, from uint64) ([]solana.PublicKey, error) {
	if len(addresses) > snapshot.MaxPrograms {
		return nil, fmt.Errorf("look up the programs of %d accounts: at most %d at once", len(addresses), snapshot.MaxPrograms)
	}
	var result contextual[[]*struct {
		Owner solana.PublicKey `json:"owner"`
	}]
	err := c.call(ctx, &result, "getMultipleAccounts", addresses, object{
		"commitment": Finalized, "encoding": "base64", "dataSlice": object{"offset": 0, "length": 0},
	})
	if err != nil {
		return nil, err
	}
	if len(result.Value) != len(addresses) {
		return nil, apperr.Upstream(upstream, fmt.Errorf("getMultipleAccounts answers %d of %d accounts", len(result.Value), len(addresses)))
	}
	if result.Context.Slot < from {
		return nil, apperr.Upstream(upstream, fmt.Errorf("look up the programs of accounts: the node is in slot %d, before %d", result.Context.Slot, from))
	}
	programs := make([]solana.PublicKey, len(addresses))
	for i, account := range result.Value {
		if account != nil {
			programs[i] = account.Owner
		}
	}
	return programs, nil
}
