package solanarpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// secret is in the address of every node of these tests.
const secret = "s3cr3t-api-key"

// node answers calls in the ways in which real nodes fail. It counts them.
type node struct {
	*solanarpc.Client
	calls atomic.Int32
}

// newNode serves the answers in turn, repeating the last one.
func newNode(t *testing.T, answers ...http.HandlerFunc) *node {
	t.Helper()
	n := &node{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.calls.Add(1)) - 1
		answers[min(i, len(answers)-1)](w, r)
	}))
	t.Cleanup(server.Close)
	client, err := solanarpc.New(strings.Replace(server.URL, "http://", "http://user:"+secret+"@", 1) + "/" + secret + "?key=" + secret)
	if err != nil {
		t.Fatal(err)
	}
	client.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	n.Client = client
	return n
}

func result(value string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+value+`}`)
	}
}

func refusal(code int, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":%q}}`, code, message)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no "+r.URL.String(), code)
	}
}

// hangUp ends the connection without a response.
func hangUp(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }

func TestFailuresOfANodeArePassedOver(t *testing.T) {
	for name, failure := range map[string]http.HandlerFunc{
		"status 500":        status(http.StatusInternalServerError),
		"status 429":        status(http.StatusTooManyRequests),
		"hangs up":          hangUp,
		"behind":            refusal(-32005, "Node is behind by 42 slots"),
		"slot not reached":  refusal(-32016, "Minimum context slot has not been reached"),
		"too many requests": refusal(429, "slow down"),
		"not JSON":          func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"nothing":           func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") },
	} {
		t.Run(name, func(t *testing.T) {
			n := newNode(t, failure, failure, result("890880"))
			got, err := n.MinimumBalance(t.Context(), 0)
			if err != nil || got != 890_880 || n.calls.Load() != 3 {
				t.Errorf("%d, %v after %d calls", got, err, n.calls.Load())
			}
			n = newNode(t, failure)
			_, err = n.MinimumBalance(t.Context(), 0)
			if apperr.KindOf(err) != apperr.Unavailable || n.calls.Load() != 3 {
				t.Errorf("%v after %d calls", err, n.calls.Load())
			}
		})
	}
}

func TestRefusalsAreNotRepeated(t *testing.T) {
	n := newNode(t, refusal(-32602, "Invalid params: "+secret))
	_, err := n.Balance(t.Context(), solana.PublicKey{})
	if err == nil || apperr.KindOf(err) != apperr.Internal || n.calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, n.calls.Load())
	}
	noSecret(t, err)
}

func TestErrorsDoNotShowTheAddress(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	var followed atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		followed.Store(true)
		result("1")(w, r)
	}))
	t.Cleanup(elsewhere.Close)
	redirect := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/"+secret, http.StatusTemporaryRedirect)
	}
	for name, n := range map[string]*node{
		"status 401":   newNode(t, status(http.StatusUnauthorized)),
		"hangs up":     newNode(t, hangUp),
		"redirects":    newNode(t, redirect),
		"a message":    newNode(t, refusal(-32005, "bad key "+secret)),
		"another type": newNode(t, result(`"`+secret+`"`)),
		"half an answer": newNode(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}),
		"no listener":        {Client: newClient(t, strings.Replace(closed.URL, "http://", "http://"+secret+":"+secret+"@", 1)+"/"+secret)},
		"no such host":       {Client: newClient(t, "http://"+secret+".invalid/"+secret)},
		"an impossible port": {Client: newClient(t, "http://"+secret+".invalid:99999999")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := n.MinimumBalance(t.Context(), 0)
			if apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("not an upstream failure: %v", err)
			}
			noSecret(t, err)
		})
	}
	if followed.Load() {
		t.Error("the client followed a redirect")
	}
	for _, address := range []string{"", secret, "ftp://" + secret, "http://", "http://%zz" + secret, "http://a b" + secret} {
		if _, err := solanarpc.New(address); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("New(%q) = %v, want an error without the secret", address, err)
		}
	}
}

