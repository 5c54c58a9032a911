package computebudget

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"
)

// askWithin is the maximum time to wait for an estimate. A transaction at the minimum price is
// better than no transaction.
const askWithin = 2 * time.Second

// Market estimates the current price of compute units.
type Market interface {
	// PriorityFee estimates the price of a compute unit, in micro-lamports, for a transaction that
	// writes these accounts. Zero means no price.
	PriorityFee(ctx context.Context, writable ...solana.PublicKey) (microLamports uint64, err error)
}

// Bounds are the minimum and the maximum price offered for a compute unit, in micro-lamports. The
// price needs a cap, because anyone can raise the estimate.
type Bounds struct{ Floor, Cap uint64 }

// Fit returns the estimate, limited to the bounds. If the bounds contradict each other, Fit returns
// Floor.
func (b Bounds) Fit(estimate uint64) uint64 { return max(b.Floor, min(estimate, b.Cap)) }

// Ask returns the price to offer for a compute unit of a transaction that writes these accounts.
// Ask waits at most two seconds, and returns Floor if there is no estimate.
func (b Bounds) Ask(ctx context.Context, m Market, writable ...solana.PublicKey) uint64 {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	estimate, err := m.PriorityFee(ctx, writable...)
	if err != nil {
		return b.Floor
	}
	return b.Fit(estimate)
}
