package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// closeBooks makes the proof of a run whose movements are all decided.
func (m Machine) closeBooks(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if next, err := m.returns(ctx, head, r, true); err != nil || !next.Done {
		return next, err
	}
	// First, so that what is read after it and says otherwise is found below.
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
	if moved.Unknown > 0 { // what an operator has resolved meanwhile may be in the rows, and not in the totals
		if now, bad := Sum(ctx, m.Payments, r); bad != nil || now.Unknown != moved.Unknown {
			return after(0), bad
		}
	}
	if imbalance := (*Imbalance)(nil); errors.As(err, &imbalance) {
		metric.Log(ctx, m.Log, "ALARM: books do not balance; the mint is frozen",
			metric.Line{Values: []metric.Value{metric.Undecided.Is(1)}, As: slog.LevelError}, append(r.about(), slog.String("cause", err.Error()))...)
		head.Frozen = "The books of run " + r.ID + " do not balance."
		return m.end(ctx, head, r, End{Code: CodeBooks, Detail: "The run's books do not balance, so nothing moves until we have looked into it.", Failed: true, Lacks: imbalance.Lacks})
	}
	if err != nil {
		return payout.Next{}, fmt.Errorf("close the books: %w", err)
	}
	r.Closing = &Closing{
		Balances: has, At: m.Now().UTC(), Legs: closed.Legs, FeesLamports: moved.Fees, RentLamports: moved.Rent,
		Root: closed.Root, Manifest: closed.Manifest, Memo: closed.Memo,
		Owed: closed.Owed, Remainder: closed.Remainder, Reserved: closed.Reserved, Late: closed.Late, Stated: closed.Stated,
		Unknown: total.Unknowns,
	}
	return m.save(ctx, r)
}

// reread gives a run with what became since of movements that were undecided when they
// were written down.
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

// noTime is why what is owed waits for the next run.
const noTime = "There was no time left for it."

// saleUndecided says that it cannot be said whether the sale for the holders landed. Nothing is
// paid in the reward then, also of what was owed before: see lateSale.
func (r Run) saleUndecided() bool { return r.Exchange.Reason == reasonUndecided }

