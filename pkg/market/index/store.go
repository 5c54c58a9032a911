package index

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
)

// Curve is a curve and how far it was followed. Index.Last and Index.ChainSlot are
// the cursor.
type Curve struct {
	market.Curve
	// Within says that more transactions of the cursor's slot are to be counted: those
	// that a node lists as newer than the cursor.
	Within bool
	// BegunAt is the time of the block in which the pool was made; zero while that
	// transaction was not counted.
	BegunAt time.Time
	// Walk is where a walk over a long history goes on: only what is older is listed;
	// zero: it begins at the newest.
	Walk solana.Signature
	// SqrtPrice is the one after the last trade that was counted; nil before the first.
	SqrtPrice *big.Int
}

// Entry is a curve on the list of those that are followed.
type Entry struct {
	Mint solana.PublicKey
	// DueAt is when it is looked at even if its pool has not changed.
	DueAt time.Time
}

// Page is what a stretch of a curve's history makes of what was counted.
type Page struct {
	// Index is what was counted up to here, with the cursor after it; but for the
	// number of buyers, which the store knows.
	market.Index
	// Within, BegunAt and Walk are those of Curve then.
	Within  bool
	BegunAt time.Time
	Walk    solana.Signature
	// NewBuyers are the wallets that bought in the stretch, each once. Who had bought
	// before is among them.
	NewBuyers []solana.PublicKey
	// Added are the trades of the stretch, and Candles what they make of it alone.
	Added   []market.Trade
	Candles market.Candles
	// SqrtPrice is the one after the last trade so far; nil before the first.
	SqrtPrice *big.Int
	// CompletedAt is when the target was held at the end of a slot first; zero when it was
	// not.
	CompletedAt time.Time
}

// MostRows bounds the buyers and the candles of a page: each new buyer and each candle is an
// item of the one transaction of the store that adds the page, which takes 100. Five are the
// curve, its volume, its token, how long it took, and the trades, MostTrades of them at most: 30 KB.
const (
	MostRows   = 95
	MostTrades = 100
)

// Store keeps what was counted.
type Store interface {
	// Followed lists the curves that are not cancelled. The list may lag.
	Followed(ctx context.Context) ([]Entry, error)
	// Curves reads curves; one that is not there is left out.
	Curves(ctx context.Context, mints ...solana.PublicKey) ([]Curve, error)
	// Apply adds a page, if the cursor is c's still, and gives the curve as it is
	// then. Wallets that had not bought before count as buyers. Its trades are told, and go
	// on what their candles had. With a completion of
	// an active curve the curve is complete, for good. It fails with ErrTaken when the
	// cursor has moved.
	Apply(ctx context.Context, c Curve, p Page) (Curve, error)
	// Rest puts the look that is made in any case off to next, and notes where the walk goes on, if the
	// cursor is c's still. It fails with ErrTaken when it has moved.
	Rest(ctx context.Context, c Curve, walk solana.Signature, next time.Time) error
	// Cancel ends an active curve whose liquidity is gone, if the cursor is c's still.
	// It fails with ErrTaken when it has moved, or the curve is not active.
	Cancel(ctx context.Context, c Curve) error
}

// ErrTaken: another indexer has the curve, or has counted on.
var ErrTaken = errors.New("another indexer follows the curve")
