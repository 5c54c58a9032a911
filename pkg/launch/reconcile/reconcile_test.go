package reconcile_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// end is the outcome of the launch when the process that submitted it died.
type end struct {
	name     string
	network  network
	lamports uint64
	// drops: no resending brings it onto the chain either.
	drops  bool
	status transaction.Status
}

var ends = []end{
	{name: "landed", network: network{deaf: true}, lamports: solana.LAMPORTS_PER_SOL, status: transaction.Confirmed},
	{name: "landed with an error", network: network{deaf: true, blind: true}, lamports: 5_000_000, status: transaction.Failed},
	{name: "recorded and not sent", network: network{deaf: true, down: true}, lamports: solana.LAMPORTS_PER_SOL, status: transaction.Confirmed},
	{name: "never lands", network: network{deaf: true, drops: true}, lamports: solana.LAMPORTS_PER_SOL, drops: true, status: transaction.Failed},
}

// trouble is the disturbance while it is reconciled.
type trouble struct {
	name string
	// begin sets it up; the first runs are under it.
	begin func(n *network, again func())
	// first is the number of runs under it, before which nothing may be decided.
	first int
	// lands reports that the trouble itself brings the launch onto the chain, late that
	// it lasts until launches are not sent any more.
	lands, late bool
	runs        int // at once; 0 is one
}

var troubles = []trouble{
	{name: "none", begin: func(*network, func()) {}},
	{name: "node down", first: 3, begin: func(n *network, _ func()) { n.down = true }},
	{name: "node down for long", first: 6, late: true, begin: func(n *network, _ func()) { n.down = true }},
	{name: "node behind", first: 3, begin: func(n *network, _ func()) { n.behind = true }},
	{name: "node behind for long", first: 6, late: true, begin: func(n *network, _ func()) { n.behind = true }},
	{name: "submitted again before the claim", lands: true, begin: func(n *network, again func()) { n.asked = again }},
	{name: "submitted again after the look", lands: true, begin: func(n *network, again func()) { n.sighted = again }},
	{name: "two at once", begin: func(*network, func()) {}, runs: 2},
}

// limit is the number of runs, a minute apart, that decide any launch once the trouble is
// over: five minutes of sending again, advancing, looking, and one to spare.
const limit = 8

func TestRecordConvergesWithChain(t *testing.T) {
	t.Logf("%d cases", len(ends)*len(troubles))
	for _, e := range ends {
		for _, tr := range troubles {
			t.Run(e.name+", "+tr.name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				through := e.network
				through.Client = b.node
				s := b.submit(t, &through, e.lamports)
				if s.Status != transaction.Submitted {
					t.Fatalf("the submission ends %s, want submitted", s.Status)
				}
				status := b.reconcileUnder(t, s, e, tr)
				want := e.status
				switch {
				case tr.lands && e.drops:
					want = transaction.Confirmed
				case tr.late && e.network.down:
					want = transaction.Failed
				}
				if status != want {
					t.Errorf("the launch is %s, want %s", status, want)
				}
				b.checkAgreement(t, s)
			})
		}
	}
}

// reconcileUnder runs the reconciler every minute until the launch has ended.
func (b *bench) reconcileUnder(t *testing.T, s submission, e end, tr trouble) transaction.Status {
	t.Helper()
	node := &network{Client: b.node, drops: e.drops}
	var once sync.Once
	tr.begin(node, func() {
		once.Do(func() {
			_, _ = b.service.Submit(context.WithoutCancel(t.Context()), s.creator.PublicKey(), s.ID, s.signed)
		})
	})
	for run := range tr.first + limit {
		if run == tr.first {
			node.down, node.behind = false, false
		}
		b.pass(time.Minute)
		var all sync.WaitGroup
		for range max(1, tr.runs) {
			all.Go(func() {
				report, err := b.reconciler(node).Run(t.Context())
				if (err != nil) != node.down {
					t.Errorf("run %d: %v", run, err)
				}
				if run < tr.first && report.Confirmed+report.Failed+report.Advanced > 0 {
					t.Errorf("run %d decides on the word of such a node: %+v", run, report)
				}
			})
		}
		all.Wait()
		l, err := b.launches.Launch(t.Context(), s.ID)
		must.Do(t, err)
		if !l.Status.MayLand() {
			return l.Status
		}
	}
	return transaction.Submitted
}

