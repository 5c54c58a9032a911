package run

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// anchor writes the proof to the chain, and ends the run.
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

// passed reports whether the chain is beyond a slot. An anchor must land after the slot of the
// books. This is certain on a network where finality takes time. On a local chain, the newest slot
// is final, so the anchor could land in the slot of the books.
func (m Machine) passed(ctx context.Context, r Run, slot uint64) (bool, error) {
	_, now, err := m.Chain.AccountsAt(ctx, slot, r.Token.Wallet.Address)
	if err != nil {
		return false, fmt.Errorf("look whether slot %d has passed: %w", slot, err)
	}
	return now > slot, nil
}

// anchored returns the accounts that the anchor names to show the wallet's balances: see
// format.Manifest.AnchorAccounts.
func (r Run) anchored() ([]solana.PublicKey, error) {
	list := []solana.PublicKey{r.Mint}
	coins := []Currency{r.own()}
	for _, leg := range r.Payment.Legs {
		if !leg.Currency.Asset.IsSOL() && leg.Currency.Asset != r.own().Asset {
			coins = append(coins, leg.Currency)
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

// settle writes the end of a proven run, and the opening of the next run.
func (m Machine) settle(ctx context.Context, head Head, r Run) (payout.Next, error) {
	now := m.Now().UTC()
	r.End = &End{At: now}
	c := r.Closing
	anchored, err := Sum(ctx, only{m.Payments, payout.Anchor}, r)
	if err != nil {
		return payout.Next{}, err
	}
	head.Active = time.Time{}
	if r.Kind() == Distribution || head.Ended == CodeBooks { // then the code was this run's
		head.Ended = ""
	}
	switch {
	case r.Kind() == Distribution && r.Split.Slice > 0:
		head.Earned = r.Slot
	case r.Kind() == Sweep:
		if head, err = m.swept(ctx, head, r); err != nil {
			return payout.Next{}, err
		}
	}
	number := uint64(1)
	if head.Last != nil {
		number = head.Last.Number + 1
	}
	if s := r.Snapshot; s != nil && r.Kind() == Distribution { // a claim keeps the older snapshot
		head.Snapshot = &SnapshotBefore{
			Run: r.ID, Number: number, Manifest: c.Manifest, File: s.File, SHA256: s.SHA256, ChainSlot: s.ChainSlot,
		}
	}
	head.Last = &Last{Run: r.ID, Slot: r.Slot, Number: number, Manifest: c.Manifest, Anchor: c.AnchorTx, Closing: maps.Clone(c.Stated)}
	head.Paid = nil
	if r.Settings.ChangeDelay != terms.NoDelay {
		head.Paid = new(r.Paid())
	}
	head.Unproven, head.Unlisted = anchored, nil
	if head.Rotated != nil { // the proof names the wallets before
		head.Rotated = &Rotated{Wallet: head.Rotated.Wallet}
	}
	head.Unreturned = nil
	for try := range maxTries {
		head.Unreturned = append(head.Unreturned, payout.ID{Run: r.ID, Kind: payout.Anchor, Leg: try})
	}
	head.Unknown = append(slices.Clone(head.Unknown), c.Unknown...)
	head.Resolved = slices.DeleteFunc(slices.Clone(head.Resolved), func(s Resolved) bool {
		return slices.ContainsFunc(r.Opening.Resolved, func(o Resolved) bool { return o.Payment.ID == s.Payment.ID })
	})
	head.Unsold = r.Unsold()
	head.Debts, head.Late = Debts{
		Owed: maps.Clone(c.Owed), Remainder: c.Remainder, Reserved: c.Reserved,
		CreatorOwed: map[terms.Asset]uint64{}, CreatorOwedTo: map[terms.Asset]map[solana.PublicKey]uint64{},
	}, c.Late
	for _, s := range head.Resolved { // a landed payment is not a debt any more
		if owed := head.Owed[s.Payment.Asset]; s.Landed() && owed > 0 {
			head.Owed[s.Payment.Asset] = s.Left(owed)
		}
	}
	for _, leg := range c.Legs {
		if leg.CreatorOwed > 0 {
			head.CreatorOwed[leg.Asset], head.CreatorOwedTo[leg.Asset] = leg.CreatorOwed, leg.CreatorOwedTo
		}
	}
	head.HandedOver = head.handed(r)
	head.Prices = append(slices.Clone(head.Prices), r.prices()...)
	head.Prices = head.Prices[max(0, len(head.Prices)-KeepPrices):]
	if err := m.Store.End(ctx, r, head); err != nil {
		return payout.Next{}, err
	}
	m.ended(ctx, r, slog.String("manifest", c.Manifest))
	return done, nil
}
