// Package solanarpc talks to a Solana node over JSON-RPC.
//
// It promises: every call names its commitment; every call ends, by the
// context or by a timeout of its own; what a node answers is read into
// integers, never through floating point; a node that does not answer is an
// apperr.Upstream; and no error shows the node's address, which may carry a
// key. Reads are repeated a few times when the node fails, as is sending, for
// the network takes the same signed bytes once.
//
// The nodes are those that a source names at the time of a call: when it names others,
// calls that are under way end with those that they began with.
//
// There may be several nodes. The first that is well is asked; one that fails, or is
// far behind, is left out for a while. A read that takes long is asked of a second
// one too, and a transaction is handed to all of them.
//
// The client is small and its own because the client of solana-go shows the
// address in its errors, sets no timeout, and leaves the errors of
// transactions undecoded.
package solanarpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/secret"
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
	// attempts is how often a call is tried in all, attemptsOfSeveral where there are
	// several nodes to ask in turn. A caller waits for callWithin at most, which leaves
	// an API answer time to be written within 25 s.
	attempts          = 3
	attemptsOfSeveral = 5
	callWithin        = 16 * time.Second
	// answerLimit bounds an answer, in bytes: the longest account has 10 MiB,
	// a third more in base64.
	answerLimit = 16 << 20
	// listingLimit bounds an answer that is read as it comes: the accounts of a mint,
	// some 400 bytes each.
	listingLimit = 8 << 30
)

// pauses lie between the attempts, the last one between all further ones.
var pauses = [...]time.Duration{150 * time.Millisecond, 450 * time.Millisecond}

// busyPause is how long a node is left alone at least that was busy twice: plans allow so
// many calls in a second, and what is given up within it is begun anew, with more calls.
const busyPause = time.Second

// upstream names the node for callers.
const upstream = "The Solana network"

// Client talks to the nodes of one network. Make it with New.
type Client struct {
	// Pause waits, or returns the context's error when that ends first.
	Pause func(ctx context.Context, d time.Duration) error
	// Now says how old an answer is that is kept for a while, and how long one took.
	Now func() time.Time
	// Meter takes what each call of a node was like, by its place among the addresses;
	// nil: nothing is measured. Label goes in front of the place, where there are several
	// clients.
	Meter *metric.Meter
	Label string

	// Cluster is the network that all nodes must be of; nil: not asked.
	Cluster *Cluster

	rents  rents
	pace   pace
	roster *roster
	http   *http.Client
}

// New makes a client of the nodes at the addresses, http or https URLs with spaces
// between them, which may carry keys; the first is preferred. It does not connect.
// The error does not show the addresses.
func New(addresses string) (*Client, error) {
	if err := CheckAddresses(addresses); err != nil {
		return nil, err
	}
	return From(secret.Fixed(addresses)), nil
}

// From makes a client of the nodes whose addresses, as in New, the source gives. They
// are asked for at the first call.
func From(addresses secret.Source) *Client {
	return &Client{
		Pause:  pause,
		Now:    time.Now,
		roster: &roster{source: addresses},
		http:   httpclient.New(httpclient.Limits{Answer: listingLimit}),
	}
}

