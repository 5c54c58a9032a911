// Package wallet implements the distribution wallet, the account that collects the tax of one
// token.
//
// The wallet's key is never stored. The key is derived from the wallet's ID for each use and then
// erased. The deriving key never leaves the key service. So the same ID always has the same
// address, and no secret is stored.
package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
)

// Lifetime is the time that an issued wallet waits for a token ("Tokens", api).
const Lifetime = 24 * time.Hour

// ErrNotFound is returned if no wallet with the ID was issued, or if the wallet has waited too long
// for a token.
var ErrNotFound = errors.New("no such wallet")

// ErrOtherAddress is returned if the address derived from a wallet's ID is not the recorded
// address.
var ErrOtherAddress = errors.New("another address")

// Wallet is an issued wallet.
type Wallet struct {
	ID      string // a UUID, lower case
	Address solana.PublicKey
	// Root is the number of the root from which the address is derived; see Derivation.
	Root uint8
	// BoundMint is the token that uses the wallet, or zero.
	BoundMint solana.PublicKey
	CreatedAt time.Time
	// ValidUntil is the end of the wait for a token. ValidUntil has no meaning once the wallet is
	// bound.
	ValidUntil time.Time
}

// Bound reports whether a token uses the wallet.
func (w Wallet) Bound() bool { return !w.BoundMint.IsZero() }

// Gone reports whether the wallet has waited too long for a token.
func (w Wallet) Gone(now time.Time) bool { return !w.Bound() && !now.Before(w.ValidUntil) }

// Deriver derives the address of a wallet by its Path.
type Deriver interface {
	Address(ctx context.Context, path string) (solana.PublicKey, error)
}

// Store stores issued wallets.
type Store interface {
	Put(ctx context.Context, w Wallet) error
}

// Service issues wallets.
type Service struct {
	Deriver Deriver
	Store   Store
	// Root is the number of the newest root, from which new wallets are derived.
	Root  uint8
	Now   func() time.Time
	NewID func() string // a new UUID each time
}

// Generate issues a new, unbound wallet.
func (s Service) Generate(ctx context.Context) (Wallet, error) {
	id, ok := ParseID(s.NewID())
	if !ok {
		return Wallet{}, errors.New("the new wallet id is not a UUID")
	}
	address, err := s.Deriver.Address(ctx, Path(id, s.Root))
	if err != nil {
		return Wallet{}, fmt.Errorf("derive the address of wallet %s: %w", id, err)
	}
	now := s.Now().UTC()
	w := Wallet{ID: id, Address: address, Root: s.Root, CreatedAt: now, ValidUntil: now.Add(Lifetime)}
	if err := s.Store.Put(ctx, w); err != nil {
		return Wallet{}, fmt.Errorf("store wallet %s: %w", id, err)
	}
	return w, nil
}

// ParseID parses a wallet ID in the form 8-4-4-4-12, in any case, and returns the ID in lower case,
// the only form from which addresses are derived.
func ParseID(text string) (id string, ok bool) {
	if len(text) != 36 { // uuid.Parse reads other forms too
		return "", false
	}
	parsed, err := uuid.Parse(text)
	if err != nil {
		return "", false
	}
	return parsed.String(), true
}
