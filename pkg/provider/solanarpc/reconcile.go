package solanarpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// MaxAccounts is how many accounts a node reads at once (Agave,
// MAX_MULTIPLE_ACCOUNTS).
const MaxAccounts = 100

// Outcomes gives what has become of each transaction at confirmed, old ones
// included, in order. It takes MaxStatuses signatures at most.
func (c *Client) Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error) {
	statuses, err := c.Statuses(ctx, signatures...)
	if err != nil {
		return nil, err
	}
	outcomes := make([]transaction.Outcome, len(statuses))
	for i, status := range statuses {
		switch {
		case !status.At(Confirmed):
			outcomes[i].State = transaction.Unknown
		case status.Err == nil:
			outcomes[i].State = transaction.Succeeded
		default:
			outcomes[i] = transaction.Outcome{
				State: transaction.Refused, Detail: c.explain(ctx, signatures[i], status.Err),
			}
		}
	}
	return outcomes, nil
}

// Sight reads a launch's nonce account and its mint in one finalized slot, from
// the given one on. A node that has not come so far gives an earlier slot, or 0.
func (c *Client) Sight(ctx context.Context, nonceAccount, mint solana.PublicKey, from uint64) (reconcile.Sighting, error) {
	accounts, slot, err := c.accounts(ctx, Finalized, from, nonceAccount, mint)
	var refusal *rpcError
	if errors.As(err, &refusal) && refusal.Code == codeSlotNotReached {
		return reconcile.Sighting{}, nil
	}
	if err != nil {
		return reconcile.Sighting{}, err
	}
	s := reconcile.Sighting{Slot: slot}
	if a := accounts[0]; a != nil && len(a.Data) > 0 {
		state, err := systemprogram.DecodeNonce(a.Owner, a.Data)
		if err != nil {
			return reconcile.Sighting{}, fmt.Errorf("read nonce %s: %w", nonceAccount, err)
		}
		s.Nonce, s.NonceFound = state.Value, true
	}
	s.MintFound = isMint(accounts[1])
	return s, nil
}

// Finalized tells of each mint, MaxAccounts at most, whether it exists in the
// finalized state, in order.
func (c *Client) Finalized(ctx context.Context, mints ...solana.PublicKey) ([]bool, error) {
	accounts, _, err := c.accounts(ctx, Finalized, 0, mints...)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(mints))
	for i, a := range accounts {
		found[i] = isMint(a)
	}
	return found, nil
}

// isMint tells whether an account is the mint that a launch created. Anybody may
// send lamports to the address; only the mint's key gives it to the token program.
func isMint(a *Account) bool { return a != nil && a.Owner == solana.Token2022ProgramID }

// Missing tells which of the addresses, MaxAccounts at most, hold no account's
// data, confirmed. It asks nobody about none.
func (c *Client) Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	accounts, _, err := c.accounts(ctx, Confirmed, 0, addresses...)
	if err != nil {
		return nil, err
	}
	var missing []solana.PublicKey
	for i, a := range accounts {
		if a == nil || len(a.Data) == 0 {
			missing = append(missing, addresses[i])
		}
	}
	return missing, nil
}

// accounts reads several accounts in one slot, which is from or later where the
// node keeps to it; nil where there is none.
func (c *Client) accounts(ctx context.Context, commitment Commitment, from uint64, addresses ...solana.PublicKey) ([]*Account, uint64, error) {
	if len(addresses) > MaxAccounts {
		return nil, 0, fmt.Errorf("read %d accounts, at most %d", len(addresses), MaxAccounts)
	}
	var result contextual[[]*struct {
		Lamports uint64           `json:"lamports"`
		Owner    solana.PublicKey `json:"owner"`
		Data     encoded          `json:"data"`
	}]
	options := object{"commitment": commitment, "encoding": "base64"}
	if from > 0 {
		options["minContextSlot"] = from
	}
	if err := c.call(ctx, &result, "getMultipleAccounts", addresses, options); err != nil {
		return nil, 0, err
	}
	if len(result.Value) != len(addresses) {
		return nil, 0, fmt.Errorf("the node gave %d accounts of %d", len(result.Value), len(addresses))
	}
	list := make([]*Account, len(addresses))
	for i, v := range result.Value {
		if v != nil {
			list[i] = &Account{Owner: v.Owner, Lamports: v.Lamports, Data: v.Data, Slot: result.Context.Slot}
		}
	}
	return list, result.Context.Slot, nil
}
