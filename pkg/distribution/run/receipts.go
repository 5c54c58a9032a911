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
	// receiptBps is the part of a leg's payments in SOL that the wallet may keep for deposits in
	// receipts. The part is kept only once, because the rent still belongs to the wallet.
	receiptBps = 50
)

// receiptRent returns the rent of all receipts of a run's payments in SOL at the same time, limited
// to a part of the proceeds.
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

// chunks divides batches among messages. Every batch under way deposits the rent of a receipt out
// of the budget, except one batch, whose rent is reserved. The rent returns to the budget before
// the next batches begin.
func (m Machine) chunks(ctx context.Context, budget uint64, batches int) (Chunks, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return Chunks{}, err
	}
	return m.chunksOf(1+int(min(budget/max(rent, 1), math.MaxInt32)), batches), nil
}

// chunksOf divides batches among chunks, with at most underWay concurrent batches.
func (m Machine) chunksOf(underWay, batches int) Chunks {
	underWay = max(min(underWay, batches), 1)
	size := min(underWay, cmp.Or(m.Chunk, payout.MaxStripe))
	return Chunks{Size: size, AtOnce: underWay / size}
}

// lent returns the lamports in receipts of this run and of earlier runs. These lamports are the
// wallet's own, and return to the wallet.
func (m Machine) lent(ctx context.Context, head Head, r Run) (uint64, error) {
	moved, err := Sum(ctx, m.Payments, r)
	moved = moved.Plus(head.Unproven)
	return moved.Lent - min(moved.Returned, moved.Lent), err
}

// returns closes the receipts of decided payments. final reports that the run closes no more
// receipts, so that the books can be closed.
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