// lateSale gives a run the sale that was undecided when its payments were planned. What it
// brought is owed and paid by the next run. Where the leg has payments of what was owed
// before, as runs once had, there is no place for it in the rows, and the books say so.
func (m Machine) lateSale(ctx context.Context, r Run) (Run, error) {
	leg := &r.Payment.Legs[0]
	if r.Exchange.Sold > 0 || r.rewardIsToken() || leg.Payments > 0 || leg.CreatorPaid.Amount > 0 {
		return r, nil
	}
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

// anchor puts the proof on the chain, and ends the run.
func (m Machine) anchor(ctx context.Context, head Head, r Run) (payout.Next, error) {
	c := *r.Closing
	for try := range maxTries {
		payment, err := m.payment(ctx, r, payout.Anchor, try)
		if err != nil {
			return payout.Next{}, err
		}
		if payment.Status() == payout.Planned {
			if passed, err := m.passed(ctx, r, c.ChainSlot); err != nil || !passed {
				return after(min(max(m.Now().Sub(c.At), nextSlot), pollPause)), err
			}
		}
		payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
		if err != nil || !payment.Status().Decided() {
			return next, err
		}
		moved := movement(payment)
		r.Anchor = &moved
		if payment.Status() == payout.Landed {
			signed, err := m.Engine.Signed(ctx, payment)
			if err != nil {
				return payout.Next{}, err
			}
			if c.AnchorTx, err = m.Books.Keep(ctx, signed); err != nil {
				return payout.Next{}, fmt.Errorf("keep the anchor: %w", err)
			}
			break
		}
	}
	r.Closing = &c
	return m.settle(ctx, head, r)
}

// passed says whether the chain has come beyond a slot. An anchor must land after the slot of
// the books. On a network where finality takes time it always does; on a local chain, whose
// newest slot is final, it could land in the same one.
func (m Machine) passed(ctx context.Context, r Run, slot uint64) (bool, error) {
	_, now, err := m.Chain.AccountsAt(ctx, slot, r.Token.Wallet.Address)
	if err != nil {
		return false, fmt.Errorf("look whether slot %d has passed: %w", slot, err)
	}
	return now > slot, nil
}

// anchored are the accounts that the anchor names, so that it shows what the wallet has:
// see proof.Manifest.AnchorAccounts.
func (r Run) anchored() ([]solana.PublicKey, error) {
	list := []solana.PublicKey{r.Mint}
	coins := []Coin{r.own()}
	for _, leg := range r.Payment.Legs {
		if !leg.Coin.Asset.IsSOL() && leg.Coin.Asset != r.own().Asset {
			coins = append(coins, leg.Coin)
		}
	}
	for _, coin := range coins {
		address, err := token2022.AssociatedAddress(r.Token.Wallet.Address, coin.Asset.Mint(), coin.Program)
		if err != nil {
			return nil, fmt.Errorf("find the wallet's account of %s: %w", coin.Asset, err)
		}
		list = append(list, address)
	}
	return append(list, solana.TokenProgramID, solana.Token2022ProgramID), nil
}

// settle writes the end of a run that has come to its proof, and what the next one
// opens with.
func (m Machine) settle(ctx context.Context, head Head, r Run) (payout.Next, error) {
	now := m.Now().UTC()
	r.End = &End{At: now}
	c := r.Closing
	anchored, err := Sum(ctx, only{m.Payments, payout.Anchor}, r)
	if err != nil {
		return payout.Next{}, err
	}
	head.Active = time.Time{}
	if r.Claim == nil || head.Ended == CodeBooks { // which was its own
		head.Ended = ""
	}
	switch {
	case r.Claim == nil && r.Split.Slice > 0:
		head.Earned = r.Slot
	case r.Claim != nil && r.Claim.Sweep:
		if head, err = m.swept(ctx, head, r); err != nil {
			return payout.Next{}, err
		}
	}
	number := uint64(1)
	if head.Last != nil {
		number = head.Last.Number + 1
	}
	if r.Claim != nil { // it has no snapshot: the last distribution's stays
		if head.Snapshot, err = m.before(ctx, head); err != nil {
			return payout.Next{}, err
		}
	} else if s := r.Snapshot; s != nil {
		head.Snapshot = &SnapshotBefore{
			Run: r.ID, Number: number, Manifest: c.Manifest, File: s.File, SHA256: s.SHA256, ChainSlot: s.ChainSlot,
		}
	}
	head.Last = &Last{Run: r.ID, Slot: r.Slot, Number: number, Manifest: c.Manifest, Closing: maps.Clone(c.Stated)}
	head.Unproven, head.Unlisted = anchored, nil
	head.Unreturned = nil
	for try := range maxTries {
		head.Unreturned = append(head.Unreturned, payout.ID{Run: r.ID, Kind: payout.Anchor, Leg: try})
	}
	head.Unknown = append(slices.Clone(head.Unknown), c.Unknown...)
	head.Resolved = slices.DeleteFunc(slices.Clone(head.Resolved), func(s Resolved) bool {
		return slices.ContainsFunc(r.Opening.Resolved, func(o Resolved) bool { return o.Payment.ID == s.Payment.ID })
	})
	head.Unsold = r.Unsold()
	head.Owed, head.Remainder, head.Reserved, head.Late = maps.Clone(c.Owed), c.Remainder, c.Reserved, c.Late
	for _, s := range head.Resolved { // what has landed is gone, though its row is set aside still
		if owed := head.Owed[s.Payment.Asset]; s.Landed() && owed > 0 {
			head.Owed[s.Payment.Asset] = s.Left(owed)
		}
	}
	head.CreatorOwed, head.CreatorOwedTo = map[terms.Asset]uint64{}, map[terms.Asset]map[solana.PublicKey]uint64{}
	for _, leg := range c.Legs {
		if leg.CreatorOwed > 0 {
			head.CreatorOwed[leg.Asset], head.CreatorOwedTo[leg.Asset] = leg.CreatorOwed, leg.CreatorOwedTo
		}
	}
	head.Prices = append(slices.Clone(head.Prices), r.prices()...)
	head.Prices = head.Prices[max(0, len(head.Prices)-KeepPrices):]
	if err := m.Store.End(ctx, r, head); err != nil {
		return payout.Next{}, err
	}
	m.ended(ctx, r, slog.String("manifest", c.Manifest))
	return done, nil
}

// Late adds up what the payments did that landed in earlier runs, which could not say so.
func (r Run) Late() (Totals, error) {
	var t Totals
	t.make()
	for _, s := range r.Opening.Resolved {
		if err := t.Add(r, s.Payment); err != nil {
			return Totals{}, err
		}
	}
	return t, nil
}

// Unsold is what the next run is to sell without burning of it again.
func (r Run) Unsold() uint64 {
	switch {
	case r.Burn.Why != "": // nothing was burned, and nothing sold
		return min(r.Opening.Unsold, r.Split.Spendable)
	case r.rewardIsToken():
		return 0
	}
	return r.Split.Sell - r.Fuel.Sold - r.Exchange.Sold
}

// prices are what the run's exchanges paid, or what was offered when the exchange
// was put off.
func (r Run) prices() (list []Price) {
	if r.Fuel.Sold > 0 {
		list = append(list, Price{Asset: terms.SOL, In: r.Fuel.Sold, Out: r.Fuel.Proceeds, At: r.Fuel.At})
	}
	switch {
	case r.Exchange.Sold > 0:
		list = append(list, Price{Asset: r.Reward.Asset, In: r.Exchange.Sold, Out: r.Exchange.Proceeds, At: r.Exchange.At})
	case r.Exchange.Quoted != nil:
		list = append(list, *r.Exchange.Quoted)
	}
	return list
}
