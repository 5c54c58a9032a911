// Package fault makes the outside world fail on purpose, for tests: stores, the
// chain, IPFS, and the clock.
//
// Everything that the service uses is called over HTTP, so a fault is put on the
// wire, under the real clients with their retries and timeouts, over the real
// parts. A Process stands for one process of ours. Its calls go through
// transports made by Over, or through proxies made by Proxy; it writes down each
// call, and the faults that On arranges happen to the calls they are meant for:
//
//	p := fault.NewProcess()
//	config.HTTPClient = p.Over(config.HTTPClient) // AWS
//	node = node.WithTransport(p.Over(http.DefaultTransport.RoundTrip))
//	p.On(fault.Operation("solana", "sendTransaction"), fault.ReplyLost)
//
// Crash tests need no list of places where a crash might hurt: run once without
// a fault, take Calls, and for each of them run again with KillBefore and with
// KillAfter. A test that adds a call to the code gets its cases by itself.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
)

// Call is one call that a process makes of the outside world.
type Call struct {
	// Service is dynamodb, kms, s3, sqs, lambda and so on for AWS (as its requests
	// are signed for), solana for a node, ipfs for a pinning service.
	Service string
	// Operation is named as the service names it: TransactWriteItems, PutObject,
	// sendTransaction, add.
	Operation string
	// N counts the process's calls of this operation, from 1. A repeated attempt is
	// a call of its own.
	N int
}

// String is, for example, "dynamodb TransactWriteItems 2".
func (c Call) String() string { return fmt.Sprintf("%s %s %d", c.Service, c.Operation, c.N) }

// Match says which calls a fault is meant for.
type Match func(Call) bool

// Exactly matches one call.
func Exactly(call Call) Match { return func(c Call) bool { return c == call } }

// Operation matches every call of an operation.
func Operation(service, operation string) Match {
	return func(c Call) bool { return c.Service == service && c.Operation == operation }
}

// Service matches every call of a service.
func Service(service string) Match { return func(c Call) bool { return c.Service == service } }

// Send makes a call as if there were no fault.
type Send func(*http.Request) (*http.Response, error)

// Fault is what happens to a call. It may send the request, any number of times,
// and answers in the place of the one who was called.
type Fault func(c Call, r *http.Request, send Send) (*http.Response, error)

// Process is one process of ours, as the outside world sees it. It is safe for
// concurrent use.
type Process struct {
	mu     sync.Mutex
	calls  []Call
	counts map[Call]int // by the call with N = 0
	rules  []rule
	dead   bool
}

type rule struct {
	match Match
	fault Fault
}

// NewProcess is a process to which nothing happens yet.
func NewProcess() *Process { return &Process{counts: map[Call]int{}} }

// First returns p for the first process that is started, and for those after it nil, a process
// to which nothing happens.
func First(p *Process) func() *Process {
	return func() *Process {
		next := p
		p = nil
		return next
	}
}

// On arranges a fault. The fault that was arranged last comes first, and those
// before it see what it sends.
func (p *Process) On(match Match, fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, rule{match, fault})
}

// KillBefore ends the process when it makes a matching call, which is not made.
func (p *Process) KillBefore(match Match) {
	p.On(match, func(Call, *http.Request, Send) (*http.Response, error) { return p.die() })
}

// KillAfter ends the process when a matching call has taken effect and before
// its answer arrives.
func (p *Process) KillAfter(match Match) {
	p.On(match, func(_ Call, r *http.Request, send Send) (*http.Response, error) {
		discard(send(r))
		return p.die()
	})
}

// Kill ends the process: it makes no call any more. What waits for the answer of one ends
// when that comes, or by runtime.Goexit in a fault.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
}

// Run runs f as the process's work, and says whether the process lived to its
// end. A killed process does nothing any more: the goroutine that made the call
// ends there and then (its deferred functions run, but cannot make calls), and
// so does every other one at its next call.
func (p *Process) Run(f func()) (lived bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
		lived = true
	}()
	<-done
	return lived && !p.Dead()
}

// Dead says whether the process was killed.
func (p *Process) Dead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// Calls are the calls made so far, in order, with those that a fault kept from
// arriving. A call of a dead process is none.
func (p *Process) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Call(nil), p.calls...)
}

func (p *Process) die() (*http.Response, error) {
	p.Kill()
	runtime.Goexit()
	return nil, errDead // not reached
}

var errDead = errors.New("the process is dead")

// record counts the call, and gives the faults meant for it, the latest first.
func (p *Process) record(c Call) (Call, []Fault, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return c, nil, errDead
	}
	p.counts[c]++
	c.N = p.counts[c]
	p.calls = append(p.calls, c)
	var faults []Fault
	for i := len(p.rules) - 1; i >= 0; i-- {
		if p.rules[i].match(c) {
			faults = append(faults, p.rules[i].fault)
		}
	}
	return c, faults, nil
}
