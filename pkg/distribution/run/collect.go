package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// collect brings withheld tax into the wallet: from the accounts that have some,
// or, when there are none, from the mint, where strangers may have harvested it
// to.
func (m Machine) collect(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Collecting == nil {
		file := collectFile(r)
		version, err := m.version(ctx, r)
		if err != nil {
			return payout.Next{}, err
		}
		choice, err := m.collectable(ctx, head, r, version.CollectBatch())
		if err != nil {
			return payout.Next{}, err
		}
		accounts, withheld, err := m.Holders.Withheld(ctx, r, choice, file)
		if err != nil {
			return payout.Next{}, err
		}
		c := Collecting{Accounts: accounts, Withheld: withheld, BatchSize: version.CollectBatch(), Version: version}
		if accounts > 0 {
			c.File = file
			c.Stripes = m.stripesOf(math.MaxInt32, batches(accounts, c.BatchSize)) // without receipts
		}
		r.Collecting = &c
		return m.save(ctx, r)
	}
	c := *r.Collecting
	if c.Accounts == 0 {
		if next, err := m.sweep(ctx, head, r); err != nil || !next.Done {
			return next, err
		}
	} else {
		if next, sent, err := m.phase(ctx, head, r, payout.Collect, 0, &c.Stripes); err != nil || !next.Done {
			r.Collecting = &c
			return m.saveSent(ctx, r, next, sent, err)
		}
	}
	moved, err := Sum(ctx, m.Payments, r)
	if err != nil {
		return payout.Next{}, err
	}
	c.Done, c.Collected, c.ChainSlot = true, moved.Collected, moved.ChainSlot
	r.Collecting = &c
	return m.save(ctx, r)
}

// collectable is what decides how much is collected: the wallet keeps what the rest of the
// run takes. A transaction collects from so many accounts.
func (m Machine) collectable(ctx context.Context, head Head, r Run, perTransaction uint32) (Collectable, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return Collectable{}, err
	}
	own := r.own().Asset
	held := sum(r.Opening.Reserved[own], r.Opening.Owed[own], r.Opening.CreatorOwed[own], r.Opening.Remainder[own])
	return Collectable{
		Price: head.price(), Known: r.Opening.Tokens - min(held, r.Opening.Tokens),
		PerTransaction: perTransaction, Transaction: m.Costs.Transaction, Others: overhead + r.more(),
		Spare: r.ownLamports(r.Opening.Balances), Keep: (1+singles+r.more())*rent + (overhead+r.more())*m.Costs.Transaction,
	}, nil
}

// sweep withdraws what lies on the mint, if that is worth it: anyone may have
// brought some there.
func (m Machine) sweep(ctx context.Context, head Head, r Run) (payout.Next, error) {
	payment, err := m.payment(ctx, r, payout.Collect, sweepLeg)
	if err != nil {
		return payout.Next{}, err
	}
	if payment.Version == 0 {
		accounts, _, err := m.Chain.AccountsAt(ctx, r.Opening.ChainSlot, r.Mint)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		if accounts[0] == nil {
			return payout.Next{}, fmt.Errorf("mint %s does not exist", r.Mint)
		}
		mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		fee := mint.TransferFee
		if fee == nil || fee.Withheld == 0 || !head.price().Covers(fee.Withheld, m.Costs.Transaction) {
			begun, err := m.cancel(ctx, r, payout.Collect, sweepLeg, reasonBelowCost, "What lies on the mint is not worth its collection.")
			return payout.Next{Done: !begun}, err
		}
	}
	payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
	if err != nil || !payment.Status().Decided() {
		return next, err
	}
	return done, nil
}

// phase works a stripe off that is alone, and hands several out to the queue, so many at once,
// and again when nothing was heard of them for long. It says done when every batch is decided,
// which the payments say and no message. sent says that s has changed.
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
		if s.Begun > 0 && kind == payout.Pay { // the rent that is lent is for the next
			if next, err := m.returns(ctx, head, r, false); err != nil || !next.Done {
				return next, false, err
			}
		}
		from, s.Begun = s.Begun, min(s.Begun+s.AtOnce, total)
		if !now.Before(p.Deadline) {
			s.Begun = total // they only say that there was no time
		}
	case now.Sub(s.SentAt) < OverdueAfter:
		return after(OverdueAfter - now.Sub(s.SentAt)), false, nil // a stripe's end calls before that
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

