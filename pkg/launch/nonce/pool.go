// Package nonce leases durable nonce accounts to prepared transactions.
//
// The accounts belong to the service's nonce authority. An account's address is derived from the
// authority and a number. So an account that was registered, but whose creation was lost in a
// crash, is created at its next lease.
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

// ErrTaken is returned if another request was faster.
var ErrTaken = errors.New("nonce is taken")

// Account is a nonce account of the pool.
type Account struct {
	Address solana.PublicKey
	// Index is the account's number in the pool, from 0. The address is derived from Index.
	Index int
	// LastValue is the nonce value of the account's last submitted transaction. A node that still
	// returns LastValue is behind.
	LastValue solana.Hash
	// FreeAt is the end of the account's lease, or the time at which the account became free.
	FreeAt time.Time
	// Held reports that a submitted transaction uses the account. The account cannot be leased
	// until the transaction ends.
	Held bool
}

// Free reports whether the account can be leased at now.
func (a Account) Free(now time.Time) bool { return !a.Held && !a.FreeAt.After(now) }

// Store stores the pool.
type Store interface {
	// Accounts reads the registered accounts among at most MaxRead addresses, in any order. Unless
	// latest is true, the result may be slightly stale.
	Accounts(ctx context.Context, addresses []solana.PublicKey, latest bool) ([]Account, error)
	// Take leases an account to transaction id until the given time, if the account is free at now.
	// Otherwise it returns ErrTaken and the current account, or the zero Account if the account is
	// not registered.
	Take(ctx context.Context, account solana.PublicKey, id string, now, until time.Time) (Account, error)
	Size(ctx context.Context) (int, error)
	Add(ctx context.Context, account Account, id string, until time.Time) error
	// Release ends the lease of transaction id. Release does nothing if another transaction has the
	// lease.
	Release(ctx context.Context, account solana.PublicKey, id string) error
}

// Chain reads nonce accounts and sends the service's own transactions.
type Chain interface {
	// Nonce returns the value of a nonce account. found is false if the account does not exist.
	Nonce(ctx context.Context, account solana.PublicKey) (state systemprogram.Nonce, found bool, err error)
	// NonceSince is Nonce as of the given slot or a later slot. It returns an error if the node has
	// not reached the slot.
	NonceSince(ctx context.Context, account solana.PublicKey, slot uint64) (state systemprogram.Nonce, found bool, err error)
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Balance(ctx context.Context, account solana.PublicKey) (lamports uint64, err error)
	// Missing returns the addresses, of at most 100, whose accounts have no data.
	Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error)
	LatestBlockhash(ctx context.Context) (solana.Hash, error)
	// Send sends a signed transaction to the network.
	Send(ctx context.Context, signed []byte) error
	// Execute sends a signed transaction and waits for its confirmation. It returns an error if the
	// transaction fails or the context ends first.
	Execute(ctx context.Context, signed []byte) error
}

// Authority is the key that may advance the nonces and pays for the accounts.
type Authority interface {
	PublicKey(ctx context.Context) ([32]byte, error)
	Sign(ctx context.Context, message []byte) ([64]byte, error)
}

// Pool leases nonces. The pool grows on demand up to Max accounts.
type Pool struct {
	Store     Store
	Chain     Chain
	Authority Authority
	Max       int
	Now       func() time.Time
	// Memory is the process's memory of the pool between calls; nil means no memory.
	Memory *Memory
}

// errBehind is returned if the node still shows a used value.
var errBehind = errors.New("the node shows a nonce value that was used before")

// value reads the account's nonce. If the account does not exist, value creates the account.
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

// create creates the nonce account at the authority's cost. The address is predictable, and
// CreateAccount fails if a third party has sent lamports to the address. So create transfers the
// missing lamports and allocates the account, which only the authority can do.
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

// Spend advances a nonce that still has n's value, and returns once the nonce has another value.
// From then on, no transaction on n's value can land. held is a slot in which the nonce had n's
// value; in earlier slots the nonce may have had another value. Zero means that no slot is known.
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

// Advance sends a transaction that advances a nonce from n's value, and does not wait for the
// landing. The transaction never advances the nonce from any other value.
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

// advance builds a transaction that only advances n. The transaction uses n itself, so it can land
// only while the nonce has n's value. If the transaction lingers on the network, it cannot affect a
// later lease of the nonce.
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
