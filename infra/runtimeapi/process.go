// Package runtimeapi runs the built binary of a function as Lambda does: a process
// of its own that asks for events over Lambda's runtime API and answers them, one
// after the other (Lambda Developer Guide, "Using the Lambda runtime API"). What the
// process prints goes through, and how it ends is reported.
package runtimeapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"github.com/google/uuid"
)

// defaultTimeout bounds an event when the options do not.
const defaultTimeout = 30 * time.Second

// defaultInitTimeout is Lambda's time for a process until it asks for its first event.
const defaultInitTimeout = 10 * time.Second

// Options of a process.
type Options struct {
	Binary string
	// Args of the binary; a function has none.
	Args []string
	// Env is the whole environment of the process; AWS_LAMBDA_RUNTIME_API comes on top.
	Env []string
	// ARN of the function, which events carry.
	ARN string
	// Timeout of one event; 30 seconds if zero.
	Timeout time.Duration
	// InitTimeout is the time until it asks for its first event; 10 seconds if zero,
	// as on Lambda.
	InitTimeout time.Duration
	// Log receives what the process prints; nil discards it.
	Log io.Writer
}

// Event is one event for the function.
type Event struct {
	Payload []byte
	// RequestID is made up when empty.
	RequestID string
	// TraceID is the header X-Amzn-Trace-Id of the caller; none if empty.
	TraceID string
}

// Process is a running function. It takes one event at a time; Invoke may be called
// from many goroutines.
type Process struct {
	options Options
	began   time.Time
	cmd     *exec.Cmd
	server  *http.Server
	said    *tail

	asked   sync.Once
	ready   chan struct{} // closed when it has asked for its first event
	readyAt time.Time

	turn   chan struct{} // held by the event under way
	events chan *invocation

	mu         sync.Mutex
	current    *invocation
	failedInit *FunctionError

	exited chan struct{}
	exit   error // set before exited is closed
}

// ErrTimeout is returned when an event took longer than the function may; the process was
// ended for it.
var ErrTimeout = errors.New("timed out")

// ExitError is returned when the process has ended, with or without an event under way.
type ExitError struct {
	// Init: it ended before it asked for its first event.
	Init bool
	// Status is how it ended, for people.
	Status string
	// Reported is the reported cause; nil if nothing.
	Reported *FunctionError
	// Said is the end of what it printed.
	Said string
}

func (e *ExitError) Error() string {
	when := "after it had begun"
	if e.Init {
		when = "before it asked for an event"
	}
	text := fmt.Sprintf("the function ended %s (%s)", when, e.Status)
	if e.Reported != nil {
		text += ": " + e.Reported.Error()
	}
	if e.Said != "" {
		text += "; it said:\n" + e.Said
	}
	return text
}

// Start starts the process and returns before it asks for an event.
func Start(ctx context.Context, o Options) (*Process, error) {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.InitTimeout == 0 {
		o.InitTimeout = defaultInitTimeout
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the function: %w", err)
	}
	p := &Process{
		options: o, said: &tail{}, ready: make(chan struct{}), exited: make(chan struct{}),
		turn: make(chan struct{}, 1), events: make(chan *invocation),
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: defaultInitTimeout}
	go func() { _ = p.server.Serve(listener) }() // until Stop closes it
	// Stop ends it, not the end of the start.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), o.Binary, o.Args...) // #nosec G204 -- a function of the project
	p.cmd.Env = append([]string{"AWS_LAMBDA_RUNTIME_API=" + listener.Addr().String()}, o.Env...)
	// One writer for both keeps their lines in order.
	out := io.MultiWriter(p.said, o.Log)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.WaitDelay = time.Second
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		_ = p.server.Close()
		return nil, fmt.Errorf("start the function: %w", err)
	}
	go func() {
		p.exit = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// PID is the process's id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Began is when the process was started.
func (p *Process) Began() time.Time { return p.began }

// Ready waits until the process asks for its first event and returns the time that this took.
func (p *Process) Ready(ctx context.Context) (time.Duration, error) {
	select {
	case <-p.ready: // whatever the time is by now
		return p.readyAt.Sub(p.began), nil
	default:
	}
	late := time.NewTimer(p.options.InitTimeout - time.Since(p.began))
	defer late.Stop()
	select {
	case <-p.ready:
		return p.readyAt.Sub(p.began), nil
	case <-p.exited:
		return 0, p.ended()
	case <-late.C:
		p.Stop()
		return 0, fmt.Errorf("the function did not ask for an event within %v: %w; it said:\n%s", p.options.InitTimeout, ErrTimeout, p.said)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Invoke has the process answer one event. The error is a *FunctionError when the
// function reports one, and an *ExitError when the process has ended; no event can
// follow that one, nor ErrTimeout.
func (p *Process) Invoke(ctx context.Context, e Event) ([]byte, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := p.Ready(ctx); err != nil {
		return nil, err
	}
	if e.RequestID == "" {
		e.RequestID = uuid.NewString()
	}
	i := &invocation{Event: e, deadline: time.Now().Add(p.options.Timeout), done: make(chan outcome, 1)}
	p.set(i)
	defer p.set(nil)
	late := time.NewTimer(p.options.Timeout)
	defer late.Stop()
	events := p.events
	for {
		select {
		case events <- i:
			events = nil // it has the event
		case result := <-i.done:
			return result.answer, result.err
		case <-p.exited:
			select {
			case result := <-i.done: // its last word
				return result.answer, result.err
			default:
				return nil, p.ended()
			}
		case <-late.C:
			p.Stop()
			return nil, fmt.Errorf("the function has not answered after %v: %w", p.options.Timeout, ErrTimeout)
		case <-ctx.Done():
			p.Stop() // no caller would hear what it does with the event
			return nil, ctx.Err()
		}
	}
}

func (p *Process) set(i *invocation) {
	p.mu.Lock()
	p.current = i
	p.mu.Unlock()
}

// ended describes the end of the process, which has come.
func (p *Process) ended() error {
	e := &ExitError{Init: true, Status: p.cmd.ProcessState.String(), Said: p.said.String()}
	select {
	case <-p.ready:
		e.Init = false
	default:
	}
	p.mu.Lock()
	e.Reported = p.failedInit
	p.mu.Unlock()
	return e
}

// Exited is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Stop ends the process, as Lambda does with an environment that it needs no more,
// and waits for its end. It may be called more than once.
func (p *Process) Stop() {
	_ = p.cmd.Process.Kill() // it may have ended before
	<-p.exited
	_ = p.server.Close()
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// kept is the number of bytes kept of it.
const kept = 4 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if over := len(t.text) - kept; over > 0 {
		t.text = append([]byte(nil), t.text[over:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