// undecided says whether anything of a phase is still to be decided.
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

// saveSent writes the run when its phase was sent to the queue just now.
func (m Machine) saveSent(ctx context.Context, r Run, next payout.Next, sent bool, err error) (payout.Next, error) {
	if err != nil || !sent {
		return next, err
	}
	if err := m.Store.Save(ctx, r); err != nil {
		return payout.Next{}, err
	}
	return next, nil
}

// cancel decides that a payment of the run which is no batch is not made. begun says that
// it was begun: then the run has to go on with it.
func (m Machine) cancel(ctx context.Context, r Run, kind payout.Kind, leg int, reason payout.Reason, why string) (begun bool, err error) {
	p, err := m.Engine.Cancel(ctx, payout.Payment{ID: payout.ID{Run: r.ID, Kind: kind, Leg: leg}, Mint: r.Mint}, reason, why)
	return p.Status() != payout.Cancelled, err
}

// Phase says what a phase is, for those who work on its batches.
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

// Phases gives phases from the ledger, and stops them. Recovered is as in Machine.
type Phases struct {
	Store     Store
	Recovered time.Time
}

// Phase gives the phase that a message is about. It fails with payout.ErrFrozen while the
// token is frozen.
func (p Phases) Phase(ctx context.Context, work payout.Work) (payout.Phase, error) {
	head, err := p.Store.Head(ctx, work.Mint)
	if err != nil {
		return payout.Phase{}, fmt.Errorf("read the head of %s: %w", work.Mint, err)
	}
	if head.Stopped(p.Recovered) {
		return payout.Phase{}, payout.ErrFrozen
	}
	r, err := p.Store.Run(ctx, work.Mint, work.Slot)
	if err != nil {
		return payout.Phase{}, fmt.Errorf("read run %s: %w", work.Run, err)
	}
	return r.Phase(work.Kind, work.Leg)
}

// freezeTries is how often a freeze reads again after another worker has written.
const freezeTries = 5

// Freeze stops a token, and says why, until an operator has resolved it. What it is frozen
// for already stays; a store that refuses all writes with payout.ErrFrozen needs no more.
func (p Phases) Freeze(ctx context.Context, mint solana.PublicKey, why string) error {
	for range freezeTries {
		head, err := p.Store.Head(ctx, mint)
		if err == nil && head.Frozen == "" {
			head.Mint, head.Frozen = mint, why
			err = p.Store.SaveHead(ctx, head)
		}
		switch {
		case err == nil, errors.Is(err, payout.ErrFrozen):
			return nil
		case !errors.Is(err, ErrConflict):
			return fmt.Errorf("write the head of %s: %w", mint, err)
		}
	}
	return ErrConflict
}

// Files of a run in the ledger's bucket.
func collectFile(r Run) string  { return fmt.Sprintf("collect/%s/%s.accounts", r.Mint, r.ID) }
func snapshotFile(r Run) string { return fmt.Sprintf("snapshots/%s/%s.holders", r.Mint, r.ID) }

// planFile has in its name what else the plan depends on, so that planning again,
// at another price, does not read a file that was written for this one.
func planFile(r Run, leg int, share, worth, room uint64) string {
	within := ""
	if room != never {
		within = fmt.Sprintf("-%d", room)
	}
	return fmt.Sprintf("plans/%s/%s-%d-%d-%d%s.plan", r.Mint, r.ID, leg, share, worth, within)
}

// never is an amount that is never owed.
const never = math.MaxUint64

// worth is what tokens were worth in SOL when some were last sold for it; zero when
// none ever were.
func (h Head) worth() snapshot.Price {
	for _, p := range slices.Backward(h.Prices) {
		if p.Asset.IsSOL() {
			return snapshot.Price{Lamports: p.Out, BaseUnits: p.In}
		}
	}
	return snapshot.Price{}
}
