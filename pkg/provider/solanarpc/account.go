package solanarpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// contextual is a result with the result's slot.
type contextual[T any] struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value T `json:"value"`
}

// Balance returns the confirmed lamports of an account; zero if the account does not exist.
func (c *Client) Balance(ctx context.Context, account solana.PublicKey) (uint64, error) {
	var result contextual[uint64]
	err := c.call(ctx, &result, "getBalance", account, object{"commitment": Confirmed})
	return result.Value, err
}

// MaxAccounts is the maximum number of accounts in one read (Agave, MAX_MULTIPLE_ACCOUNTS).
const MaxAccounts = 100

// stored is an account in a node's response.
type stored struct {
	Lamports   uint64           `json:"lamports"`
	Owner      solana.PublicKey `json:"owner"`
	Data       encoded          `json:"data"`
	Executable bool             `json:"executable"`
}

func (s *stored) account() *onchain.Account {
	if s == nil {
		return nil
	}
	return &onchain.Account{Owner: s.Owner, Lamports: s.Lamports, Data: s.Data, Executable: s.Executable}
}

// accounts reads up to MaxAccounts accounts in one slot, which is from or later. A missing account
// is nil. It returns an apperr.Upstream that wraps onchain.ErrBehind if the node has not reached
// the slot from. If a node ignores minContextSlot, the slot of the response shows the lag. Without
// addresses, accounts calls no node.
func (c *Client) accounts(ctx context.Context, commitment Commitment, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	if len(addresses) == 0 {
		return nil, from, nil
	}
	if len(addresses) > MaxAccounts {
		return nil, 0, fmt.Errorf("read %d accounts, at most %d", len(addresses), MaxAccounts)
	}
	options := object{"commitment": commitment, "encoding": "base64"}
	if from > 0 {
		options["minContextSlot"] = from
	}
	var result contextual[[]*stored]
	err := c.call(ctx, &result, "getMultipleAccounts", addresses, options)
	slot := result.Context.Slot
	var refusal *rpcError
	switch {
	case errors.As(err, &refusal) && refusal.Code == codeSlotNotReached, err == nil && slot < from:
		return nil, 0, apperr.Upstream(upstream, fmt.Errorf("read %d accounts from slot %d on: %w", len(addresses), from, onchain.ErrBehind))
	case err != nil:
		return nil, 0, err
	}
	list, err := inOrder(addresses, result.Value)
	return list, slot, err
}

// inOrder converts the accounts of a response, in the order of addresses.
func inOrder(addresses []solana.PublicKey, answered []*stored) ([]*onchain.Account, error) {
	if len(answered) != len(addresses) {
		return nil, apperr.Upstream(upstream, fmt.Errorf("the node gave %d accounts of %d", len(answered), len(addresses)))
	}
	list := make([]*onchain.Account, len(answered))
	for i, a := range answered {
		list[i] = a.account()
	}
	return list, nil
}

// Accounts reads up to MaxAccounts accounts in one confirmed slot. A missing account is nil.
func (c *Client) Accounts(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	list, _, err := c.accounts(ctx, Confirmed, 0, addresses...)
	return list, err
}

// AccountsAt reads up to MaxAccounts accounts in one finalized slot, which is from or later, and
// returns the slot. A missing account is nil. It returns an apperr.Upstream that wraps
// onchain.ErrBehind if the node has not reached the slot from.
func (c *Client) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	return c.accounts(ctx, Finalized, from, addresses...)
}

// Holders reads any number of confirmed accounts; see payout.Chain.
func (c *Client) Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	var list []*onchain.Account
	for part := range slices.Chunk(addresses, MaxAccounts) {
		accounts, err := c.Accounts(ctx, part...)
		if err != nil {
			return nil, err
		}
		list = append(list, accounts...)
	}
	return list, nil
}

// Account returns the confirmed account under an address. found is false if the account does not
// exist.
func (c *Client) Account(ctx context.Context, address solana.PublicKey) (account onchain.Account, found bool, err error) {
	account, _, found, err = c.account(ctx, address, Confirmed)
	return account, found, err
}

// FinalizedAccount returns the finalized account under an address, and the slot of the read.
func (c *Client) FinalizedAccount(ctx context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error) {
	return c.account(ctx, address, Finalized)
}

func (c *Client) account(ctx context.Context, address solana.PublicKey, commitment Commitment) (account onchain.Account, slot uint64, found bool, err error) {
	var result contextual[*stored]
	err = c.call(ctx, &result, "getAccountInfo", address, object{"commitment": commitment, "encoding": "base64"})
	if err != nil || result.Value == nil {
		return onchain.Account{}, 0, false, err
	}
	return *result.Value.account(), result.Context.Slot, true, nil
}

// Nonce returns the confirmed state of a nonce account. found is false if the account does not
// exist, even if a third party has sent lamports to the address. It returns
// systemprogram.ErrNotNonce if the account is not a nonce account.
func (c *Client) Nonce(ctx context.Context, address solana.PublicKey) (state systemprogram.Nonce, found bool, err error) {
	return c.NonceSince(ctx, address, 0)
}

// NonceSince is Nonce as of the given slot or a later slot. It returns an apperr.Upstream if the
// node has not reached the slot.
func (c *Client) NonceSince(ctx context.Context, address solana.PublicKey, slot uint64) (state systemprogram.Nonce, found bool, err error) {
	account, at, found, err := c.account(ctx, address, Confirmed)
	if err == nil && found && at < slot {
		err = apperr.Upstream(upstream, fmt.Errorf("read nonce %s: the node is in slot %d, before %d", address, at, slot))
	}
	if err != nil || !found || account.Owner == solana.SystemProgramID && len(account.Data) == 0 {
		return systemprogram.Nonce{}, false, err
	}
	state, err = systemprogram.DecodeNonce(account.Owner, account.Data)
	if err != nil {
		return systemprogram.Nonce{}, false, fmt.Errorf("read nonce %s: %w", address, err)
	}
	return state, true, nil
}

// Health returns an apperr.Upstream unless the node responds and has caught up with the network.
func (c *Client) Health(ctx context.Context) error {
	var answer string
	if err := c.call(ctx, &answer, "getHealth"); err != nil {
		return err
	}
	if answer != "ok" {
		return apperr.Upstream(upstream, errors.New("getHealth: the node does not say that it is well"))
	}
	return nil
}

// encoded is account data in a node's response: [base64, "base64"].
type encoded []byte

// UnmarshalJSON decodes the pair.
func (e *encoded) UnmarshalJSON(raw []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil {
		return fmt.Errorf("account data: %w", err)
	}
	if len(pair) != 2 || string(pair[1]) != `"base64"` {
		return errors.New("account data is not in base64")
	}
	return json.Unmarshal(pair[0], (*[]byte)(e))
}