func newClient(t *testing.T, address string) *solanarpc.Client {
	t.Helper()
	client, err := solanarpc.New(address)
	if err != nil {
		t.Fatal(err)
	}
	client.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return client
}

// noSecret checks every error of the chain, as a logger may.
func noSecret(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, secret) || strings.Contains(e.Error(), "127.0.0.1") {
			t.Errorf("the address shows in %s", text)
		}
	}
}

func TestCallEndsWithContext(t *testing.T) {
	block := make(chan struct{})
	n := newNode(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-block:
		case <-r.Context().Done():
		}
	})
	defer close(block)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for n.calls.Load() == 0 && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := n.LatestBlockhash(ctx)
	if !errors.Is(err, context.Canceled) || apperr.KindOf(err) != apperr.Unavailable {
		t.Error(err)
	}
	noSecret(t, err)
}

func TestLargeNumbersStayExact(t *testing.T) {
	n := newNode(t, result(`{"context":{"slot":18446744073709551615},"value":18446744073709551615}`))
	if got, err := n.Balance(t.Context(), solana.PublicKey{}); err != nil || got != 1<<64-1 {
		t.Errorf("Balance() = %d, %v; want 2^64-1", got, err)
	}
}

func TestEveryCallNamesItsCommitment(t *testing.T) {
	var seen []string
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			t.Error(err)
		}
		seen = append(seen, call.Method)
		if !strings.Contains(strings.ToLower(string(call.Params)), `commitment":"`) {
			t.Errorf("%s has no commitment: %s", call.Method, call.Params)
		}
		if call.Method == "simulateTransaction" && strings.Contains(string(call.Params), "replaceRecentBlockhash") {
			t.Error("the simulation replaces the nonce")
		}
		result("null")(w, r)
	})
	ctx := t.Context()
	_, _ = n.MinimumBalance(ctx, 1)
	_, _ = n.Balance(ctx, solana.PublicKey{})
	_, _, _ = n.Account(ctx, solana.PublicKey{})
	_, _, _ = n.Nonce(ctx, solana.PublicKey{})
	_, _ = n.LatestBlockhash(ctx)
	_, _ = n.Simulate(ctx, nil)
	_ = n.Send(ctx, nil)
	// Account and Nonce are one method; null is no signature, so Send asks again.
	if len(slices.Compact(seen)) != 6 {
		t.Errorf("calls: %v", seen)
	}
}

