package run

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// phase works on a single stripe itself, and sends several stripes to the queue, AtOnce at most.
// phase sends stripes again after OverdueAfter without an end. It returns Done once every batch is
// decided, according to the payments and not to messages. sent reports that s has changed.
func (m Machine) phase(ctx context.Context, head Head, r Run, kind payout.Kind, leg int, s *Stripes) (next payout.Next, sent bool, err error) {
	p, err := r.Phase(kind, leg)
	if err != nil {
		return payout.Next{}, false, err
	}
	work := func(stripe int) payout.Work {
		return payout.Work{Mint: r.Mint, Slot: r.Slot, Run: r.ID, Kind: kind, Leg: leg, Stripe: stripe, Fence: s.Fence}
	}
	if s.Here {
		if next, err := m.Engine.Work(ctx, work(s.Begun-1)); err != nil || !next.Done {
			return next, false, err
		}
	}
	ended, err := m.Payments.StripesDone(ctx, r.ID, kind, leg)
	if err != nil {
		return payout.Next{}, false, err
	}
	from, total, now := max(s.Begun-s.AtOnce, 0), p.Stripes(), m.Now().UTC()
	switch {
	case ended >= total:
		open, err := m.undecided(ctx, p)
		if err != nil || !open {
			return done, false, err
		}
		from = 0
	case ended >= s.Begun:
		if s.Begun > 0 && kind == payout.Pay { // the returned rent is for the next stripes
			if next, err := m.returns(ctx, head, r, false); err != nil || !next.Done {
				return next, false, err
			}
		}
		from, s.Begun = s.Begun, min(s.Begun+s.AtOnce, total)
		if !now.Before(p.Deadline) {
			s.Begun = total // after the deadline, payments only record that there was no time
		}
	case now.Sub(s.SentAt) < OverdueAfter:
		return after(OverdueAfter - now.Sub(s.SentAt)), false, nil // the end of a stripe calls earlier
	}
	s.Fence++
	s.SentAt, s.Here = now, s.Begun-from == 1
	if s.Here {
		return after(0), true, nil
	}
	messages := make([]payout.Work, 0, s.Begun-from)
	for number := from; number < s.Begun; number++ {
		messages = append(messages, work(number))
	}
	if err := m.Stripes.Hand(ctx, messages); err != nil {
		return payout.Next{}, false, fmt.Errorf("hand out %d stripes: %w", len(messages), err)
	}
	return after(OverdueAfter), true, nil
}

// undecided reports whether the phase has an undecided payment.
func (m Machine) undecided(ctx context.Context, p payout.Phase) (bool, error) {
	var stored []payout.Payment
	for payment, err := range m.Payments.Payments(ctx, p.Run, p.Kind, p.Leg) {
		if err != nil {
			return false, fmt.Errorf("list the payments of run %s: %w", p.Run, err)
		}
		stored = append(stored, payment)
	}
	for range payout.Undecided(p, 0, p.Batches(), stored) {
		return true, nil
	}
	return false, nil
}

// saveSent writes the run if its phase was just sent to the queue.
func (m Machine) saveSent(ctx context.Context, r Run, next payout.Next, sent bool, err error) (payout.Next, error) {
	if err != nil || !sent {
		return next, err
	}
	if err := m.Store.Save(ctx, r); err != nil {
		return payout.Next{}, err
	}
	return next, nil
}

// Phase returns the description of a phase for the workers of the phase's batches.
func (r Run) Phase(kind payout.Kind, leg int) (payout.Phase, error) {
	p := payout.Phase{Run: r.ID, Mint: r.Mint, Wallet: r.Token.Wallet, Kind: kind, Leg: leg, Deadline: r.Deadline}
	switch {
	case kind == payout.Collect && leg == 0 && r.Collecting != nil:
		c := r.Collecting
		p.File, p.Records, p.BatchSize, p.Stripe, p.Fence = c.File, c.Accounts, c.BatchSize, c.Stripes.Size, c.Stripes.Fence
		p.Version = c.Version
		p.Asset, p.Program, p.Decimals = r.own().Asset, r.own().Program, r.Token.Decimals
		return p, nil
	case kind == payout.Pay && r.Payment != nil && leg < len(r.Payment.Legs):
		l := r.Payment.Legs[leg]
		p.File, p.Records, p.BatchSize, p.Stripe, p.Fence = l.File, l.Payments, l.BatchSize, l.Stripes.Size, l.Stripes.Fence
		p.Version = l.Version
		p.Asset, p.Program, p.Decimals = l.Coin.Asset, l.Coin.Program, l.Coin.Decimals
		p.FeeBps, p.MaximumFee = l.Coin.FeeBps, l.Coin.MaximumFee
		p.RentFloor, p.AccountCharge = l.RentFloor, l.AccountCharge
		return p, nil
	}
	return payout.Phase{}, fmt.Errorf("run %s has no phase %s of leg %d", r.ID, kind, leg)
}

// Phases reads phases from the ledger, and freezes tokens. Recovered is as in Machine.
type Phases struct {
	Store     Store
	Recovered time.Time
}

// freezeTries is the maximum number of reads of a freeze when other workers write concurrently.
const freezeTries = 5
