package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
)

const (
	// lookAgain lies between two looks at a curve, less than the minute between two
	// runs: so each run looks at every curve.
	lookAgain = 45 * time.Second
	// restFor lies between two looks at a curve that is complete and counted up to
	// now: its trades change no state any more.
	restFor = time.Hour
)

// MaxCurves is how many curves a run can look at: their pools and positions are read
// in one call, of 100 accounts.
const MaxCurves = 50

// Indexer counts trades. Several may run at once.
type Indexer struct {
	Store Store
	Chain Chain
	// MostCurves, MaxCurves at most, and MostTransactions bound a run; what is left is
	// the next run's. No curve takes more than a third of the transactions while
	// others wait.
	MostCurves, MostTransactions int
	// PageTransactions is how many are counted in one write, WalkPages, 2 at least, how
	// many pages of signatures are listed for a curve.
	PageTransactions, WalkPages int
	// Readers is how many transactions are read at the same time.
	Readers int
	Now     func() time.Time
	Log     *slog.Logger
}

// New makes an indexer with the bounds of production.
func New(store Store, chain Chain, log *slog.Logger) Indexer {
	return Indexer{
		Store: store, Chain: chain, MostCurves: MaxCurves, MostTransactions: 300,
		PageTransactions: 60, WalkPages: 10, Readers: 4, Now: time.Now, Log: log,
	}
}

// Report counts what a run did.
type Report struct {
	Due          int // curves that were due
	Transactions int // counted, failed ones too
	Trades       int
	Completed    int
	Cancelled    int
	Taken        int // curves that another indexer has
	Behind       int // curves whose node does not know enough
	Left         int // curves with more to count
	Errors       int // curves that could not be followed
}

// Step gives the indexer as a part of the reconciler's runs.
func (x Indexer) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "index", Within: within, Run: func(ctx context.Context) (sweep.Counts, error) {
		r, err := x.Run(ctx)
		return sweep.Counts{
			{Name: "due", N: r.Due},
			{Name: "transactions", N: r.Transactions},
			{Name: "trades", N: r.Trades},
			{Name: "completed", N: r.Completed},
			{Name: "cancelled", N: r.Cancelled},
			{Name: "taken", N: r.Taken},
			{Name: "behind", N: r.Behind},
			{Name: "left", N: r.Left},
			{Name: "errors", N: r.Errors},
		}, err
	}}
}

// Run follows the curves that are due. It fails when one could not be followed; the
// rest is followed all the same.
func (x Indexer) Run(ctx context.Context) (Report, error) {
	var report Report
	due, err := x.Store.Due(ctx, x.Now(), min(x.MostCurves, MaxCurves))
	if err != nil {
		return report, fmt.Errorf("list curves that are due: %w", err)
	}
	report.Due = len(due)
	emptied, err := x.emptied(ctx, due)
	failures := []error{err}
	budget := x.MostTransactions
	for _, listed := range due {
		if ctx.Err() != nil || budget <= 0 {
			break // the next run's
		}
		err := x.look(ctx, listed, emptied, &budget, &report)
		switch {
		case errors.Is(err, ErrTaken):
			report.Taken++
		case errors.Is(err, onchain.ErrBehind):
			report.Behind++
			x.Log.WarnContext(ctx, "curve not followed: the node is behind", "pool", listed.Address.String(), "error", err.Error())
		case err != nil:
			report.Errors++
			failures = append(failures, fmt.Errorf("curve of %s: %w", listed.Mint, err))
		}
	}
	return report, errors.Join(failures...)
}

