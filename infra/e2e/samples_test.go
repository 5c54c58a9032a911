package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/curves"
	functions "tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// What the samples are about; the test puts what there is in its place.
const (
	sampleCaller = "GDexGJ8RDpv1V5dzkwAPffsif1DADaFmNUmJDFF4mpsj"
	sampleMint   = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"
	sampleOrder  = "f2b8a1de-54c4-4f0d-9a43-2a7c1b1f6e55" // the id of a launch's transaction
	// A webhook, and a delivery to it.
	sampleWebhook, sampleDelivery = "7a1c3d52-94f1-5c4e-9d0b-2f5d7f0c9e21", "3f0b8f1a-6a52-8f0e-8c1d-77b7a3b0c5d4"

	sampleToken = "2d1f7f0a-7f0f-4b59-a3a5-5d3f6b1f2c10" // the token's id, for which its mint will do
)

// sample is one event and what its function's binary answers.
type sample struct {
	event string // its name in events/
	// status of an answer over HTTP; zero for functions without a route.
	status int
	// want is a part of the answer, or of the error that the function reports.
	want string
	// edit puts what there is by now into the event, and keep what came back into the
	// fixture; both may be nil.
	edit func(w *fixture, e map[string]any)
	keep func(t *testing.T, w *fixture, body []byte)
}

