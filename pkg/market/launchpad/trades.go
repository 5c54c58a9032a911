package launchpad

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
)

// TradePage is a page of a curve's trades, the newest first. Next is the argument before of Trades
// for the next page, or zero after the last page.
type TradePage struct {
	Decimals int // of the token
	Trades   []market.Trade
	Next     uint64
}

// CandlePage is a page of a curve's candles, the newest first. Next is the argument before of
// Candles for the next page, or zero after the last page.
type CandlePage struct {
	Decimals int // of the token
	Candles  []market.Candle
	Next     time.Time
}

// Trades returns up to limit trades of a mint's curve, the newest first, with a number below
// before. A zero before starts with the newest trade. It returns launchpad_not_found.
func (s Service) Trades(ctx context.Context, mint solana.PublicKey, before uint64, limit int) (TradePage, error) {
	c, err := s.curveOf(ctx, mint)
	if err != nil {
		return TradePage{}, err
	}
	list, err := s.Store.Trades(ctx, mint, before, s.Now().Add(-market.KeepTrades), limit+1)
	page := TradePage{Decimals: c.Decimals, Trades: list}
	if len(list) > limit {
		page.Trades, page.Next = list[:limit], list[limit-1].Number
	}
	return page, err
}

// Candles returns up to limit candles of a mint's curve, the newest first, with a start below
// before. A zero before starts with the newest candle. It returns launchpad_not_found.
func (s Service) Candles(ctx context.Context, mint solana.PublicKey, interval market.Interval, before time.Time, limit int) (CandlePage, error) {
	c, err := s.curveOf(ctx, mint)
	if err != nil {
		return CandlePage{}, err
	}
	var since time.Time
	if keep := interval.Keep(); keep > 0 {
		since = s.Now().Add(-keep)
	}
	list, err := s.Store.Candles(ctx, mint, interval, before, since, limit+1)
	page := CandlePage{Decimals: c.Decimals, Candles: list}
	if len(list) > limit {
		page.Candles, page.Next = list[:limit], list[limit-1].Start
	}
	return page, err
}

// curveOf returns the curve of a mint. A curve that the index has not recorded yet has no trades.
func (s Service) curveOf(ctx context.Context, mint solana.PublicKey) (market.Curve, error) {
	c, err := s.Store.Curve(ctx, mint)
	if errors.Is(err, market.ErrNotFound) {
		var v view
		v, err = s.viewOf(ctx, mint)
		c = v.curve
	}
	return c, err
}
