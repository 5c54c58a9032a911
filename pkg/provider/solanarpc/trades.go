package solanarpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/txerror"
)

// The client implements the chain of the index of curves; see index.Chain.
var _ index.Chain = (*Client)(nil)

// MaxSignatures is the maximum number of signatures in one response (Agave,
// MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT).
const MaxSignatures = 1000

// Signatures lists finalized transactions that name an address, the newest first; see index.Chain.
// The call has no minContextSlot, because the index does not need a minimum slot, and the local
// chain misinterprets minContextSlot as a bound on the listed slots.
func (c *Client) Signatures(ctx context.Context, address solana.PublicKey, before solana.Signature, limit int) ([]index.Listed, error) {
	if limit < 1 || limit > MaxSignatures {
		return nil, fmt.Errorf("list %d signatures of %s, from 1 to %d", limit, address, MaxSignatures)
	}
	options := object{"commitment": Finalized, "limit": limit}
	if !before.IsZero() {
		options["before"] = before
	}
	var list []struct {
		Signature solana.Signature `json:"signature"`
		Slot      uint64           `json:"slot"`
		// BlockTime is the one that getTransaction has too; the local chain's is wrong
		// there.
		BlockTime  *int64         `json:"blockTime"`
		Err        *txerror.Error `json:"err"`
		Commitment *Commitment    `json:"confirmationStatus"`
	}
	if err := c.call(ctx, &list, "getSignaturesForAddress", address, options); err != nil {
		return nil, err
	}
	if len(list) > limit {
		return nil, apperr.Upstream(upstream, fmt.Errorf("list the transactions of %s: %d, more than %d", address, len(list), limit))
	}
	listed := make([]index.Listed, 0, len(list))
	for i, entry := range list {
		switch {
		case entry.Signature.IsZero():
			return nil, apperr.Upstream(upstream, fmt.Errorf("list the transactions of %s: the signature of one is missing", address))
		case i > 0 && entry.Slot > list[i-1].Slot:
			return nil, apperr.Upstream(upstream, fmt.Errorf("list the transactions of %s: slot %d is after %d", address, entry.Slot, list[i-1].Slot))
		}
		// Some nodes ignore the commitment.
		if entry.Commitment == nil || *entry.Commitment == Finalized {
			l := index.Listed{Signature: entry.Signature, Slot: entry.Slot, Failed: entry.Err != nil}
			if entry.BlockTime != nil {
				l.At = time.Unix(*entry.BlockTime, 0).UTC()
			}
			listed = append(listed, l)
		}
	}
	return listed, nil
}

// maxVersion is the newest requested version of transactions. Transactions of version 1 (SIMD-0385)
// have the same JSON, without lookup tables. A transaction that the index cannot read would stop
// the index.
const maxVersion = 1

// executed is a transaction of any version up to maxVersion, with the inner instructions, in the
// node's JSON.
type executed struct {
	Slot        uint64 `json:"slot"`
	Transaction struct {
		Signatures []solana.Signature `json:"signatures"`
		Message    struct {
			Accounts     []solana.PublicKey  `json:"accountKeys"`
			Instructions []landedInstruction `json:"instructions"`
		} `json:"message"`
	} `json:"transaction"`
	Meta *struct {
		Err *txerror.Error `json:"err"`
		// Inner is null where the node does not keep it.
		Inner *[]struct {
			Index        int                 `json:"index"`
			Instructions []landedInstruction `json:"instructions"`
		} `json:"innerInstructions"`
		Loaded struct {
			Writable []solana.PublicKey `json:"writable"`
			Readonly []solana.PublicKey `json:"readonly"`
		} `json:"loadedAddresses"`
	} `json:"meta"`
}

// Transaction returns the instructions of a finalized transaction; see index.Chain.
func (c *Client) Transaction(ctx context.Context, signature solana.Signature) (index.Landed, error) {
	var found *executed
	err := c.call(ctx, &found, "getTransaction", signature,
		object{"commitment": Finalized, "encoding": "json", "maxSupportedTransactionVersion": maxVersion})
	if err != nil {
		return index.Landed{}, err
	}
	if found == nil {
		return index.Landed{}, fmt.Errorf("read transaction %s: %w", signature, onchain.ErrBehind)
	}
	landed, err := found.landed(signature)
	if err != nil {
		return index.Landed{}, apperr.Upstream(upstream, fmt.Errorf("read transaction %s: %w", signature, err))
	}
	return landed, nil
}

func (t executed) landed(signature solana.Signature) (index.Landed, error) {
	switch {
	case t.Meta == nil:
		return index.Landed{}, errors.New("the node does not say what it did")
	case len(t.Transaction.Signatures) == 0 || t.Transaction.Signatures[0] != signature:
		return index.Landed{}, errors.New("it is another one")
	}
	l := index.Landed{Slot: t.Slot, Failed: t.Meta.Err != nil}
	if l.Failed {
		return l, nil // a failed transaction has no effect
	}
	if t.Meta.Inner == nil {
		return index.Landed{}, errors.New("the node does not keep what its instructions called")
	}
	accounts := slices.Concat(t.Transaction.Message.Accounts, t.Meta.Loaded.Writable, t.Meta.Loaded.Readonly)
	called := make([][]landedInstruction, len(t.Transaction.Message.Instructions))
	for _, inner := range *t.Meta.Inner {
		if inner.Index < 0 || inner.Index >= len(called) || called[inner.Index] != nil {
			return index.Landed{}, fmt.Errorf("the calls of instruction %d of %d occur twice or have no place", inner.Index, len(called))
		}
		called[inner.Index] = inner.Instructions
	}
	for i, outer := range t.Transaction.Message.Instructions {
		for _, in := range append([]landedInstruction{outer}, called[i]...) {
			resolved, err := in.resolve(accounts)
			if err != nil {
				return index.Landed{}, err
			}
			l.Instructions = append(l.Instructions, resolved)
		}
	}
	return l, nil
}

// resolve replaces the indexes of accounts by the accounts.
func (i landedInstruction) resolve(accounts []solana.PublicKey) (index.Instruction, error) {
	if i.Program < 0 || i.Program >= len(accounts) {
		return index.Instruction{}, errors.New("an instruction's program is none of the accounts")
	}
	resolved := index.Instruction{Program: accounts[i.Program], Accounts: make([]solana.PublicKey, len(i.Accounts)), Data: i.Data}
	for n, account := range i.Accounts {
		if account < 0 || account >= len(accounts) {
			return index.Instruction{}, errors.New("an instruction names an account that the transaction has not")
		}
		resolved.Accounts[n] = accounts[account]
	}
	return resolved, nil
}
