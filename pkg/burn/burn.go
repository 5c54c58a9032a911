// Package burn is what runs have burned of a token: tokens that are gone for good,
// each burn with the transaction that shows it.
package burn

import (
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
)

// Burn is one transaction that burned tokens of a distribution wallet.
type Burn struct {
	// RunID names the run that burned.
	RunID string
	// Amount is in base units.
	Amount    uint64
	Signature solana.Signature
	// ChainSlot is the one in which the transaction landed, and At when it was seen
	// to be settled.
	ChainSlot uint64
	At        time.Time
}

// ID names the burn: always the same UUID for the same transaction.
func (b Burn) ID() string { return uuid.NewSHA1(namespace, b.Signature[:]).String() }

// namespace is a random UUID of this project.
var namespace = uuid.MustParse("c1b0a7f2-53a8-4d0e-9d4b-1f6f4d6b0e2a")

// Page is a part of a token's burns, the newest first.
type Page struct {
	// Total is what all burns of the token add up to, in base units.
	Total uint64
	Burns []Burn
	// Next is the place after which older burns stand; empty when there are none.
	Next string
}
