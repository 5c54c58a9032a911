// Package chain talks to a Solana node over JSON-RPC.
//
// It promises: every call names its commitment; every call ends, by the
// context or by a timeout of its own; what a node answers is read into
// integers, never through floating point; a node that does not answer is an
// apperr.Upstream; and no error shows the node's address, which may carry a
// key. Reads are repeated a few times when the node fails, as is sending, for
// the network takes the same signed bytes once.
//
// The client is small and its own because the client of solana-go shows the
// address in its errors, sets no timeout, and leaves the errors of
// transactions undecoded.
package chain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"tokenlaunch.example/service/pkg/apperr"
)

// Commitment says how sure a node must be of what it answers.
type Commitment string

// Commitments. A confirmed block has the votes of two thirds of the stake; a
// finalized one cannot be undone.
const (
	Processed Commitment = "processed"
	Confirmed Commitment = "confirmed"
	Finalized Commitment = "finalized"
)

const (
	attemptTimeout = 5 * time.Second
	// attempts is how often a call is tried in all. With the pauses below, a
	// caller waits 15.6 s at most, which leaves an API answer time to be
	// written within 25 s.
	attempts = 3
	// answerLimit bounds an answer, in bytes: the longest account has 10 MiB,
	// a third more in base64.
	answerLimit = 16 << 20
)

// pauses lie between the attempts.
var pauses = [attempts - 1]time.Duration{150 * time.Millisecond, 450 * time.Millisecond}

// upstream names the node for callers.
const upstream = "The Solana network"

// Client talks to one node. Make it with New.
type Client struct {
	// Pause waits, or returns the context's error when that ends first.
	Pause func(ctx context.Context, d time.Duration) error
	// Now says how old an answer is that is kept for a while.
	Now func() time.Time

	rents  rents
	node   string
	http   *http.Client
	hidden redactor
}

// New makes a client of the node at the address, an http or https URL that may
// carry a key. It does not connect. The error does not show the address.
func New(address string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("the address of the Solana node is not an http or https URL")
	}
	return &Client{
		Pause: pause,
		Now:   time.Now,
		node:  address,
		http: &http.Client{
			// A redirect would take the key elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		hidden: redact(u),
	}, nil
}

// WithTransport gives a client of the same node whose calls go through the
// transport.
func (c *Client) WithTransport(t http.RoundTripper) *Client {
	h := *c.http
	h.Transport = t
	return &Client{Pause: c.Pause, Now: c.Now, node: c.node, http: &h, hidden: c.hidden}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// object is a JSON object of call parameters.
type object map[string]any

// call makes one JSON-RPC call, in several attempts while the node fails, and
// decodes its result.
func (c *Client) call(ctx context.Context, result any, method string, params ...any) error {
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("encode a call of %s: %w", method, err)
	}
	for attempt := 0; ; attempt++ {
		raw, err := c.attempt(ctx, body)
		if err == nil {
			if err := json.Unmarshal(raw, result); err != nil {
				return apperr.Upstream(upstream, fmt.Errorf("decode the result of %s: %w", method, c.hidden.error(err)))
			}
			return nil
		}
		var refusal *rpcError
		if errors.As(err, &refusal) && !refusal.passing() {
			return fmt.Errorf("%s: %w", method, err)
		}
		if attempt == len(pauses) || c.Pause(ctx, pauses[attempt]) != nil {
			return apperr.Upstream(upstream, fmt.Errorf("%s: %w", method, err))
		}
	}
}

// attempt makes a call once and gives its raw result.
func (c *Client) attempt(ctx context.Context, body []byte) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.node, bytes.NewReader(body))
	if err != nil {
		return nil, c.hidden.error(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.hidden.error(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", c.hidden.error(err))
	}
	if len(raw) > answerLimit {
		return nil, fmt.Errorf("the answer is over %d bytes", answerLimit)
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *rpcError       `json:"error"`
	}
	// Nodes answer some errors of JSON-RPC with a status of their own, so the
	// body counts when it is one.
	decodeErr := json.Unmarshal(raw, &answer)
	if decodeErr == nil && answer.Error != nil {
		answer.Error.Message = c.hidden.text(answer.Error.Message)
		return nil, answer.Error
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", response.StatusCode)
	}
	if decodeErr != nil || answer.Result == nil {
		return nil, errors.New("the answer is not one of JSON-RPC")
	}
	return answer.Result, nil
}

// rpcError is a refusal by the node.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error describes the refusal, for logs.
func (e *rpcError) Error() string { return fmt.Sprintf("refused with %d: %s", e.Code, e.Message) }

// Error codes of nodes (Agave, rpc-client-api/src/custom_error.rs; JSON-RPC 2.0).
const (
	codeSimulationFailed  = -32002
	codeBlockNotAvailable = -32004
	codeNodeUnhealthy     = -32005
	codeStatusUnavailable = -32014
	codeSlotNotReached    = -32016
	codeInternal          = -32603
	codeTooManyRequests   = 429 // of several providers, in a body with status 200
)

// passing reports whether the same call may succeed a moment later.
func (e *rpcError) passing() bool {
	switch e.Code {
	case codeBlockNotAvailable, codeNodeUnhealthy, codeStatusUnavailable, codeSlotNotReached, codeInternal, codeTooManyRequests:
		return true
	}
	return false
}
