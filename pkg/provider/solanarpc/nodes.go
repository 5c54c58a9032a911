package solanarpc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"

	"tokenlaunch.example/service/pkg/platform/secret"
)

const (
	// A node with failuresToLeaveOut successive failures is left out for leaveOutFor. Then one call
	// tries the node.
	failuresToLeaveOut = 5
	leaveOutFor        = 5 * time.Second
	// hedgeAfter is the delay after which a read is also sent to a second node.
	hedgeAfter = time.Second
	// maxLag is the maximum number of slots between a node's response and the newest seen slot:
	// the lifetime of a blockhash. Finalized slots are up to about 32 slots behind confirmed slots.
	maxLag = 150
	// longestRetryAfter is the maximum Retry-After that is honored within a call.
	longestRetryAfter = 2 * time.Second
)

// endpoint is one node of the network.
type endpoint struct {
	net     *network
	place   int // index among the addresses, from 0
	address string
	breaker circuitbreaker.CircuitBreaker[any]
	// identity allows one request for the genesis hash at a time. known reports that the genesis
	// was checked, and that the node has not failed since the check.
	identity chan struct{}
	known    atomic.Bool
	// fees is the feeQuestion to try first at the node.
	fees atomic.Uint32
}

// network is the nodes of one network, in the order of preference.
type network struct {
	nodes []*endpoint
	// newest is the latest slot of all responses.
	newest     atomic.Uint64
	hedgeAfter time.Duration
	hidden     secret.Redactor
}

// errNoAddress is returned for malformed addresses.
var errNoAddress = errors.New("the address of the Solana node is not an http or https URL")

func newNetwork(addresses string) (*network, error) {
	n := &network{hedgeAfter: hedgeAfter}
	var urls []*url.URL
	for _, address := range strings.Fields(addresses) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, errNoAddress
		}
		urls = append(urls, u)
		n.nodes = append(n.nodes, &endpoint{net: n, place: len(n.nodes), address: address, breaker: newBreaker(leaveOutFor), identity: make(chan struct{}, 1)})
	}
	if len(n.nodes) == 0 {
		return nil, errNoAddress
	}
	n.hidden = secret.Redact(urls...)
	return n, nil
}

func newBreaker(delay time.Duration) circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().WithFailureThreshold(failuresToLeaveOut).WithDelay(delay).Build()
}

// hedging sends a call to a second node after a delay, and uses the first decisive response. A
// failure before the delay is left to the next attempt. A policy is for one call.
func hedging(after time.Duration) hedgepolicy.HedgePolicy[json.RawMessage] {
	var asked atomic.Bool
	return hedgepolicy.NewBuilderWithDelay[json.RawMessage](after).
		OnHedge(func(failsafe.ExecutionEvent[json.RawMessage]) { asked.Store(true) }).
		CancelIf(func(_ json.RawMessage, err error) bool { return err == nil || decided(err) || !asked.Load() }).Build()
}

// preferred returns all nodes in the order for one call: first healthy nodes in the configured
// order, then left-out nodes. The order changes only after a failure or recovery, so that a
// blockhash and the transaction on the blockhash go to the same node. A node that was left out for
// long enough is first once, as a trial.
func (n *network) preferred() []*endpoint {
	if len(n.nodes) == 1 {
		return n.nodes
	}
	var tried, well, out []*endpoint
	for _, e := range n.nodes {
		switch {
		case e.breaker.IsClosed():
			well = append(well, e)
		case tried == nil && e.breaker.TryAcquirePermit():
			tried = append(tried, e)
		default:
			out = append(out, e)
		}
	}
	return slices.Concat(tried, well, out)
}

// note records the result of a call to a node. A call that the caller canceled does not count,
// unless the call is the node's trial.
func (e *endpoint) note(caller context.Context, err error) {
	if _, busy := errors.AsType[*busyError](err); err != nil && !decided(err) && !busy && !errors.Is(caller.Err(), context.Canceled) {
		e.known.Store(false) // another node may respond at the same address next
	}
	switch {
	case e.breaker.IsOpen():
	case err == nil || decided(err):
		e.breaker.RecordSuccess()
	case errors.Is(caller.Err(), context.Canceled) && e.breaker.IsClosed():
	default:
		e.breaker.RecordFailure()
	}
}

// decided reports whether a node's refusal is permanent: another node would refuse, too.
func decided(err error) bool {
	refusal, ok := errors.AsType[*rpcError](err)
	return ok && !refusal.passing()
}

