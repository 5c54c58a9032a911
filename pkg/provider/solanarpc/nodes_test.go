package solanarpc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// peer is one of several nodes with a replaceable handler.
type peer struct {
	answer atomic.Pointer[http.HandlerFunc]
	calls  atomic.Int32
	server *httptest.Server
}

func (p *peer) set(h http.HandlerFunc) { p.answer.Store(&h) }

func newPeer(t *testing.T, h http.HandlerFunc) *peer {
	t.Helper()
	p := &peer{}
	p.set(h)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.calls.Add(1)
		(*p.answer.Load())(w, r)
	}))
	t.Cleanup(p.server.Close)
	return p
}

// among returns a client of these nodes, and the pauses that it makes.
func among(t *testing.T, peers ...*peer) (client *solanarpc.Client, pauses *[]time.Duration) {
	t.Helper()
	var addresses []string
	for _, p := range peers {
		addresses = append(addresses, p.server.URL)
	}
	client, err := solanarpc.New(strings.Join(addresses, " "))
	if err != nil {
		t.Fatal(err)
	}
	pauses = new([]time.Duration)
	client.Pause = func(ctx context.Context, d time.Duration) error {
		*pauses = append(*pauses, d)
		return ctx.Err()
	}
	return client, pauses
}

// balanceAt responds with a slot and lamports.
func balanceAt(slot, lamports string) http.HandlerFunc {
	return result(`{"context":{"apiVersion":"3.1.0","slot":` + slot + `},"value":` + lamports + `}`)
}

func wantBalance(t *testing.T, c *solanarpc.Client, want uint64) {
	t.Helper()
	got, err := c.Balance(t.Context(), solana.PublicKey{1})
	if err != nil || got != want {
		t.Fatalf("balance %d, %v, want %d", got, err, want)
	}
}

func broken(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }

func TestAnotherNodeIsAskedAtOnceWhenOneFails(t *testing.T) {
	for name, failure := range map[string]http.HandlerFunc{
		"hangs up": hangUp, "bad gateway": broken, "unhealthy": refusal(-32005, "Node is behind"),
		"truncated": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"resu`))
		},
		"no JSON":         func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"limits its rate": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
	} {
		t.Run(name, func(t *testing.T) {
			first, second := newPeer(t, failure), newPeer(t, balanceAt("9", "7"))
			client, pauses := among(t, first, second)
			wantBalance(t, client, 7)
			if len(*pauses) != 1 || (*pauses)[0] != 0 {
				t.Errorf("pauses %v, want none", *pauses)
			}
		})
	}
}

func TestRefusalIsFinal(t *testing.T) {
	first, second := newPeer(t, refusal(-32602, "Invalid params")), newPeer(t, balanceAt("9", "7"))
	client, _ := among(t, first, second)
	if _, err := client.Balance(t.Context(), solana.PublicKey{1}); err == nil || apperr.KindOf(err) == apperr.Unavailable {
		t.Errorf("Balance() = %v, want a final error", err)
	}
	if second.calls.Load() != 0 {
		t.Error("the second node got a request")
	}
}

func TestFailingNodeSkippedAndRetried(t *testing.T) {
	const leaveOutFor = 100 * time.Millisecond
	first, second := newPeer(t, broken), newPeer(t, balanceAt("9", "7"))
	client, _ := among(t, first, second)
	client.LeaveOutFor(leaveOutFor)
	for range solanarpc.FailuresToLeaveOut {
		wantBalance(t, client, 7)
	}
	asked := first.calls.Load()
	if asked != solanarpc.FailuresToLeaveOut {
		t.Fatalf("%d calls of the node that fails, want %d", asked, solanarpc.FailuresToLeaveOut)
	}
	client.LeaveOutFor(time.Hour)
	for range solanarpc.FailuresToLeaveOut {
		wantBalance(t, client, 7)
	}
	asked = first.calls.Load()
	wantBalance(t, client, 7)
	if first.calls.Load() != asked {
		t.Error("a skipped node got a request")
	}
	client.LeaveOutFor(leaveOutFor)
	for range solanarpc.FailuresToLeaveOut {
		wantBalance(t, client, 7)
	}
	asked = first.calls.Load()
	first.set(balanceAt("9", "8"))
	began := time.Now()
	for first.calls.Load() == asked {
		if time.Since(began) > 10*time.Second {
			t.Fatal("a node that has recovered is never used again")
		}
		if _, err := client.Balance(t.Context(), solana.PublicKey{1}); err != nil {
			t.Fatal(err)
		}
	}
	wantBalance(t, client, 8)
}

