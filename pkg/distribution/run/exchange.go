package run

import (
	"cmp"
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

// exchange sells tokens: first the part for the wallet's own fees if the wallet runs low, then the
// rest for the reward asset.
func (m Machine) exchange(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Fuel == nil || !r.Fuel.Done {
		return m.fuel(ctx, head, r)
	}
	if r.Exchange == nil {
		r.Exchange = &Exchange{}
	}
	e := *r.Exchange
	amount := r.Split.Sell - r.Fuel.Sold
	if amount == 0 || r.rewardIsToken() {
		e.Done, e.Proceeds = true, amount
		r.Exchange = &e
		return m.save(ctx, r)
	}
	next, err := m.sell(ctx, head, r, payout.Exchange, amount, r.Reward.Asset, &e)
	return m.saveTry(ctx, &r, &r.Exchange, e, next, err)
}

// saveTry writes an exchange that has ended or failed once more. into is r's.
func (m Machine) saveTry(ctx context.Context, r *Run, into **Exchange, e Exchange, next payout.Next, err error) (payout.Next, error) {
	if err != nil || !e.Done && e.Tries == (*into).Tries {
		return next, err
	}
	*into = &e
	if err := m.Store.Save(ctx, *r); err != nil {
		return payout.Next{}, err
	}
	if e.Done {
		return after(0), nil
	}
	return next, nil
}

// fuel sells tokens for SOL if the reward is a token and the wallet runs low.
func (m Machine) fuel(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Fuel == nil {
		r.Fuel = &Exchange{}
		if r.Reward.Asset.IsSOL() || r.Split.Sell == 0 {
			r.Fuel.Done = true
			return m.save(ctx, r)
		}
		amount, err := m.fuelAmount(ctx, head, r)
		if err != nil {
			return payout.Next{}, err
		}
		r.Split.FuelSell = amount
		r.Fuel.Done = amount == 0
		return m.save(ctx, r)
	}
	e := *r.Fuel
	next, err := m.sell(ctx, head, r, payout.Fuel, r.Split.FuelSell, terms.SOL, &e)
	return m.saveTry(ctx, &r, &r.Fuel, e, next, err)
}

// fuelAmount returns the number of tokens to sell to restore the wallet's float, at most a fiftieth
// of the tokens for sale. It returns zero without a price: the run then continues with the wallet's
// present lamports.
func (m Machine) fuelAmount(ctx context.Context, head Head, r Run) (uint64, error) {
	has, err := m.balances(ctx, r, r.Snapshot.ChainSlot)
	if err != nil {
		return 0, err
	}
	lent, err := m.lent(ctx, head, r)
	if err != nil {
		return 0, err
	}
	own := r.ownLamports(has) + lent
	if own >= m.Costs.Float {
		return 0, nil
	}
	most := exchange.MulDiv(r.Split.Sell, costBps, terms.FullBps)
	if most == 0 {
		return 0, nil
	}
	quote, err := m.quote(ctx, head, r, most, terms.SOL)
	if err != nil {
		m.Log.InfoContext(ctx, "no price for the wallet's own costs", "run", r.ID, "cause", err.Error())
		return 0, nil //nolint:nilerr // it is not needed now
	}
	return min(exchange.MulDiv(quote.In, m.Costs.Float-own, max(quote.Out, 1)), quote.In), nil
}

// sell exchanges tokens, and sets e at the end of the exchange. After maxTries decided failures the
// exchange is deferred.
func (m Machine) sell(ctx context.Context, head Head, r Run, kind payout.Kind, amount uint64, into terms.Asset, e *Exchange) (payout.Next, error) {
	payment, err := m.payment(ctx, r, kind, e.Tries)
	if err != nil {
		return payout.Next{}, err
	}
	giveUp := func(reason payout.Reason, why string) (payout.Next, error) {
		begun, err := m.cancel(ctx, r, kind, e.Tries, reason, why)
		if err == nil && !begun {
			e.Deferred, e.Done = why, true
		}
		return payout.Next{}, err
	}
	if unsigned(payment) && !m.Now().Before(r.patience()) {
		return giveUp(payout.ReasonLate, cmp.Or(e.Why, "There was no time left for the exchange."))
	}
	if payment.Version == 0 {
		room, err := m.Rooms.Room(ctx, r.Mint, r.ID, r.own().Asset)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read how much can be sold: %w", err)
		}
		if room == 0 {
			return giveUp(reasonLimit, overLimit)
		}
		payment.Asset, payment.Amount = r.own().Asset, min(amount, room)
	}
	amount = payment.Amount
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, func(ctx context.Context) (payout.Payload, error) {
		return m.swap(ctx, head, r, amount, into)
	})
	if err != nil || !payment.Status().Decided() {
		return next, err
	}
	e.Movement = movement(payment)
	switch {
	case e.Why == "":
		return payout.Next{}, m.sold(r, payment, into, e)
	case payment.Status() == payout.Unknown:
		e.Done = true
	default:
		e.Tries++
		e.Done = e.Tries == maxTries
	}
	if e.Done {
		e.Deferred = e.Why
	}
	return after(retryPause), nil
}

// unsigned reports whether an undecided payment has no signed transaction in the ledger.
func unsigned(p payout.Payment) bool {
	return p.Status() == payout.Planned || p.Status() == payout.Bound
}

// sold reads the sold amount and the proceeds from the transaction.
func (m Machine) sold(r Run, payment payout.Payment, into terms.Asset, e *Exchange) error {
	var t Totals
	if err := t.Add(r, payment); err != nil {
		return err
	}
	e.Done, e.Sold, e.Proceeds = true, t.Sold+t.FuelSold, t.Proceeds[into]+t.Fuel
	e.Amount = e.Sold
	return nil
}
