// Package solanarpc is a JSON-RPC client for Solana nodes.
//
// The package promises: every call states the commitment; every call ends, by the context or by a
// timeout; responses are decoded into integers, never through floating point; a node without a
// response returns an apperr.Upstream; and no error shows the node's address, which may contain a
// key. Reads are retried a few times if the node fails. Sending is retried, too, because the
// network accepts the same signed bytes only once.
//
// A source provides the nodes' addresses at the time of a call. After a change of the addresses,
// running calls end with the old nodes.
//
// There may be several nodes. The first healthy node gets the call. A node that fails repeatedly is
// left out for a while. The client rejects a response that is far behind the other nodes. A slow
// read is also sent to a second node, and a transaction is sent to all nodes.
//
// The client is small and separate from solana-go, because solana-go's client shows the address in
// errors, sets no timeout, and leaves the errors of transactions undecoded.
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
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/solana/txerror"
)

// Commitment is the level of certainty of a node's response.
type Commitment string

// Commitments. A confirmed block has the votes of two thirds of the stake. A finalized block cannot
// be rolled back.
const (
	Processed Commitment = "processed"
	Confirmed Commitment = "confirmed"
	Finalized Commitment = "finalized"
)

const (
	attemptTimeout = 5 * time.Second
	// attempts is the maximum number of attempts of a call, attemptsOfSeveral with several nodes.
	// callWithin is the maximum duration of a call, which leaves an API response time to be written
	// within 25 s.
	attempts          = 3
	attemptsOfSeveral = 5
	callWithin        = 16 * time.Second
	// answerLimit is the maximum size of a response, in bytes. The largest account has 10 MiB, a
	// third more in base64.
	answerLimit = 16 << 20
	// listingLimit is the maximum size of a streamed response: the accounts of a mint, about 400
	// bytes each.
	listingLimit = 8 << 30
)

// pauses are the pauses between attempts. The last pause repeats.
var pauses = [...]time.Duration{150 * time.Millisecond, 450 * time.Millisecond}

// busyPause is the minimum pause after the second busy response of a node. Plans limit the number
// of calls in a second. A call that ends within the second is started again, with more calls.
const busyPause = time.Second

// upstream is the network's name for callers.
const upstream = "The Solana network"

// Client calls the nodes of one network. Create a Client with New.
type Client struct {
	// Pause waits for d, or returns the context's error if the context ends first.
	Pause func(ctx context.Context, d time.Duration) error
	// Now is the clock for the age of cached results and the duration of calls.
	Now func() time.Time
	// Meter records the calls of each node, by the node's index among the addresses; nil records
	// nothing. Label is the prefix of the index if a process has several clients.
	Meter *metric.Meter
	Label string

	// Cluster is the required network of all nodes; nil accepts every network.
	Cluster *Cluster

	rents  rents
	pace   pace
	roster *roster
	http   *http.Client
}

// New returns a client of the nodes at the addresses: http or https URLs with spaces in between,
// which may contain keys. The first node is preferred. New makes no connection. The error does not
// show the addresses.
func New(addresses string) (*Client, error) {
	if err := CheckAddresses(addresses); err != nil {
		return nil, err
	}
	return From(secret.Fixed(addresses)), nil
}

// From returns a client of the nodes whose addresses, in the format of New, the source provides.
// The first call reads the source.
func From(addresses secret.Source) *Client {
	return &Client{
		Pause:  pause,
		Now:    time.Now,
		roster: &roster{source: addresses},
		http:   httpclient.New(httpclient.Limits{Answer: listingLimit}),
	}
}

// WithTransport returns a client of the same nodes that calls through the transport.
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

// encodeCall returns the body of a call. Parameters of type json.RawMessage are already encoded.
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

// call makes one JSON-RPC call, with several attempts if nodes fail, and decodes the result.
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
	maximum := attempts
	if len(nodes) > 1 {
		maximum = attemptsOfSeveral
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
		if attempt+1 == maximum || c.Pause(ctx, pauseAfter(attempt, len(nodes), err)) != nil {
			return apperr.Upstream(upstream, fmt.Errorf("%s: %w", method, err))
		}
	}
}

// attempt makes one attempt of a call to one node, and returns the raw result.
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

// answer makes a call to a node and returns the raw result.
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
	// Nodes return some JSON-RPC errors with an error status, so a JSON-RPC body takes precedence.
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

// plainResult returns the result of a response in the usual layout of nodes. A million look-ups
// have a gigabyte of such responses, which encoding/json would read twice.
func plainResult(content []byte) (json.RawMessage, bool) {
	result, begins := bytes.CutPrefix(content, []byte(`{"jsonrpc":"2.0","result":`))
	result, ends := bytes.CutSuffix(bytes.TrimSuffix(result, []byte("\n")), []byte(`,"id":1}`))
	return result, begins && ends && valid(result)
}

// decodeResult decodes valid JSON.
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

// rpcError is an error response of a node.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error describes the error for logs.
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
	codeTooManyRequests   = 429 // several providers return this code in a body with status 200
)

// passing reports whether the same call may succeed a moment later.
func (e *rpcError) passing() bool {
	switch e.Code {
	case codeBlockNotAvailable, codeNodeUnhealthy, codeStatusUnavailable, codeSlotNotReached, codeInternal, codeTooManyRequests:
		return true
	}
	return false
}

// alreadyProcessed reports whether a node refused to take a transaction because
// it has taken it before.
func (e *rpcError) alreadyProcessed() bool {
	if e.Code != codeSimulationFailed {
		return false
	}
	var data struct {
		Err *txerror.Error `json:"err"`
	}
	if json.Unmarshal(e.Data, &data) == nil && data.Err != nil {
		return data.Err.Name == txerror.AlreadyProcessed
	}
	return strings.Contains(e.Message, "already been processed")
}
