package run

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// patience is until when a run waits for its exchange: half of its time, the rest
// is for paying.
func (r Run) patience() time.Time { return r.OpenedAt.Add(r.Deadline.Sub(r.OpenedAt) / 2) }

// deferral says, in a sentence, why an exchange is put off; empty when err is
// none.
func deferral(err error) string {
	var deferred *exchange.Deferred
	if errors.As(err, &deferred) {
		return deferred.Detail
	}
	return ""
}

// quote asks what selling tokens brings, the largest amount of them that keeps to
// the limits.
func (m Machine) quote(ctx context.Context, head Head, r Run, amount uint64, into terms.Asset) (exchange.Quote, error) {
	if m.Venue == nil {
		return exchange.Quote{}, exchange.Defer(exchange.NoVenue, "There is nowhere to exchange tokens.")
	}
	limits := exchange.DefaultLimits()
	order := exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: amount, Output: into, SlippageBps: limits.SlippageBps, TaxBps: int(r.Token.FeeBps),
	}
	return exchange.LargestThatFits(ctx, m.Venue, order, limits, head.prices(into), mostQuotes, m.Now)
}

// prices gives the newest prices in an asset, oldest first.
func (h Head) prices(asset terms.Asset) []exchange.Price {
	var list []exchange.Price
	for _, p := range h.Prices {
		if p.Asset == asset {
			list = append(list, exchange.Price{In: p.In, Out: p.Out})
		}
	}
	return list
}

// probePart is the part of the supply that venues are asked the price of: small enough
// that it hardly moves the price.
const probePart = 10_000

// probe asks the price of an amount.
func (m Machine) probe(ctx context.Context, r Run, amount uint64, into terms.Asset) (Price, error) {
	if m.Venue == nil {
		return Price{}, exchange.Defer(exchange.NoVenue, "There is nowhere to exchange tokens.")
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: amount, Output: into, SlippageBps: exchange.DefaultSlippageBps,
	})
	if err != nil {
		return Price{}, err
	}
	if quote.In == 0 || quote.Out == 0 {
		return Price{}, exchange.Defer(exchange.NoRoute, "The venue names no price.")
	}
	return Price{Asset: into, In: quote.In, Out: quote.Out, At: m.Now().UTC()}, nil
}
