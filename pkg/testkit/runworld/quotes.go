package runworld

import (
	"context"
	"sync"

	"tokenlaunch.example/service/pkg/distribution/exchange"
)

// Quotes is a venue that notes the quotes which were made into swaps.
type Quotes struct {
	exchange.Venue

	mu   sync.Mutex
	list []exchange.Quote
}

// Swap makes a swap of a quote, and notes it.
func (q *Quotes) Swap(ctx context.Context, quote exchange.Quote) (exchange.Swap, error) {
	swap, err := q.Venue.Swap(ctx, quote)
	if err == nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.list = append(q.list, swap.Quote)
	}
	return swap, err
}

// Take gives what was noted since it was last asked, oldest first.
func (q *Quotes) Take() []exchange.Quote {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}
