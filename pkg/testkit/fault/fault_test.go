package fault_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/fault"
)

// fixture counts the calls that arrive, and answers "done".
func fixture(t *testing.T) (address string, arrived *atomic.Int64) {
	t.Helper()
	arrived = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived.Add(1)
		_, _ = io.WriteString(w, "done")
	}))
	t.Cleanup(server.Close)
	return server.URL, arrived
}

// get makes a call of the operation "GET /<path>".
func get(p *fault.Process, address, path string) (string, error) {
	client := http.Client{Transport: p.Over(http.DefaultTransport.RoundTrip)}
	response, err := client.Get(address + "/" + path)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func call(path string, n int) fault.Call {
	return fault.Call{Service: "http", Operation: "GET /" + path, N: n}
}

func TestFaultsHappenToTheCallsTheyAreMeantFor(t *testing.T) {
	for name, c := range map[string]struct {
		fault   fault.Fault
		arrived int64
		body    string
		err     error
	}{
		"down":       {fault.Down, 2, "", fault.ErrDown},
		"reply lost": {fault.ReplyLost, 3, "", fault.ErrLost},
		"answer":     {fault.Answer(http.StatusOK, "scripted"), 2, "scripted", nil},
		"delay":      {fault.Delay(time.Microsecond), 3, "done", nil},
		"no time":    {fault.Times(0, fault.Down), 3, "done", nil},
	} {
		t.Run(name, func(t *testing.T) {
			address, arrived := fixture(t)
			p := fault.NewProcess()
			p.On(fault.Exactly(call("a", 2)), c.fault)
			for n := 1; n <= 3; n++ {
				body, err := get(p, address, "a")
				want, wantErr := "done", error(nil)
				if n == 2 {
					want, wantErr = c.body, c.err
				}
				if body != want || !errors.Is(err, wantErr) {
					t.Errorf("call %d: %q, %v; want %q, %v", n, body, err, want, wantErr)
				}
			}
			if arrived.Load() != c.arrived {
				t.Errorf("%d calls arrived, want %d", arrived.Load(), c.arrived)
			}
		})
	}
}

func TestKilledProcessDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		kill    func(*fault.Process, fault.Match)
		arrived int64
	}{
		"before": {(*fault.Process).KillBefore, 1},
		"after":  {(*fault.Process).KillAfter, 2},
	} {
		t.Run(name, func(t *testing.T) {
			address, arrived := fixture(t)
			p := fault.NewProcess()
			c.kill(p, fault.Exactly(call("b", 1)))
			went, cleaned := false, false
			lived := p.Run(func() {
				defer func() {
					cleaned = true
					_, _ = get(p, address, "c")
				}()
				_, _ = get(p, address, "a")
				_, _ = get(p, address, "b")
				went = true
			})
			if lived || !p.Dead() || went || !cleaned {
				t.Errorf("lived %v, dead %v, went on %v, cleaned up %v", lived, p.Dead(), went, cleaned)
			}
			if arrived.Load() != c.arrived {
				t.Errorf("%d calls arrived, want %d", arrived.Load(), c.arrived)
			}
			if calls := p.Calls(); !slices.Equal(calls, []fault.Call{call("a", 1), call("b", 1)}) {
				t.Errorf("the calls are %v", calls)
			}
			client := http.Client{}
			if response, err := client.Get(p.Proxy(t, address)); err == nil {
				_ = response.Body.Close()
				t.Error("the dead process's proxy answers")
			}
		})
	}
}

