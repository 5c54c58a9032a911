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

// Outcomes returns the confirmed outcome of each transaction in order, old transactions included.
// It accepts at most MaxStatuses signatures.
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

// Observe reads a launch's nonce account and mint in one finalized slot, which is from or later. It
// returns slot 0 if the node has not reached the slot from.
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

// ObserveMint reads a mint in a finalized slot at or after the newest finalized block, and returns
// the block's height. It returns height 0 if the node has not reached the block.
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

// Finalized reports for each mint, in order, whether the mint exists in the finalized state. It
// accepts at most MaxAccounts mints.
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

// isMint reports whether an account is the mint that a launch created. Anyone can send lamports to
// the address, but only the mint's key can assign the address to the token program.
func isMint(a *onchain.Account) bool { return a != nil && a.Owner == solana.Token2022ProgramID }

// Missing returns the addresses that hold no confirmed account data. It accepts at most MaxAccounts
// addresses.
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

// ConfirmedHeight returns the height of the newest confirmed block.
func (c *Client) ConfirmedHeight(ctx context.Context) (height uint64, err error) {
	err = c.call(ctx, &height, "getBlockHeight", object{"commitment": Confirmed})
	return height, err
}