// WithTransport gives a client of the same nodes whose calls go through the
// transport.
func (c *Client) WithTransport(t http.RoundTripper) *Client {
	h := *c.http
	h.Transport = t
	return &Client{Pause: c.Pause, Now: c.Now, Meter: c.Meter, Label: c.Label, Cluster: c.Cluster, roster: c.roster, http: &h}
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

// encodeCall gives the body of a call. A list of addresses is written already.
func encodeCall(method string, params ...any) ([]byte, error) {
	var list [][]byte
	for _, p := range params {
		raw, written := p.(json.RawMessage)
		if !written {
			var err error
			if raw, err = json.Marshal(p); err != nil {
				return nil, fmt.Errorf("encode a call of %s: %w", method, err)
			}
		}
		list = append(list, raw)
	}
	return slices.Concat(
		[]byte(`{"id":1,"jsonrpc":"2.0","method":"`), []byte(method), []byte(`","params":[`), bytes.Join(list, []byte{','}), []byte(`]}`),
	), nil
}

// call makes one JSON-RPC call, in several attempts while the node fails, and
// decodes its result.
func (c *Client) call(ctx context.Context, result any, method string, params ...any) error {
	body, err := encodeCall(method, params...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	net, err := c.roster.network(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	nodes := net.preferred()
	most := attempts
	if len(nodes) > 1 {
		most = attemptsOfSeveral
	}
	for attempt := 0; ; attempt++ {
		raw, err := c.ask(ctx, nodes, method, body, attempt)
		if err == nil {
			if err = decodeResult(raw, result); err == nil {
				return nil
			}
			err = fmt.Errorf("decode the result: %w", net.hidden.Error(err))
		}
		if decided(err) {
			return fmt.Errorf("%s: %w", method, err)
		}
		if attempt+1 == most || c.Pause(ctx, pauseAfter(attempt, len(nodes), err)) != nil {
			return apperr.Upstream(upstream, fmt.Errorf("%s: %w", method, err))
		}
	}
}

// attempt makes a call to one node once and gives its raw result.
func (c *Client) attempt(ctx context.Context, e *endpoint, body []byte) (raw json.RawMessage, err error) {
	began := c.Now()
	defer func() {
		e.note(ctx, err)
		c.measure(ctx, e, c.Now().Sub(began), err)
	}()
	timed, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	if err := c.identify(timed, e); err != nil {
		return nil, err
	}
	return c.answer(timed, e, body)
}

// answer makes a call to a node and gives its raw result.
func (c *Client) answer(ctx context.Context, e *endpoint, body []byte) (raw json.RawMessage, err error) {
	response, err := c.post(ctx, e, body)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, answerLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", e.net.hidden.Error(err))
	}
	if len(content) > answerLimit {
		return nil, fmt.Errorf("the answer is over %d bytes", answerLimit)
	}
	if result, ok := plainResult(content); ok && response.StatusCode == http.StatusOK {
		return result, e.net.seen(result)
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *rpcError       `json:"error"`
	}
	// Nodes answer some errors of JSON-RPC with a status of their own, so the
	// body counts when it is one.
	decodeErr := json.Unmarshal(content, &answer)
	switch {
	case response.StatusCode == http.StatusTooManyRequests:
		return nil, &busyError{after: retryAfter(response.Header)}
	case decodeErr == nil && answer.Error != nil:
		answer.Error.Message = e.net.hidden.Text(answer.Error.Message)
		return nil, answer.Error
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d", response.StatusCode)
	case decodeErr != nil || answer.Result == nil:
		return nil, errors.New("the answer is not one of JSON-RPC")
	}
	return answer.Result, e.net.seen(answer.Result)
}

// plainResult gives the result of an answer that is put together as nodes do it: a
// million look-ups are a gigabyte of such answers, which encoding/json would read twice.
func plainResult(content []byte) (json.RawMessage, bool) {
	result, begins := bytes.CutPrefix(content, []byte(`{"jsonrpc":"2.0","result":`))
	result, ends := bytes.CutSuffix(bytes.TrimSuffix(result, []byte("\n")), []byte(`,"id":1}`))
	return result, begins && ends && valid(result)
}

// decodeResult reads JSON that is known to be valid.
func decodeResult(raw json.RawMessage, result any) error {
	if own, ok := result.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(raw)
	}
	return json.Unmarshal(raw, result)
}

// post sends a call to a node.
func (c *Client) post(ctx context.Context, e *endpoint, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return nil, e.net.hidden.Error(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, e.net.hidden.Error(err)
	}
	return response, nil
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
	codeMethodNotFound    = -32601
	codeInvalidParams     = -32602
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
