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
	// A node that failed so often in a row is left out for a while; then one call
	// tries it.
	failuresToLeaveOut = 5
	leaveOutFor        = 5 * time.Second
	// hedgeAfter is how long a read waits for its node before it asks another one too.
	hedgeAfter = time.Second
	// mostLag is how many slots a node may be behind the newest that was seen of any: as
	// many as a blockhash lives. Finalized slots are some 32 behind confirmed ones.
	mostLag = 150
	// longestRetryAfter bounds how long a node that has had enough is obeyed within a
	// call.
	longestRetryAfter = 2 * time.Second
)

// endpoint is one node of the network.
type endpoint struct {
	net     *network
	place   int // among the addresses, from 0
	address string
	breaker circuitbreaker.CircuitBreaker[any]
	// identity is for one question at a time which network the node is of. known says
	// that it was answered, and that the node has not failed since.
	identity chan struct{}
	known    atomic.Bool
	// fees is the feeQuestion that the node is asked.
	fees atomic.Uint32
}

// network are the nodes of one network, in the order in which they are preferred.
type network struct {
	nodes []*endpoint
	// newest is the latest slot that any of them answered from.
	newest     atomic.Uint64
	hedgeAfter time.Duration
	hidden     secret.Redactor
}

// errNoAddress says what addresses have to be.
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

// hedging asks a second node after a while and takes the first answer that decides
// something; a failure before that is for the next attempt. A policy is for one call.
func hedging(after time.Duration) hedgepolicy.HedgePolicy[json.RawMessage] {
	var asked atomic.Bool
	return hedgepolicy.NewBuilderWithDelay[json.RawMessage](after).
		OnHedge(func(failsafe.ExecutionEvent[json.RawMessage]) { asked.Store(true) }).
		CancelIf(func(_ json.RawMessage, err error) bool { return err == nil || decided(err) || !asked.Load() }).Build()
}

// preferred lists all nodes for one call: those that answer first, in their order,
// then those that are left out. So that what belongs together, a blockhash and the
// transaction on it, goes to the same node, it changes only when a node fails or
// recovers. A node that was left out long enough comes first once, to be tried.
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

// note keeps account of how a call to a node went. That its caller, with this
// context, gave up says nothing about the node, unless it is being tried.
func (e *endpoint) note(caller context.Context, err error) {
	if _, busy := errors.AsType[*busyError](err); err != nil && !decided(err) && !busy && !errors.Is(caller.Err(), context.Canceled) {
		e.known.Store(false) // what answers next may be another node
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

// decided says whether a node refused for good: another would too.
func decided(err error) bool {
	refusal, ok := errors.AsType[*rpcError](err)
	return ok && !refusal.passing()
}

// readsOnce are the methods that are not asked of two nodes at once: what comes of
// them depends on the blocks that a node has, and belongs to what is asked next.
var readsOnce = map[string]bool{"getLatestBlockhash": true, "simulateTransaction": true}

// ask makes a call in one attempt, given the nodes as preferred; attempt is zero-based.
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

// broadcast hands the same signed bytes to every node, for the network takes them
// once, and is done when the first has taken them; the others have their time all
// the same. It fails when none takes them.
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
	// A refusal counts only when no other node answers.
	if failed != nil {
		return nil, failed
	}
	return nil, refused
}

// errLags appears when a node answers from long ago.
var errLags = errors.New("the node is far behind the others")

// seen keeps the newest slot, and refuses what is much older where another node may
// do better.
func (n *network) seen(raw json.RawMessage) error {
	slot, ok := slotOf(raw)
	if !ok || len(n.nodes) == 1 {
		return nil
	}
	for {
		newest := n.newest.Load()
		if slot+mostLag < newest {
			return errLags
		}
		if slot <= newest || n.newest.CompareAndSwap(newest, slot) {
			return nil
		}
	}
}

// slotOf reads the slot of a result that says which it holds for; it stands in front.
func slotOf(raw json.RawMessage) (uint64, bool) {
	t := cursor{text: raw}
	if slot := t.context(); t.state == whole {
		return slot, true
	}
	const most = 256
	head := raw[:min(len(raw), most)]
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

// busyError appears when a node answers that it has had enough for now.
type busyError struct{ after time.Duration }

func (e *busyError) Error() string { return "the node limits its rate" }

// retryAfter reads for how long a node wants to be left alone, in seconds (RFC 9110,
// 10.2.3); its other form, a date, is not used by nodes.
func retryAfter(h http.Header) time.Duration {
	d, err := time.ParseDuration(h.Get("Retry-After") + "s")
	if err != nil || d < 0 {
		return 0
	}
	return min(d, longestRetryAfter)
}

// pauseAfter is how long to wait after an attempt that failed, the first being 0:
// not at all while there is a node that was not asked.
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
