package run

import (
	"context"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// burn destroys the part for burning, once the rest is known to be exchangeable. A burn cannot be
// undone.
func (m Machine) burn(ctx context.Context, head Head, r Run) (payout.Next, error) {
	payment, err := m.payment(ctx, r, payout.Burn, 0)
	if err != nil {
		return payout.Next{}, err
	}
	if payment.Version == 0 {
		if decided, next, err := m.worthwhile(ctx, head, &r); decided || err != nil {
			return next, err
		}
	}
	if r.Split.Burn == 0 {
		r.Burn = &Movement{At: m.Now().UTC()}
		return m.save(ctx, r)
	}
	payment.Asset, payment.Amount = r.own().Asset, r.Split.Burn
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
	if err != nil || !payment.Status().Decided() {
		return next, err
	}
	moved := movement(payment)
	if moved.Why != "" {
		return m.putOff(ctx, r, moved, "The burn failed: "+moved.Why, nil)
	}
	r.Burn = &moved
	err = m.Store.SaveBurn(ctx, r, Burn{
		Mint: r.Mint, Run: r.ID, Amount: moved.Amount, Signature: moved.Signature, ChainSlot: moved.ChainSlot, At: moved.At,
	})
	return after(0), err
}

// worthwhile checks, before the burn, whether the rest can be exchanged and is worth the cost. If
// not, worthwhile decides the run's end or delay, and writes the decision.
func (m Machine) worthwhile(ctx context.Context, head Head, r *Run) (decided bool, next payout.Next, err error) {
	if r.Split.Sell == 0 && r.Split.Burn == 0 {
		return false, next, nil
	}
	if r.Split.Sell == 0 || r.rewardIsToken() {
		if value, known := m.value(ctx, *r); known && m.belowCost(value) {
			next, err = m.tooLittle(ctx, head, *r, value)
			return true, next, err
		}
		return false, next, nil
	}
	quote, err := m.quote(ctx, head, *r, r.Split.Sell, r.Reward.Asset)
	if err == nil {
		value, known := quote.Out, r.Reward.Asset.IsSOL()
		if !known {
			value, known = m.value(ctx, *r)
		}
		if known && m.belowCost(value) {
			next, err = m.tooLittle(ctx, head, *r, value)
			return true, next, err
		}
	}
	why := deferral(err)
	switch {
	case err == nil:
		return false, next, nil
	case why == "" && m.Now().Before(r.patience()):
		return true, after(pollPause), nil // the venue does not respond
	case why == "" && apperr.KindOf(err) != apperr.Unavailable:
		return true, next, err
	case why == "":
		why = "The exchange does not answer."
	}
	next, err = m.putOff(ctx, *r, Movement{At: m.Now().UTC(), Why: why}, why, m.quoted(ctx, *r))
	return true, next, err
}
