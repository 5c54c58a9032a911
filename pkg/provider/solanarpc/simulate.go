package solanarpc

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// stored is an account as nodes answer it; null when there is none.
type stored struct {
	Lamports uint64           `json:"lamports"`
	Owner    solana.PublicKey `json:"owner"`
	Data     encoded          `json:"data"`
}

// balances reads what the addresses hold, in their order.
func balances(addresses []solana.PublicKey, accounts []*stored) ([]exchange.Balance, error) {
	if len(accounts) != len(addresses) {
		return nil, fmt.Errorf("the node gave %d accounts of %d", len(accounts), len(addresses))
	}
	list := make([]exchange.Balance, len(addresses))
	for i, a := range accounts {
		list[i].Address = addresses[i]
		if a != nil {
			list[i] = exchange.ReadBalance(addresses[i], a.Owner, a.Lamports, a.Data)
		}
	}
	return list, nil
}

// SimulateBalances is Simulate that also says what the accounts hold before and
// after the transaction, in their order; after is nil when the transaction fails.
// The network fee may or may not be taken off the payer's balance after: nodes
// differ. Before is read first, and what others do in between counts for after.
func (c *Client) SimulateBalances(ctx context.Context, tx []byte, accounts []solana.PublicKey) (sim transaction.Simulation, before, after []exchange.Balance, err error) {
	var present contextual[[]*stored]
	err = c.call(ctx, &present, "getMultipleAccounts", accounts, object{"commitment": Confirmed, "encoding": "base64"})
	if err != nil {
		return sim, nil, nil, err
	}
	if before, err = balances(accounts, present.Value); err != nil {
		return sim, nil, nil, apperr.Upstream(upstream, err)
	}
	var result contextual[struct {
		Err           *TransactionError `json:"err"`
		Logs          []string          `json:"logs"`
		UnitsConsumed uint64            `json:"unitsConsumed"`
		Accounts      []*stored         `json:"accounts"`
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
		if v.Err.lacksFunds(tx, v.Logs) {
			sim.Reason = transaction.InsufficientFunds
		}
		sim.Detail = v.Err.Explain(tx, v.Logs)
		return sim, before, nil, nil
	}
	if result.Context.Slot < present.Context.Slot {
		return sim, nil, nil, apperr.Upstream(upstream, fmt.Errorf("simulate: the node is in slot %d, before %d", result.Context.Slot, present.Context.Slot))
	}
	if after, err = balances(accounts, v.Accounts); err != nil {
		return sim, nil, nil, apperr.Upstream(upstream, err)
	}
	return sim, before, after, nil
}