// readsOnce are the methods that are never hedged. The results depend on the node's blocks, and
// belong together with the next call.
var readsOnce = map[string]bool{"getLatestBlockhash": true, "simulateTransaction": true}

// ask makes one attempt of a call. nodes are in the order of preferred. attempt counts from zero.
func (c *Client) ask(ctx context.Context, nodes []*endpoint, method string, body []byte, attempt int) (json.RawMessage, error) {
	first, second := nodes[attempt%len(nodes)], nodes[(attempt+1)%len(nodes)]
	switch {
	case len(nodes) == 1 || readsOnce[method]:
		return c.attempt(ctx, first, body)
	case method == "sendTransaction":
		return c.broadcast(ctx, nodes, body)
	}
	return failsafe.With(hedging(first.net.hedgeAfter)).WithContext(ctx).GetWithExecution(func(e failsafe.Execution[json.RawMessage]) (json.RawMessage, error) {
		if e.IsHedge() {
			return c.attempt(e.Context(), second, body)
		}
		return c.attempt(e.Context(), first, body)
	})
}

// broadcast sends the same signed bytes to every node, because the network accepts the bytes only
// once. It returns after the first node has accepted the bytes, and the other calls continue. It
// fails if no node accepts the bytes.
func (c *Client) broadcast(ctx context.Context, nodes []*endpoint, body []byte) (json.RawMessage, error) {
	type answer struct {
		raw json.RawMessage
		err error
	}
	answers := make(chan answer, len(nodes))
	for _, e := range nodes {
		go func() {
			raw, err := c.attempt(context.WithoutCancel(ctx), e, body)
			answers <- answer{raw, err}
		}()
	}
	var failed, refused error
	for range nodes {
		select {
		case a := <-answers:
			switch {
			case a.err == nil:
				return a.raw, nil
			case decided(a.err):
				refused = a.err
			default:
				failed = a.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	// A refusal counts only if no node failed otherwise.
	if failed != nil {
		return nil, failed
	}
	return nil, refused
}

// errLags is returned for a response that is far behind the other nodes.
var errLags = errors.New("the node is far behind the others")

// seen updates the newest slot. With several nodes, seen rejects a response with a much older slot,
// so that another node is tried.
func (n *network) seen(raw json.RawMessage) error {
	slot, ok := slotOf(raw)
	if !ok || len(n.nodes) == 1 {
		return nil
	}
	for {
		newest := n.newest.Load()
		if slot+maxLag < newest {
			return errLags
		}
		if slot <= newest || n.newest.CompareAndSwap(newest, slot) {
			return nil
		}
	}
}

// slotOf returns the slot of a result with a context. The context must be the first field.
func slotOf(raw json.RawMessage) (uint64, bool) {
	t := cursor{text: raw}
	if slot := t.context(); t.state == whole {
		return slot, true
	}
	const maximum = 256
	head := raw[:min(len(raw), maximum)]
	if !strings.HasPrefix(string(head), `{"context":`) {
		return 0, false
	}
	var context struct {
		Slot *uint64 `json:"slot"`
	}
	d := json.NewDecoder(strings.NewReader(string(head[len(`{"context":`):])))
	if err := d.Decode(&context); err != nil || context.Slot == nil {
		return 0, false
	}
	return *context.Slot, true
}

// busyError is the response of a rate-limited node.
type busyError struct{ after time.Duration }

func (e *busyError) Error() string { return "the node limits its rate" }

// retryAfter returns the Retry-After of a response in seconds (RFC 9110, 10.2.3). Nodes do not use
// the form with a date.
func retryAfter(h http.Header) time.Duration {
	d, err := time.ParseDuration(h.Get("Retry-After") + "s")
	if err != nil || d < 0 {
		return 0
	}
	return min(d, longestRetryAfter)
}

// pauseAfter returns the pause after a failed attempt, the first attempt being 0. The pause is zero
// while there is an untried node.
func pauseAfter(attempt, nodes int, err error) time.Duration {
	if attempt+1 < nodes {
		return 0
	}
	pause := pauses[min(attempt, len(pauses)-1)]
	if busy, ok := errors.AsType[*busyError](err); ok {
		pause = max(pause, busy.after)
		if attempt > 0 {
			pause = max(pause, busyPause)
		}
	}
	return pause
}
