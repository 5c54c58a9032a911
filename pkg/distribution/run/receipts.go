package run

import (
	"cmp"
	"context"
	"math"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// receiptBps is the part of what a leg pays in SOL that the wallet may keep to lend it
	// to receipts. It is kept once: the rent stays the wallet's.
	receiptBps = 50
)

// receiptRent is what the receipts of a run's payments in SOL want, all out at once, as
// far as the proceeds are worth it.
func (m Machine) receiptRent(ctx context.Context, r Run) (uint64, error) {
	if !r.Reward.Asset.IsSOL() || r.Exchange == nil {
		return 0, nil
	}
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return 0, err
	}
	payments := min(uint64(r.Snapshot.Eligible), r.Exchange.Proceeds/m.solWorth())
	want := uint64(batches(uint32(payments), m.Payouts.Batch(terms.SOL))) //nolint:gosec // at most Eligible
	return min(want*rent, exchange.MulDiv(r.Exchange.Proceeds, receiptBps, terms.FullBps)), nil
}

// stripes divides batches among messages. Each batch that is under way lends the rent of
// a receipt out of the budget, beside the one that is kept for it, and the budget has it
// back before the next ones begin.
func (m Machine) stripes(ctx context.Context, budget uint64, batches int) (Stripes, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return Stripes{}, err
	}
	return m.stripesOf(1+int(min(budget/max(rent, 1), math.MaxInt32)), batches), nil
}

// stripesOf divides batches of which so many may be under way at once.
func (m Machine) stripesOf(underWay, batches int) Stripes {
	underWay = max(min(underWay, batches), 1)
	size := min(underWay, cmp.Or(m.Stripe, payout.MostStripe))
	return Stripes{Size: size, AtOnce: underWay / size}
}

// lent is what receipts hold, of this run and of earlier ones: it is the wallet's own, and
// comes back.
func (m Machine) lent(ctx context.Context, head Head, r Run) (uint64, error) {
	moved, err := Sum(ctx, m.Payments, r)
	moved = moved.Plus(head.Unproven)
	return moved.Lent - min(moved.Returned, moved.Lent), err
}

// returns closes the receipts of payments that are at their end. final says that no more
// are closed in this run, so that its books can be closed.
func (m Machine) returns(ctx context.Context, head Head, r Run, final bool) (payout.Next, error) {
	r2 := payout.Returning{Run: r.ID, Mint: r.Mint, Wallet: r.Token.Wallet, Of: r.receipts(), Final: final}
	if final {
		r2.Of = append(r2.Of, head.Unreturned...)
	}
	if r.Payment != nil && len(r.Payment.Legs) > 0 {
		r2.Version = r.Payment.Legs[0].Version
	}
	return m.Engine.Return(ctx, r2)
}