// look follows one curve. It is put off first, so that one on which a run fails or
// dies does not stand in the way of the others.
func (x Indexer) look(ctx context.Context, listed Curve, emptied map[solana.PublicKey]emptiness, budget *int, report *Report) error {
	c, err := x.Store.Claim(ctx, listed, x.Now().Add(lookAgain))
	if err != nil {
		return err
	}
	share := min(*budget, max(x.MostTransactions/3, 1))
	*budget -= share
	c, left, err := x.follow(ctx, c, &share, report)
	*budget += share
	switch {
	case err != nil:
		return err
	case left:
		report.Left++
		return nil
	}
	if e, ok := emptied[c.Address]; ok && e.after(c) {
		if err := x.Store.Cancel(ctx, c); err != nil {
			return err
		}
		report.Cancelled++
		x.Log.InfoContext(ctx, "curve cancelled", "mint", c.Mint.String(), "pool", c.Address.String())
		return nil
	}
	if c.State == token.CurveCompleted {
		return x.Store.Rest(ctx, c, c.Walk, x.Now().Add(restFor))
	}
	return nil
}

// follow counts what is new, as far as the budget goes, and says whether there is
// more.
func (x Indexer) follow(ctx context.Context, c Curve, budget *int, report *Report) (Curve, bool, error) {
	w, err := x.walk(ctx, c)
	if err != nil {
		return c, false, err
	}
	if !w.reached {
		return c, true, x.Store.Rest(ctx, c, w.on, x.Now().Add(lookAgain))
	}
	if len(w.fresh) == 0 && !c.Walk.IsZero() { // everything before the walk's start is counted
		return c, true, x.Store.Rest(ctx, c, solana.Signature{}, x.Now().Add(lookAgain))
	}
	walking := !c.Walk.IsZero()
	for len(w.fresh) > 0 && *budget > 0 {
		if ctx.Err() != nil {
			return c, false, ctx.Err()
		}
		var n int
		if c, n, err = x.count(ctx, c, w.fresh, min(*budget, x.PageTransactions), report); err != nil {
			return c, false, err
		}
		for _, l := range w.fresh[:n] {
			if !l.Failed {
				*budget--
			}
		}
		w.fresh = w.fresh[n:]
	}
	return c, walking || len(w.fresh) > 0, nil
}

// count adds the oldest of fresh, reading up to most transactions, and gives how many
// it added.
func (x Indexer) count(ctx context.Context, c Curve, fresh []Listed, most int, report *Report) (Curve, int, error) {
	n := cut(fresh, most)
	landed, err := x.fetch(ctx, fresh[:n])
	if err != nil {
		return c, 0, err
	}
	p := newPage(c)
	for i, l := range landed {
		err := p.add(l, fresh[i].At)
		if errors.Is(err, errFull) {
			n = i
			break
		}
		if errors.Is(err, errNoBeginning) {
			return c, 0, errors.Join(err, x.restart(ctx, c))
		}
		if err != nil {
			return c, 0, fmt.Errorf("transaction %s: %w", fresh[i].Signature, err)
		}
	}
	last, rest := fresh[n-1], fresh[n:]
	if p.BegunAt.IsZero() && len(rest) == 0 && c.Walk.IsZero() {
		// The pool is there, so what made it is in the history, and this node has not
		// shown it.
		return c, 0, errors.Join(errNoBeginning, x.restart(ctx, c))
	}
	p.Last, p.ChainSlot = last.Signature, last.Slot
	if len(rest) > 0 {
		p.Within = rest[0].Slot == last.Slot
	} else {
		// What is newer than the walk's start may be of the same slot.
		p.Within, p.Walk = !c.Walk.IsZero(), solana.Signature{}
	}
	after, err := x.Store.Apply(ctx, c, p.Page)
	if err != nil {
		return c, 0, err
	}
	report.Transactions += n
	report.Trades += int(p.Trades - c.Index.Trades) //nolint:gosec // a page's
	if c.State == token.CurveActive && after.State == token.CurveCompleted {
		report.Completed++
		x.Log.InfoContext(ctx, "curve complete", "mint", c.Mint.String(), "pool", c.Address.String(), "at", after.CompletedAt)
	}
	return after, n, nil
}

// restart takes the cursor back before the first transaction: what it stands on is
// not the history's beginning, and nothing was counted.
func (x Indexer) restart(ctx context.Context, c Curve) error {
	if c.Index.Last.IsZero() {
		return nil
	}
	_, err := x.Store.Apply(ctx, c, Page{})
	return err
}
