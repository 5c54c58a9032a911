// Package featured sells featured placement. It promises that a promotion begins
// only when its payment is final: from the creator, to the treasury, of just the
// amount; that no payment counts twice; and that a promotion bought while another
// runs begins where that one ends.
package featured

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

const (
	// LamportsPerDay is the price (requirement: 0.3 SOL per day).
	LamportsPerDay = 300_000_000
	// MostDays is how many can be bought at once (requirement).
	MostDays = 30
)

// Promotion is featured placement that was offered, and what became of it.
type Promotion struct {
	ID        string // a UUID; the transaction's too
	Mint      solana.PublicKey
	Payer     solana.PublicKey // the creator
	Treasury  solana.PublicKey
	Reference solana.PublicKey // marks the payment (Solana Pay, "reference")
	Days      int
	Lamports  uint64
	CreatedAt time.Time
	// PaidBy is the transaction that paid; zero while none has. StartsAt and EndsAt
	// are set with it.
	PaidBy           solana.Signature
	StartsAt, EndsAt time.Time
}
