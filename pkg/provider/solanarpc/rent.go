package solanarpc

import (
	"context"
	"sync"
	"time"
)

// rentAge is the maximum age of a cached rent. Rents change with an epoch, about once a day on
// mainnet, and each batch of payments needs a rent twice.
const rentAge = time.Minute

// rents is a cache of rents by the size of accounts.
type rents struct {
	mutex sync.Mutex
	known map[uint64]rent
}

type rent struct {
	lamports uint64
	at       time.Time
}

// MinimumBalance returns the lamports that exempt an account of the given size from rent. The
// result may be up to a minute old.
func (c *Client) MinimumBalance(ctx context.Context, bytes uint64) (uint64, error) {
	now := c.Now()
	if lamports, ok := c.rents.of(bytes, now); ok {
		return lamports, nil
	}
	var lamports uint64
	if err := c.call(ctx, &lamports, "getMinimumBalanceForRentExemption", bytes, object{"commitment": Confirmed}); err != nil {
		return 0, err
	}
	c.rents.keep(bytes, rent{lamports, now})
	return lamports, nil
}

func (r *rents) of(bytes uint64, now time.Time) (uint64, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known, ok := r.known[bytes]
	return known.lamports, ok && now.Sub(known.at) < rentAge
}

func (r *rents) keep(bytes uint64, said rent) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known == nil {
		r.known = map[uint64]rent{}
	}
	r.known[bytes] = said
}
