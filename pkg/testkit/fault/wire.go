package fault

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// The errors of a broken connection.
var (
	ErrDown = errors.New("connection refused (injected)")
	ErrLost = errors.New("connection reset before the answer (injected)")
)

// Down fails a call before the call arrives.
func Down(Call, *http.Request, Send) (*http.Response, error) { return nil, ErrDown }

// ReplyLost fails a call after the call has taken effect.
func ReplyLost(_ Call, r *http.Request, send Send) (*http.Response, error) {
	discard(send(r))
	return nil, ErrLost
}

// Delay makes a call after the time d, or no call if the caller cancels.
func Delay(d time.Duration) Fault {
	return func(_ Call, r *http.Request, send Send) (*http.Response, error) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return send(r)
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

// Answer returns a response without making the call.
func Answer(status int, body string) Fault {
	return func(_ Call, r *http.Request, _ Send) (*http.Response, error) {
		return reply(r, status, body), nil
	}
}

// Times injects a fault into n calls. Later calls are made.
func Times(n int, fault Fault) Fault {
	var mu sync.Mutex
	return func(c Call, r *http.Request, send Send) (*http.Response, error) {
		mu.Lock()
		left := n
		n--
		mu.Unlock()
		if left <= 0 {
			return send(r)
		}
		return fault(c, r, send)
	}
}

// Gate holds calls until the gate is opened, so that a test can act at a chosen moment, for example
// kill a process between two of its calls.
type Gate struct {
	arrived chan Call
	open    chan struct{}
	once    sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{arrived: make(chan Call, 100), open: make(chan struct{})} }

// Arrived returns each call that arrives at the gate.
func (g *Gate) Arrived() <-chan Call { return g.arrived }

// Open lets all calls through, permanently.
func (g *Gate) Open() { g.once.Do(func() { close(g.open) }) }

// Before holds calls before they are made.
func (g *Gate) Before(c Call, r *http.Request, send Send) (*http.Response, error) {
	if err := g.wait(c, r); err != nil {
		return nil, err
	}
	return send(r)
}

// After holds the responses of calls that have been made.
func (g *Gate) After(c Call, r *http.Request, send Send) (*http.Response, error) {
	response, err := send(r)
	if gone := g.wait(c, r); gone != nil {
		discard(response, err)
		return nil, gone
	}
	return response, err
}

func (g *Gate) wait(c Call, r *http.Request) error {
	g.arrived <- c
	select {
	case <-g.open:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func reply(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// discard reads a response to its end, so that the effect of the call has happened.
func discard(response *http.Response, err error) {
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}
