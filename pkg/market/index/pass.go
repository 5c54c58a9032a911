package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/token"
)

// sharePages is the number of pages of signatures in a curve's share.
const sharePages = 2

// look is the check of a curve in a pass.
type look struct {
	curve   Curve
	settled fingerprint
	before  time.Time // the time of the previous check
	due     bool      // checked even if unchanged

	read  bool
	pool  *meteora.Pool // nil: the chain has no pool
	state fingerprint

	// fresh is the listed uncounted transactions, the oldest first. more reports that work remains.
	// walking reports that the walk began before the newest transaction.
	fresh         []Listed
	more, walking bool
	counted       struct{ transactions, trades, completed, cancelled int }
}

// resting reports whether a curve is checked only on schedule, because the curve's state no longer
// changes.
func (c Curve) resting() bool { return c.State == token.CurveCompleted }

// counts reports whether the price after the last counted trade is the pool's price. So a node that
// shows the pool before the pool's last trades settles no curve.
func (l *look) counts() bool {
	if l.pool == nil || l.curve.BegunAt.IsZero() || !l.curve.Walk.IsZero() {
		return false
	}
	last := l.curve.SqrtPrice
	if last == nil {
		last = l.curve.StartSqrtPrice
	}
	return last.Cmp(l.pool.SqrtPrice) == 0
}

// listed returns the number of known uncounted transactions. A curve with an unknown number comes
// last.
func (l *look) listed() int {
	if len(l.fresh) == 0 {
		return math.MaxInt
	}
	return len(l.fresh)
}

// share counts the first uncounted transactions.
func (p *pass) share(ctx context.Context, l *look) error {
	w, err := p.walk(ctx, l.curve, sharePages)
	if err != nil {
		return err
	}
	if !w.reached {
		l.more = true
		return p.complete(ctx, l)
	}
	budget := p.Share
	return p.begin(ctx, l, w, &budget)
}

// turn counts further transactions of a curve with more than the share.
func (p *pass) turn(ctx context.Context, l *look, budget *int) error {
	if len(l.fresh) > 0 {
		return p.goOn(ctx, l, budget)
	}
	w, err := p.walk(ctx, l.curve, p.WalkPages)
	if err != nil {
		return err
	}
	if !w.reached {
		return p.rest(ctx, l, w.on, p.Now())
	}
	return p.begin(ctx, l, w, budget)
}

// begin counts the transactions of a walk.
func (p *pass) begin(ctx context.Context, l *look, w walked, budget *int) error {
	l.fresh, l.walking = w.fresh, !l.curve.Walk.IsZero()
	if len(l.fresh) == 0 && l.walking { // all transactions before the walk's start are counted
		l.more = true
		return p.rest(ctx, l, solana.Signature{}, p.Now())
	}
	return p.goOn(ctx, l, budget)
}

// goOn counts a page of the listed transactions, and settles the curve after the last transaction.
func (p *pass) goOn(ctx context.Context, l *look, budget *int) error {
	readers := 1
	if l.more {
		readers = p.Readers // no other curve uses the pass now
	}
	if len(l.fresh) > 0 && *budget > 0 {
		n, err := p.count(ctx, l, min(*budget, p.PageTransactions), readers)
		if err != nil {
			return err
		}
		for _, listed := range l.fresh[:n] {
			if !listed.Failed {
				*budget--
			}
		}
		l.fresh = l.fresh[n:]
	}
	l.more = l.walking || len(l.fresh) > 0
	if l.more {
		return p.complete(ctx, l)
	}
	return p.settle(ctx, l)
}

