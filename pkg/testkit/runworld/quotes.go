package runworld

import (
	"context"
	"sync"

	"tokenlaunch.example/service/pkg/distribution/exchange"
)

// Quotes is a venue that records the quotes for which swaps are created.
type Quotes struct {
	exchange.Venue

	mu   sync.Mutex
	list []exchange.Quote
}

// Swap creates the swap of a quote, and records the quote.
func (q *Quotes) Swap(ctx context.Context, quote exchange.Quote) (exchange.Swap, error) {
	swap, err := q.Venue.Swap(ctx, quote)
	if err == nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.list = append(q.list, swap.Quote)
	}
	return swap, err
}

// Take returns the quotes since the last call, oldest first.
func (q *Quotes) Take() []exchange.Quote {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}
