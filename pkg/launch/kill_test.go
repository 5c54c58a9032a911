package launch_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/fault/function"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// start runs the tokens function, whose calls go through p.
func (s submitting) start(t *testing.T, binary string, p *fault.Process) *function.Process {
	t.Helper()
	return function.Start(t, binary, map[string]string{
		"AWS_ENDPOINT_URL": p.Proxy(t, s.Stack.Endpoint), "AWS_REGION": "us-east-1",
		"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
		"LOG_LEVEL": "INFO", "METRIC_NAMESPACE": "test",
		"LAUNCH_TABLE": s.Table, "WINDOW_TABLE": s.Window, "ASSET_BUCKET": s.Bucket, "PIN_QUEUE_URL": s.Queue,
		"DERIVER_FUNCTION": "deriver", "NONCE_KEY_ID": s.NonceKeyID, "MINT_KEY_ID": s.MintKeyID, "NONCE_POOL_MAX": "1",
		"NETWORK": "localnet", "RPC_URL": p.Proxy(t, s.Ledger.RPCURL), "IPFS_API_URL": s.IPFS, "IPFS_GATEWAY_URL": s.IPFS,
	})
}

// event is the gateway's, for the submission.
func (s submitting) event(t *testing.T) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]string{"transactionId": s.created.ID, "signedTransaction": s.signed})
	must.Do(t, err)
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "POST /tokens/submit", RawPath: "/tokens/submit",
		Headers: map[string]string{"content-type": "application/json"}, Body: string(body),
	}
	event.RequestContext.HTTP.Method = http.MethodPost
	event.RequestContext.HTTP.Path = event.RawPath
	event.RequestContext.HTTP.SourceIP = "203.0.113.7"
	event.RequestContext.RequestID = "kill"
	event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
		Lambda: map[string]any{"wallet": s.creator.PublicKey().String()},
	}
	encoded, err := json.Marshal(event)
	must.Do(t, err)
	return encoded
}

// TestKilledTokensFunction kills the real function between two of its calls. A
// new one that gets the same request finishes the launch, once.
func TestKilledTokensFunction(t *testing.T) {
	on := newNonceEnv(t)
	binary := function.Build(t, "tokens")
	record := fault.Call{Service: "dynamodb", Operation: "TransactWriteItems", N: 1}
	settle := fault.Call{Service: "dynamodb", Operation: "TransactWriteItems", N: 2}
	send := fault.Call{Service: fault.Solana, Operation: fault.SendTransaction, N: 1}
	ask := fault.Call{Service: fault.Solana, Operation: fault.GetSignatureStatus, N: 1}
	const before, after = false, true
	for _, c := range []struct {
		name   string
		at     fault.Call
		after  bool
		status transaction.Status // when it is killed
		landed bool
	}{
		{"before recording", record, before, transaction.Pending, false},
		{"between recording and the response", record, after, transaction.Submitted, false},
		{"between recording and sending", send, before, transaction.Submitted, false},
		{"between sending and the response", send, after, transaction.Submitted, true},
		{"between sending and asking", ask, before, transaction.Submitted, true},
		{"between sending and recording the result", settle, before, transaction.Submitted, true},
		{"between recording the result and answering", settle, after, transaction.Confirmed, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := prepare(t, on, fate{})
			gate := fault.NewGate()
			hold := gate.Before
			if c.after {
				hold = gate.After
			}
			first := s.process(s.Watch, func(p *fault.Process) { p.On(fault.Exactly(c.at), hold) })
			killed := s.start(t, binary, first)
			over := make(chan error, 1)
			go func() {
				_, err := killed.Invoke(t.Context(), s.event(t))
				over <- err
			}()
			select {
			case <-gate.Arrived():
			case err := <-over:
				t.Fatalf("responded, and never reached the call: %v", err)
			case <-time.After(time.Minute):
				t.Fatal("never reached the call")
			}
			killed.Kill()
			if err := <-over; !errors.Is(err, function.ErrEnded) {
				t.Fatalf("the invocation ended with %v", err)
			}
			if status := s.status(t); status != c.status {
				t.Errorf("it left the launch %s, want %s", status, c.status)
			}
			if _, landed, err := s.Node.Account(t.Context(), s.created.Mint); err != nil || landed != c.landed {
				t.Errorf("the mint is on the chain: %v, %v; want %v", landed, err, c.landed)
			}

			answer, err := s.start(t, binary, s.process(s.Watch)).Invoke(t.Context(), s.event(t))
			must.Do(t, err)
			var got events.APIGatewayV2HTTPResponse
			must.Do(t, json.Unmarshal(answer, &got))
			var body struct{ Status, MintAddress string }
			if got.StatusCode != http.StatusOK || json.Unmarshal([]byte(got.Body), &body) != nil ||
				body.Status != "confirmed" || body.MintAddress != s.created.Mint.String() {
				t.Errorf("the new function returns %d: %s", got.StatusCode, got.Body)
			}
			s.check(t, transaction.Confirmed)
		})
	}
}
