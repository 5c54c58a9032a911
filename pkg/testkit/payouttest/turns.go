package payouttest

import (
	"context"
	"net/http"
	"runtime"
	"sync"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

// Shared says whether others may notice a call, or a call what others did: every call of
// the chain, and every write to a store.
func Shared(c fault.Call) bool {
	switch c.Service {
	case "dynamodb":
		return c.Operation != "GetItem" && c.Operation != "Query"
	case "s3":
		return c.Operation == "PutObject"
	}
	return c.Service == fault.Solana
}

// Acts says whether a shared call changes anything. A process that dies before one that does
// not leaves the same as when it dies before the next.
func Acts(c fault.Call) bool {
	return Shared(c) && (c.Service != fault.Solana || c.Operation == fault.SendTransaction)
}

// Turns lets a process make its shared calls only when it is its turn, so that a test
// decides how the calls of several processes follow one another. All goroutines of the
// process stop together: its calls are counted as they come.
type Turns struct {
	process *fault.Process

	mu      sync.Mutex
	changed *sync.Cond
	arrived int // shared calls that came
	allowed int // of them, those that may be made
	flying  int // allowed, and not yet answered
	over    bool
}

// NewTurns holds a process, which has not begun, at its first shared call. Faults that
// are arranged later meet a call before it is held.
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
	// Its client's patience is measured in real time, which does not pass while it is held.
	return send(r.WithContext(context.WithoutCancel(r.Context())))
}

// Begin starts the work of the process, and returns when that is held.
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

// all is more calls than anything makes.
const all = 1 << 30

// Before lets the process go on until it is about to make its n-th shared call, from 1,
// and says whether it came to its end before.
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

// Finish lets the process go on to its end.
func (t *Turns) Finish() { t.Before(all) }

// Kill ends the process where it is held.
func (t *Turns) Kill() {
	t.process.Kill()
	t.Finish()
}
