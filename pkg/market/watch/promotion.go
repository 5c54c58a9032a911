package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

const (
	// HonourFor is how long after a promotion's transaction has expired a payment is
	// still looked for: it may have come by another transaction with the same
	// reference, and the money is with the treasury. What comes later is not honoured.
	HonourFor = 24 * time.Hour
	// MostMentions is how many transactions that name a reference are judged, the
	// oldest first. Only the creator knows the reference until they have paid, so the
	// payment is among the first.
	MostMentions = 256
	// mentionsAtOnce is how many of them one look reads.
	mentionsAtOnce = 20
	// beginTries bounds how often a promotion is begun again because the token's
	// placement changed meanwhile.
	beginTries = 5
	// recordWithin bounds a write that must happen although the run's time is over.
	recordWithin = 5 * time.Second
)

// Errors of a PromotionStore.
var (
	// ErrPromotionTaken: another run looks at the promotion or has begun it, or its
	// looks have ended. With which transfer it began is for the next look to read.
	ErrPromotionTaken = errors.New("promotion is taken")
	// ErrPaymentCounted: the transfer has paid for a promotion.
	ErrPaymentCounted = errors.New("payment has been counted")
	// ErrPlacementChanged: the token's placement is not as it was read.
	ErrPlacementChanged = errors.New("placement changed meanwhile")
)

// WatchedPromotion is a promotion and which transactions that name its reference
// were judged.
type WatchedPromotion struct {
	featured.Promotion

	Judged []solana.Signature
}

// PromotionStore keeps promotions. Each write is one transaction whose conditions
// are the rules, so that it happens whole, once, or not at all.
type PromotionStore interface {
	// Due lists up to most transactions of promotions that are due at now, the
	// longest due first. The list may lag: Claim decides.
	Due(ctx context.Context, now time.Time, most int) ([]transaction.Issued, error)
	// Claim puts the next look off, and gives the promotion as it is now;
	// ErrPromotionTaken when it is not due at i.DueAt any more.
	Claim(ctx context.Context, i transaction.Issued, next time.Time) (WatchedPromotion, error)
	// Placement gives the token's placement, running or not; nil: it had none.
	Placement(ctx context.Context, mint solana.PublicKey) (*featured.Placement, error)
	// Begin records that p was paid, and by what, which counts for nothing else;
	// puts after in the place of before, what Placement gave; shows its end on the
	// token; and ends the question what became of its transaction: it is seen. The
	// looks go on. It fails with ErrPromotionTaken when the promotion is paid or its
	// record is gone, or else with ErrPaymentCounted or ErrPlacementChanged, and
	// changes nothing then.
	Begin(ctx context.Context, p featured.Promotion, before *featured.Placement, after featured.Placement) error
	// Judged adds to the transactions that were judged.
	Judged(ctx context.Context, id string, signature solana.Signature) error
	// End ends the looks; a transaction that was not seen has expired.
	End(ctx context.Context, id string) error
}

// PromotionChain is what is asked of the network.
type PromotionChain interface {
	// Finality gives the newest finalized slot and the height of its block.
	Finality(ctx context.Context) (onchain.Tip, error)
	// Mentions lists the finalized transactions that name an address, the oldest
	// first; more says that there are further ones, which are older.
	Mentions(ctx context.Context, address solana.PublicKey) (list []solana.Signature, more bool, err error)
	// Payments gives a finalized transaction with its transfers that name a
	// reference. One that the node lists and does not give is an error.
	Payments(ctx context.Context, signature solana.Signature, reference solana.PublicKey) (featured.Mention, error)
}

// Promotions finds the payments of promotions. Several may run at once.
//
// What it promises: a promotion begins when a transfer of just its amount from its
// payer to its treasury that names its reference is finalized, and it begins once;
// a transfer counts for one promotion. Each other transaction that names the
// reference is logged with why it does not count, once unless a run dies between
// logging it and writing that down. A promotion whose payment is not found ends
// when its transaction can land no more by a finalized height and HonourFor has
// passed: never because a node did not show something.
type Promotions struct {
	Store PromotionStore
	Chain PromotionChain
	// Most bounds a run by count.
	Most int
	Now  func() time.Time
	Log  *slog.Logger
}

// promotionCounts is what a run did.
type promotionCounts struct {
	due, begun, refused, ended, taken, errors int
}

func (c promotionCounts) counts() sweep.Counts {
	return sweep.Counts{
		{Name: "due", N: c.due},
		{Name: "begun", N: c.begun},
		{Name: "refused", N: c.refused},
		{Name: "ended", N: c.ended},
		{Name: "taken", N: c.taken},
		{Name: "errors", N: c.errors},
	}
}

// Run looks at the promotions that are due; it is a step of the reconciler. It
// fails when a look does; the others are done all the same.
func (w Promotions) Run(ctx context.Context) (sweep.Counts, error) {
	var c promotionCounts
	due, err := w.Store.Due(ctx, w.Now(), w.Most)
	if err != nil {
		return c.counts(), fmt.Errorf("list promotions: %w", err)
	}
	c.due = len(due)
	if len(due) == 0 {
		return c.counts(), nil
	}
	// Read before any look: what could still land then, the look may have missed.
	tip, err := w.Chain.Finality(ctx)
	if err != nil {
		return c.counts(), err
	}
	var failures []error
	for _, i := range due {
		if ctx.Err() != nil {
			break // the next run's
		}
		if err := w.look(ctx, i, tip.Height, &c); err != nil {
			c.errors++
			failures = append(failures, fmt.Errorf("promotion %s: %w", i.ID, err))
		}
	}
	return c.counts(), errors.Join(failures...)
}

