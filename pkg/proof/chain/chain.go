// Package chain reads what happened to accounts: transactions with the balances that they
// changed, and the histories of addresses, as any node of the network tells them. What a
// node says is not trusted: a history is only as good as the unbroken chain of balances
// through it.
package chain

import (
	"context"
	"errors"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// ErrNotLanded appears when a node knows of no such transaction.
var ErrNotLanded = errors.New("the transaction has not landed, or the node has forgotten it")

// ErrNoMint appears when an address is no mint.
var ErrNoMint = errors.New("there is no such mint")

// ErrUntold appears when a node does not answer, has forgotten or does not know yet what is asked
// for. Such a node says nothing about a proof.
var ErrUntold = errors.New("the node does not tell")

// Node tells what landed, finalized or at least confirmed.
type Node interface {
	// Page lists the transactions that name an address, the newest first: at most
	// PageSize of them, older than before, which is zero for the newest.
	Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]Listed, error)
	// Landing gives what a transaction did; ErrNotLanded when the node knows none.
	Landing(ctx context.Context, signature solana.Signature) (Transaction, error)
	// TokenAccountsOf lists an owner's token accounts of a mint, as they are now.
	TokenAccountsOf(ctx context.Context, owner, mint solana.PublicKey) ([]solana.PublicKey, error)
	// Withdrawer gives who may withdraw the tax that is withheld of a mint; ErrNoMint when the
	// address is none.
	Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error)
	// Remembers gives the first and the newest slot that the node knows.
	Remembers(ctx context.Context) (first, newest uint64, err error)
}

// PageSize is how many signatures a node lists at most (getSignaturesForAddress).
const PageSize = 1000

// Listed is an entry of a history.
type Listed struct {
	Signature solana.Signature
	Slot      uint64
	// Memo is what memos of the message the node tells of, in its own words: each with its
	// length before it, and several apart. It is empty where there is none, or the node tells
	// of none.
	Memo string
}

// Transaction is what landed: who signed, what was asked for, and what came of it.
type Transaction struct {
	Signature solana.Signature
	Slot      uint64
	// Failed says why it failed; empty when it succeeded. A failed one took its fee.
	Failed      string
	FeeLamports uint64
	// Accounts are all that it names, those of lookup tables included. The first pays the
	// fee, and the first Signers of them signed.
	Accounts []Account
	Signers  int
	// Tokens are the token accounts whose balances it shows.
	Tokens []TokenAccount
	// Instructions are those of the message, each followed by those that it invoked.
	Instructions []Instruction
}

// Account is an address with its lamports before and after.
type Account struct {
	Address       solana.PublicKey
	Before, After uint64
}

// TokenAccount is a token account with its balance before and after, in base units.
type TokenAccount struct {
	Address solana.PublicKey
	Mint    solana.PublicKey
	// OwnerBefore and OwnerAfter are zero where it did not exist, and then so is the
	// balance.
	OwnerBefore, OwnerAfter solana.PublicKey
	Before, After           uint64
}

// Instruction is one of a transaction.
type Instruction struct {
	Program  solana.PublicKey
	Accounts []solana.PublicKey
	Data     []byte
	// Top is the place in the message of the instruction, or of the one that invoked it.
	Top int
	// Inner says that a program invoked it.
	Inner bool
}

// ShowsTokens says whether the transaction shows balances of tokens. Mainnet shows them only
// where a token program is among the accounts, and without one no token moves.
func (t Transaction) ShowsTokens() bool {
	return len(t.Tokens) > 0 || slices.ContainsFunc(t.Accounts, func(a Account) bool {
		return a.Address == solana.TokenProgramID || a.Address == solana.Token2022ProgramID
	})
}

// Payer pays the transaction's fee.
func (t Transaction) Payer() solana.PublicKey {
	if len(t.Accounts) == 0 {
		return solana.PublicKey{}
	}
	return t.Accounts[0].Address
}

// SignedBy says whether the address signed.
func (t Transaction) SignedBy(address solana.PublicKey) bool {
	return slices.ContainsFunc(t.Accounts[:min(t.Signers, len(t.Accounts))], func(a Account) bool { return a.Address == address })
}

// Holder is who holds what. Of SOL it is an account, of tokens an owner, with all of
// their accounts together.
type Holder struct {
	Owner solana.PublicKey
	Asset terms.Asset
}

// Change is a balance before and after.
type Change struct{ Before, After uint64 }

// Gain and Loss give by how much a balance rose or fell; zero when it did not.
func (c Change) Gain() uint64 { return c.After - min(c.Before, c.After) }

// Loss is the counterpart of Gain.
func (c Change) Loss() uint64 { return c.Before - min(c.Before, c.After) }

// Lamports gives the change of an account's lamports; ok is false when the transaction
// does not name it.
func (t Transaction) Lamports(address solana.PublicKey) (c Change, ok bool) {
	for _, a := range t.Accounts {
		if a.Address == address {
			return Change{a.Before, a.After}, true
		}
	}
	return Change{}, false
}

// TokenOwner gives whose a token account is after the transaction; zero when it shows none
// of that address.
func (t Transaction) TokenOwner(address solana.PublicKey) (owner solana.PublicKey) {
	for _, a := range t.Tokens {
		if a.Address == address && !a.OwnerAfter.IsZero() {
			owner = a.OwnerAfter
		}
	}
	return owner
}

// Change gives what the transaction changed for a holder.
func (t Transaction) Change(h Holder) (c Change) {
	if h.Asset.IsSOL() {
		c, _ = t.Lamports(h.Owner)
		return c
	}
	for _, a := range t.Tokens {
		if a.Mint != h.Asset.Mint() {
			continue
		}
		if a.OwnerBefore == h.Owner {
			c.Before += a.Before
		}
		if a.OwnerAfter == h.Owner {
			c.After += a.After
		}
	}
	return c
}