func TestCallsAreNamedAsTheirServicesNameThem(t *testing.T) {
	signed := func(service string) http.Header {
		return http.Header{"Authorization": {"AWS4-HMAC-SHA256 Credential=k/20261121/us-east-1/" + service + "/aws4_request, Signature=s"}}
	}
	target := func(h http.Header, name string) http.Header {
		h.Set("X-Amz-Target", name)
		return h
	}
	for want, c := range map[string]struct {
		header             http.Header
		method, path, body string
	}{
		"dynamodb PutItem 1":       {target(signed("dynamodb"), "DynamoDB_20120810.PutItem"), "POST", "/", "{}"},
		"sqs SendMessage 1":        {target(signed("sqs"), "AmazonSQS.SendMessage"), "POST", "/", "{}"},
		"s3 PutObject 1":           {signed("s3"), "PUT", "/bucket/key", "x"},
		"lambda Invoke 1":          {signed("lambda"), "POST", "/2015-03-31/functions/deriver/invocations", "{}"},
		"solana sendTransaction 1": {http.Header{}, "POST", "/", `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":[]}`},
		"ipfs add 1":               {http.Header{}, "POST", "/api/v0/add?pin=true", "x"},
		"http GET /health 1":       {http.Header{}, "GET", "/health", ""},
	} {
		var got string
		p := fault.NewProcess()
		p.On(func(fault.Call) bool { return true }, func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
			got = c.String()
			return send(r)
		})
		r := httptest.NewRequest(c.method, "http://localhost"+c.path, strings.NewReader(c.body))
		r.Header = c.header
		response, err := p.Over(func(r *http.Request) (*http.Response, error) {
			if body, _ := io.ReadAll(r.Body); string(body) != c.body {
				t.Errorf("%s: the body arrives as %q, want %q", want, body, c.body)
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got != want {
			t.Errorf("the call is %q, want %q", got, want)
		}
	}
}

func TestGateHoldsCalls(t *testing.T) {
	address, arrived := fixture(t)
	for name, c := range map[string]struct {
		side    func(*fault.Gate) fault.Fault
		arrived int64
	}{
		"before": {func(g *fault.Gate) fault.Fault { return g.Before }, 0},
		"after":  {func(g *fault.Gate) fault.Fault { return g.After }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			arrived.Store(0)
			g, p := fault.NewGate(), fault.NewProcess()
			p.On(fault.Service("http"), c.side(g))
			body := make(chan string)
			go func() {
				got, _ := get(p, address, "a")
				body <- got
			}()
			<-g.Arrived()
			if arrived.Load() != c.arrived {
				t.Errorf("%d calls arrived, want %d", arrived.Load(), c.arrived)
			}
			g.Open()
			if got := <-body; got != "done" || arrived.Load() != 1 {
				t.Errorf("then %q, %d calls arrived", got, arrived.Load())
			}

			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			closed := fault.NewGate()
			r := httptest.NewRequest(http.MethodGet, address, nil).WithContext(ctx)
			response, err := closed.Before(call("a", 1), r, nil)
			if !errors.Is(err, context.Canceled) {
				_ = response.Body.Close()
				t.Errorf("a call that was given up ends with %v", err)
			}
		})
	}
}

// node answers every question with the slot that it is in.
func node(slot *atomic.Int64) fault.Send {
	return func(r *http.Request) (*http.Response, error) {
		text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"slot": slot.Load()}})
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(text))), Request: r}, nil
	}
}

func ask(t *testing.T, p *fault.Process, next fault.Send, method, param string) string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":[` + param + `]}`
	response, err := p.Over(next).RoundTrip(httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLagRepeatsEarlierResponses(t *testing.T) {
	var slot atomic.Int64
	var behind fault.Behind
	p := fault.NewProcess()
	behind.On(p)
	slot.Store(7)
	old := ask(t, p, node(&slot), fault.GetAccountInfo, `"a"`)
	behind.Freeze()
	slot.Store(8)
	if got := ask(t, p, node(&slot), fault.GetAccountInfo, `"a"`); got != old {
		t.Errorf("behind, it answers %s, want %s", got, old)
	}
	if got := ask(t, p, node(&slot), fault.GetAccountInfo, `"b"`); !strings.Contains(got, `"value":null`) {
		t.Errorf("of an account that it was not asked about it answers %s", got)
	}
	if got := ask(t, p, node(&slot), fault.GetSignatureStatus, `["s","t"]`); !strings.Contains(got, `[null,null]`) {
		t.Errorf("of two transactions it answers %s", got)
	}
	behind.Thaw()
	if got := ask(t, p, node(&slot), fault.GetAccountInfo, `"a"`); !strings.Contains(got, "8") {
		t.Errorf("caught up, it answers %s", got)
	}
}

func TestClockMovesWhenSet(t *testing.T) {
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	c := fault.NewClock(start)
	c.Pass(time.Minute)
	c.Pass(-time.Second)
	if got := c.Now().Sub(start); got != 59*time.Second {
		t.Errorf("%s passed, want 59s", got)
	}
}