func TestSendingAgainIsNoError(t *testing.T) {
	for _, answer := range []string{
		`{"code":-32002,"message":"Transaction simulation failed","data":{"err":"AlreadyProcessed"}}`,
		`{"code":-32002,"message":"Transaction simulation failed: This transaction has already been processed"}`,
	} {
		n := newNode(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":`+answer+`}`)
		})
		if err := n.Send(t.Context(), []byte{1}); err != nil {
			t.Error(err)
		}
	}
	n := newNode(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"failed","data":{"err":"BlockhashNotFound"}}}`)
	})
	if err := n.Send(t.Context(), []byte{1}); err == nil {
		t.Error("another refusal causes no error")
	}
}

func TestAwait(t *testing.T) {
	found := func(commitment, err string) http.HandlerFunc {
		return result(fmt.Sprintf(`{"context":{"slot":9},"value":[{"slot":5,"confirmationStatus":%q,"err":%s}]}`, commitment, err))
	}
	unknown := result(`{"context":{"slot":9},"value":[null]}`)
	for name, c := range map[string]struct {
		answers []http.HandlerFunc
		want    transaction.Outcome
	}{
		"confirmed immediately":     {[]http.HandlerFunc{found("confirmed", "null")}, transaction.Outcome{State: transaction.Succeeded}},
		"unknown, processed, final": {[]http.HandlerFunc{unknown, found("processed", "null"), found("finalized", "null")}, transaction.Outcome{State: transaction.Succeeded}},
		"a failing node in between": {[]http.HandlerFunc{unknown, hangUp, hangUp, hangUp, hangUp, found("confirmed", "null")}, transaction.Outcome{State: transaction.Succeeded}},
		"failed, and no details": {
			[]http.HandlerFunc{found("confirmed", `{"InstructionError":[2,{"Custom":17}]}`), result("null")},
			transaction.Outcome{State: transaction.Refused, Detail: "Instruction 3 failed with error 0x11."},
		},
		"failed, with its logs": {
			[]http.HandlerFunc{found("confirmed", `{"InstructionError":[2,{"Custom":17}]}`), result(
				`{"transaction":["","base64"],"meta":{"logMessages":["Program TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb failed: custom program error: 0x11"]}}`)},
			transaction.Outcome{State: transaction.Refused, Detail: "Instruction 3 failed: The token account is frozen."},
		},
		"a failure that may be undone": {
			[]http.HandlerFunc{found("processed", `"AccountNotFound"`), found("confirmed", "null")}, transaction.Outcome{State: transaction.Succeeded},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := newNode(t, c.answers...).Await(t.Context(), solana.Signature{1}); err != nil || got != c.want {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	ends := func(n *node) context.Context {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		n.Pause = func(ctx context.Context, _ time.Duration) error {
			if n.calls.Load() >= 3 {
				cancel()
			}
			return ctx.Err()
		}
		return ctx
	}
	n := newNode(t, result(`{"context":{"slot":9},"value":[null]}`))
	if got, err := n.Await(ends(n), solana.Signature{1}); err != nil || got.State != transaction.Unknown {
		t.Errorf("unknown: %+v, %v", got, err)
	}
	n = newNode(t, hangUp)
	if got, err := n.Await(ends(n), solana.Signature{1}); apperr.KindOf(err) != apperr.Unavailable || got.State != transaction.Unknown {
		t.Errorf("no response: %+v, %v", got, err)
	}
	n = newNode(t, refusal(-32602, "Invalid params"))
	if _, err := n.Await(t.Context(), solana.Signature{1}); err == nil {
		t.Error("a refusal is waited out")
	}
}

func TestStatusesMatchTheirSignatures(t *testing.T) {
	n := newNode(t, result(`{"context":{"slot":9},"value":[]}`))
	if _, err := n.Statuses(t.Context(), solana.Signature{1}); err == nil {
		t.Error("a response without the status is accepted")
	}
	if _, err := n.Statuses(t.Context(), make([]solana.Signature, solanarpc.MaxStatuses+1)...); err == nil {
		t.Error("too many signatures are accepted")
	}
}

func TestHealth(t *testing.T) {
	if err := newNode(t, result(`"ok"`)).Health(t.Context()); err != nil {
		t.Error(err)
	}
	for _, answer := range []http.HandlerFunc{result(`"unknown"`), refusal(-32005, "Node is behind"), hangUp} {
		if err := newNode(t, answer).Health(t.Context()); apperr.KindOf(err) != apperr.Unavailable {
			t.Error(err)
		}
	}
}

func TestClientRejectsMismatchedResponses(t *testing.T) {
	for _, value := range []string{
		`{"value":{"lamports":1,"owner":"x","data":["","base64"]}}`,
		`{"value":{"lamports":1,"owner":"11111111111111111111111111111111","data":["","base58"]}}`,
		`{"value":{"lamports":1,"owner":"11111111111111111111111111111111","data":["!","base64"]}}`,
		`{"value":{"lamports":-1,"owner":"11111111111111111111111111111111","data":["","base64"]}}`,
		`{"value":{"lamports":1,"owner":"11111111111111111111111111111111","data":{}}}`,
		`[]`,
	} {
		n := newNode(t, result(value))
		if _, _, err := n.Account(t.Context(), solana.PublicKey{}); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Account() of %s: %v, want an error of kind Unavailable", value, err)
		}
	}
}
