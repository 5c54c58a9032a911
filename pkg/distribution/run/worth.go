package run

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

// value returns the worth of the run's tokens in lamports, if a venue quotes a price.
func (m Machine) value(ctx context.Context, r Run) (lamports uint64, known bool) {
	if m.Venue == nil {
		return 0, false
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: r.Split.Sell + r.Split.Burn, Output: terms.SOL,
		SlippageBps: exchange.DefaultSlippageBps,
	})
	return quote.Out, err == nil && quote.In > 0
}

// belowCost reports whether an income in lamports is too small for the costs of a run.
func (m Machine) belowCost(lamports uint64) bool {
	return lamports/terms.FullBps*costBps < overhead*m.Costs.Transaction
}

// tooLittle ends a run whose tokens are worth too little. If the last run left late payments,
// tooLittle only leaves the tokens to a later run.
func (m Machine) tooLittle(ctx context.Context, head Head, r Run, lamports uint64) (payout.Next, error) {
	why := fmt.Sprintf("What has come in is worth %s SOL, too little for the network fees of a distribution. It waits for the next.", sol(lamports))
	if head.Late > 0 {
		return m.putOff(ctx, r, Movement{At: m.Now().UTC(), Why: why}, why, nil)
	}
	if begun, err := m.cancel(ctx, r, payout.Burn, 0, reasonBelowCost, why); begun || err != nil {
		return after(0), err
	}
	return m.end(ctx, head, r, End{Code: CodeBelowCost, Detail: why})
}

// putOff leaves burn and exchange to a later run, and continues with earlier debts. If another
// worker has begun the burn, the burn continues instead. No exchange begins before the burn is
// written.
func (m Machine) putOff(ctx context.Context, r Run, burn Movement, why string, quoted *Price) (payout.Next, error) {
	p, err := m.Engine.Cancel(ctx, payout.Payment{ID: payout.ID{Run: r.ID, Kind: payout.Burn}, Mint: r.Mint}, reasonPutOff, why)
	if err != nil || !p.Status().Decided() || p.Status() == payout.Landed {
		return after(0), err
	}
	r.Burn = &burn
	r.Exchange = &Exchange{Done: true, Deferred: why, Quoted: quoted}
	r.Fuel = &Exchange{Done: true}
	return m.save(ctx, r)
}

// quoted returns the venue's price of an exchange that does not take place, so that the price
// history follows a lasting fall; nil without a price.
func (m Machine) quoted(ctx context.Context, r Run) *Price {
	if m.Venue == nil {
		return nil
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: r.Split.Sell, Output: r.Reward.Asset,
		SlippageBps: exchange.DefaultSlippageBps,
	})
	if err != nil || quote.In == 0 {
		return nil
	}
	return &Price{Asset: r.Reward.Asset, In: quote.In, Out: quote.Out, At: m.Now().UTC()}
}
