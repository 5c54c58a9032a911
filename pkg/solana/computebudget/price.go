package computebudget

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"
)

// askWithin bounds how long an estimate is waited for: a transaction that offers the least
// is better than none.
const askWithin = 2 * time.Second

// Market knows what compute units are offered lately.
type Market interface {
	// PriorityFee estimates what has to be offered for a compute unit, in millionths of a
	// lamport, by a transaction that writes these accounts; zero when nothing has to be.
	PriorityFee(ctx context.Context, writable ...solana.PublicKey) (microLamports uint64, err error)
}

// Bounds are the least and the most that is offered for a compute unit, in millionths of
// a lamport. Anyone can raise what others offer, so it needs a cap.
type Bounds struct{ Floor, Cap uint64 }

// Fit gives the estimate, or the bound that it is beyond. Bounds that contradict each
// other are the floor.
func (b Bounds) Fit(estimate uint64) uint64 { return max(b.Floor, min(estimate, b.Cap)) }

// Ask gives what to offer for a compute unit of a transaction that writes these accounts.
// It waits two seconds at most; without an estimate it is the floor.
func (b Bounds) Ask(ctx context.Context, m Market, writable ...solana.PublicKey) uint64 {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	estimate, err := m.PriorityFee(ctx, writable...)
	if err != nil {
		return b.Floor
	}
	return b.Fit(estimate)
}
