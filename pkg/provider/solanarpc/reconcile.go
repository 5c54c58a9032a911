package solanarpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Outcomes gives what has become of each transaction at confirmed, old ones
// included, in order. It takes MaxStatuses signatures at most.
func (c *Client) Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error) {
	statuses, err := c.Statuses(ctx, signatures...)
	if err != nil {
		return nil, err
	}
	outcomes := make([]transaction.Outcome, len(statuses))
	for i, status := range statuses {
		outcomes[i] = c.outcome(ctx, signatures[i], status)
	}
	return outcomes, nil
}

// Observe reads a launch's nonce account and its mint in one finalized slot, from
// the given one on. A node that has not come so far gives slot 0.
func (c *Client) Observe(ctx context.Context, nonceAccount, mint solana.PublicKey, from uint64) (reconcile.Observation, error) {
	accounts, slot, err := c.AccountsAt(ctx, from, nonceAccount, mint)
	if errors.Is(err, onchain.ErrBehind) {
		return reconcile.Observation{}, nil
	}
	if err != nil {
		return reconcile.Observation{}, err
	}
	s := reconcile.Observation{Slot: slot}
	if a := accounts[0]; a != nil && len(a.Data) > 0 {
		state, err := systemprogram.DecodeNonce(a.Owner, a.Data)
		if err != nil {
			return reconcile.Observation{}, fmt.Errorf("read nonce %s: %w", nonceAccount, err)
		}
		s.Nonce, s.NonceFound = state.Value, true
	}
	s.MintFound = isMint(accounts[1])
	return s, nil
}

// ObserveMint reads a mint in a finalized slot that is not before the newest finalized
// block, whose height it gives too. A node that has not come so far gives height 0.
func (c *Client) ObserveMint(ctx context.Context, mint solana.PublicKey) (reconcile.Observation, error) {
	tip, err := c.Finality(ctx)
	if err != nil {
		return reconcile.Observation{}, err
	}
	accounts, slot, err := c.AccountsAt(ctx, tip.Slot, mint)
	if errors.Is(err, onchain.ErrBehind) {
		return reconcile.Observation{}, nil
	}
	if err != nil {
		return reconcile.Observation{}, err
	}
	return reconcile.Observation{Slot: slot, Height: tip.Height, MintFound: isMint(accounts[0])}, nil
}

// Finalized tells of each mint, MaxAccounts at most, whether it exists in the
// finalized state, in order.
func (c *Client) Finalized(ctx context.Context, mints ...solana.PublicKey) ([]bool, error) {
	accounts, _, err := c.AccountsAt(ctx, 0, mints...)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(mints))
	for i, a := range accounts {
		found[i] = isMint(a)
	}
	return found, nil
}

// isMint tells whether an account is the mint that a launch created. Anyone may
// send lamports to the address; only the mint's key gives it to the token program.
func isMint(a *onchain.Account) bool { return a != nil && a.Owner == solana.Token2022ProgramID }

// Missing tells which of the addresses, MaxAccounts at most, hold no account's
// data, confirmed.
func (c *Client) Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error) {
	accounts, err := c.Accounts(ctx, addresses...)
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

// ConfirmedHeight is the height of the newest confirmed block.
func (c *Client) ConfirmedHeight(ctx context.Context) (height uint64, err error) {
	err = c.call(ctx, &height, "getBlockHeight", object{"commitment": Confirmed})
	return height, err
}
