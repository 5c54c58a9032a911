// Package wallet is the distribution wallet, the account that collects the tax
// of one token.
//
// Its key is kept nowhere: it is derived from the wallet's id by a key that never
// leaves the key service, each time that it is needed, and forgotten at once. So
// the same id always gives the same address, and nothing secret is stored.
package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
)

// Lifetime is how long an issued wallet waits for a token ("Tokens", api).
const Lifetime = 24 * time.Hour

// ErrNotFound appears when no wallet with the id was issued, or it has waited
// for a token too long.
var ErrNotFound = errors.New("no such wallet")

// ErrOtherAddress appears when a wallet's id leads to another address than the recorded one.
var ErrOtherAddress = errors.New("another address")

// Wallet is one that was issued.
type Wallet struct {
	ID      string // a UUID, lower case
	Address solana.PublicKey
	// BoundMint is the token that has the wallet, zero while none has.
	BoundMint solana.PublicKey
	CreatedAt time.Time
	// ValidUntil is the end of the wait for a token; it means nothing once the
	// wallet is bound.
	ValidUntil time.Time
}

// Bound says whether a token has the wallet.
func (w Wallet) Bound() bool { return !w.BoundMint.IsZero() }

// Gone says whether the wallet has waited too long for a token.
func (w Wallet) Gone(now time.Time) bool { return !w.Bound() && !now.Before(w.ValidUntil) }

// Deriver finds the address that belongs to a wallet id.
type Deriver interface {
	Address(ctx context.Context, walletID string) (solana.PublicKey, error)
}

// Store keeps wallets that were issued.
type Store interface {
	Put(ctx context.Context, w Wallet) error
}

// Service issues wallets.
type Service struct {
	Deriver Deriver
	Store   Store
	Now     func() time.Time
	NewID   func() string // a new UUID each time
}

// Generate issues a new wallet that no token has yet.
func (s Service) Generate(ctx context.Context) (Wallet, error) {
	id, ok := ParseID(s.NewID())
	if !ok {
		return Wallet{}, errors.New("the new wallet id is not a UUID")
	}
	address, err := s.Deriver.Address(ctx, id)
	if err != nil {
		return Wallet{}, fmt.Errorf("derive the address of wallet %s: %w", id, err)
	}
	now := s.Now().UTC()
	w := Wallet{ID: id, Address: address, CreatedAt: now, ValidUntil: now.Add(Lifetime)}
	if err := s.Store.Put(ctx, w); err != nil {
		return Wallet{}, fmt.Errorf("store wallet %s: %w", id, err)
	}
	return w, nil
}

// ParseID reads a wallet id in the form 8-4-4-4-12, in any case, and gives it in
// lower case, the one form that addresses are derived from.
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
