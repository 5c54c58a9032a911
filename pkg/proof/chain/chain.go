// Package chain reads the effects of transactions on accounts: transactions with balances before
// and after, and the histories of addresses, from any node of the network. A node's responses are
// not trusted. A history is only as reliable as the unbroken chain of balances through the history.
package chain

import (
	"context"
	"errors"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"

	"tokenlaunch.example/service/pkg/token/terms"
)

// ErrNotLanded is returned if a node does not know the transaction.
var ErrNotLanded = errors.New("the transaction has not landed, or the node has forgotten it")

// ErrNoMint is returned if an address is not a mint.
var ErrNoMint = errors.New("there is no such mint")

// ErrUntold is returned if a node does not respond, has forgotten the requested data, or has not
// reached the data yet. Such a node neither proves nor refutes a proof.
var ErrUntold = errors.New("the node does not tell")

// Node is a source of finalized or at least confirmed transactions.
type Node interface {
	// Page lists at most PageSize transactions that name an address, the newest first. Only
	// transactions older than before are listed; zero starts at the newest transaction.
	Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]Listed, error)
	// Landing returns the effects of a transaction; ErrNotLanded if the node does not know the
	// transaction.
	Landing(ctx context.Context, signature solana.Signature) (Transaction, error)
	// TokenAccountsOf lists an owner's current token accounts of a mint.
	TokenAccountsOf(ctx context.Context, owner, mint solana.PublicKey) ([]solana.PublicKey, error)
	// Withdrawer returns the authority that may withdraw the withheld tax of a mint; ErrNoMint if
	// the address is not a mint.
	Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error)
	// Remembers returns the first and the newest slot that the node has.
	Remembers(ctx context.Context) (first, newest uint64, err error)
}

// MembersNode is a Node that also reads multisig accounts. Without it, a verifier cannot check the
// authority of a token with a guardian.
type MembersNode interface {
	Node
	// Multisig returns the multisig account at an address; token2022.ErrNotMultisig if the address is
	// not a multisig account.
	Multisig(ctx context.Context, address solana.PublicKey) (token2022.Multisig, error)
}

// PageSize is the maximum number of signatures in a page (getSignaturesForAddress).
const PageSize = 1000

// Listed is an entry of a history.
type Listed struct {
	Signature solana.Signature
	Slot      uint64
	// Memo is the node's text of the message's memos: every memo after the memo's length, with
	// separators between memos. Memo is empty if the message has no memo, or the node does not
	// report memos.
	Memo string
}

// Transaction is a landed transaction: signers, instructions and effects.
type Transaction struct {
	Signature solana.Signature
	Slot      uint64
	// Failed is the cause of a failure; empty if the transaction succeeded. A failed transaction
	// pays the fee.
	Failed      string
	FeeLamports uint64
	// Accounts are the named accounts, including the accounts of lookup tables. The first account
	// pays the fee. The first Signers accounts have signed.
	Accounts []Account
	Signers  int
	// Tokens are the token accounts whose balances the transaction shows.
	Tokens []TokenAccount
	// Instructions are the instructions of the message. Every instruction is followed by the
	// instructions that the instruction invoked.
	Instructions []Instruction
}

// Account is an address with the lamports before and after the transaction.
type Account struct {
	Address       solana.PublicKey
	Before, After uint64
}

// TokenAccount is a token account with the balance before and after the transaction, in base units.
type TokenAccount struct {
	Address solana.PublicKey
	Mint    solana.PublicKey
	// OwnerBefore and OwnerAfter are zero if the account did not exist at the time. The balance is
	// then zero, too.
	OwnerBefore, OwnerAfter solana.PublicKey
	Before, After           uint64
}

// Instruction is an instruction of a transaction.
type Instruction struct {
	Program  solana.PublicKey
	Accounts []solana.PublicKey
	Data     []byte
	// Top is the index of the message's instruction that is or invoked this instruction.
	Top int
	// Inner reports that a program invoked the instruction.
	Inner bool
}

// ShowsTokens reports whether the transaction shows token balances. Mainnet shows token balances
// only if a token program is among the accounts. Without a token program, no token moves.
func (t Transaction) ShowsTokens() bool {
	return len(t.Tokens) > 0 || slices.ContainsFunc(t.Accounts, func(a Account) bool {
		return a.Address == solana.TokenProgramID || a.Address == solana.Token2022ProgramID
	})
}

// Payer returns the account that pays the transaction's fee.
func (t Transaction) Payer() solana.PublicKey {
	if len(t.Accounts) == 0 {
		return solana.PublicKey{}
	}
	return t.Accounts[0].Address
}

// SignedBy reports whether the address signed.
func (t Transaction) SignedBy(address solana.PublicKey) bool {
	return slices.ContainsFunc(t.Accounts[:min(t.Signers, len(t.Accounts))], func(a Account) bool { return a.Address == address })
}

// Holder identifies a balance. A balance of SOL belongs to an account. A balance of tokens is the
// sum of an owner's accounts.
type Holder struct {
	Owner solana.PublicKey
	Asset terms.Asset
}

// Change is a balance before and after.
type Change struct{ Before, After uint64 }

// Gain returns the increase of the balance; zero if the balance did not rise.
func (c Change) Gain() uint64 { return c.After - min(c.Before, c.After) }

// Loss returns the decrease of the balance; zero if the balance did not fall.
func (c Change) Loss() uint64 { return c.Before - min(c.Before, c.After) }

// Lamports returns the change of an account's lamports; ok is false if the transaction does not
// name the account.
func (t Transaction) Lamports(address solana.PublicKey) (c Change, ok bool) {
	for _, a := range t.Accounts {
		if a.Address == address {
			return Change{a.Before, a.After}, true
		}
	}
	return Change{}, false
}

// TokenOwner returns the owner of a token account after the transaction; zero if the transaction
// shows no owner of the address.
func (t Transaction) TokenOwner(address solana.PublicKey) (owner solana.PublicKey) {
	for _, a := range t.Tokens {
		if a.Address == address && !a.OwnerAfter.IsZero() {
			owner = a.OwnerAfter
		}
	}
	return owner
}

// Change returns the change of a holder's balance.
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
