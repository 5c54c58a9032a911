package run

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token"
)

// phase works on a single chunk itself, and sends several chunks to the queue, AtOnce at most.
// phase sends chunks again that are not done after OverdueAfter. It returns Done once every batch is
// decided, according to the payments and not to messages. sent reports that s has changed.
func (m Machine) phase(ctx context.Context, head Head, r Run, kind payout.Kind, leg int, s *Chunks) (next payout.Next, sent bool, err error) {
	p, err := r.Phase(kind, leg)
	if err != nil {
		return payout.Next{}, false, err
	}
	work := func(chunk int) payout.Work {
		return payout.Work{Mint: r.Mint, Slot: r.Slot, Run: r.ID, Kind: kind, Leg: leg, Chunk: chunk, MessageGeneration: s.MessageGeneration}
	}
	if s.Here {
		if next, err := m.Engine.Work(ctx, work(s.Begun-1)); err != nil || !next.Done {
			return next, false, err
		}
	}
	ended, err := m.Payments.ChunksDone(ctx, r.ID, kind, leg)
	if err != nil {
		return payout.Next{}, false, err
	}
	from, total, now := max(s.Begun-s.AtOnce, 0), p.Chunks(), m.Now().UTC()
	switch {
	case ended >= total:
		open, err := m.undecided(ctx, p)
		if err != nil || !open {
			return done, false, err
		}
		from = 0
	case ended >= s.Begun:
		if s.Begun > 0 && kind == payout.Pay { // the returned rent is for the next chunks
			if next, err := m.returns(ctx, head, r, false); err != nil || !next.Done {
				return next, false, err
			}
		}
		from, s.Begun = s.Begun, min(s.Begun+s.AtOnce, total)
		if !now.Before(p.Deadline) {
			s.Begun = total // after the deadline, payments only record that there was no time
		}
	case now.Sub(s.SentAt) < OverdueAfter:
		return after(OverdueAfter - now.Sub(s.SentAt)), false, nil // the end of a chunk calls earlier
	}
	s.MessageGeneration++
	s.SentAt, s.Here = now, s.Begun-from == 1
	if s.Here {
		return after(0), true, nil
	}
	messages := make([]payout.Work, 0, s.Begun-from)
	for number := from; number < s.Begun; number++ {
		messages = append(messages, work(number))
	}
	if err := m.Chunks.Hand(ctx, messages); err != nil {
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
		p.File, p.Records, p.BatchSize, p.Chunk, p.MessageGeneration = c.File, c.Accounts, c.BatchSize, c.Chunks.Size, c.Chunks.MessageGeneration
		p.Version, p.Collector = c.Version, r.Collector()
		p.Asset, p.Program, p.Decimals = r.own().Asset, r.own().Program, r.Token.Decimals
		return p, nil
	case kind == payout.Pay && r.Payment != nil && leg < len(r.Payment.Legs):
		l := r.Payment.Legs[leg]
		p.File, p.Records, p.BatchSize, p.Chunk, p.MessageGeneration = l.File, l.Payments, l.BatchSize, l.Chunks.Size, l.Chunks.MessageGeneration
		p.Version = l.Version
		p.Asset, p.Program, p.Decimals = l.Currency.Asset, l.Currency.Program, l.Currency.Decimals
		p.FeeBps, p.MaximumFee = l.Currency.FeeBps, l.Currency.MaximumFee
		p.RentFloor, p.AccountCharge = l.RentFloor, l.AccountCharge
		return p, nil
	}
	return payout.Phase{}, fmt.Errorf("run %s has no phase %s of leg %d", r.ID, kind, leg)
}

// Collector returns the authority over the withheld tax of the run's token.
func (r Run) Collector() token.Collector {
	return token.CollectorOf(r.Mint, r.Token.Creator, r.Token.Wallet.Address, r.Token.Guardian)
}

// Phases reads phases from the ledger, and freezes tokens. Recovered is as in Machine.
type Phases struct {
	Store     Store
	Recovered time.Time
}

// freezeTries is the maximum number of reads of a freeze when other workers write concurrently.
const freezeTries = 5
