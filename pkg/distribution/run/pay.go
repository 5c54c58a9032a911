package run

import (
	"context"
	"slices"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

const (
	// worthCost is how many times its own cost a payment is worth at least.
	worthCost = 20
	// worthRent is how many times its rent what is owed must be worth, before an
	// account is made for its holder.
	worthRent = 10
)

// pay pays the creator and the holders, asset by asset, and then proves it.
func (m Machine) pay(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Payment == nil {
		return m.plan(ctx, head, r)
	}
	for leg := range r.Payment.Legs {
		if !r.Payment.Legs[leg].Done {
			return m.payLeg(ctx, head, r, leg)
		}
	}
	if r.Closing == nil {
		return m.closeBooks(ctx, head, r)
	}
	return m.anchor(ctx, head, r)
}

// legacyAccountSize is the size of an account of the Token program, in bytes.
const legacyAccountSize = 165

// payLeg pays the creator's part of a leg, then the holders'.
func (m Machine) payLeg(ctx context.Context, head Head, r Run, number int) (payout.Next, error) {
	r.Payment.Legs = slices.Clone(r.Payment.Legs)
	leg := &r.Payment.Legs[number]
	if leg.CreatorPaid == nil {
		return m.payCreator(ctx, r, number)
	}
	if leg.Payments > 0 {
		if next, sent, err := m.phase(ctx, head, r, payout.Pay, number, &leg.Stripes); err != nil || !next.Done {
			return m.saveSent(ctx, r, next, sent, err)
		}
		if number < len(r.Payment.Legs)-1 {
			if next, err := m.returns(ctx, head, r, false); err != nil || !next.Done {
				return next, err
			}
		}
	}
	leg.Done = true
	return m.save(ctx, r)
}

func (m Machine) payCreator(ctx context.Context, r Run, number int) (payout.Next, error) {
	leg := &r.Payment.Legs[number]
	least := worthCost * m.Costs.Transaction
	if !leg.Coin.Asset.IsSOL() {
		least = exchange.MulDiv(leg.Worth, uint64(leg.Version.Batch(leg.Coin.Asset)), 1)
	}
	if leg.Creator == 0 || leg.Creator < least || leg.Worth == never {
		leg.CreatorPaid = &Movement{}
		if leg.Creator > 0 {
			leg.CreatorPaid.Why, leg.CreatorPaid.Reason = "It is not yet worth the cost of sending it.", reasonBelowCost
		}
		return m.save(ctx, r)
	}
	if r.Settings.DeveloperWallet == r.Token.Wallet.Address { // nothing would move
		leg.CreatorPaid = &Movement{Why: "The creator's wallet is the distribution wallet itself.", Reason: reasonRefused}
		return m.save(ctx, r)
	}
	payment, err := m.payment(ctx, r, payout.Creator, number)
	if err != nil {
		return payout.Next{}, err
	}
	payment.Asset, payment.Amount = leg.Coin.Asset, leg.Creator
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payout.Creator, number))
	if err != nil || !payment.Status().Decided() {
		return next, err
	}
	moved := movement(payment)
	leg.CreatorPaid = &moved
	return m.save(ctx, r)
}
