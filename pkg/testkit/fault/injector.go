package fault

import (
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Injector is an unreliable provider of Solana nodes. While On is set, a third of all calls fail at
// random, in each of the ways in which providers fail: refused connections, lost replies, 429,
// truncated bodies, stale responses, delays. While Away is set, no call arrives. Injector is safe
// for concurrent use.
type Injector struct {
	On, Away atomic.Bool

	mu     sync.Mutex
	random *rand.Rand
}

// Upper bounds of the outcomes of a random number from 0 to 99. Numbers from the last bound on are
// successful calls.
const (
	stormDown      = 8
	stormReplyLost = 16
	stormBusy      = 22
	stormTruncated = 28
	stormOld       = 32
	stormSlow      = 36
)

// stormDelay is longer than a caller with another node should wait.
const stormDelay = 2 * time.Second

// fromLongAgo is a response of a node that is hours behind.
const fromLongAgo = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":0}}`

// Inject is the Fault of the injector.
func (s *Injector) Inject(c Call, r *http.Request, send Send) (*http.Response, error) {
	if s.Away.Load() {
		return nil, ErrDown
	}
	if !s.On.Load() {
		return send(r)
	}
	switch n := s.roll(); {
	case n < stormDown:
		return Down(c, r, send)
	case n < stormReplyLost:
		return ReplyLost(c, r, send)
	case n < stormBusy:
		return Answer(http.StatusTooManyRequests, "slow down")(c, r, send)
	case n < stormTruncated:
		return truncated(r, send)
	case n < stormOld:
		return Answer(http.StatusOK, fromLongAgo)(c, r, send)
	case n < stormSlow:
		return Delay(stormDelay)(c, r, send)
	}
	return send(r)
}

func (s *Injector) roll() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(100) //nolint:mnd // a percentage
}

// truncated returns the first half of the node's response.
func truncated(r *http.Request, send Send) (*http.Response, error) {
	response, err := send(r)
	if err != nil {
		return nil, err
	}
	half := max(1, response.ContentLength/2)
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, half), response.Body}
	return response, nil
}

// Providers puts two providers with separate injectors in front of the node at rpcURL. addresses is
// the argument of solanarpc.New. The same seed repeats the same faults, if the calls come in the
// same order.
func Providers(t testing.TB, rpcURL string, seed uint64) (addresses string, storms [2]*Injector) {
	t.Helper()
	for i := range storms {
		storms[i] = &Injector{random: rand.New(rand.NewPCG(seed, uint64(i)))} //nolint:gosec // a test's chance
		process := NewProcess()
		process.On(func(Call) bool { return true }, storms[i].Inject)
		addresses += " " + process.Proxy(t, rpcURL)
	}
	return addresses, storms
}
