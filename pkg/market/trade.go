package market

import (
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"
)

// KeepTrades is the time for which a trade is listed.
const KeepTrades = 365 * 24 * time.Hour

// Trade is a purchase or a sale on a curve, with the trader's amounts. The numbers are read-only.
type Trade struct {
	// Number counts the trades of a curve from 1, in the order of the chain. A transaction may
	// contain several trades.
	Number    uint64
	Signature solana.Signature
	Slot      uint64
	At        time.Time
	// Trader is the wallet that signed for the trade, or the account of a router. Trader is zero if
	// an unknown instruction made the trade.
	Trader solana.PublicKey
	Bought bool // false for a sale
	// Lamports were paid, including Fee, or received, without Fee. Tokens were received after tax,
	// or sent before tax.
	Lamports, Tokens uint64
	Fee              uint64 // in lamports
	// SqrtBefore and SqrtAfter are prices: square roots in 64.64 bits.
	SqrtBefore, SqrtAfter *big.Int
}

// Interval is the length of a candle.
type Interval string

// The intervals.
const (
	OneMinute   Interval = "1m"
	FiveMinutes Interval = "5m"
	OneHour     Interval = "1h"
	OneDay      Interval = "1d"
)

// Intervals returns all intervals, shortest first.
func Intervals() []Interval { return []Interval{OneMinute, FiveMinutes, OneHour, OneDay} }

// Length returns the length of an interval, or zero for an unknown interval.
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

// Keep returns the time for which a candle is listed after its start; zero means permanently.
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

// Start returns the start of the interval that contains a time. Intervals start at multiples of
// their length, in UTC. The time must not be before 1970.
func (i Interval) Start(at time.Time) time.Time {
	length := int64(i.Length() / time.Second)
	return time.Unix(at.Unix()/length*length, 0).UTC()
}

// Candle is the summary of the trades in an interval. The numbers are read-only.
type Candle struct {
	Interval Interval
	Start    time.Time
	// Open is the price before the first trade, which is the price after the last trade of the
	// previous candle. Close is the price after the last trade. All prices are square roots in
	// 64.64 bits.
	Open, High, Low, Close *big.Int
	// Lamports and Tokens are the sums over the trades.
	Lamports, Tokens *big.Int
	Trades           uint64
}

// Then returns the candle with the trades of a later part of the same interval.
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

// candle returns the candle of a single trade.
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

// CandleKey identifies a candle of a curve.
type CandleKey struct {
	Interval Interval
	Start    int64 // in Unix seconds
}

// Key returns the candle's key.
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
