package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/gagliardetto/solana-go"

	functions "tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/eventtest"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// answers has a part of the response to each event that is a file, or of the error that the
// function reports. The events are about wallets and tokens that do not exist.
var answers = map[string]string{
	"announcer-writes":         `{"batchItemFailures":[]}`,   // of a creator without webhooks
	"authorizer-good-token":    `{"reason":"invalid_token"}`, // of a key that is not the stack's
	"authorizer-bare-token":    `{"reason":"invalid_token"}`,
	"authorizer-missing-token": `{"reason":"missing_token"}`,
	"authorizer-garbage-token": `{"reason":"invalid_token"}`,
	"authorizer-expired-token": `{"reason":"invalid_token"}`,
	"authorizer-other-scheme":  `{"reason":"invalid_token"}`,
	"deriver-wallet":           `"walletId":"0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21","address":"`,
	"deriver-not-a-uuid":       "errorString: walletId",
	"signer-address":           `{"addresses":[{"address":"`,
	"signer-no-decision":       `"code":"refused"`,
	"dispatcher-slot":          "null",
	"dispatcher-sweep":         "null",
	"dispatcher-queue":         `{"batchItemFailures":[{"itemIdentifier":"no-task"}]}`,
	"distributor-runs":         `{"batchItemFailures":[{"itemIdentifier":"new"},{"itemIdentifier":"again"},{"itemIdentifier":"no-slot"}]}`, // of a token that was not launched: they come again
	"notifier-notices":         `{"batchItemFailures":[]}`,                                                                                 // there is no bot to tell them
	"notifier-minute":          "null",
	"payer-batches":            `{"batchItemFailures":[{"itemIdentifier":"pay"},{"itemIdentifier":"collect"},{"itemIdentifier":"burn"}]}`,
	"courier-visits":           `{"batchItemFailures":[]}`, // one is gone, and one is set aside
	"courier-minute":           "null",
	"canary-minute":            "null",
	"monitor-minute":           "null",
	"pinner-two-files":         `{"batchItemFailures":[]}`, // set aside: S3 has neither
	"pinner-not-a-request":     `{"batchItemFailures":[]}`, // set aside
	"reconciler-minute":        "null",
}

// fixture is the stack, a wallet with money and the binaries.
type fixture struct {
	stack    *runner.Stack
	deployed map[string]functions.Function
	binaries map[string]*runtimeapi.Process
	wallet   walkthrough.Wallet
}

func newFixture(t *testing.T, s *runner.Stack) *fixture {
	t.Helper()
	all, err := functions.Functions(t.Context(), s.AWS.Config(), s.Outputs.Functions())
	if err != nil {
		t.Fatal(err)
	}
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Chain.Fund(t.Context(), wallet.Address(), 10*solana.LAMPORTS_PER_SOL); err != nil {
		t.Fatal(err)
	}
	return &fixture{stack: s, deployed: all, binaries: map[string]*runtimeapi.Process{}, wallet: wallet}
}

// binary is the function's process, started once, as the deployed function is.
func (w *fixture) binary(t *testing.T, name string) *runtimeapi.Process {
	t.Helper()
	if p := w.binaries[name]; p != nil {
		return p
	}
	f, ok := w.deployed[name]
	if !ok {
		t.Fatalf("no function %s is deployed", name)
	}
	credentials, err := f.Credentials(t.Context(), w.stack.AWS.Config(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	p, err := runtimeapi.Start(t.Context(), runtimeapi.Options{
		Binary: f.Binary(root.Path(".build/functions")), ARN: f.ARN, Timeout: f.Timeout,
		Env: f.Environment(w.stack.AWS.Endpoint, ministack.Region, credentials),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.binaries[name] = p
	return p
}

func (w *fixture) stop() {
	for _, p := range w.binaries {
		p.Stop()
	}
}

// invoke returns the response to an event, or the error that the function reports.
func (w *fixture) invoke(t *testing.T, name string) []byte {
	t.Helper()
	event, err := eventtest.Event(name)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := w.binary(t, eventtest.Function(name)).Invoke(t.Context(), runtimeapi.Event{Payload: event})
	var reported *runtimeapi.FunctionError
	if errors.As(err, &reported) {
		return []byte(reported.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// request compares the response to a request with the table and with the document.
func (w *fixture) request(t *testing.T, r eventtest.Request) {
	t.Helper()
	var response events.APIGatewayV2HTTPResponse
	if answer := w.invoke(t, r.Name); json.Unmarshal(answer, &response) != nil {
		t.Fatalf("%s is not a response of the gateway", answer)
	}
	body := bodyOf(t, response)
	if r.Status != 0 && response.StatusCode != r.Status || response.StatusCode >= http.StatusInternalServerError || !contains(body, r.Want) {
		t.Fatalf("response = %d %.600s, want %d with %s", response.StatusCode, body, r.Status, r.Want)
	}
	if r.Operation == "" {
		return
	}
	header := http.Header{}
	for name, value := range response.Headers {
		header.Set(name, value)
	}
	if err := docstest.Check(r.Operation, response.StatusCode, header, body); err != nil {
		t.Errorf("response does not match the document: %v; %.600s", err, body)
	}
}

// contains reports whether a response has a part, whatever its spaces.
func contains(answer []byte, part string) bool {
	var compact bytes.Buffer
	if json.Compact(&compact, answer) == nil {
		answer = compact.Bytes()
	}
	return bytes.Contains(answer, []byte(part))
}

// bodyOf is a response's body as the caller reads it.
func bodyOf(t *testing.T, response events.APIGatewayV2HTTPResponse) []byte {
	t.Helper()
	var body io.Reader = strings.NewReader(response.Body)
	if response.IsBase64Encoded {
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	if response.Headers["Content-Encoding"] == "gzip" {
		zipped, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		body = zipped
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Each event goes through the binary that is deployed, with the variables and the role that it
// has there. The good cases are in TestCodeSamplesRun and TestEveryDescribedAnswerIsGiven.
func TestEventsThroughTheBinaries(t *testing.T) {
	s := deployed(t)
	w := newFixture(t, s)
	defer w.stop()
	for _, r := range eventtest.Requests() {
		t.Run(r.Name, func(t *testing.T) { w.request(t, r) })
	}
	files, err := eventtest.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		want, known := answers[name]
		if name == "tokens-list" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if got := w.invoke(t, name); !known || !contains(got, want) {
				t.Errorf("response = %.600s, want %q in it", got, want)
			}
		})
	}
}
