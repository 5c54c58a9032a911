package client

import "github.com/gagliardetto/solana-go"

// CandleInterval is how much time a candle stands for.
type CandleInterval string

// The intervals of candles.
const (
	CandleOneMinute   CandleInterval = "1m"
	CandleFiveMinutes CandleInterval = "5m"
	CandleOneHour     CandleInterval = "1h"
	CandleOneDay      CandleInterval = "1d"
)

// CandleQuery says which candles are asked for; what is zero has the default.
type CandleQuery struct {
	Cursor
	// Interval is an hour by default.
	Interval CandleInterval
}

// TradeSide is what a trader did.
type TradeSide string

// The sides of a trade.
const (
	TradeBuy  TradeSide = "buy"
	TradeSell TradeSide = "sell"
)

// TradeList is one page of the trades on a curve.
type TradeList struct {
	// Address of the token's mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	Trades      []Trade          `json:"trades"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// Trade is a purchase or a sale on a curve.
type Trade struct {
	// Counts the trades of the curve, from 1. It tells one from another; a transaction may have several.
	Number uint64 `json:"number"`
	// The transaction.
	Signature solana.Signature `json:"signature"`
	// The slot of the chain in which it landed.
	Slot uint64 `json:"slot"`
	// The time of its block.
	Time Time `json:"time"`
	// What the trader did.
	Side TradeSide `json:"side"`
	// The wallet that signed for it, or the account of a router; nil where an instruction made it that is not known.
	Trader *solana.PublicKey `json:"trader"`
	// What the trader paid, fee included, or received.
	Lamports Lamports `json:"lamports"`
	// What the trader received, after the token's tax, or sent, before it, in base units.
	TokenAmount Amount `json:"tokenAmount"`
	// The fee on the trade.
	FeeLamports Lamports `json:"feeLamports"`
	// The price before it, SOL per whole token, without fee and tax.
	PriceBefore Price `json:"priceBefore"`
	// The price after it, SOL per whole token, without fee and tax.
	Price Price `json:"price"`
}

// CandleList is one page of the candles of a curve.
type CandleList struct {
	// Address of the token's mint.
	MintAddress solana.PublicKey `json:"mintAddress"`
	// How much time a candle stands for.
	Interval CandleInterval `json:"interval"`
	Candles  []Candle       `json:"candles"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// Candle is what the trades of an interval did. Prices are SOL per whole token, without fee and tax.
type Candle struct {
	// When the interval begins.
	Time Time `json:"time"`
	// The price before the first trade, the `close` of the candle before.
	Open Price `json:"open"`
	// The highest price.
	High Price `json:"high"`
	// The lowest price.
	Low Price `json:"low"`
	// The price after the last trade.
	Close Price `json:"close"`
	// What traders paid and received, the `lamports` of all trades, in SOL.
	Volume SOL `json:"volume"`
	// The same in lamports.
	VolumeLamports Lamports `json:"volumeLamports"`
	// The `tokenAmount` of all trades, in base units, a decimal string. It may be above 2^64-1.
	VolumeTokens string `json:"volumeTokens"`
	// How many trades there were.
	Trades int `json:"trades"`
}
