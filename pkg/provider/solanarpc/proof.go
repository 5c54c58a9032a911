package solanarpc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/txerror"
)

// The client implements the node of verifiers; see chain.Node.
var _ chain.Node = (*Client)(nil)

// landed is a transaction of any version, in the node's JSON. The accounts are the message's
// accounts, followed by the accounts of lookup tables.
type landed struct {
	Slot uint64 `json:"slot"`
	// Version is a number, or "legacy".
	Version     any `json:"version"`
	Transaction struct {
		Message struct {
			Header struct {
				Signatures int `json:"numRequiredSignatures"`
			} `json:"header"`
			Accounts     []solana.PublicKey  `json:"accountKeys"`
			Instructions []landedInstruction `json:"instructions"`
		} `json:"message"`
	} `json:"transaction"`
	Meta *struct {
		Err        *txerror.Error `json:"err"`
		Fee        uint64         `json:"fee"`
		Pre        []uint64       `json:"preBalances"`
		Post       []uint64       `json:"postBalances"`
		PreTokens  []tokenBalance `json:"preTokenBalances"`
		PostTokens []tokenBalance `json:"postTokenBalances"`
		Inner      []struct {
			Index        int                 `json:"index"`
			Instructions []landedInstruction `json:"instructions"`
		} `json:"innerInstructions"`
		Loaded struct {
			Writable []solana.PublicKey `json:"writable"`
			Readonly []solana.PublicKey `json:"readonly"`
		} `json:"loadedAddresses"`
	} `json:"meta"`
}

type landedInstruction struct {
	Program  int           `json:"programIdIndex"`
	Accounts []int         `json:"accounts"`
	Data     solana.Base58 `json:"data"`
}

// Page lists the finalized transactions that name an address; see chain.Node.
func (c *Client) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	options := object{"commitment": Finalized, "limit": MaxSignatures}
	if !before.IsZero() {
		options["before"] = before
	}
	var list []struct {
		Signature solana.Signature `json:"signature"`
		Slot      uint64           `json:"slot"`
		Memo      string           `json:"memo"` // null without a memo
	}
	if err := c.call(ctx, &list, "getSignaturesForAddress", address, options); err != nil {
		return nil, err
	}
	page := make([]chain.Listed, 0, len(list))
	for _, l := range list {
		if !l.Signature.IsZero() { // the local chain lists changes without a transaction
			page = append(page, chain.Listed{Signature: l.Signature, Slot: l.Slot, Memo: l.Memo})
		}
	}
	return page, nil
}

// Landing returns the effects of a confirmed transaction, from the transaction's own balances
// before and after; see chain.Node.
func (c *Client) Landing(ctx context.Context, signature solana.Signature) (chain.Transaction, error) {
	var found *landed
	err := c.call(ctx, &found, "getTransaction", signature,
		object{"commitment": Confirmed, "encoding": "json", "maxSupportedTransactionVersion": maxVersion})
	if err != nil {
		return chain.Transaction{}, err
	}
	if found == nil || found.Meta == nil {
		return chain.Transaction{}, chain.ErrNotLanded
	}
	t, err := found.read()
	if err != nil {
		return chain.Transaction{}, apperr.Upstream(upstream, fmt.Errorf("read transaction %s: %w", signature, err))
	}
	t.Signature = signature
	return t, nil
}

func (t landed) read() (chain.Transaction, error) {
	m := t.Transaction.Message
	read := chain.Transaction{Slot: t.Slot, FeeLamports: t.Meta.Fee, Signers: m.Header.Signatures}
	if t.Meta.Err != nil {
		read.Failed = t.Meta.Err.Error()
	}
	keys := slices.Concat(m.Accounts, t.Meta.Loaded.Writable, t.Meta.Loaded.Readonly)
	if len(keys) != len(t.Meta.Pre) || len(keys) != len(t.Meta.Post) || read.Signers < 1 || read.Signers > len(m.Accounts) {
		return chain.Transaction{}, fmt.Errorf("%d accounts, of which %d signed, have %d balances before and %d after",
			len(keys), read.Signers, len(t.Meta.Pre), len(t.Meta.Post))
	}
	for i, key := range keys {
		read.Accounts = append(read.Accounts, chain.Account{Address: key, Before: t.Meta.Pre[i], After: t.Meta.Post[i]})
	}
	var err error
	if read.Tokens, err = tokenAccounts(keys, t.Meta.PreTokens, t.Meta.PostTokens); err != nil {
		return chain.Transaction{}, err
	}
	inner := map[int][]landedInstruction{}
	for _, of := range t.Meta.Inner {
		inner[of.Index] = append(inner[of.Index], of.Instructions...)
	}
	for top, in := range m.Instructions {
		for n, one := range append([]landedInstruction{in}, inner[top]...) {
			told, err := one.read(keys)
			if err != nil {
				return chain.Transaction{}, err
			}
			told.Top, told.Inner = top, n > 0
			read.Instructions = append(read.Instructions, told)
		}
	}
	// The local chain charges the priority fee without reporting the fee.
	read.FeeLamports = max(read.FeeLamports, t.asked(keys))
	return read, nil
}