// asTheyAre are the answers to the samples themselves, which are about a caller and a
// token that do not exist. Every sample is here.
var asTheyAre = []sample{
	{event: "announcer-writes", want: `{"batchItemFailures":[]}`}, // of a creator without webhooks

	{event: "auth-challenge", status: 200, want: `"challenge":"localhost`},
	{event: "auth-challenge-bad-fields", status: 400, want: "validation_failed"},
	{event: "auth-challenge-not-json", status: 400, want: "The body is not valid JSON."},
	{event: "auth-verify", status: 401, want: "challenge_unknown"},
	{event: "auth-verify-wrong-signature", status: 401, want: "challenge_unknown"},

	{event: "authorizer-good-token", want: `{"reason":"invalid_token"}`}, // of a key that is not the stack's
	{event: "authorizer-bare-token", want: `{"reason":"invalid_token"}`},
	{event: "authorizer-missing-token", want: `{"reason":"missing_token"}`},
	{event: "authorizer-garbage-token", want: `{"reason":"invalid_token"}`},
	{event: "authorizer-expired-token", want: `{"reason":"invalid_token"}`},
	{event: "authorizer-other-scheme", want: `{"reason":"invalid_token"}`},

	{event: "burns-list", status: 404, want: "token_not_found"},
	{event: "burns-list-bad-cursor", status: 400, want: "validation_failed"},

	{event: "deriver-wallet", want: `"walletId":"0b0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21","address":"`},
	{event: "deriver-not-a-uuid", want: "errorString: walletId"},

	{event: "signer-address", want: `{"addresses":[{"address":"`},
	{event: "signer-no-decision", want: `"code":"refused"`},

	{event: "dex-create-unsigned", status: 404, want: "token_not_found"},
	{event: "dex-create-unsigned-bad-fields", status: 400, want: "validation_failed"},
	{event: "dex-create-unsigned-missing-token", status: 401, want: "missing_token"},

	{event: "dispatcher-slot", want: "null"},
	{event: "dispatcher-sweep", want: "null"},
	{event: "dispatcher-queue", want: `{"batchItemFailures":[{"itemIdentifier":"no-task"}]}`},

	{event: "distribution-settings", status: 404, want: "token_not_found"},
	{event: "distribution-settings-missing-token", status: 401, want: "missing_token"},
	{event: "distribution-change", status: 404, want: "token_not_found"},
	{event: "distribution-change-bad-fields", status: 400, want: "validation_failed"},
	{event: "distribution-change-missing-token", status: 401, want: "missing_token"},
	{event: "distribution-telegram-test", status: 404, want: "token_not_found"},
	{event: "distribution-telegram-test-missing-token", status: 401, want: "missing_token"},
	{event: "distribution-runs", status: 404, want: "token_not_found"},
	{event: "distribution-runs-bad-cursor", status: 400, want: "validation_failed"},
	{event: "distribution-run", status: 404, want: "token_not_found"},
	{event: "distribution-preview", status: 404, want: "token_not_found"},
	{event: "distribution-holder", status: 404, want: "token_not_found"},
	{event: "distribution-ledger", status: 200, want: `"tokens":[]`},
	{event: "distribution-ledger-bad-mints", status: 400, want: "validation_failed"},
	{event: "distribution-claim", status: 202, want: `"code":"token_not_found"`},
	{event: "distribution-claim-missing-token", status: 401, want: "missing_token"},

	// The runs of a token that was not launched are not done, and come again.
	{event: "distributor-runs", want: `{"batchItemFailures":[{"itemIdentifier":"new"},{"itemIdentifier":"again"},{"itemIdentifier":"no-slot"}]}`},

	{event: "docs-health", status: 200, want: `"status":"ok"`},
	{event: "docs-jwks", status: 200, want: `"kty":"EC"`},
	{event: "docs-openapi", status: 200, want: `"openapi":`},
	{event: "docs-page", status: 200, want: "<html"},
	{event: "docs-status", status: 200, want: `"parts":`},
	{event: "docs-site-home", status: 200, want: "<!doctype html>"},
	{event: "docs-site-launch", status: 200, want: "<!doctype html>"},
	{event: "docs-site-mine", status: 200, want: "<!doctype html>"},
	{event: "docs-site-rewards", status: 200, want: "<!doctype html>"},
	{event: "docs-site-token", status: 404, want: "<!doctype html>"},
	{event: "docs-site-card", status: 404, want: "token_not_found"},
	{event: "docs-site-badge", status: 404, want: "token_not_found"},
	{event: "docs-site-file", status: 200, want: "<svg "},
	{event: "docs-site-no-file", status: 404, want: "not_found"},
	{event: "docs-unknown-path", status: 404, want: "not_found"},
	{event: "docs-wrong-method", status: 405, want: "method_not_allowed"},

	{event: "featured-list", status: 200, want: `{"featured":[`},
	{event: "featured-create-unsigned", status: 404, want: "token_not_found"},
	{event: "featured-create-unsigned-bad-days", status: 400, want: "validation_failed"},
	{event: "featured-create-unsigned-missing-token", status: 401, want: "missing_token"},

	{event: "images-upload", status: 200, want: `"success":true`},
	{event: "images-upload-not-an-image", status: 400, want: "invalid_file_type"},
	{event: "images-upload-missing-token", status: 401, want: "missing_token"},

	{event: "launchpad-create-unsigned", status: 404, want: "token_not_found"},
	{event: "launchpad-create-unsigned-unit-unknown", status: 400, want: "validation_failed"},
	{event: "launchpad-create-unsigned-missing-token", status: 401, want: "missing_token"},
	{event: "launchpad-list", status: 200, want: `{"launchpad":[`},
	{event: "launchpad-list-bad-cursor", status: 400, want: "validation_failed"},
	{event: "launchpad-status", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-price", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-price-without-amount", status: 400, want: "validation_failed"},
	{event: "launchpad-buy", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-buy-missing-token", status: 401, want: "missing_token"},
	{event: "launchpad-sell", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-sell-missing-token", status: 401, want: "missing_token"},
	{event: "launchpad-cancel", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-cancel-missing-token", status: 401, want: "missing_token"},
	{event: "launchpad-fees", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-trades", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-candles", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-candles-unknown-interval", status: 400, want: "validation_failed"},
	{event: "launchpad-claim-fees", status: 404, want: "launchpad_not_found"},
	{event: "launchpad-claim-fees-missing-token", status: 401, want: "missing_token"},
	{event: "launchpad-lock", status: 404, want: "token_not_found"},
	{event: "launchpad-lock-missing-token", status: 401, want: "missing_token"},

	{event: "notifier-notices", want: `{"batchItemFailures":[]}`}, // there is no bot to tell them
	{event: "payer-batches", want: `{"batchItemFailures":[{"itemIdentifier":"pay"},{"itemIdentifier":"collect"},{"itemIdentifier":"burn"}]}`},
	{event: "courier-visits", want: `{"batchItemFailures":[]}`}, // one is gone, and one is set aside
	{event: "courier-minute", want: "null"},
	{event: "webhooks-create", status: 404, want: "token_not_found"},
	{event: "webhooks-create-bad-fields", status: 400, want: "validation_failed"},
	{event: "webhooks-create-missing-token", status: 401, want: "missing_token"},
	{event: "webhooks-list", status: 200, want: `{"webhooks":[]}`},
	{event: "webhooks-list-missing-token", status: 401, want: "missing_token"},
	{event: "webhooks-delete", status: 404, want: "webhook_not_found"},
	{event: "webhooks-test", status: 404, want: "webhook_not_found"},
	{event: "webhooks-deliveries", status: 404, want: "webhook_not_found"},
	{event: "webhooks-replay", status: 404, want: "webhook_not_found"},
	{event: "canary-minute", want: "null"},
	{event: "monitor-minute", want: "null"},
	{event: "pinner-two-files", want: `{"batchItemFailures":[]}`},     // set aside: S3 has neither
	{event: "pinner-not-a-request", want: `{"batchItemFailures":[]}`}, // set aside
	{event: "reconciler-minute", want: "null"},

	{event: "tokens-generate-distribution-wallet", status: 200, want: `"walletId":"`},
	{event: "tokens-create-unsigned", status: 400, want: "unknown_image"},
	{event: "tokens-create-unsigned-bad-fields", status: 400, want: "validation_failed"},
	{event: "tokens-validate", status: 400, want: "unknown_image"},
	{event: "tokens-create-unsigned-missing-token", status: 401, want: "missing_token"},
	{event: "tokens-create-unsigned-invalid-token", status: 401, want: "invalid_token"},
	{event: "tokens-submit", status: 400, want: "invalid_transaction"},
	{event: "tokens-submit-not-a-transaction", status: 400, want: "invalid_transaction"},
	{event: "tokens-submit-missing-token", status: 401, want: "missing_token"},
	{event: "tokens-transaction", status: 404, want: "not_found"},
	{event: "tokens-transaction-missing-token", status: 401, want: "missing_token"},
	{event: "tokens-transaction-refresh", status: 404, want: "not_found"},
	{event: "tokens-list", status: 200, want: `"pagination":{"page":1`},
	{event: "tokens-list-second-page", status: 200, want: `"pagination":{"page":2`},
	{event: "tokens-list-bad-page", status: 400, want: "validation_failed"},
	{event: "tokens-list-of-creator", status: 200, want: `"tokens":[]`},
	{event: "tokens-me", status: 200, want: `"tokens":[]`},
	{event: "tokens-me-all", status: 200, want: `"tokens":[]`},
	{event: "tokens-me-missing-token", status: 401, want: "missing_token"},
	{event: "tokens-detail", status: 404, want: "token_not_found"},
	{event: "tokens-detail-malformed", status: 404, want: "token_not_found"},
}

// inOrder leads a new wallet from signing in to its token's market, by the same
// samples: each needs what came before.
var inOrder = []sample{
	{event: "auth-challenge", status: 200, want: `"challenge":"`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.challenge = field(t, body, "challenge")
	}},
	{event: "auth-verify-wrong-signature", status: 401, want: "invalid_signature", edit: func(w *fixture, e map[string]any) {
		e["body"] = w.proof(w.wallet.SignMessage("another text"))
	}},
	{event: "auth-challenge", status: 200, want: `"challenge":"`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.challenge = field(t, body, "challenge")
	}},
	{event: "auth-verify", status: 200, want: `"token":"`, edit: func(w *fixture, e map[string]any) {
		e["body"] = w.proof(w.wallet.SignMessage(w.challenge))
	}, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.token = field(t, body, "token")
	}},
	{event: "authorizer-good-token", want: `{"wallet":"{caller}"}`, edit: func(w *fixture, e map[string]any) {
		if headers, ok := e["headers"].(map[string]any); ok {
			headers["authorization"] = "Bearer " + w.token
		}
	}},
	{event: "tokens-generate-distribution-wallet", status: 200, want: `"walletId":"`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.walletID = field(t, body, "walletId")
	}},
	{event: "images-upload", status: 200, want: `"imageUri":"ipfs://`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.imageURI = field(t, body, "imageUri")
	}},
	{event: "tokens-validate", status: 200, want: `"valid":true`, edit: func(w *fixture, e map[string]any) {
		e["body"] = changed(e["body"], map[string]any{"walletId": w.walletID, "imageUri": w.imageURI})
	}},
	{event: "tokens-create-unsigned", status: 200, want: `"simulation":{"ok":true`, edit: func(w *fixture, e map[string]any) {
		e["body"] = changed(e["body"], map[string]any{"walletId": w.walletID, "imageUri": w.imageURI})
	}, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.transactionID, w.transaction = field(t, body, "transactionId"), field(t, body, "transaction")
	}},
	{event: "tokens-transaction", status: 200, want: `"status":"pending"`},
	{event: "tokens-transaction-refresh", status: 200, want: `"transaction":"`},
	{event: "tokens-submit", status: 200, want: `"success":true`, edit: func(w *fixture, e map[string]any) {
		e["body"] = changed(e["body"], map[string]any{"transactionId": w.transactionID, "signedTransaction": w.signed()})
	}, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.mint = field(t, body, "mintAddress")
	}},
	{event: "tokens-detail", status: 200, want: `"mintAddress":"{mint}"`},
	{event: "tokens-me", status: 200, want: `"mintAddress":"{mint}"`},
	{event: "docs-site-token", status: 200, want: "/t/{mint}/card.png"},
	{event: "docs-site-card", status: 200, want: "\x89PNG"},
	{event: "docs-site-badge", status: 200, want: "pays its holders: no runs yet"},
	{event: "tokens-search", status: 200, want: `"mintAddress":"{mint}"`},
	{event: "tokens-ranked", status: 200, want: `"tokens":[`}, // other tests may have traded
	{event: "tokens-search-and-ranked", status: 400, want: "validation_failed"},
	{event: "tokens-stats", status: 200, want: `"assets":[`},
	{event: "tokens-list", status: 200, want: `"mintAddress":"{mint}"`},
	{event: "tokens-list-of-creator", status: 200, want: `"mintAddress":"{mint}"`},

	{event: "distribution-settings", status: 200, want: `"distributionInterval":"1h"`},
	{event: "distribution-change", status: 200, want: `"distributionInterval":"6h"`},
	{event: "distribution-telegram-test", status: 202, want: `"queued":true`}, // its group is of the change before
	{event: "distribution-runs", status: 200, want: `"nextCursor":null`},
	{event: "distribution-run", status: 404, want: "run_not_found"},
	{event: "distribution-preview", status: 200, want: `{`},
	{event: "distribution-holder", status: 200, want: `{`},
	{event: "burns-list", status: 200, want: `"burns":[]`},
	{event: "webhooks-create", status: 200, want: `"secret":"whsec_`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.webhookID = field(t, body, "webhookId")
	}},
	{event: "webhooks-list", status: 200, want: `"status":"pending"`},
	{event: "webhooks-test", status: 202, want: `"queued":true`, keep: func(t *testing.T, w *fixture, body []byte) {
		t.Helper()
		w.deliveryID = field(t, body, "deliveryId")
	}},
	{event: "webhooks-deliveries", status: 200, want: `"type":"webhook.challenge"`},
	{event: "webhooks-replay", status: 409, want: "webhook_not_active"},
	{event: "webhooks-delete", status: 200, want: `"deleted":true`},
	{event: "dispatcher-slot", want: "null"},

	{event: "featured-create-unsigned", status: 200, want: `"transaction":"`},
	// A chain that is offline has none of the programs of pools.
	{event: "dex-create-unsigned", status: 200, want: "program_unavailable"},
	{event: "launchpad-create-unsigned", status: 200, want: "program_unavailable", keep: func(t *testing.T, w *fixture, _ []byte) {
		t.Helper()
		mint := solana.MustPublicKeyFromBase58(w.mint)
		store := curves.Store{Client: dynamodb.NewFromConfig(w.stack.AWS.Config()), Table: w.stack.Outputs["LaunchTableName"]}
		if _, err := store.Deploy(t.Context(), mint, w.wallet.PublicKey(), 1_000_000_000); err != nil {
			t.Fatal(err)
		}
	}},
	{event: "launchpad-list", status: 200, want: `"{mint}"`},
	{event: "launchpad-status", status: 200, want: `"{mint}"`},
	{event: "launchpad-price", status: 200, want: `"price`},
	{event: "launchpad-buy", status: 200, want: `"transaction":"`},
	{event: "launchpad-sell", status: 200, want: `"transaction":"`},
	{event: "launchpad-cancel", status: 409, want: "liquidity_locked"},
	{event: "launchpad-fees", status: 200, want: `"claimableLamports":"`},
	{event: "launchpad-trades", status: 200, want: `"trades":[`},
	{event: "launchpad-candles", status: 200, want: `"candles":[`},
	{event: "launchpad-claim-fees", status: 200, want: "program_unavailable"},
	{event: "reconciler-minute", want: "null"},
}

