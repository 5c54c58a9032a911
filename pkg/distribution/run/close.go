package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/proof/allocation"
)

// closeBooks creates the proof of a run whose payments are all decided.
func (m Machine) closeBooks(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if next, err := m.returns(ctx, head, r, true); err != nil || !next.Done {
		return next, err
	}
	// Sum first: a later read that disagrees is then noticed below.
	moved, err := Sum(ctx, m.Payments, r)
	if err != nil {
		return payout.Next{}, err
	}
	if r, err = m.reread(ctx, r); err != nil {
		return payout.Next{}, err
	}
	has, err := m.balances(ctx, r, max(r.Snapshot.ChainSlot, moved.ChainSlot))
	if err != nil {
		return payout.Next{}, err
	}
	late, err := r.Late()
	if err != nil {
		return payout.Next{}, err
	}
	total := head.Unproven.Plus(moved).Plus(late)
	order := CloseOrder{Totals: total, Late: late, Balances: has, Head: head}
	for _, slot := range head.Unlisted {
		unlisted, err := m.Store.Run(ctx, r.Mint, slot)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read the run of %s, which came to no proof: %w", slot, err)
		}
		order.Unlisted = append(order.Unlisted, unlisted)
	}
	closed, err := m.Books.Close(ctx, r, order)
	if moved.Unknown > 0 { // an operator may have resolved a payment since Sum
		if now, bad := Sum(ctx, m.Payments, r); bad != nil || now.Unknown != moved.Unknown {
			return after(0), bad
		}
	}
	if imbalance := (*Imbalance)(nil); errors.As(err, &imbalance) {
		metric.Log(ctx, m.Log, "ALARM: books do not balance; the mint is frozen",
			metric.Line{Values: []metric.Value{payout.UndecidedAmounts.Is(1)}, As: slog.LevelError}, append(r.about(), slog.String("cause", err.Error()))...)
		head.Frozen = "The books of run " + r.ID + " do not balance."
		return m.end(ctx, head, r, End{Code: CodeBooks, Detail: "The run's books do not balance, so nothing moves until we have looked into it.", Failed: true, Discrepancies: imbalance.Discrepancies})
	}
	if err != nil {
		return payout.Next{}, fmt.Errorf("close the books: %w", err)
	}
	r.Closing = &Closing{
		Balances: has, At: m.Now().UTC(), Legs: closed.Legs, FeesLamports: moved.Fees, RentLamports: moved.Rent,
		Root: closed.Root, Manifest: closed.Manifest, Memo: closed.Memo,
		Owed: closed.Owed, Remainder: closed.Remainder, Reserved: closed.Reserved, Late: closed.Late, Stated: closed.Stated,
		Unknown: total.Unknowns, Holders: closed.Holders,
	}
	return m.save(ctx, r)
}

// reread returns the run with the newest results of payments that were undecided when the run
// recorded the payments.
func (m Machine) reread(ctx context.Context, r Run) (Run, error) {
	p := *r.Payment
	p.Legs = slices.Clone(p.Legs)
	r.Payment = &p
	for number := range p.Legs {
		leg := &p.Legs[number]
		if leg.CreatorPaid.Reason != reasonUndecided {
			continue
		}
		parts := slices.Clone(r.CreatorParts(number))
		for i := range parts {
			if parts[i].Paid.Reason != reasonUndecided {
				continue
			}
			payment, err := m.paymentOf(ctx, r, payout.ID{Run: r.ID, Kind: payout.Creator, Leg: number, Batch: i})
			if err != nil {
				return r, err
			}
			parts[i].Paid = new(movement(payment))
		}
		leg.decided(parts)
	}
	return m.lateSale(ctx, r)
}

// lateSale adds a sale to the run that was undecided at the plan. Such a run has planned no
// payments in the reward. The next run pays the proceeds.
func (m Machine) lateSale(ctx context.Context, r Run) (Run, error) {
	if !r.saleUndecided() {
		return r, nil
	}
	leg := &r.Payment.Legs[0]
	for try := range maxTries {
		payment, err := m.payment(ctx, r, payout.Exchange, try)
		if err != nil {
			return r, err
		}
		if payment.Status() != payout.Landed {
			continue
		}
		e := Exchange{Tries: r.Exchange.Tries, Movement: movement(payment)}
		if err := m.sold(r, payment, r.Reward.Asset, &e); err != nil {
			return r, err
		}
		r.Exchange = &e
		s := r.Settings
		r.Payment.CreatorShare = allocation.Creator(r.Exchange.Proceeds, s.BurnBps, s.DeveloperFeeBps)
		r.Payment.HoldersShare = r.Exchange.Proceeds - r.Payment.CreatorShare
		leg.Share += r.Payment.HoldersShare
		leg.Creator += r.Payment.CreatorShare
		r.divide(leg, r.Payment.CreatorShare)
		parts := slices.Clone(r.CreatorParts(0))
		for i := range parts {
			parts[i].Paid = &Movement{}
			if parts[i].Amount() > 0 {
				parts[i].Paid.Why, parts[i].Paid.Reason = noTime, payout.ReasonLate
			}
		}
		leg.decided(parts)
		return r, nil
	}
	return r, nil
}
