package index

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
)

// Curve is a curve with the progress of the index. Index.Last and Index.ChainSlot are the cursor.
type Curve struct {
	market.Curve
	// Within reports that further transactions of the cursor's slot are uncounted: the transactions
	// that a node lists as newer than the cursor.
	Within bool
	// BegunAt is the time of the block that created the pool; zero until the creation was counted.
	BegunAt time.Time
	// Walk is the transaction at which a long walk continues: only older transactions are listed.
	// Zero starts at the newest transaction.
	Walk solana.Signature
	// SqrtPrice is the price after the last counted trade; nil before the first trade.
	SqrtPrice *big.Int
}

// Entry is a curve on the list of followed curves.
type Entry struct {
	Mint solana.PublicKey
	// DueAt is the time of the next check of an unchanged pool.
	DueAt time.Time
}

// Page is the result of counting a stretch of a curve's history.
type Page struct {
	// Index is the counts including this page, with the cursor after the page, except the number of
	// buyers, which the store computes.
	market.Index
	// Within, BegunAt and Walk are the new values of Curve's fields.
	Within  bool
	BegunAt time.Time
	Walk    solana.Signature
	// NewBuyers are the buyers in the stretch, without duplicates. Buyers of earlier pages may be
	// included.
	NewBuyers []solana.PublicKey
	// Added are the trades of the stretch. Candles are the candles of only these trades.
	Added   []market.Trade
	Candles market.Candles
	// SqrtPrice is the price after the last trade so far; nil before the first trade.
	SqrtPrice *big.Int
	// CompletedAt is the first time at which a slot ended with the target held; zero if the target
	// was not held.
	CompletedAt time.Time
}

// MaxRows is the maximum number of buyers and candles of a page, because every new buyer and every
// candle is an item of the store's transaction, which has at most 100 items. Five further items are
// the curve, the curve's volume, the token, the time to completion, and the trades, at most
// MaxTrades: 30 KB.
const (
	MaxRows   = 95
	MaxTrades = 100
)

// Store stores the counts.
type Store interface {
	// Followed lists the curves that are not cancelled. The list may lag.
	Followed(ctx context.Context) ([]Entry, error)
	// Curves reads curves. Missing curves are left out.
	Curves(ctx context.Context, mints ...solana.PublicKey) ([]Curve, error)
	// Apply adds a page if c's cursor has not moved, and returns the new state of the curve.
	// Wallets without an earlier purchase count as buyers. The trades are stored, and the stored
	// candles are continued. A completion permanently completes an active curve. It returns
	// ErrTaken if the cursor has moved.
	Apply(ctx context.Context, c Curve, p Page) (Curve, error)
	// Rest postpones the scheduled check to next and stores the place at which the walk continues,
	// if c's cursor has not moved. It returns ErrTaken if the cursor has moved.
	Rest(ctx context.Context, c Curve, walk solana.Signature, next time.Time) error
	// Cancel ends an active curve without liquidity, if c's cursor has not moved. It returns
	// ErrTaken if the cursor has moved, or if the curve is not active.
	Cancel(ctx context.Context, c Curve) error
}

// ErrTaken is returned if another indexer follows the curve, or has moved the cursor.
var ErrTaken = errors.New("another indexer follows the curve")