// tokenAccounts joins the balances before and after. An account that was closed and recreated for
// another mint appears twice.
func tokenAccounts(keys []solana.PublicKey, before, after []tokenBalance) ([]chain.TokenAccount, error) {
	list := make([]chain.TokenAccount, 0, max(len(before), len(after)))
	for side, balances := range [][]tokenBalance{before, after} {
		for _, b := range balances {
			if b.Account < 0 || b.Account >= len(keys) {
				return nil, fmt.Errorf("a balance of %s is of none of the accounts", b.Mint)
			}
			amount, err := strconv.ParseUint(b.Amount.Amount, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("a balance of %s: %w", b.Mint, err)
			}
			address := keys[b.Account]
			at := slices.IndexFunc(list, func(t chain.TokenAccount) bool { return t.Address == address && t.Mint == b.Mint })
			if at < 0 {
				at = len(list)
				list = append(list, chain.TokenAccount{Address: address, Mint: b.Mint})
			}
			if side == 0 {
				list[at].OwnerBefore, list[at].Before = b.Owner, amount
			} else {
				list[at].OwnerAfter, list[at].After = b.Owner, amount
			}
		}
	}
	return list, nil
}

// asked returns the fee of a transaction that sets a compute unit limit and price, in lamports;
// zero for any other transaction. See payout.FeeOf. In version 1 the instructions of the compute
// budget have no effect (SIMD-0385). Counting these instructions would let a transaction hide any
// amount as a fee.
func (t landed) asked(accounts []solana.PublicKey) uint64 {
	const signatureLamports, limitTag, priceTag = 5_000, 2, 3
	if t.Version == 1.0 {
		return 0
	}
	var units uint32
	var price uint64
	for _, in := range t.Transaction.Message.Instructions {
		if in.Program < 0 || in.Program >= len(accounts) || accounts[in.Program] != solana.ComputeBudget {
			continue
		}
		switch {
		case len(in.Data) == 5 && in.Data[0] == limitTag:
			units = min(binary.LittleEndian.Uint32(in.Data[1:]), computebudget.MaxUnitLimit)
		case len(in.Data) == 9 && in.Data[0] == priceTag:
			price = binary.LittleEndian.Uint64(in.Data[1:])
		}
	}
	if units == 0 || price == 0 {
		return 0
	}
	return uint64(t.Transaction.Message.Header.Signatures)*signatureLamports + computebudget.PriorityFee(units, price) //nolint:gosec // not negative
}

// read returns the instruction with the instruction's accounts.
func (i landedInstruction) read(accounts []solana.PublicKey) (chain.Instruction, error) {
	if i.Program < 0 || i.Program >= len(accounts) {
		return chain.Instruction{}, errors.New("an instruction's program is none of the accounts")
	}
	in := chain.Instruction{Program: accounts[i.Program], Data: i.Data}
	for _, n := range i.Accounts {
		if n < 0 || n >= len(accounts) {
			return chain.Instruction{}, errors.New("an instruction names an account that is not there")
		}
		in.Accounts = append(in.Accounts, accounts[n])
	}
	return in, nil
}

// TokenAccountsOf lists an owner's confirmed token accounts of a mint; see chain.Node.
func (c *Client) TokenAccountsOf(ctx context.Context, owner, mint solana.PublicKey) ([]solana.PublicKey, error) {
	var found struct {
		Value []struct {
			Address solana.PublicKey `json:"pubkey"`
		} `json:"value"`
	}
	err := c.call(ctx, &found, "getTokenAccountsByOwner", owner, object{"mint": mint}, object{
		"commitment": Confirmed, "encoding": "base64", "dataSlice": object{"offset": 0, "length": 0},
	})
	if err != nil {
		return nil, err
	}
	list := make([]solana.PublicKey, 0, len(found.Value))
	for _, account := range found.Value {
		list = append(list, account.Address)
	}
	return list, nil
}

// Withdrawer returns the authority that may withdraw the withheld tax of a mint; the zero key if
// there is no authority. See chain.Node.
func (c *Client) Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	account, found, err := c.Account(ctx, mint)
	if err != nil {
		return solana.PublicKey{}, err
	}
	if !found {
		return solana.PublicKey{}, fmt.Errorf("%w: %s", chain.ErrNoMint, mint)
	}
	m, err := token2022.DecodeMint(account.Owner, account.Data)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("%w: %s: %w", chain.ErrNoMint, mint, err)
	}
	if m.TransferFee == nil {
		return solana.PublicKey{}, nil
	}
	return m.TransferFee.WithdrawWithheldAuthority, nil
}

// Multisig returns the multisig account at an address; see chain.MembersNode.
func (c *Client) Multisig(ctx context.Context, address solana.PublicKey) (token2022.Multisig, error) {
	account, found, err := c.Account(ctx, address)
	if err != nil {
		return token2022.Multisig{}, err
	}
	if !found {
		return token2022.Multisig{}, fmt.Errorf("%w: there is none at %s", token2022.ErrNotMultisig, address)
	}
	return token2022.DecodeMultisig(account.Owner, account.Data)
}

// Remembers returns the first and the newest slot that the node has; see chain.Node.
func (c *Client) Remembers(ctx context.Context) (first, newest uint64, err error) {
	if err = c.call(ctx, &first, "getFirstAvailableBlock"); err != nil {
		return 0, 0, err
	}
	err = c.call(ctx, &newest, "getSlot", object{"commitment": Confirmed})
	return first, newest, err
}
