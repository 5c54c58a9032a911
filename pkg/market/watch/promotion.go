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
	// HonourFor is the time after the expiry of a promotion's transaction in which a payment still
	// counts. Another transaction with the same reference may have paid the treasury. Later
	// payments do not count.
	HonourFor = 24 * time.Hour
	// MaxMentions is the maximum number of judged transactions that name a reference, the oldest
	// first. Only the creator knows the reference before the payment, so the payment is among the
	// first transactions.
	MaxMentions = 256
	// mentionsAtOnce is the maximum number of transactions in one check.
	mentionsAtOnce = 20
	// beginTries is the maximum number of tries to begin a promotion if the token's placement
	// changes concurrently.
	beginTries = 5
	// recordWithin is the timeout of a necessary write after the end of the run's time.
	recordWithin = 5 * time.Second
)

// Errors of a PromotionStore.
var (
	// ErrPromotionTaken is returned if another run checks the promotion or has begun the promotion,
	// or if the checks have ended. The next check reads the transfer that paid.
	ErrPromotionTaken = errors.New("promotion is taken")
	// ErrPaymentCounted is returned if the transfer has paid for a promotion already.
	ErrPaymentCounted = errors.New("payment has been counted")
	// ErrPlacementChanged is returned if the token's placement has changed since the read.
	ErrPlacementChanged = errors.New("placement changed meanwhile")
)

// WatchedPromotion is a promotion with the judged transactions that name the promotion's reference.
type WatchedPromotion struct {
	featured.Promotion

	Judged []solana.Signature
}

// PromotionStore stores promotions. Every write is a single transaction with the rules as
// conditions, so the write happens completely and once, or not at all.
type PromotionStore interface {
	// Due lists up to limit transactions of promotions due at now, the earliest first. The list may
	// lag. Claim decides.
	Due(ctx context.Context, now time.Time, limit int) ([]transaction.Issued, error)
	// Claim postpones the next check, and returns the current promotion. It returns
	// ErrPromotionTaken if the promotion is no longer due at i.DueAt.
	Claim(ctx context.Context, i transaction.Issued, next time.Time) (WatchedPromotion, error)
	// Placement returns the token's placement, active or not; nil if the token never had a
	// placement.
	Placement(ctx context.Context, mint solana.PublicKey) (*featured.Placement, error)
	// Begin records that p was paid, and the transfer that paid, which then counts for no other
	// promotion. Begin replaces the placement before, which Placement returned, by after, and
	// writes the end of the placement to the token's record. Begin also ends the transaction as
	// seen. The checks continue. It returns ErrPromotionTaken if the promotion is paid or the
	// promotion's record is gone, and otherwise ErrPaymentCounted or ErrPlacementChanged. After an
	// error, Begin has changed nothing.
	Begin(ctx context.Context, p featured.Promotion, before *featured.Placement, after featured.Placement) error
	// Judged adds a transaction to the judged transactions.
	Judged(ctx context.Context, id string, signature solana.Signature) error
	// End ends the checks. A transaction that was not seen expires.
	End(ctx context.Context, id string) error
}

// PromotionChain is the subset of the network's API that Promotions needs.
type PromotionChain interface {
	// Finality returns the newest finalized slot and the block height of the slot.
	Finality(ctx context.Context) (onchain.Tip, error)
	// Mentions lists the finalized transactions that name an address, the oldest first. more
	// reports that older transactions exist.
	Mentions(ctx context.Context, address solana.PublicKey) (list []solana.Signature, more bool, err error)
	// Payments returns a finalized transaction with the transfers that name a reference. It returns
	// an error if the node lists the transaction but does not return the transaction.
	Payments(ctx context.Context, signature solana.Signature, reference solana.PublicKey) (featured.Mention, error)
}

// Promotions finds the payments of promotions. Several Promotions may run concurrently.
//
// Promotions promises: a promotion begins after the finality of a transfer of exactly the
// promotion's amount, from the payer to the treasury, that names the reference. A promotion begins
// once, and a transfer counts for only one promotion. For every other transaction that names the
// reference, the reason why the transaction does not count is logged. The reason is logged once,
// unless a run dies between the log and the record. A promotion without a payment ends after the
// promotion's transaction can no longer land by a finalized height and HonourFor has passed. A
// promotion never ends because a node did not show a transaction.
type Promotions struct {
	Store PromotionStore
	Chain PromotionChain
	// Max is the maximum number of promotions in a run.
	Max int
	Now func() time.Time
	Log *slog.Logger
}

// promotionCounts is the counts of a run.
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

// Run checks the due promotions. Run is a step of the reconciler. An error with a promotion is
// returned at the end, and does not stop the other promotions.
func (w Promotions) Run(ctx context.Context) (sweep.Counts, error) {
	var c promotionCounts
	due, err := w.Store.Due(ctx, w.Now(), w.Max)
	if err != nil {
		return c.counts(), fmt.Errorf("list promotions: %w", err)
	}
	c.due = len(due)
	if len(due) == 0 {
		return c.counts(), nil
	}
	// Read before the checks: a transaction may land after this height and be missed by a check.
	tip, err := w.Chain.Finality(ctx)
	if err != nil {
		return c.counts(), err
	}
	var failures []error
	for _, i := range due {
		if ctx.Err() != nil {
			break // left to the next run
		}
		if err := w.look(ctx, i, tip.Height, &c); err != nil {
			c.errors++
			failures = append(failures, fmt.Errorf("promotion %s: %w", i.ID, err))
		}
	}
	return c.counts(), errors.Join(failures...)
}

// nextLook returns the time of the next check of a promotion: soon while the promotion's
// transaction can land, and then ever more rarely. The times are between runs, which happen every
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

// look makes a step with a promotion. look first postpones the promotion, so that the failure or
// death of a run does not block other promotions.
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

// judge reads the unjudged transactions that name the reference, the oldest first; all reports that
// no transaction is left.
func (w Promotions) judge(ctx context.Context, p *WatchedPromotion, c *promotionCounts) (all bool, err error) {
	list, more, err := w.Chain.Mentions(ctx, p.Reference)
	if err != nil {
		return false, err
	}
	if more {
		// The payment may be among the older transactions. The listed transactions must not use up
		// MaxMentions.
		w.Log.ErrorContext(ctx, "promotion cannot be decided: too many transactions name its reference", "promotionId", p.ID)
		return false, nil
	}
	list = slices.DeleteFunc(list, func(s solana.Signature) bool { return slices.Contains(p.Judged, s) })
	for n, signature := range list {
		if len(p.Judged) >= MaxMentions {
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
		if p.Judged = append(p.Judged, signature); len(p.Judged) == MaxMentions {
			w.Log.WarnContext(ctx, "promotion is named by too many transactions: further ones are not checked", "promotionId", p.ID)
		}
	}
	return true, nil
}

// settle begins the promotion if a transfer of the transaction pays. It logs the transfers that do
// not count, and marks the transaction as judged.
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
				continue // begun by a run that died before recording this transaction
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

// count reports whether a transfer pays for the promotion, and begins the promotion if so.
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

// refuse logs a transfer that does not count, or a transaction without a transfer.
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
