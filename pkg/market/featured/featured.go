// Package featured sells featured placement. It promises that a promotion begins
// only when its payment is final: from the creator, to the treasury, of just the
// amount; that no payment counts twice; and that a promotion bought while another
// runs begins where that one ends.
package featured

import (
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
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
	// PaidBy is the transaction that paid; zero while none has. PaidAt is the
	// transfer's Place in it; StartsAt and EndsAt are set with it too.
	PaidBy           solana.Signature
	PaidAt           int
	StartsAt, EndsAt time.Time
}

// Paid says whether its payment was found.
func (p Promotion) Paid() bool { return !p.PaidBy.IsZero() }

// Placement is the running promotion of a token, or its last one. Promotions that
// were bought while it ran have moved its end.
type Placement struct {
	PromotionID      string // the first one's
	Mint             solana.PublicKey
	StartsAt, EndsAt time.Time
}

// Active says whether the token is featured at now: from the start on, and until
// before the end.
func (p Placement) Active(now time.Time) bool {
	return !now.Before(p.StartsAt) && now.Before(p.EndsAt)
}

// Begin starts a promotion that was paid, at now, or at the end of the one that
// runs then. It gives the promotion with its days, which are whole ones however late
// the payment was found, and the token's placement after it. last is the token's
// placement before; nil: it had none.
func (p Promotion) Begin(last *Placement, now time.Time) (Promotion, Placement) {
	p.StartsAt = now.UTC().Truncate(time.Millisecond)
	placement := Placement{PromotionID: p.ID, Mint: p.Mint, StartsAt: p.StartsAt}
	if last != nil && p.StartsAt.Before(last.EndsAt) {
		p.StartsAt, placement = last.EndsAt, *last
	}
	p.EndsAt = p.StartsAt.Add(time.Duration(p.Days) * 24 * time.Hour)
	placement.EndsAt = p.EndsAt
	return p, placement
}

// Listed is a token that is featured.
type Listed struct {
	Placement

	Token token.Record
}

// ErrNotFound: there is no such promotion.
var ErrNotFound = errors.New("no such promotion")
