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
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The client tells verifiers what landed; see proof.Chain.
var _ proof.Chain = (*Client)(nil)

// Instructions of the token programs that burn (SPL Token, TokenInstruction); the
// amount, u64, follows the tag, and the mint is the second account.
const (
	tagBurn        = 8
	tagBurnChecked = 15
)

// landed is a transaction of any version, in the node's JSON. Its accounts are the
// message's own, and then those of lookup tables.
type landed struct {
	Slot uint64 `json:"slot"`
	// Version is a number, or "legacy".
	Version     any `json:"version"`
	Transaction struct {
		Message struct {
			Header struct {
				Signatures uint64 `json:"numRequiredSignatures"`
			} `json:"header"`
			Accounts     []solana.PublicKey  `json:"accountKeys"`
			Instructions []landedInstruction `json:"instructions"`
		} `json:"message"`
	} `json:"transaction"`
	Meta *struct {
		Err        *TransactionError `json:"err"`
		Fee        uint64            `json:"fee"`
		Pre        []uint64          `json:"preBalances"`
		Post       []uint64          `json:"postBalances"`
		PreTokens  []tokenBalance    `json:"preTokenBalances"`
		PostTokens []tokenBalance    `json:"postTokenBalances"`
		Inner      []struct {
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

// Landing gives what a confirmed transaction did, by the balances before and after
// that it has itself; see proof.Chain.
func (c *Client) Landing(ctx context.Context, signature solana.Signature) (proof.Landing, error) {
	var found *landed
	err := c.call(ctx, &found, "getTransaction", signature,
		object{"commitment": Confirmed, "encoding": "json", "maxSupportedTransactionVersion": maxVersion})
	if err != nil {
		return proof.Landing{}, err
	}
	if found == nil || found.Meta == nil {
		return proof.Landing{}, proof.ErrNotLanded
	}
	l, err := found.landing()
	if err != nil {
		return proof.Landing{}, apperr.Upstream(upstream, fmt.Errorf("read transaction %s: %w", signature, err))
	}
	return l, nil
}

func (t landed) landing() (proof.Landing, error) {
	l := proof.Landing{
		Slot: t.Slot, FeeLamports: t.Meta.Fee,
		Changes: map[proof.Holder]proof.Change{}, Burned: map[solana.PublicKey]uint64{},
	}
	if t.Meta.Err != nil {
		l.Failed = t.Meta.Err.Error()
	}
	accounts := slices.Concat(t.Transaction.Message.Accounts, t.Meta.Loaded.Writable, t.Meta.Loaded.Readonly)
	if len(accounts) != len(t.Meta.Pre) || len(accounts) != len(t.Meta.Post) {
		return proof.Landing{}, fmt.Errorf("%d accounts have %d balances before and %d after", len(accounts), len(t.Meta.Pre), len(t.Meta.Post))
	}
	for i, account := range accounts {
		l.Changes[proof.Holder{Owner: account, Asset: terms.SOL}] = proof.Change{Before: t.Meta.Pre[i], After: t.Meta.Post[i]}
	}
	for _, side := range []struct {
		balances []tokenBalance
		add      func(*proof.Change, uint64)
	}{
		{t.Meta.PreTokens, func(c *proof.Change, n uint64) { c.Before += n }},
		{t.Meta.PostTokens, func(c *proof.Change, n uint64) { c.After += n }},
	} {
		for _, b := range side.balances {
			amount, err := strconv.ParseUint(b.Amount.Amount, 10, 64)
			if err != nil {
				return proof.Landing{}, fmt.Errorf("a balance of %s: %w", b.Mint, err)
			}
			holder := proof.Holder{Owner: b.Owner, Asset: terms.Asset(b.Mint)}
			change := l.Changes[holder]
			side.add(&change, amount)
			l.Changes[holder] = change
		}
	}
	all := t.Transaction.Message.Instructions
	for _, inner := range t.Meta.Inner {
		all = append(all, inner.Instructions...)
	}
	for _, in := range all {
		read, err := in.read(accounts)
		if err == nil {
			err = countBurn(read, l.Burned)
		}
		if err != nil {
			return proof.Landing{}, err
		}
		l.Instructions = append(l.Instructions, read)
	}
	// The local chain takes the priority fee and does not count it.
	l.FeeLamports = max(l.FeeLamports, t.asked(accounts))
	return l, nil
}

// asked is the fee that a transaction with a limit and a price of its own asks for,
// in lamports; zero for one without. See payout.FeeOf. In version 1 such instructions do
// nothing (SIMD-0385): believed, they would hide any sum as a fee.
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
	return t.Transaction.Message.Header.Signatures*signatureLamports + computebudget.PriorityFee(units, price)
}

// read gives the instruction with its accounts.
func (i landedInstruction) read(accounts []solana.PublicKey) (proof.Instruction, error) {
	if i.Program < 0 || i.Program >= len(accounts) {
		return proof.Instruction{}, errors.New("an instruction's program is none of the accounts")
	}
	in := proof.Instruction{Program: accounts[i.Program], Data: i.Data}
	for _, n := range i.Accounts {
		if n < 0 || n >= len(accounts) {
			return proof.Instruction{}, errors.New("an instruction names an account that is not there")
		}
		in.Accounts = append(in.Accounts, accounts[n])
	}
	return in, nil
}

// countBurn adds what the instruction burns, if that is what it does.
func countBurn(in proof.Instruction, burned map[solana.PublicKey]uint64) error {
	if in.Program != solana.TokenProgramID && in.Program != solana.Token2022ProgramID {
		return nil
	}
	if len(in.Data) < 9 || (in.Data[0] != tagBurn && in.Data[0] != tagBurnChecked) {
		return nil
	}
	if len(in.Accounts) < 2 {
		return errors.New("the mint of what is burned is none of the accounts")
	}
	burned[in.Accounts[1]] += binary.LittleEndian.Uint64(in.Data[1:9])
	return nil
}

// Withdrawer gives who may withdraw the tax that is withheld of a mint; the zero
// key when nobody may. See proof.Chain.
func (c *Client) Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	account, found, err := c.Account(ctx, mint)
	if err != nil {
		return solana.PublicKey{}, err
	}
	if !found {
		return solana.PublicKey{}, fmt.Errorf("there is no mint %s", mint)
	}
	m, err := token2022.DecodeMint(account.Owner, account.Data)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read the mint %s: %w", mint, err)
	}
	if m.TransferFee == nil {
		return solana.PublicKey{}, nil
	}
	return m.TransferFee.WithdrawWithheldAuthority, nil
}
