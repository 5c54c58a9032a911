package guardian

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/token/handover"
)

// OrderLife is the time after the effect of an order in which the guardian signs the hand-over. An
// order that never ends would be a hand-over without a delay.
const OrderLife = 30 * 24 * time.Hour

// Noted is the newest order of a token's hand-over, or the newest cancellation. Number is zero
// without one. A cancellation of an order that the guardian has not seen has only the number.
type Noted struct {
	handover.Order

	// At is the guardian's first sight of the order or the cancellation.
	At          time.Time
	CancelledAt time.Time
	// SignedAt is the time of the guardian's newest signature of the hand-over. A signed transaction
	// can land for some minutes, also after a cancellation.
	SignedAt time.Time
	// Version is the number of writes.
	Version int64
}

// ExpiresAt returns the end of the order.
func (n Noted) ExpiresAt() time.Time { return n.EffectiveAt.Add(OrderLife) }

// ErrConflict is returned by Orders.Save when another call wrote first.
var ErrConflict = errors.New("the order has changed meanwhile")

// Orders is the guardian's own memory, which no other party writes.
type Orders interface {
	// Newest returns the newest order of a token; zero without an order.
	Newest(ctx context.Context, mint solana.PublicKey) (Noted, error)
	// Save stores the newest order, if the stored version is n.Version, and counts the write. It
	// returns ErrConflict otherwise.
	Save(ctx context.Context, mint solana.PublicKey, n Noted) error
}

// tries is the maximum number of reads when other calls write concurrently.
const tries = 5

// Order records a creator's order of a hand-over, from which the delay counts. The order takes the
// place of the order before, and has a higher number. A repeated order returns the record. It
// returns ErrRefused for an order that the creator did not sign, that takes effect before the delay,
// or whose number is not higher.
func (c Core) Order(ctx context.Context, mint solana.PublicKey, o handover.Order) (Noted, error) {
	m, err := c.membersOf(ctx, mint)
	if err != nil {
		return Noted{}, err
	}
	if err := o.Verify(m.creator, mint); err != nil {
		return Noted{}, refuse("%v", err)
	}
	if o.To == m.authority || !o.Collects(mint) {
		return Noted{}, refuse("%s could never collect the tax: name an address that can sign, or another multisig account", o.To)
	}
	return c.change(ctx, mint, func(before Noted, now time.Time) (Noted, error) {
		earliest := now.Add(c.Delay)
		switch {
		case before.Number == o.Number && before.Hash(mint) == o.Hash(mint) && before.CancelledAt.IsZero():
			return before, nil
		case o.Number <= before.Number:
			return before, refuse("the number of the order must be at least %d", before.Number+1)
		case o.EffectiveAt.Before(earliest), o.EffectiveAt.After(earliest.Add(handover.MaxAhead)):
			return before, refuse("the order must take effect from %s to %s: at least %s from now",
				earliest.Add(time.Second).Format(time.RFC3339), earliest.Add(handover.MaxAhead).Format(time.RFC3339), c.Delay)
		}
		return Noted{Order: o, At: now, Version: before.Version}, nil
	})
}

// Cancel records a creator's cancellation of the order with a number, and of every order with a lower
// number. It is idempotent. It returns ErrRefused for a cancellation that the creator did not sign,
// and if a newer order is recorded.
func (c Core) Cancel(ctx context.Context, mint solana.PublicKey, number int64, signature solana.Signature) (Noted, error) {
	m, err := c.membersOf(ctx, mint)
	if err != nil {
		return Noted{}, err
	}
	if number <= 0 || !auth.SignedText(m.creator, handover.CancelText(mint, number), signature) {
		return Noted{}, refuse("the creator %s did not sign this cancellation", m.creator)
	}
	return c.change(ctx, mint, func(before Noted, now time.Time) (Noted, error) {
		switch {
		case number < before.Number:
			return before, refuse("order %d is newer than order %d", before.Number, number)
		case number > before.Number:
			return Noted{Order: handover.Order{Number: number}, At: now, CancelledAt: now, SignedAt: before.SignedAt, Version: before.Version}, nil
		case before.CancelledAt.IsZero():
			before.CancelledAt = now
		}
		return before, nil
	})
}

// Newest returns the newest order of a token; zero without an order.
func (c Core) Newest(ctx context.Context, mint solana.PublicKey) (Noted, error) {
	return c.Orders.Newest(ctx, mint)
}

// change stores what next makes of the newest order, unless next changes nothing.
func (c Core) change(ctx context.Context, mint solana.PublicKey, next func(before Noted, now time.Time) (Noted, error)) (Noted, error) {
	for range tries {
		before, err := c.Orders.Newest(ctx, mint)
		if err != nil {
			return Noted{}, err
		}
		after, err := next(before, c.Now().UTC().Truncate(time.Millisecond))
		if err != nil || after == before {
			return after, err
		}
		err = c.Orders.Save(ctx, mint, after)
		if !errors.Is(err, ErrConflict) {
			after.Version++
			return after, err
		}
	}
	return Noted{}, apperr.Upstream("The store", ErrConflict)
}

// membersOf reads the members of the authority over a mint's tax.
func (c Core) membersOf(ctx context.Context, mint solana.PublicKey) (members, error) {
	key, err := c.Public(ctx)
	if err != nil {
		return members{}, err
	}
	return c.members(ctx, key, mint)
}