// nextLook is when a promotion is looked at again: soon while its transaction can
// land, and then ever more rarely. The times are between runs, which come every
// minute.
func nextLook(i transaction.Issued, now time.Time) time.Time {
	late := now.Sub(i.ExpiresAt)
	switch {
	case i.Fate == transaction.Seen || late >= time.Hour:
		return now.Add(time.Hour)
	case late >= 5*time.Minute:
		return now.Add(5 * time.Minute)
	}
	return now.Add(20 * time.Second)
}

// look takes one promotion a step further. It is put off first, so that one on which
// a run fails or dies does not stand in the way of the others.
func (w Promotions) look(ctx context.Context, i transaction.Issued, height uint64, c *promotionCounts) error {
	p, err := w.Store.Claim(ctx, i, nextLook(i, w.Now()))
	if errors.Is(err, ErrPromotionTaken) {
		c.taken++
		return nil
	}
	if err != nil {
		return err
	}
	all, err := w.judge(ctx, &p, c)
	if errors.Is(err, ErrPromotionTaken) {
		c.taken++
		return nil
	}
	if err != nil {
		return err
	}
	if !all || height <= i.LastValid || w.Now().Before(i.ExpiresAt.Add(HonourFor)) {
		return nil
	}
	c.ended++
	return w.Store.End(ctx, p.ID)
}

// judge reads the transactions that name the reference and were not judged, the
// oldest first; all says that none is left.
func (w Promotions) judge(ctx context.Context, p *WatchedPromotion, c *promotionCounts) (all bool, err error) {
	list, more, err := w.Chain.Mentions(ctx, p.Reference)
	if err != nil {
		return false, err
	}
	if more {
		// The payment may be among the older ones. Those that are listed must not use
		// up MostMentions.
		w.Log.ErrorContext(ctx, "promotion cannot be decided: too many transactions name its reference", "promotionId", p.ID)
		return false, nil
	}
	list = slices.DeleteFunc(list, func(s solana.Signature) bool { return slices.Contains(p.Judged, s) })
	for n, signature := range list {
		if len(p.Judged) >= MostMentions {
			return true, nil
		}
		if n == mentionsAtOnce {
			return false, nil
		}
		mention, err := w.Chain.Payments(ctx, signature, p.Reference)
		if err != nil {
			return false, fmt.Errorf("read transaction %s: %w", signature, err)
		}
		if err := w.settle(ctx, p, mention, c); err != nil {
			return false, err
		}
		if p.Judged = append(p.Judged, signature); len(p.Judged) == MostMentions {
			w.Log.WarnContext(ctx, "promotion is named by too many transactions: further ones are not looked at", "promotionId", p.ID)
		}
	}
	return true, nil
}

// settle begins the promotion if a transfer of the transaction pays for it, logs
// the transfers that do not count, and writes down that it was judged.
func (w Promotions) settle(ctx context.Context, p *WatchedPromotion, m featured.Mention, c *promotionCounts) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	switch {
	case m.Failed:
		w.refuse(ctx, p, m, featured.Transfer{}, featured.Failed, c)
	case len(m.Transfers) == 0:
		w.refuse(ctx, p, m, featured.Transfer{}, featured.NoTransfer, c)
	default:
		for _, t := range m.Transfers {
			if m.Signature == p.PaidBy && t.Place == p.PaidAt {
				continue // it was begun, and the run died before it wrote down this transaction
			}
			verdict, err := w.count(ctx, p, m, t)
			if err != nil {
				return err
			}
			if verdict == featured.Pays {
				c.begun++
				continue
			}
			w.refuse(ctx, p, m, t, verdict, c)
		}
	}
	return w.Store.Judged(ctx, p.ID, m.Signature)
}

// count says whether a transfer pays for the promotion, which has begun then.
func (w Promotions) count(ctx context.Context, p *WatchedPromotion, m featured.Mention, t featured.Transfer) (featured.Match, error) {
	verdict := p.Match(t)
	if verdict != featured.Pays {
		return verdict, nil
	}
	err := w.begin(ctx, p, m.Signature, t.Place)
	switch {
	case errors.Is(err, ErrPaymentCounted):
		return featured.Counted, nil
	case err != nil:
		return "", err
	}
	w.Log.InfoContext(ctx, "promotion begun", "promotionId", p.ID, "mint", p.Mint.String(), "lamports", p.Lamports,
		"signature", m.Signature.String(), "startsAt", p.StartsAt, "endsAt", p.EndsAt)
	return featured.Pays, nil
}

func (w Promotions) begin(ctx context.Context, p *WatchedPromotion, signature solana.Signature, place int) error {
	var err error
	for range beginTries {
		var before *featured.Placement
		if before, err = w.Store.Placement(ctx, p.Mint); err != nil {
			return err
		}
		begun, after := p.Begin(before, w.Now())
		begun.PaidBy, begun.PaidAt = signature, place
		err = w.Store.Begin(ctx, begun, before, after)
		if err == nil {
			p.Promotion = begun
			return nil
		}
		if !errors.Is(err, ErrPlacementChanged) {
			return err
		}
	}
	return err
}

// refuse logs a transfer, or a transaction without one, that does not count.
func (w Promotions) refuse(ctx context.Context, p *WatchedPromotion, m featured.Mention, t featured.Transfer, why featured.Match, c *promotionCounts) {
	c.refused++
	line := []any{
		"reason", string(why), "promotionId", p.ID, "mint", p.Mint.String(), "signature", m.Signature.String(),
		"payer", p.Payer.String(), "treasury", p.Treasury.String(), "lamports", p.Lamports,
	}
	if !t.From.IsZero() {
		line = append(line, "place", t.Place, "from", t.From.String(), "to", t.To.String(), "transferred", t.Lamports)
	}
	w.Log.WarnContext(ctx, "payment does not count", line...)
}