// noGoodCase are operations whose good case takes more than samples: a finished run
// takes minutes, a curve of the samples is locked, the day passes on which a sample's lock ends,
// and no server answers for their webhook; other tests here have all four.
var noGoodCase = []string{"getRun", "createUnsignedCancel", "createUnsignedLock", "replayDelivery"}

// noRefusal are operations that refuse nothing of their own.
var noRefusal = []string{
	"getOpenAPI", "getDocs", "getHealth", "getJWKS", "listFeatured", "generateDistributionWallet", "getStatus",
	"getHomePage", "getLaunchPage", "getCreatorPage", "getRewardsPage", "getStats",
}

// fixture is the stack, the binaries, and what the samples in order have made.
type fixture struct {
	stack    *runner.Stack
	deployed map[string]functions.Function
	binaries map[string]*runtimeapi.Process

	wallet                     walkthrough.Wallet
	challenge, token           string
	walletID, imageURI         string
	transactionID, transaction string
	mint                       string
	webhookID, deliveryID      string
}

func (w *fixture) proof(signature string) string {
	return changed("{}", map[string]any{"wallet": w.wallet.Address(), "challenge": w.challenge, "signature": signature})
}

func (w *fixture) signed() string {
	text, err := w.wallet.SignTransaction(w.transaction)
	if err != nil {
		return err.Error() // which no function takes for a transaction
	}
	return text
}

