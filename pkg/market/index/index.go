package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

const (
	// restFor is the time between two checks of a curve that is complete and fully counted. Trades
	// no longer change the curve's state.
	restFor = time.Hour
	// lookAnyway is the time between two checks of a curve whose pool does not change, in case a
	// comparison of states has missed a change.
	lookAnyway = 24 * time.Hour
)

// Passes is the number of passes in a minute, PassEvery apart. So a trade waits for at most
// PassEvery and the duration of a pass. Within is the time for both passes.
const (
	Passes    = 2
	PassEvery = 30 * time.Second
	Within    = 55 * time.Second
	// backlogFor is the time from the beginning of a pass in which the pass continues with curves
	// that have more than the share.
	backlogFor = 24 * time.Second
)

// accountsAtOnce is the maximum number of accounts in one call of a node.
const accountsAtOnce = 100

// Indexer counts trades. Several Indexers may run concurrently.
type Indexer struct {
	Store Store
	Chain Chain
	// Share is the number of transactions that a pass first counts of a curve. MaxTransactions is
	// the maximum number of further transactions in a pass, for all curves with more transactions,
	// in turns of PageTransactions, the size of a write. WalkPages, at least 2, is the number of
	// pages of signatures that are listed for such a curve.
	Share, MaxTransactions, PageTransactions, WalkPages int
	// Readers is the number of concurrent calls of the node.
	Readers int
	// Memory caches the results of earlier passes; nil caches only within a run.
	Memory *Memory
	Now    func() time.Time
	// Wait waits between two passes.
	Wait func(ctx context.Context, d time.Duration) error
	Log  *slog.Logger
}

// New returns an indexer with the limits for production.
func New(store Store, chain Chain, log *slog.Logger) Indexer {
	return Indexer{
		Store: store, Chain: chain, Share: 20, MaxTransactions: 1000, PageTransactions: 60, WalkPages: 10,
		Readers: 12, Memory: &Memory{}, Now: time.Now, Wait: wait, Log: log,
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Report is the counts of a run.
type Report struct {
	Followed     int // curves that are not cancelled
	Due          int // curves that had changed or were due
	Transactions int // counted transactions, including failed transactions
	Trades       int
	Completed    int
	Cancelled    int
	Taken        int // curves that another indexer follows
	Behind       int // curves for which the node lags
	Left         int // curves with more transactions to count
	Errors       int // curves with an error
}

// add adds the counts of a later pass. Followed and Left are the counts of the later pass only.
func (r *Report) add(o Report) {
	r.Followed, r.Left = o.Followed, o.Left
	for _, sum := range []struct {
		into *int
		n    int
	}{
		{&r.Due, o.Due},
		{&r.Transactions, o.Transactions},
		{&r.Trades, o.Trades},
		{&r.Completed, o.Completed},
		{&r.Cancelled, o.Cancelled},
		{&r.Taken, o.Taken},
		{&r.Behind, o.Behind},
		{&r.Errors, o.Errors},
	} {
		*sum.into += sum.n
	}
}

// Step returns the indexer as a step of the reconciler's runs: Passes passes, or one pass if no
// curve trades.
func (x Indexer) Step() sweep.Step {
	return sweep.Step{Name: "index", Within: Within, Run: func(ctx context.Context) (sweep.Counts, error) {
		r, err := x.minute(ctx)
		return sweep.Counts{
			{Name: "followed", N: r.Followed},
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

func (x Indexer) minute(ctx context.Context) (total Report, err error) {
	var failures []error
	if x.Memory == nil {
		x.Memory = &Memory{}
	}
	for began := x.Now(); ; {
		report, err := x.Run(ctx)
		total.add(report)
		failures = append(failures, err)
		next := began.Add(PassEvery)
		if !x.Memory.trading() || len(failures) == Passes || x.Wait(ctx, next.Sub(x.Now())) != nil {
			return total, errors.Join(failures...)
		}
		began = next
	}
}

// pass is the state of a pass.
type pass struct {
	Indexer
	mu     sync.Mutex
	report Report
	failed []error
}

// Run follows the changed curves in one pass. It first counts the share of every curve, the longest
// wait first. In the remaining time, Run counts the curves with more transactions, in turns. An
// error with a curve is returned at the end, and does not stop the other curves.
func (x Indexer) Run(ctx context.Context) (Report, error) {
	began := x.Now()
	if x.Memory == nil {
		x.Memory = &Memory{}
	}
	p := &pass{Indexer: x}
	looks, err := p.changed(ctx)
	if err != nil {
		return p.report, err
	}
	p.report.Due = len(looks)
	slices.SortStableFunc(looks, func(a, b *look) int { return a.before.Compare(b.before) })
	p.each(len(looks), func(i int) { p.try(ctx, looks[i], p.share) })

	more := slices.DeleteFunc(slices.Clone(looks), func(l *look) bool { return !l.more })
	slices.SortStableFunc(more, func(a, b *look) int { return cmp.Compare(a.listed(), b.listed()) })
	budget := x.MaxTransactions
	for len(more) > 0 && budget > 0 && ctx.Err() == nil && x.Now().Before(began.Add(backlogFor)) {
		l := more[0]
		more = more[1:]
		p.try(ctx, l, func(ctx context.Context, l *look) error { return p.turn(ctx, l, &budget) })
		if l.more && len(l.fresh) > 0 {
			more = append(more, l)
		}
	}
	for _, l := range looks {
		if l.more {
			p.report.Left++
		}
	}
	return p.report, errors.Join(p.failed...)
}

// each calls do for 0 to n-1 in order, with Readers concurrent calls.
func (p *pass) each(n int, do func(i int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range min(max(p.Readers, 1), n) {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	all.Wait()
}

// try makes a step with a curve, and records the result.
func (p *pass) try(ctx context.Context, l *look, step func(context.Context, *look) error) {
	if ctx.Err() != nil {
		return // left to the next run
	}
	was := l.counted
	err := step(ctx, l)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Transactions += l.counted.transactions - was.transactions
	p.report.Trades += l.counted.trades - was.trades
	p.report.Completed += l.counted.completed - was.completed
	p.report.Cancelled += l.counted.cancelled - was.cancelled
	switch {
	case err == nil:
		p.Memory.put(l, p.Now())
		return
	case errors.Is(err, ErrTaken):
		p.report.Taken++
	case errors.Is(err, onchain.ErrBehind):
		p.report.Behind++
		p.Log.WarnContext(ctx, "curve not followed: the node is behind", "pool", l.curve.Address.String(), "error", err.Error())
	default:
		p.report.Errors++
		p.failed = append(p.failed, fmt.Errorf("curve of %s: %w", l.curve.Mint, err))
	}
	l.more, l.fresh = false, nil
	p.Memory.fail(l, p.Now())
}