// checkAgreement holds what is recorded against the chain, and launches another
// token on the same nonce.
func (b *bench) checkAgreement(t *testing.T, s submission) {
	t.Helper()
	l, err := b.launches.Launch(t.Context(), s.ID)
	must.Do(t, err)
	_ = b.node.Send(t.Context(), l.Messages[0].Signed) // its holder tries once more
	landed := b.minted(t, l)
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	wantStatus, wantListed := token.Failed, int64(0)
	if landed {
		wantStatus, wantListed = token.Confirmed, 1
	}
	if record.Status != wantStatus {
		t.Errorf("the mint exists: %v, and the record is %s", landed, record.Status)
	}
	if _, total, err := b.tokens.List(t.Context(), 1, 10); err != nil || total != wantListed {
		t.Errorf("the list has %d tokens, %v; want %d", total, err, wantListed)
	}
	if l.Status == transaction.Failed && l.Reason == "" {
		t.Error("a failed launch has no reason")
	}
	if due, err := b.launches.Due(t.Context(), b.now().Add(24*time.Hour), 10); err != nil || len(due) > 0 {
		t.Errorf("%d launches are still to be checked, %v", len(due), err)
	}
	next := b.submit(t, b.node, solana.LAMPORTS_PER_SOL)
	if next.Status != transaction.Confirmed || next.Nonce.Account != l.Nonce.Account {
		t.Errorf("the next launch on nonce %s is %s, want confirmed on %s", next.Nonce.Account, next.Status, l.Nonce.Account)
	}
	if b.minted(t, l) != landed {
		t.Error("the launch landed after all")
	}
}

func TestReconcileSkipsRecentSubmission(t *testing.T) {
	b := newBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true}, solana.LAMPORTS_PER_SOL)
	b.pass(25 * time.Second) // the longest request
	report, err := b.reconciler(b.node).Run(t.Context())
	must.Do(t, err)
	if report.Due != 0 {
		t.Errorf("%d launches are due while the request runs", report.Due)
	}
	if l, err := b.launches.Launch(t.Context(), s.ID); err != nil || l.Status != transaction.Submitted {
		t.Errorf("the launch is %s, %v", l.Status, err)
	}
}

func TestReconcileContinuesBoundedRun(t *testing.T) {
	b := newBench(t)
	b.pool.Max = 3
	b.service.Nonces = b.pool
	for range 3 {
		b.submit(t, &network{Client: b.node, deaf: true}, solana.LAMPORTS_PER_SOL)
	}
	b.pass(time.Minute)
	r := b.reconciler(b.node)
	r.MaxLaunches = 2
	var confirmed []int
	for range 3 {
		report, err := r.Run(t.Context())
		must.Do(t, err)
		confirmed = append(confirmed, report.Confirmed)
	}
	if want := []int{2, 1, 0}; !slices.Equal(confirmed, want) {
		t.Errorf("runs confirm %v, want %v", confirmed, want)
	}
}

// A run without time left starts no work, so it defers no launch.
func TestReconcileWithoutTimeDoesNothing(t *testing.T) {
	b := newBench(t)
	b.submit(t, &network{Client: b.node, deaf: true}, solana.LAMPORTS_PER_SOL)
	b.pass(time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	node := &network{Client: b.node, asked: cancel}
	_, _ = b.reconciler(node).Run(ctx)
	report, err := b.reconciler(b.node).Run(t.Context())
	if err != nil || report.Confirmed != 1 {
		t.Errorf("then %+v, %v; want one confirmed", report, err)
	}
}

// A node that contradicts itself settles nothing.
func TestContradictionSettlesNothing(t *testing.T) {
	b := newBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true, drops: true}, solana.LAMPORTS_PER_SOL)
	must.Do(t, b.pool.Spend(t.Context(), s.Nonce, 0))
	b.pass(time.Minute)
	liar := contradicting{b.node}
	if _, err := b.reconciler(&liar).Run(t.Context()); err == nil {
		t.Error("the run does not fail")
	}
	if l, err := b.launches.Launch(t.Context(), s.ID); err != nil || l.Status != transaction.Submitted {
		t.Errorf("the launch is %s, %v; want submitted", l.Status, err)
	}
}

// contradicting reports that a launch has landed when it is asked the second time.
type contradicting struct{ reconcile.Chain }

func (c *contradicting) Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error) {
	outcomes, err := c.Chain.Outcomes(ctx, signatures...)
	c.Chain = landedOnly{c.Chain}
	return outcomes, err
}

type landedOnly struct{ reconcile.Chain }

func (landedOnly) Outcomes(context.Context, ...solana.Signature) ([]transaction.Outcome, error) {
	return []transaction.Outcome{{State: transaction.Succeeded}}, nil
}

func TestRunsFillThePool(t *testing.T) {
	b := newBench(t)
	b.pool.Max = 6
	r := b.reconciler(b.node)
	r.Nonces, r.FreeNonces, r.MaxNonces = b.pool, 5, 3
	for i, want := range []nonce.Filled{{Free: 3, Made: 3}, {Free: 5, Made: 2}, {Free: 5}} {
		report, err := r.Run(t.Context())
		must.Do(t, err)
		if report.Nonces != want {
			t.Errorf("run %d: %+v, want %+v", i, report.Nonces, want)
		}
	}
}
