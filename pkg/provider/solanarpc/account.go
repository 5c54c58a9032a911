package solanarpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Account is what the chain stores under an address.
type Account struct {
	Owner    solana.PublicKey // the program
	Lamports uint64
	Data     []byte
	Slot     uint64 // at which it was read
}

// contextual is a result with the slot that it holds for.
type contextual[T any] struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value T `json:"value"`
}

// Balance gives the lamports of an account, confirmed; zero when there is none.
func (c *Client) Balance(ctx context.Context, account solana.PublicKey) (uint64, error) {
	var result contextual[uint64]
	err := c.call(ctx, &result, "getBalance", account, object{"commitment": Confirmed})
	return result.Value, err
}

// Account gives what is stored under an address; found is false when nothing
// is.
func (c *Client) Account(ctx context.Context, address solana.PublicKey, commitment Commitment) (account Account, found bool, err error) {
	var result contextual[*struct {
		Lamports uint64           `json:"lamports"`
		Owner    solana.PublicKey `json:"owner"`
		Data     encoded          `json:"data"`
	}]
	err = c.call(ctx, &result, "getAccountInfo", address, object{"commitment": commitment, "encoding": "base64"})
	if err != nil || result.Value == nil {
		return Account{}, false, err
	}
	return Account{
		Owner: result.Value.Owner, Lamports: result.Value.Lamports,
		Data: result.Value.Data, Slot: result.Context.Slot,
	}, true, nil
}

// AccountData gives an account's owner and data, confirmed.
func (c *Client) AccountData(ctx context.Context, address solana.PublicKey) (owner solana.PublicKey, data []byte, found bool, err error) {
	account, found, err := c.Account(ctx, address, Confirmed)
	return account.Owner, account.Data, found, err
}

// Nonce gives the state of a nonce account, confirmed. found is false when
// there is none: also when somebody only sent lamports to its address. It
// fails with systemprogram.ErrNotNonce when something else is there.
func (c *Client) Nonce(ctx context.Context, address solana.PublicKey) (state systemprogram.Nonce, found bool, err error) {
	return c.NonceSince(ctx, address, 0)
}

// NonceSince is Nonce as of the given slot or a later one. When the node has not
// come so far it fails with an apperr.Upstream.
func (c *Client) NonceSince(ctx context.Context, address solana.PublicKey, slot uint64) (state systemprogram.Nonce, found bool, err error) {
	account, found, err := c.Account(ctx, address, Confirmed)
	if err == nil && found && account.Slot < slot {
		err = apperr.Upstream(upstream, fmt.Errorf("read nonce %s: the node is in slot %d, before %d", address, account.Slot, slot))
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

// LatestBlockhash gives a recent blockhash, confirmed.
func (c *Client) LatestBlockhash(ctx context.Context) (solana.Hash, error) {
	recent, err := c.latest(ctx)
	return recent.Blockhash, err
}

// Recent gives a recent blockhash, confirmed, and the height of the last block that
// takes transactions on it. A node that does not say until when it holds is an
// apperr.Upstream: a transaction on it would be called expired at once.
func (c *Client) Recent(ctx context.Context) (transaction.Recent, error) {
	recent, err := c.latest(ctx)
	if err == nil && recent.LastValid == 0 {
		err = apperr.Upstream(upstream, errors.New("getLatestBlockhash: no last valid block height"))
	}
	if err != nil {
		return transaction.Recent{}, err
	}
	return recent, nil
}

func (c *Client) latest(ctx context.Context) (transaction.Recent, error) {
	var result contextual[struct {
		Blockhash solana.Hash `json:"blockhash"`
		LastValid uint64      `json:"lastValidBlockHeight"`
	}]
	err := c.call(ctx, &result, "getLatestBlockhash", object{"commitment": Confirmed})
	return transaction.Recent{Blockhash: result.Value.Blockhash, LastValid: result.Value.LastValid}, err
}

// GenesisHash gives the hash that tells one network from another.
func (c *Client) GenesisHash(ctx context.Context) (solana.Hash, error) {
	var hash solana.Hash
	err := c.call(ctx, &hash, "getGenesisHash")
	return hash, err
}

// Health fails with an apperr.Upstream unless the node answers and has caught
// up with the network.
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

// encoded is account data as nodes answer it: [base64, "base64"].
type encoded []byte

// UnmarshalJSON reads the pair.
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
