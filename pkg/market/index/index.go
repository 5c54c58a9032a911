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
	// restFor lies between two looks at a curve that is complete and counted up to
	// now: its trades change no state any more.
	restFor = time.Hour
	// lookAnyway lies between two looks at a curve whose pool does not change: what a
	// comparison of states missed is found then.
	lookAnyway = 24 * time.Hour
)

// Passes are made in a minute, PassEvery apart: so a trade waits for that long and the
// length of a pass at most. Within is the time for both.
const (
	Passes    = 2
	PassEvery = 30 * time.Second
	Within    = 55 * time.Second
	// backlogFor is for how long from its beginning a pass goes on with the curves that
	// have more than their share.
	backlogFor = 24 * time.Second
)

// accountsAtOnce is how many accounts a node reads in one call.
const accountsAtOnce = 100

// Indexer counts trades. Several may run at once.
type Indexer struct {
	Store Store
	Chain Chain
	// Share is how many transactions of each curve a pass counts first. MostTransactions
	// bounds what it counts of those that have more, in turns of PageTransactions, the
	// size of a write. WalkPages, 2 at least, is how many pages of signatures are listed
	// for such a curve.
	Share, MostTransactions, PageTransactions, WalkPages int
	// Readers is how many calls of the node are made at the same time.
	Readers int
	// Memory keeps what the passes before have read; nil keeps nothing.
	Memory *Memory
	Now    func() time.Time
	// Wait passes the time between two passes.
	Wait func(ctx context.Context, d time.Duration) error
	Log  *slog.Logger
}

// New makes an indexer with the bounds of production.
func New(store Store, chain Chain, log *slog.Logger) Indexer {
	return Indexer{
		Store: store, Chain: chain, Share: 20, MostTransactions: 1000, PageTransactions: 60, WalkPages: 10,
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

// Report counts what a run did.
type Report struct {
	Followed     int // curves that are not cancelled
	Due          int // curves that had changed, or were looked at anyway
	Transactions int // counted, failed ones too
	Trades       int
	Completed    int
	Cancelled    int
	Taken        int // curves that another indexer has
	Behind       int // curves whose node does not know enough
	Left         int // curves with more to count
	Errors       int // curves that could not be followed
}

// add adds what a later pass did; what is left is what it left.
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

// Step gives the indexer as a part of the reconciler's runs: Passes of them, or one while
// no curve trades.
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

// pass is what a run has at hand.
type pass struct {
	Indexer
	mu     sync.Mutex
	report Report
	failed []error
}

// Run follows the curves that have changed, in one pass: first each of them by its share,
// those that have waited longest first; then, while there is time, those that have more,
// in turns. It fails when one could not be followed; the rest is followed all the same.
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
	budget := x.MostTransactions
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

// each calls do for 0 to n-1, Readers at a time, in their order.
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

// try takes a curve a step further, and notes how that ended.
func (p *pass) try(ctx context.Context, l *look, step func(context.Context, *look) error) {
	if ctx.Err() != nil {
		return // the next run's
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
