package market

import (
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"
)

// KeepTrades is for how long a trade is told after it was made.
const KeepTrades = 365 * 24 * time.Hour

// Trade is a purchase or a sale on a curve, as its trader sees it. The numbers are not
// changed.
type Trade struct {
	// Number counts the trades of a curve from 1, in the order of the chain. A transaction
	// may make several.
	Number    uint64
	Signature solana.Signature
	Slot      uint64
	At        time.Time
	// Trader is the wallet that signed for it, or the account of a router; zero where an
	// instruction that is not known made it.
	Trader solana.PublicKey
	Bought bool // else sold
	// Lamports were paid with Fee, or received without it. Tokens were received after tax,
	// or sent before it.
	Lamports, Tokens uint64
	Fee              uint64 // in lamports
	// SqrtBefore and SqrtAfter are prices: square roots in 64.64 bits.
	SqrtBefore, SqrtAfter *big.Int
}

// Interval is how much time a candle stands for.
type Interval string

// The intervals that there are.
const (
	OneMinute   Interval = "1m"
	FiveMinutes Interval = "5m"
	OneHour     Interval = "1h"
	OneDay      Interval = "1d"
)

// Intervals lists all intervals, the shortest first.
func Intervals() []Interval { return []Interval{OneMinute, FiveMinutes, OneHour, OneDay} }

// Length is how long an interval is; zero for one that there is not.
func (i Interval) Length() time.Duration {
	switch i {
	case OneMinute:
		return time.Minute
	case FiveMinutes:
		return 5 * time.Minute
	case OneHour:
		return time.Hour
	case OneDay:
		return 24 * time.Hour
	}
	return 0
}

// Keep is for how long a candle is told after its start; zero: without an end.
func (i Interval) Keep() time.Duration {
	const day = 24 * time.Hour
	switch i {
	case OneMinute:
		return 30 * day
	case FiveMinutes:
		return 90 * day
	case OneHour:
		return 730 * day
	case OneDay:
	}
	return 0
}

// Start is the beginning of the interval that a time falls in: intervals begin at multiples
// of their length, in UTC. The time is not before 1970.
func (i Interval) Start(at time.Time) time.Time {
	length := int64(i.Length() / time.Second)
	return time.Unix(at.Unix()/length*length, 0).UTC()
}

// Candle is what the trades of an interval did. The numbers are not changed.
type Candle struct {
	Interval Interval
	Start    time.Time
	// Open is the price before the first trade, which is that after the last trade of the
	// candle before; Close is that after the last one. All are square roots in 64.64 bits.
	Open, High, Low, Close *big.Int
	// Lamports and Tokens add up those of the trades.
	Lamports, Tokens *big.Int
	Trades           uint64
}

// Then is a candle with the trades of a later part of the same interval.
func (c Candle) Then(later Candle) Candle {
	c.Close = later.Close
	if later.High.Cmp(c.High) > 0 {
		c.High = later.High
	}
	if later.Low.Cmp(c.Low) < 0 {
		c.Low = later.Low
	}
	c.Lamports = new(big.Int).Add(c.Lamports, later.Lamports)
	c.Tokens = new(big.Int).Add(c.Tokens, later.Tokens)
	c.Trades += later.Trades
	return c
}

// candle is that of a single trade.
func (t Trade) candle(i Interval) Candle {
	c := Candle{
		Interval: i, Start: i.Start(t.At), Open: t.SqrtBefore, High: t.SqrtBefore, Low: t.SqrtAfter, Close: t.SqrtAfter,
		Lamports: new(big.Int).SetUint64(t.Lamports), Tokens: new(big.Int).SetUint64(t.Tokens), Trades: 1,
	}
	if c.High.Cmp(c.Low) < 0 {
		c.High, c.Low = c.Low, c.High
	}
	return c
}

// CandleKey tells one candle of a curve from another.
type CandleKey struct {
	Interval Interval
	Start    int64 // in Unix seconds
}

// Key is the candle's.
func (c Candle) Key() CandleKey { return CandleKey{c.Interval, c.Start.Unix()} }

// Candles are the candles of successive trades, of all intervals.
type Candles map[CandleKey]Candle

// Add adds a later trade.
func (c Candles) Add(t Trade) {
	for _, interval := range Intervals() {
		one := t.candle(interval)
		if before, there := c[one.Key()]; there {
			one = before.Then(one)
		}
		c[one.Key()] = one
	}
}
