package payouttest

import (
	"context"
	"net/http"
	"runtime"
	"sync"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

// Shared reports whether a call depends on shared state or changes shared state: every call to the
// chain, and every write to a store.
func Shared(c fault.Call) bool { return c.Service == fault.Solana || Acts(c) }

// Acts reports whether a shared call changes state. The state is the same if a process dies before
// a call without changes or before the next call.
func Acts(c fault.Call) bool { return c.Service != "http" && !fault.Reads(c) }

// Turns lets a process make shared calls only at its turn, so that a test decides the order of the
// calls of several processes. All goroutines of the process stop together. The calls are counted in
// the order of their arrival.
type Turns struct {
	process *fault.Process

	mu      sync.Mutex
	changed *sync.Cond
	arrived int // shared calls that arrived
	allowed int // shared calls that may be made
	flying  int // allowed calls without a response
	over    bool
}

// NewTurns holds a process, which has not begun, at its first shared call. Faults that are
// registered later handle a call before the hold.
func NewTurns(p *fault.Process) *Turns {
	t := &Turns{process: p}
	t.changed = sync.NewCond(&t.mu)
	p.On(Shared, t.hold)
	return t
}

func (t *Turns) hold(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	t.mu.Lock()
	t.arrived++
	number := t.arrived
	t.changed.Broadcast()
	for number > t.allowed {
		t.changed.Wait()
	}
	t.flying++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.flying--
		t.changed.Broadcast()
		t.mu.Unlock()
	}()
	if t.process.Dead() {
		runtime.Goexit()
	}
	// The client's timeouts use real time, which must not count while the call is held.
	return send(r.WithContext(context.WithoutCancel(r.Context())))
}

// Begin starts the work of the process, and returns when the process is held.
func (t *Turns) Begin(work func()) {
	go func() {
		t.process.Run(work)
		t.mu.Lock()
		t.over = true
		t.changed.Broadcast()
		t.mu.Unlock()
	}()
	t.Before(1)
}

// all is more than any number of calls.
const all = 1 << 30

// Before lets the process continue until its n-th shared call, from 1, and reports whether the
// process ended before this call.
func (t *Turns) Before(n int) (over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.allowed = max(t.allowed, n-1)
	t.changed.Broadcast()
	for !t.over && (t.arrived <= t.allowed || t.flying > 0) {
		t.changed.Wait()
	}
	return t.over
}

// Finish lets the process continue to its end.
func (t *Turns) Finish() { t.Before(all) }

// Kill kills the process at the held call.
func (t *Turns) Kill() {
	t.process.Kill()
	t.Finish()
}