func TestOneNodeIsNeverLeftOut(t *testing.T) {
	only := newPeer(t, broken)
	client, _ := among(t, only)
	for range 3 * solanarpc.FailuresToLeaveOut {
		if _, err := client.Balance(t.Context(), solana.PublicKey{1}); apperr.KindOf(err) != apperr.Unavailable {
			t.Fatal(err)
		}
	}
	only.set(balanceAt("9", "7"))
	wantBalance(t, client, 7)
}

func TestSlowReadIsHedged(t *testing.T) {
	release := make(chan struct{})
	slow := func(http.ResponseWriter, *http.Request) { <-release }
	first, second := newPeer(t, slow), newPeer(t, balanceAt("9", "7"))
	t.Cleanup(func() { close(release) }) // before the servers close
	client, _ := among(t, first, second)
	client.HedgeAfter(time.Millisecond)
	wantBalance(t, client, 7)
}

func TestTransactionSentToEveryNode(t *testing.T) {
	signature := result(`"` + solana.Signature{1}.String() + `"`)
	for name, c := range map[string]struct{ first, second http.HandlerFunc }{
		"both take it": {signature, signature}, "one fails": {broken, signature}, "one refuses": {refusal(-32602, "no"), signature},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := newPeer(t, c.first), newPeer(t, c.second)
			client, _ := among(t, first, second)
			if err := client.Send(t.Context(), []byte("signed")); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(5 * time.Second); first.calls.Load() != 1 || second.calls.Load() != 1; {
				if time.Now().After(deadline) {
					t.Fatalf("%d and %d calls, want one each", first.calls.Load(), second.calls.Load())
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}

func TestLaggingNodeSkipped(t *testing.T) {
	first, second := newPeer(t, balanceAt("5000", "1")), newPeer(t, balanceAt("5000", "2"))
	client, _ := among(t, first, second)
	wantBalance(t, client, 1)
	first.set(balanceAt("4000", "3"))
	wantBalance(t, client, 2)
	first.set(balanceAt("4990", "4")) // finalized, say
	wantBalance(t, client, 4)
}

func TestRetryAfterIsHonored(t *testing.T) {
	enough := atomic.Int32{}
	only := newPeer(t, func(w http.ResponseWriter, r *http.Request) {
		if enough.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		balanceAt("9", "7")(w, r)
	})
	client, pauses := among(t, only)
	wantBalance(t, client, 7)
	if len(*pauses) != 1 || (*pauses)[0] != time.Second {
		t.Errorf("pauses %v, want one second", *pauses)
	}
}

// Providers' plans count calls per second, so the client pauses a whole second after a repeated
// 429.
func TestBusyNodePausesOneSecond(t *testing.T) {
	asked := atomic.Int32{}
	only := newPeer(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		balanceAt("9", "7")(w, r)
	})
	client, pauses := among(t, only)
	wantBalance(t, client, 7)
	if len(*pauses) != 2 || (*pauses)[0] >= time.Second || (*pauses)[1] != time.Second {
		t.Errorf("pauses %v, want a short one and a second", *pauses)
	}
}

func TestNoAddressOfSeveralShows(t *testing.T) {
	client, err := solanarpc.New("http://127.0.0.1:1/" + secret + " http://127.0.0.1:2/other-" + secret)
	if err != nil {
		t.Fatal(err)
	}
	client.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	if _, err = client.Balance(t.Context(), solana.PublicKey{1}); err == nil || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("Balance() = %v, want an error without an address", err)
	}
	if _, err := solanarpc.New("http://127.0.0.1:1 nothing"); err == nil || strings.Contains(err.Error(), "nothing") {
		t.Errorf("New() = %v, want an error without the address", err)
	}
}
