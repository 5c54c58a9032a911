package solanarpc

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/txerror"
)

// balances returns the balances of the addresses, in order.
func balances(addresses []solana.PublicKey, accounts []*onchain.Account) []exchange.Balance {
	list := make([]exchange.Balance, len(addresses))
	for i, a := range accounts {
		list[i].Address = addresses[i]
		if a != nil {
			list[i] = exchange.ReadBalance(addresses[i], a.Owner, a.Lamports, a.Data)
		}
	}
	return list
}

// SimulateBalances is Simulate that also returns the accounts' balances before and after the
// transaction, in order; after is nil if the transaction fails. Nodes differ on whether the payer's
// balance after includes the network fee. Before is read first, so transactions of other parties in
// between change after.
func (c *Client) SimulateBalances(ctx context.Context, tx []byte, accounts []solana.PublicKey) (sim transaction.Simulation, before, after []exchange.Balance, err error) {
	present, slot, err := c.accounts(ctx, Confirmed, 0, accounts...)
	if err != nil {
		return sim, nil, nil, err
	}
	before = balances(accounts, present)
	var result contextual[struct {
		Err           *txerror.Error `json:"err"`
		Logs          []string       `json:"logs"`
		UnitsConsumed uint64         `json:"unitsConsumed"`
		Accounts      []*stored      `json:"accounts"`
	}]
	err = c.call(ctx, &result, "simulateTransaction", base64.StdEncoding.EncodeToString(tx), object{
		"commitment": Confirmed, "encoding": "base64", "sigVerify": false,
		"accounts": object{"encoding": "base64", "addresses": accounts},
	})
	if err != nil {
		return sim, nil, nil, err
	}
	v := result.Value
	sim = transaction.Simulation{OK: v.Err == nil, ComputeUnits: v.UnitsConsumed, Logs: v.Logs, Slot: result.Context.Slot}
	if v.Err != nil {
		sim.Reason = transaction.ProgramError
		if v.Err.LacksFunds(tx, v.Logs) {
			sim.Reason = transaction.InsufficientFunds
		}
		sim.Detail = v.Err.Explain(tx, v.Logs)
		return sim, before, nil, nil
	}
	if result.Context.Slot < slot {
		return sim, nil, nil, apperr.Upstream(upstream, fmt.Errorf("simulate: the node is in slot %d, before %d", result.Context.Slot, slot))
	}
	left, err := inOrder(accounts, v.Accounts)
	if err != nil {
		return sim, nil, nil, err
	}
	return sim, before, balances(accounts, left), nil
}
