package runworld

import (
	"context"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/api/endpoint/distributor"
	"tokenlaunch.example/service/pkg/api/endpoint/payer"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Served is a worker behind the endpoints distributor and payer. The endpoints' messages go through
// the fixture's queue. The worker copies its writes of runs to the journal, and queries two
// providers.
type Served struct {
	*Worker
	distributor distributor.Endpoint
	payer       payer.Endpoint
}

// Served starts a Served; p is nil for a process without faults.
func (w *Fixture) Served(t testing.TB, p *fault.Process) *Served {
	t.Helper()
	s := &Served{Worker: w.Worker(t, p)}
	runs := journal.Runs{Store: s.Machine.Store, Copies: s3store.Bucket{Client: w.S3(w.Config(p)), Name: w.Files}, Log: s.Machine.Log}
	s.Engine.Phases = run.Phases{Store: runs}
	s.Engine.Chains = append(s.Engine.Chains, w.Env.Env.Node(t, p, w.Heights))
	s.Machine.Store, s.Machine.Engine = runs, s.Engine
	waiting := batch.Waiting{Wait: w.wait, Below: batch.ShortWait}
	if w.Queued {
		waiting.Below = 0
	}
	s.distributor = distributor.Endpoint{Machine: s.Machine, Ledger: runs, Queue: letters{w}, Now: w.Clock.Now, Log: s.Machine.Log, Waiting: waiting}
	s.payer = payer.Endpoint{Engine: s.Engine, Queue: letters{w}, Runs: letters{w}, Now: w.Clock.Now, Log: s.Machine.Log, Waiting: waiting}
	return s
}

// wait advances the clock.
func (w *Fixture) wait(ctx context.Context, d time.Duration) error {
	w.Clock.Pass(d)
	return ctx.Err()
}

// letters puts the messages of endpoints into the fixture's queue.
type letters struct{ fixture *Fixture }

// SendRuns implements distributor.Queue.
func (l letters) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	for _, r := range runs {
		l.fixture.queue.push(message{due: l.fixture.Clock.Now().Add(r.Delay), slot: r.Slot, version: r.Version, swept: r.Swept, claim: r.Claim})
	}
	return nil
}

// SendWork implements payer.Queue.
func (l letters) SendWork(_ context.Context, after time.Duration, chunks ...payout.Work) error {
	for _, work := range chunks {
		l.fixture.queue.push(message{due: l.fixture.Clock.Now().Add(after), work: &work})
	}
	return nil
}

// Message is a message from the fixture's queue.
type Message struct{ message }

// Receive removes the message that is due first, and advances the clock to its time. If there is no
// message but an active run, a sweep finds the run overdue. ok is false if no run is active.
func (w *Fixture) Receive(t testing.TB) (m Message, ok bool) {
	t.Helper()
	first, ok := w.queue.pop()
	if !ok {
		head, err := w.Runs.Head(t.Context(), w.Token.Mint)
		must.Do(t, err)
		if head.Active.IsZero() {
			return m, false
		}
		first = message{due: w.Clock.Now().Add(run.OverdueAfter), slot: head.Active, swept: true}
	}
	w.Clock.Pass(max(0, first.due.Sub(w.Clock.Now())))
	if ok && w.sweeps(t, first) {
		w.queue.push(first)
		first = message{due: w.Clock.Now(), slot: w.Head(t).Active, swept: true}
	}
	first.receives++
	return Message{first}, true
}

// sweeps reports whether a sweep is due although there are messages, because the messages of a slot
// that waits for a claim come repeatedly.
func (w *Fixture) sweeps(t testing.TB, m message) bool {
	t.Helper()
	if active := w.Head(t).Active; m.work != nil || m.claim || active.IsZero() || !m.slot.After(active) {
		w.queue.swept = time.Time{}
		return false
	}
	if w.queue.swept.IsZero() {
		w.queue.swept = w.Clock.Now()
	}
	if w.Clock.Now().Sub(w.queue.swept) < run.OverdueAfter {
		return false
	}
	w.queue.swept = w.Clock.Now()
	return true
}

// Redeliver puts a received message back, due immediately.
func (w *Fixture) Redeliver(m Message) {
	m.due = w.Clock.Now()
	w.queue.push(m.message)
}

// redelivery is the delay of a failed message.
const redelivery = time.Second

// Answer handles a message. A failed message comes again, and so does the message of a killed
// process.
func (s *Served) Answer(t testing.TB, m Message) {
	t.Helper()
	answered := false
	defer func() {
		if !answered {
			s.fixture.again(m.message)
		}
	}()
	asked := batch.Message{Receives: m.receives}
	var err error
	if m.work != nil {
		one := s.payer
		one.Read = func(string) (payout.Work, error) { return *m.work, nil }
		err = one.Advance(context.Background(), asked)
	} else {
		one := s.distributor
		one.Read = func(string) (dispatch.Run, error) {
			return dispatch.Run{Mint: s.fixture.Token.Mint, Slot: m.slot, Version: m.version, Swept: m.swept, Claim: m.claim}, nil
		}
		err = one.Advance(context.Background(), asked)
	}
	if err != nil {
		t.Logf("a message comes again: %v", err)
	}
	answered = err == nil
}

// again puts an unanswered message back.
func (w *Fixture) again(m message) {
	m.due = w.Clock.Now().Add(redelivery)
	w.queue.push(m)
}

// Serve handles messages until there are no messages and no run is active, and returns the number
// of messages.
func (s *Served) Serve(t testing.TB) (messages int) {
	t.Helper()
	for messages = range maxSteps {
		m, ok := s.fixture.Receive(t)
		if !ok {
			return messages
		}
		s.Answer(t, m)
	}
	t.Errorf("after %d messages the run has not ended", maxSteps)
	return maxSteps
}
