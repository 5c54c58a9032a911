package run

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// patience returns the time until which a run waits for the exchange: half of the run's time. The
// rest is for the payments.
func (r Run) patience() time.Time { return r.OpenedAt.Add(r.Deadline.Sub(r.OpenedAt) / 2) }

// deferral returns the reason, as a sentence, why an exchange is deferred; empty if err is not a
// deferral.
func deferral(err error) string {
	var deferred *exchange.Deferred
	if errors.As(err, &deferred) {
		return deferred.Detail
	}
	return ""
}

// quote requests a quote for the largest part of amount that keeps to the limits.
func (m Machine) quote(ctx context.Context, head Head, r Run, amount uint64, into terms.Asset) (exchange.Quote, error) {
	if m.Venue == nil {
		return exchange.Quote{}, exchange.Defer(exchange.NoVenue, "There is nowhere to exchange tokens.")
	}
	limits := exchange.DefaultLimits()
	order := exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: amount, Output: into, SlippageBps: limits.SlippageBps, TaxBps: int(r.Token.FeeBps),
	}
	return exchange.LargestThatFits(ctx, m.Venue, order, limits, head.prices(into), maxQuotes, m.Now)
}

// prices returns the newest prices in an asset, oldest first.
func (h Head) prices(asset terms.Asset) []exchange.Price {
	var list []exchange.Price
	for _, p := range h.Prices {
		if p.Asset == asset {
			list = append(list, exchange.Price{In: p.In, Out: p.Out})
		}
	}
	return list
}

// probePart is the divisor of the supply for price requests. The amount is so small that a sale
// would hardly move the price.
const probePart = 10_000

// probe requests the price of an amount.
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