// count adds the oldest listed transactions, reading up to maximum transactions, and returns the
// number of added transactions.
func (p *pass) count(ctx context.Context, l *look, maximum, readers int) (int, error) {
	c, n := l.curve, cut(l.fresh, maximum)
	landed, err := p.fetch(ctx, l.fresh[:n], readers)
	if err != nil {
		return 0, err
	}
	sums, n, err := add(c, l.fresh, landed)
	if whole := wholeSlots(l.fresh, n); err == nil && whole < n { // the page is full within a slot
		sums, n, err = add(c, l.fresh, landed[:whole])
	}
	switch {
	case errors.Is(err, errNoBeginning):
		return 0, errors.Join(err, p.restart(ctx, c))
	case err != nil:
		return 0, fmt.Errorf("transaction %s: %w", l.fresh[n].Signature, err)
	}
	last, rest := l.fresh[n-1], l.fresh[n:]
	if sums.BegunAt.IsZero() && len(rest) == 0 && c.Walk.IsZero() {
		// The pool exists, so the history contains the transaction that created the pool, but this
		// node has not shown the transaction.
		return 0, errors.Join(errNoBeginning, p.restart(ctx, c))
	}
	sums.Last, sums.ChainSlot = last.Signature, last.Slot
	if len(rest) > 0 {
		sums.Within = rest[0].Slot == last.Slot
	} else {
		// Transactions that are newer than the walk's start may be in the same slot.
		sums.Within, sums.Walk = !c.Walk.IsZero(), solana.Signature{}
	}
	if !sums.Within {
		sums.endSlot()
	}
	if err := p.apply(ctx, l, sums.Page); err != nil {
		return 0, err
	}
	l.counted.transactions += n
	l.counted.trades += int(sums.Trades - c.Index.Trades) //nolint:gosec // a page's
	return n, nil
}

// add returns a page of the landed transactions, as far as the page has room, and the number of
// added transactions.
func add(c Curve, listed []Listed, landed []Landed) (sums *page, n int, err error) {
	sums = newPage(c)
	for n < len(landed) {
		err = sums.add(landed[n], listed[n])
		if errors.Is(err, errFull) {
			return sums, n, nil
		}
		if err != nil {
			return sums, n, err
		}
		n++
	}
	return sums, n, nil
}

// apply writes a page.
func (p *pass) apply(ctx context.Context, l *look, page Page) error {
	after, err := p.Store.Apply(ctx, l.curve, page)
	if err != nil {
		return err
	}
	before := l.curve.State
	l.curve = after
	if before != token.CurveActive || after.State != token.CurveCompleted {
		return nil
	}
	l.counted.completed++
	p.Log.InfoContext(ctx, "curve complete", "mint", after.Mint.String(), "pool", after.Address.String(), "at", after.CompletedAt)
	return p.rest(ctx, l, after.Walk, p.Now()) // due until all trades are counted
}

// complete completes an active curve whose pool held the target at the end of a slot.
func (p *pass) complete(ctx context.Context, l *look) error {
	c := l.curve
	if c.State != token.CurveActive || l.pool == nil || l.pool.SqrtPrice.Cmp(c.TargetSqrtPrice) < 0 {
		return nil
	}
	return p.apply(ctx, l, Page{
		Index: c.Index, Within: c.Within, BegunAt: c.BegunAt, Walk: c.Walk, SqrtPrice: c.SqrtPrice, CompletedAt: p.Now(),
	})
}

// settle ends the check of a curve after all transactions that the node shows are counted.
func (p *pass) settle(ctx context.Context, l *look) error {
	if err := p.complete(ctx, l); err != nil {
		return err
	}
	if l.curve.State == token.CurveActive && l.counts() {
		gone, err := p.withdrawn(ctx, l)
		if err != nil {
			return err
		}
		if gone {
			l.counted.cancelled++
			p.Log.InfoContext(ctx, "curve cancelled", "mint", l.curve.Mint.String(), "pool", l.curve.Address.String())
			return p.Store.Cancel(ctx, l.curve)
		}
	}
	if l.counts() {
		l.settled = l.state
	}
	switch {
	case l.curve.State == token.CurveCompleted:
		return p.rest(ctx, l, l.curve.Walk, p.Now().Add(restFor))
	case l.due && (l.pool == nil || l.counts()):
		return p.rest(ctx, l, l.curve.Walk, p.Now().Add(lookAnyway))
	}
	return nil
}

// rest postpones the scheduled check.
func (p *pass) rest(ctx context.Context, l *look, walk solana.Signature, next time.Time) error {
	if err := p.Store.Rest(ctx, l.curve, walk, next); err != nil {
		return err
	}
	l.curve.Walk = walk
	return nil
}

// restart moves the cursor back before the first transaction. The cursor's transaction is not the
// beginning of the history, and no trade was counted.
func (p *pass) restart(ctx context.Context, c Curve) error {
	if c.Index.Last.IsZero() {
		return nil
	}
	_, err := p.Store.Apply(ctx, c, Page{})
	return err
}