// changed sets fields of a body.
func changed(body any, fields map[string]any) string {
	all := map[string]any{}
	if text, ok := body.(string); ok {
		_ = json.Unmarshal([]byte(text), &all) // a sample that is none fails as such
	}
	for name, value := range fields {
		all[name] = value
	}
	text, _ := json.Marshal(all)
	return string(text)
}

// field reads a text out of an answer.
func field(t *testing.T, body []byte, name string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	value, _ := all[name].(string)
	if value == "" {
		t.Fatalf("no %s in %s", name, body)
	}
	return value
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

// try sends a sample and compares what comes back.
func (w *fixture) try(t *testing.T, s sample, event []byte) {
	t.Helper()
	function, _, _ := strings.Cut(s.event, "-")
	answer, err := w.binary(t, function).Invoke(t.Context(), runtimeapi.Event{Payload: event})
	var reported *runtimeapi.FunctionError
	if errors.As(err, &reported) && s.status == 0 {
		answer, err = []byte(reported.Error()), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.status != 0 {
		var response events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(answer, &response); err != nil {
			t.Fatalf("%s is no answer for the gateway: %v", answer, err)
		}
		body := bodyOf(t, response)
		if answer = body; response.StatusCode != s.status {
			t.Fatalf("answers %d %.600s, want %d", response.StatusCode, body, s.status)
		}
	}
	want := strings.NewReplacer("{caller}", w.wallet.Address(), "{mint}", w.mint).Replace(s.want)
	var compact bytes.Buffer
	if json.Compact(&compact, answer) != nil {
		compact = *bytes.NewBuffer(answer)
	}
	if !strings.Contains(compact.String(), want) {
		t.Fatalf("answers %.600s, want %s in it", compact.String(), want)
	}
	if s.keep != nil {
		s.keep(t, w, answer)
	}
}

// bodyOf is an answer's body as the caller reads it.
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

// event reads a sample and puts what there is into it.
func (w *fixture) event(t *testing.T, s sample) []byte {
	t.Helper()
	text, err := os.ReadFile("../../events/" + s.event + ".json")
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.ReplaceAll(string(text), sampleCaller, w.wallet.Address())
	if w.mint != "" {
		whole = strings.NewReplacer(sampleMint, w.mint, sampleToken, w.mint).Replace(whole)
	}
	if w.transactionID != "" {
		whole = strings.ReplaceAll(whole, sampleOrder, w.transactionID)
	}
	if w.webhookID != "" {
		whole = strings.ReplaceAll(whole, sampleWebhook, w.webhookID)
	}
	if w.deliveryID != "" {
		whole = strings.ReplaceAll(whole, sampleDelivery, w.deliveryID)
	}
	if s.edit == nil {
		return []byte(whole)
	}
	var event map[string]any
	if err := json.Unmarshal([]byte(whole), &event); err != nil {
		t.Fatal(err)
	}
	s.edit(w, event)
	out, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each sample of events/ goes through the binary that is deployed, with the variables
// and the role that it has there.
func TestSamplesThroughTheBinaries(t *testing.T) {
	s := deployed(t)
	w := newFixture(t, s)
	defer w.stop()
	for _, sample := range asTheyAre {
		t.Run(sample.event, func(t *testing.T) {
			text, err := os.ReadFile("../../events/" + sample.event + ".json")
			if err != nil {
				t.Fatal(err)
			}
			w.try(t, sample, text)
		})
	}
	if err := s.ForgetLimits(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, sample := range inOrder {
		if !t.Run("in order/"+sample.event, func(t *testing.T) { w.try(t, sample, w.event(t, sample)) }) {
			return // the next one needs it
		}
	}
}

// Every sample is tried as it is, every function has one, and every route has its good
// case and a refusal among them.
func TestSamplesAreComplete(t *testing.T) {
	files, err := filepath.Glob("../../events/*.json")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	good, refused := map[string]bool{}, map[string]bool{}
	functions := map[string]bool{}
	for _, s := range slices.Concat(asTheyAre, inOrder) {
		tried[s.event] = true
		function, _, _ := strings.Cut(s.event, "-")
		functions[function] = true
		if s.status == 0 {
			continue
		}
		text, err := os.ReadFile("../../events/" + s.event + ".json")
		if err != nil {
			t.Error(err)
			continue
		}
		var event struct{ RouteKey string }
		if err := json.Unmarshal(text, &event); err != nil {
			t.Error(err)
		}
		good[event.RouteKey] = good[event.RouteKey] || s.status < 400
		refused[event.RouteKey] = refused[event.RouteKey] || s.status >= 400
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); !tried[name] {
			t.Errorf("%s is not tried", name)
		}
	}
	mains, err := filepath.Glob("../../functions/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal(err)
	}
	for _, file := range mains {
		if name := filepath.Base(filepath.Dir(file)); !functions[name] {
			t.Errorf("%s has no sample", name)
		}
	}
	for _, r := range route.All() {
		if good[r.Pattern()] == slices.Contains(noGoodCase, r.Operation) {
			t.Errorf("%s: a good case is there: %v", r.Pattern(), good[r.Pattern()])
		}
		if refused[r.Pattern()] == slices.Contains(noRefusal, r.Operation) {
			t.Errorf("%s: a refusal is there: %v", r.Pattern(), refused[r.Pattern()])
		}
	}
}
