package runworld

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// message requests the next step of a run, or work on a chunk.
type message struct {
	due  time.Time
	slot time.Time
	work *payout.Work
	// claim requests the payment of claims.
	claim bool
	// The fields of endpoints' messages: see dispatch.Run, and batch.Message.
	version  int64
	swept    bool
	receives int
}

// queue has messages until they are done.
type queue struct {
	mu       sync.Mutex
	now      func() time.Time
	messages []message
	// twice delivers the first message of a chain of messages twice.
	twice bool
	// swept is the start of the time for which a slot has waited for a claim without a sweep.
	swept time.Time
}

// Hand queues the chunks of a phase.
func (q *queue) Hand(_ context.Context, work []payout.Work) error {
	for _, one := range work {
		q.begin(message{due: q.now(), work: &one})
	}
	return nil
}

// begin queues the first message of a chain.
func (q *queue) begin(m message) {
	q.push(m)
	if q.twice {
		q.push(m)
	}
}

func (q *queue) push(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages = append(q.messages, m)
}

// pop removes and returns the message that is due first.
func (q *queue) pop() (m message, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.messages) == 0 {
		return message{}, false
	}
	first := 0
	for i := range q.messages {
		if q.messages[i].due.Before(q.messages[first].due) {
			first = i
		}
	}
	m = q.messages[first]
	q.messages = slices.Delete(q.messages, first, first+1)
	return m, true
}

// Slot requests the run of the next boundary, and advances the clock to the boundary.
func (w *Fixture) Slot() time.Time {
	slot := w.Token.Settings.Interval.Next(w.Clock.Now())
	w.Clock.Pass(slot.Sub(w.Clock.Now()))
	w.Again(slot)
	return slot
}

// Again requests the run of a slot once more, because messages can be repeated and late.
func (w *Fixture) Again(slot time.Time) { w.queue.push(message{due: w.Clock.Now(), slot: slot}) }

// Claim orders the payment of owners, and requests the payment.
func (w *Fixture) Claim(t testing.TB, owners ...solana.PublicKey) {
	t.Helper()
	for _, owner := range owners {
		must.Do(t, w.Orders.Order(t.Context(), w.Token.Mint, owner, w.Clock.Now()))
	}
	w.queue.push(message{due: w.Clock.Now(), claim: true})
}

// maxSteps is the maximum number of steps of a run. A run that needs more steps is stuck.
const maxSteps = 5_000

// Drive handles messages until there are no messages, and advances the clock to each due time. A
// killed process leaves its message to the next process, which start creates. If start is nil, the
// processes have no faults. A failed message comes again a second later.
func (w *Fixture) Drive(t testing.TB, start func() *fault.Process) {
	t.Helper()
	var p *fault.Process
	var worker *Worker
	fresh := func() {
		p = nil
		if start != nil {
			p = start()
		}
		worker = w.Worker(t, p)
	}
	fresh()
	for range maxSteps {
		m, ok := w.queue.pop()
		if !ok {
			return
		}
		if wait := m.due.Sub(w.Clock.Now()); wait > 0 {
			w.Clock.Pass(wait)
		}
		var next payout.Next
		var err error
		lived := true
		if p == nil {
			next, err = w.handle(context.Background(), worker, m)
		} else {
			lived = p.Run(func() { next, err = w.handle(context.Background(), worker, m) })
		}
		if !lived {
			w.queue.push(m)
			fresh()
			continue
		}
		if err != nil {
			t.Logf("a message comes again: %v", err)
			w.again(m)
			continue
		}
		w.follow(t, m, next)
	}
	t.Fatalf("after %d steps the run has not ended", maxSteps)
}

// follow queues the message after a step. If another slot's run is active, the message of a slot
// ends, as in the endpoint distributor.
func (w *Fixture) follow(t testing.TB, m message, next payout.Next) {
	t.Helper()
	switch {
	case next.Done && m.work != nil:
		w.queue.push(message{due: w.Clock.Now(), slot: m.work.Slot})
	case next.Done:
	case m.work != nil:
		w.queue.push(message{due: w.Clock.Now().Add(next.After), work: m.work})
	case w.elsewhere(t, m.slot):
	case next.After < run.OverdueAfter: // otherwise a chunk's end, or the sweep, sends a message
		w.queue.push(message{due: w.Clock.Now().Add(next.After), slot: m.slot})
	}
}

// elsewhere reports whether the run of another slot, except a claim's run, is active.
func (w *Fixture) elsewhere(t testing.TB, slot time.Time) bool {
	t.Helper()
	active := w.Head(t).Active
	return !active.IsZero() && !active.Equal(slot) && w.Look(t, active).Kind() == run.Distribution
}
