package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

// pay pays the creator and the holders, asset by asset, and then proves the payments.
func (m Machine) pay(ctx context.Context, head Head, r Run) (payout.Next, error) {
	switch {
	case r.Payment == nil && r.Kind() != Distribution:
		return m.planClaim(ctx, head, r)
	case r.Payment == nil:
		return m.plan(ctx, head, r)
	}
	for leg := range r.Payment.Legs {
		if !r.Payment.Legs[leg].Done {
			return m.payLeg(ctx, head, r, leg)
		}
	}
	if r.handsOver() && r.Handed == nil {
		return m.handOver(ctx, r)
	}
	if r.Closing == nil {
		if vain, err := m.vain(ctx, r); err != nil {
			return payout.Next{}, err
		} else if vain {
			if r.Kind() == Sweep {
				if head, err = m.swept(ctx, head, r); err != nil {
					return payout.Next{}, err
				}
			}
			return m.end(ctx, head, r, End{
				Code: CodeBelowCost, Detail: "No one who is to be paid can be paid now. The last proof has the reason of each.",
			})
		}
		return m.closeBooks(ctx, head, r)
	}
	return m.anchor(ctx, head, r)
}

// payLeg pays the creator's part of a leg, then the holders' part.
func (m Machine) payLeg(ctx context.Context, head Head, r Run, number int) (payout.Next, error) {
	r.Payment.Legs = slices.Clone(r.Payment.Legs)
	leg := &r.Payment.Legs[number]
	if leg.CreatorPaid == nil {
		return m.payCreator(ctx, r, number)
	}
	if leg.Payments > 0 {
		if next, sent, err := m.phase(ctx, head, r, payout.Pay, number, &leg.Chunks); err != nil || !next.Done {
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

// payCreator pays all wallets of the creator concurrently.
func (m Machine) payCreator(ctx context.Context, r Run, number int) (payout.Next, error) {
	leg := &r.Payment.Legs[number]
	parts := slices.Clone(r.CreatorParts(number))
	var wait []time.Duration
	for i := range parts {
		moved, next, err := m.payPart(ctx, r, number, i)
		if err != nil {
			return next, err
		}
		if parts[i].Paid = moved; moved == nil {
			wait = append(wait, next.After)
		}
	}
	if len(wait) > 0 {
		return payout.Next{After: slices.Min(wait)}, nil
	}
	leg.decided(parts)
	return m.save(ctx, r)
}

// payPart pays one of the creator's wallets. It returns nil while the payment is undecided.
func (m Machine) payPart(ctx context.Context, r Run, number, i int) (*Movement, payout.Next, error) {
	leg, part := r.Payment.Legs[number], r.CreatorParts(number)[i]
	least := worthCost * m.Costs.Transaction
	if !leg.Currency.Asset.IsSOL() {
		least = exchange.MulDiv(leg.Worth, uint64(leg.Version.Batch(leg.Currency.Asset)), 1)
		if len(leg.Parts) > 0 && leg.RentFloor != never { // the transfer may create an account
			least = max(least, leg.RentFloor)
		}
	}
	switch amount := part.Amount(); {
	case amount == 0:
		return &Movement{}, payout.Next{}, nil
	case r.Kind() == HolderClaim:
		return &Movement{Why: "It is paid by the next distribution.", Reason: reasonClaim}, payout.Next{}, nil
	case number == 0 && r.saleUndecided():
		return &Movement{Why: noTime, Reason: payout.ReasonLate}, payout.Next{}, nil
	case amount < least || leg.Worth == never:
		return &Movement{Why: "It is not yet worth the cost of sending it.", Reason: reasonBelowCost}, payout.Next{}, nil
	case part.Wallet == r.Token.Wallet.Address: // a transfer to itself moves nothing
		return &Movement{Why: "The creator's wallet is the distribution wallet itself.", Reason: reasonRefused}, payout.Next{}, nil
	}
	payment, err := m.paymentOf(ctx, r, payout.ID{Run: r.ID, Kind: payout.Creator, Leg: number, Batch: i})
	if err != nil {
		return nil, payout.Next{}, err
	}
	if payment.Status() == payout.Bound && !m.Now().Before(r.Deadline) {
		return m.putOffPart(ctx, payment, payout.ReasonLate, noTime)
	}
	if payment.Version == 0 {
		room, err := m.Rooms.Room(ctx, r.Mint, r.ID, leg.Currency.Asset)
		if err != nil {
			return nil, payout.Next{}, fmt.Errorf("read how much can be paid: %w", err)
		}
		if part.Amount() > room {
			return m.putOffPart(ctx, payment, reasonLimit, overLimit)
		}
	}
	payment.Asset, payment.Amount = leg.Currency.Asset, part.Amount()
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
	if err != nil || !payment.Status().Decided() {
		return nil, next, err
	}
	return new(movement(payment)), next, nil
}

// putOffPart decides not to pay a wallet of the creator in this run, unless a payment to the wallet
// is signed.
func (m Machine) putOffPart(ctx context.Context, payment payout.Payment, reason payout.Reason, why string) (*Movement, payout.Next, error) {
	decided, err := m.Engine.Cancel(ctx, payment, reason, why)
	if err != nil || !decided.Status().Decided() {
		return nil, payout.Next{}, err
	}
	return new(movement(decided)), payout.Next{}, nil
}
