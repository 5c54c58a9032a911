// Package nonce leases durable nonce accounts to prepared transactions.
//
// The accounts belong to the service's nonce authority. Their addresses follow
// from that authority and a number, so an account that was registered but whose
// creation was lost in a crash is simply created when it is next leased.
package nonce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// ErrTaken: another request was faster.
var ErrTaken = errors.New("nonce is taken")

// Account is one nonce account of the pool.
type Account struct {
	Address solana.PublicKey
	// Index is its number in the pool, from 0; the address follows from it.
	Index int
	// LastValue is the value that its last submitted transaction used. A node
	// that still answers it is behind.
	LastValue solana.Hash
	// FreeAt is when its lease ends, or when it came free.
	FreeAt time.Time
	// Held: a submitted transaction uses it, so it cannot be leased until that ends.
	Held bool
}

// Free says whether the account could be leased at now.
func (a Account) Free(now time.Time) bool { return !a.Held && !a.FreeAt.After(now) }

// Store keeps the pool.
type Store interface {
	// Accounts reads those of the addresses, MostRead at most, that are registered, in any
	// order. Unless the latest is asked for, they may be as they were a moment ago.
	Accounts(ctx context.Context, addresses []solana.PublicKey, latest bool) ([]Account, error)
	// Take leases an account to transaction id, until the given time, if it is free at
	// now. Otherwise ErrTaken, and the account as it is; the zero one when there is none.
	Take(ctx context.Context, account solana.PublicKey, id string, now, until time.Time) (Account, error)
	Size(ctx context.Context) (int, error)
	Add(ctx context.Context, account Account, id string, until time.Time) error
	// Release ends the lease of transaction id; it does nothing when the
	// lease is not that transaction's.
	Release(ctx context.Context, account solana.PublicKey, id string) error
}

// Chain reads nonce accounts and sends the service's own transactions.
type Chain interface {
	// Nonce gives the value of a nonce account, found false when there is none.
	Nonce(ctx context.Context, account solana.PublicKey) (state systemprogram.Nonce, found bool, err error)
	// NonceSince is Nonce as of the given slot or a later one; an error when the
	// node has not come so far.
	NonceSince(ctx context.Context, account solana.PublicKey, slot uint64) (state systemprogram.Nonce, found bool, err error)
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Balance(ctx context.Context, account solana.PublicKey) (lamports uint64, err error)
	// Missing tells which of the addresses, 100 at most, hold no account's data.
	Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error)
	LatestBlockhash(ctx context.Context) (solana.Hash, error)
	// Send hands a signed transaction to the network.
	Send(ctx context.Context, signed []byte) error
	// Execute sends a signed transaction and waits until it is confirmed; an error
	// when it fails or the context ends first.
	Execute(ctx context.Context, signed []byte) error
}

// Authority is the key that may advance the nonces and that pays for them.
type Authority interface {
	PublicKey(ctx context.Context) ([32]byte, error)
	Sign(ctx context.Context, message []byte) ([64]byte, error)
}

// Pool leases nonces. It grows on demand up to Max accounts.
type Pool struct {
	Store     Store
	Chain     Chain
	Authority Authority
	Max       int
	Now       func() time.Time
	// Memory is what the process remembers between calls; nil for nothing.
	Memory *Memory
}

// errBehind: the node still shows a value that was already used.
var errBehind = errors.New("the node shows a nonce value that was used before")

// value reads the account's nonce, creating the account when it is not there.
func (p Pool) value(ctx context.Context, account Account) (solana.Hash, error) {
	state, found, err := p.Chain.Nonce(ctx, account.Address)
	if err != nil {
		return solana.Hash{}, err
	}
	if !found {
		if err := p.create(ctx, account); err != nil {
			return solana.Hash{}, fmt.Errorf("create nonce account %s: %w", account.Address, err)
		}
		if state, found, err = p.Chain.Nonce(ctx, account.Address); err != nil {
			return solana.Hash{}, err
		}
	}
	if !found || state.Value == account.LastValue {
		return solana.Hash{}, errBehind
	}
	return state.Value, nil
}

// create makes the nonce account at the authority's cost. Its address can be
// foretold, and CreateAccount fails where a stranger has sent lamports before; so
// what is missing is transferred and the account allocated, which only the
// authority can do.
func (p Pool) create(ctx context.Context, account Account) error {
	rent, err := p.Chain.MinimumBalance(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		return err
	}
	balance, err := p.Chain.Balance(ctx, account.Address)
	if err != nil {
		return err
	}
	authority, err := p.Authority.PublicKey(ctx)
	if err != nil {
		return err
	}
	var instructions []solana.Instruction
	if balance < rent {
		instructions = append(instructions,
			systemprogram.Transfer{From: authority, To: account.Address, Lamports: rent - balance}.Instruction())
	}
	return p.execute(ctx, authority, append(instructions,
		systemprogram.AllocateWithSeed{
			Account: account.Address, Base: authority, Seed: seed(account.Index),
			Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.InitializeNonceAccount{Nonce: account.Address, Authority: authority}.Instruction(),
	)...)
}

// Spend advances a nonce that still has n's value, and returns once it has
// another one: then no transaction on that value can land. held is a slot in
// which it had n's value: in an earlier one it had another, too. Zero: not known.
func (p Pool) Spend(ctx context.Context, n transaction.Nonce, held uint64) error {
	state, found, err := p.Chain.NonceSince(ctx, n.Account, held)
	if err != nil {
		return err
	}
	if !found || state.Value != n.Value {
		return nil
	}
	signed, err := p.advance(ctx, n)
	if err == nil {
		err = p.Chain.Execute(ctx, signed)
	}
	if err != nil {
		return fmt.Errorf("advance nonce %s: %w", n.Account, err)
	}
	return nil
}

// Advance sends what makes a nonce that has n's value move on, and does not wait
// for it. It never moves the nonce from any other value.
func (p Pool) Advance(ctx context.Context, n transaction.Nonce) error {
	signed, err := p.advance(ctx, n)
	if err == nil {
		err = p.Chain.Send(ctx, signed)
	}
	if err != nil {
		return fmt.Errorf("advance nonce %s: %w", n.Account, err)
	}
	return nil
}

// advance makes the transaction that does nothing but spend n. It uses n itself: so it can land
// only while the nonce has that value, and one that
// lingers on the network never spoils what the nonce is leased for next.
func (p Pool) advance(ctx context.Context, n transaction.Nonce) (signed []byte, err error) {
	authority, err := p.Authority.PublicKey(ctx)
	if err != nil {
		return nil, err
	}
	return p.sign(ctx, authority, n.Value,
		systemprogram.AdvanceNonceAccount{Nonce: n.Account, Authority: authority}.Instruction())
}

func (p Pool) execute(ctx context.Context, payer solana.PublicKey, instructions ...solana.Instruction) error {
	blockhash, err := p.Chain.LatestBlockhash(ctx)
	if err != nil {
		return err
	}
	signed, err := p.sign(ctx, payer, blockhash, instructions...)
	if err != nil {
		return err
	}
	return p.Chain.Execute(ctx, signed)
}

func (p Pool) sign(ctx context.Context, payer solana.PublicKey, lifetime solana.Hash, instructions ...solana.Instruction) ([]byte, error) {
	message, err := wire.Compile(payer, lifetime, instructions)
	if err != nil {
		return nil, err
	}
	signature, err := p.Authority.Sign(ctx, message.Bytes())
	if err != nil {
		return nil, err
	}
	tx := wire.NewTransaction(message)
	if err := tx.SetSignature(payer, signature); err != nil {
		return nil, err
	}
	return tx.Bytes(), nil
}
