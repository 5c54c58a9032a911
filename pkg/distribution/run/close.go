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
	"tokenlaunch.example/service/pkg/token/terms"
)

// closeBooks makes the proof of a run whose movements are all decided.
func (m Machine) closeBooks(ctx context.Context, head Head, r Run) (payout.Next, error) {
	moved, err := Sum(ctx, m.Intents, r)
	if err != nil {
		return payout.Next{}, err
	}
	has, err := m.balances(ctx, r, max(r.Snapshot.ChainSlot, moved.ChainSlot))
	if err != nil {
		return payout.Next{}, err
	}
	closed, err := m.Books.Close(ctx, r, CloseOrder{Totals: head.Unproven.Plus(moved), Balances: has, Head: head})
	if errors.Is(err, ErrDoesNotBalance) {
		metric.Log(ctx, m.Log, "ALARM: books do not balance; the mint is frozen",
			metric.Line{Values: []metric.Value{metric.Undecided.Is(1)}, As: slog.LevelError}, append(r.about(), slog.String("cause", err.Error()))...)
		head.Frozen = "The books of run " + r.ID + " do not balance."
		return m.end(ctx, head, r, End{Code: CodeBooks, Detail: "The run's books do not balance, so nothing moves until we have looked into it.", Failed: true})
	}
	if err != nil {
		return payout.Next{}, fmt.Errorf("close the books: %w", err)
	}
	r.Closing = &Closing{
		Balances: has, Legs: closed.Legs, FeesLamports: moved.Fees, RentLamports: moved.Rent,
		Root: closed.Root, Manifest: closed.Manifest, Memo: closed.Memo,
		Owed: closed.Owed, Remainder: closed.Remainder, Reserved: closed.Reserved, Late: closed.Late, Stated: closed.Stated,
	}
	return m.save(ctx, r)
}

// anchor puts the proof on the chain, and ends the run.
func (m Machine) anchor(ctx context.Context, head Head, r Run) (payout.Next, error) {
	c := *r.Closing
	for try := range maxTries {
		intent, err := m.intent(ctx, r, payout.Anchor, try)
		if err != nil {
			return payout.Next{}, err
		}
		intent, next, err := m.Engine.Advance(ctx, r.Token.Wallet, intent, func(context.Context) (payout.Payload, error) {
			return payout.Payload{Instructions: []solana.Instruction{m.Books.Anchor(r.Token.Wallet.Address, c.Memo)}}, nil
		})
		if err != nil || !intent.Status().Decided() {
			return next, err
		}
		moved := movement(intent)
		r.Anchor = &moved
		if intent.Status() == payout.Settled {
			signed, err := m.Engine.Signed(ctx, intent)
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

// settle writes the end of a run that has come to its proof, and what the next one
// opens with.
func (m Machine) settle(ctx context.Context, head Head, r Run) (payout.Next, error) {
	now := m.Now().UTC()
	r.End = &End{At: now}
	c := r.Closing
	anchored, err := Sum(ctx, only{m.Intents, payout.Anchor}, r)
	if err != nil {
		return payout.Next{}, err
	}
	head.Active, head.Ended = time.Time{}, ""
	head.Last = &Last{Run: r.ID, Slot: r.Slot, Manifest: c.Manifest, Closing: maps.Clone(c.Stated)}
	head.Unproven = anchored
	head.Unsold = r.Unsold()
	head.Owed, head.Remainder, head.Reserved, head.Late = c.Owed, c.Remainder, c.Reserved, c.Late
	head.CreatorOwed = map[terms.Asset]uint64{}
	for _, leg := range c.Legs {
		if leg.CreatorOwed > 0 {
			head.CreatorOwed[leg.Asset] = leg.CreatorOwed
		}
	}
	head.Prices = append(slices.Clone(head.Prices), r.prices()...)
	head.Prices = head.Prices[max(0, len(head.Prices)-KeepPrices):]
	if err := m.Store.End(ctx, r, head); err != nil {
		return payout.Next{}, err
	}
	m.ended(ctx, r, slog.String("manifest", c.Manifest))
	m.tell(ctx, r, "")
	return done, nil
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
