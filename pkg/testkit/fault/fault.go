// Package fault injects faults into external services, for tests: stores, the chain, IPFS, and the
// clock.
//
// The service calls every external service over HTTP. So package fault injects faults into the HTTP
// requests, below the real clients with their retries and timeouts, and above the real services. A
// Process represents one of our processes. The calls of a Process go through transports from Over, or
// through proxies from Proxy. A Process records each call, and injects the faults that On has
// registered:
//
//	p := fault.NewProcess()
//	config.HTTPClient = p.Over(config.HTTPClient) // AWS
//	node = node.WithTransport(p.Over(http.DefaultTransport.RoundTrip))
//	p.On(fault.Operation("solana", "sendTransaction"), fault.ReplyLost)
//
// Crash tests need no list of critical places: run once without a fault, read Calls, and for each
// call run again with KillBefore and with KillAfter. If the code makes a new call, the test gets
// the new cases automatically.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
)

// Call is a process's call to an external service.
type Call struct {
	// Service is dynamodb, kms, s3, sqs, lambda and so on for AWS (from the signature of the
	// request), solana for a node, ipfs for a pinning service.
	Service string
	// Operation is the service's name of the operation: TransactWriteItems, PutObject,
	// sendTransaction, add.
	Operation string
	// N counts the process's calls of this operation, from 1. A retry is a separate call.
	N int
}

// String returns, for example, "dynamodb TransactWriteItems 2".
func (c Call) String() string { return fmt.Sprintf("%s %s %d", c.Service, c.Operation, c.N) }

// Match selects the calls for a fault.
type Match func(Call) bool

// Exactly matches a single call.
func Exactly(call Call) Match { return func(c Call) bool { return c == call } }

// Operation matches every call of an operation.
func Operation(service, operation string) Match {
	return func(c Call) bool { return c.Service == service && c.Operation == operation }
}

// Service matches every call of a service.
func Service(service string) Match { return func(c Call) bool { return c.Service == service } }

// Reads reports whether a call changes nothing outside of the process. A process that dies before or
// after such a call leaves the same state as one that dies before its next change, so a matrix of
// deaths leaves such calls out.
func Reads(c Call) bool {
	switch c.Service {
	case "dynamodb":
		return c.Operation == "GetItem" || c.Operation == "Query"
	case "s3":
		return c.Operation != "PutObject"
	case "kms":
		return true
	case Solana:
		return c.Operation != SendTransaction
	}
	return false
}

// Send makes a call without a fault.
type Send func(*http.Request) (*http.Response, error)

// Fault replaces a call. Fault may send the request, any number of times, and returns the response.
type Fault func(c Call, r *http.Request, send Send) (*http.Response, error)

// Process is one of our processes, as external services see the process. Process is safe for
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

// NewProcess returns a process without faults.
func NewProcess() *Process { return &Process{counts: map[Call]int{}} }

// First returns p for the first process that starts, and nil, which means a process without faults,
// for later processes.
func First(p *Process) func() *Process {
	return func() *Process {
		next := p
		p = nil
		return next
	}
}

// On registers a fault. The fault that was registered last runs first. Earlier faults see the
// requests that the last fault sends.
func (p *Process) On(match Match, fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, rule{match, fault})
}

// KillBefore kills the process at a matching call, before the call is made.
func (p *Process) KillBefore(match Match) {
	p.On(match, func(Call, *http.Request, Send) (*http.Response, error) { return p.die() })
}

// KillAfter kills the process after a matching call has taken effect and before the response
// arrives.
func (p *Process) KillAfter(match Match) {
	p.On(match, func(_ Call, r *http.Request, send Send) (*http.Response, error) {
		discard(send(r))
		return p.die()
	})
}

// Kill kills the process: the process makes no more calls. Code that waits for a response ends when
// the response arrives, or by runtime.Goexit in a fault.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
}

// Run runs f as the process's work, and reports whether the process survived. In a killed process,
// the goroutine that made the call ends immediately. Its deferred functions run, but cannot make
// calls. Other goroutines end at the next call.
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

// Dead reports whether the process was killed.
func (p *Process) Dead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// Calls returns the calls so far, in order, including calls that a fault did not send. Calls of a
// dead process are not included.
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

// record counts the call, and returns the matching faults, the latest first.
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
