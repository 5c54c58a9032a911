// Package featured sells featured placement. Package featured promises the following. A promotion
// begins only if its payment is final: from the creator, to the treasury, of exactly the amount. No
// payment counts twice. A promotion that is bought while another promotion runs begins at the end
// of the running promotion.
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
	// MaxDays is the maximum number of days in a promotion (requirement).
	MaxDays = 30
)

// Promotion is an offered promotion and its outcome.
type Promotion struct {
	ID        string // a UUID, and also the transaction's ID
	Mint      solana.PublicKey
	Payer     solana.PublicKey // the creator
	Treasury  solana.PublicKey
	Reference solana.PublicKey // marks the payment (Solana Pay, "reference")
	Days      int
	Lamports  uint64
	CreatedAt time.Time
	// PaidBy is the paying transaction; zero if the promotion is unpaid. PaidAt is the transfer's
	// Place in the transaction. StartsAt and EndsAt are set with PaidBy.
	PaidBy           solana.Signature
	PaidAt           int
	StartsAt, EndsAt time.Time
}

// Paid reports whether the promotion's payment was found.
func (p Promotion) Paid() bool { return !p.PaidBy.IsZero() }

// Placement is the running promotion of a token, or the last promotion. Promotions bought during a
// placement have moved its end.
type Placement struct {
	PromotionID      string // the ID of the first promotion
	Mint             solana.PublicKey
	StartsAt, EndsAt time.Time
}

// Active reports whether the token is featured at now: from the start, until before the end.
func (p Placement) Active(now time.Time) bool {
	return !now.Before(p.StartsAt) && now.Before(p.EndsAt)
}

// Begin starts a paid promotion at now, or at the end of the running placement. It returns the
// promotion with its days, which are full days even if the payment was found late, and the token's
// new placement. last is the token's previous placement, or nil.
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

// Listed is a featured token.
type Listed struct {
	Placement

	Token token.Record
}

// ErrNotFound is returned for an unknown promotion.
var ErrNotFound = errors.New("no such promotion")
