package launchpad

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
)

// TradePage are trades of a curve, the newest first. Next is where the next page begins, for
// Trades; zero after the last one.
type TradePage struct {
	Decimals int // of the token
	Trades   []market.Trade
	Next     uint64
}

// CandlePage are candles of a curve, the newest first. Next is where the next page begins,
// for Candles; zero after the last one.
type CandlePage struct {
	Decimals int // of the token
	Candles  []market.Candle
	Next     time.Time
}

// Trades lists up to limit trades of the curve of a mint, the newest first: those before a
// number, or the newest of all when it is zero. It fails with launchpad_not_found.
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

// Candles lists up to limit candles of the curve of a mint, the newest first: those that start
// before a time, or the newest of all when it is zero. It fails with launchpad_not_found.
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

// curveOf gives the curve whose trades are told. One that is not recorded on the chain yet has
// none.
func (s Service) curveOf(ctx context.Context, mint solana.PublicKey) (market.Curve, error) {
	c, err := s.Store.Curve(ctx, mint)
	if errors.Is(err, market.ErrNotFound) {
		var v view
		v, err = s.viewOf(ctx, mint)
		c = v.curve
	}
	return c, err
}
