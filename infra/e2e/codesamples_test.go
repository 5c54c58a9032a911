package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/telegramtest"
)

// follower does what a reader of /docs does: it runs one sample after the other, with the returned
// IDs and addresses in place of the example's.
type follower struct {
	stack   *runner.Stack
	wallet  walkthrough.Wallet
	folder  string            // where the samples run
	samples map[string]string // in Shell, by operation
	token   string
	// real are the values in place of the examples, both as JSON has them between quotes.
	real map[string]string
}

// inTurn lists the operations in the order in which a reader can call them; those that are not in
// the story come last.
func inTurn() []string {
	all := slices.Clone(story)
	for _, r := range route.All() {
		if !slices.Contains(all, r.Operation) {
			all = append(all, r.Operation)
		}
	}
	return all
}

var story = []string{
	"createChallenge", "verifyChallenge", "generateDistributionWallet", "uploadImage", "validateToken", "createUnsignedToken",
	"getTransaction", "refreshTransaction", "submitToken", "getToken", "listTokens", "listMyTokens",
	"getDistributionSettings", "changeDistributionSettings", "listSettingsChanges", "testTelegram", "linkTelegram", "getHandover", "orderHandover", "cancelHandover", "listRuns", "getRun", "previewRun", "getHolder", "getHolderLedger", "listHolderPayments", "claimRewards", "linkHolderTelegram", "unlinkHolderTelegram", "claimByAction", "confirmClaimByAction", "getBurns",
	"createUnsignedPool", "createUnsignedCurve", "listCurves", "getCurve", "getPrice", "listTrades", "listCandles", "createUnsignedBuy", "buyByAction", "createUnsignedSell", "createUnsignedCancel",
	"getCurveFees", "createUnsignedFeeClaim", "createUnsignedLock",
	"listFeatured", "createUnsignedPromotion",
	"createWebhook", "listWebhooks", "updateWebhook", "rotateWebhookSecret", "testWebhook", "listDeliveries", "replayDelivery", "deleteWebhook",
}

// refusals are of operations that have nothing to answer here: there was no distribution,
// the curve is locked, and no server answered the webhook's challenge.
var refusals = map[string]string{
	"getRun": "run_not_found", "createUnsignedCancel": "liquidity_locked", "replayDelivery": "webhook_not_active",
	// The sample's time is past and the sample's signature is not the wallet's, so there is no order to cancel.
	"claimByAction": "nothing_to_claim", "confirmClaimByAction": "challenge_unknown",
	"orderHandover": "validation_failed", "cancelHandover": "handover_not_cancellable",
}

// TestCodeSamplesRun runs each sample of the document in Shell and in Go.
func TestCodeSamplesRun(t *testing.T) {
	s := deployed(t)
	f := follow(t, s)
	for _, operation := range inTurn() {
		if !t.Run("curl/"+operation, func(t *testing.T) { f.call(t, operation) }) {
			return // what follows builds on it
		}
	}
	// A second time the challenge, the distribution wallet and the launch's order are used up.
	again := maps.Clone(refusals)
	again["validateToken"] = "wallet_in_use"
	again["verifyChallenge"], again["createUnsignedToken"], again["refreshTransaction"] = "challenge_unknown", "wallet_in_use", "transaction_expired"
	for _, operation := range []string{"updateWebhook", "rotateWebhookSecret", "testWebhook", "listDeliveries", "replayDelivery", "deleteWebhook"} {
		again[operation] = "webhook_not_found" // it is deleted by now
	}
	program := f.program(t)
	for _, operation := range inTurn() {
		t.Run("go/"+operation, func(t *testing.T) {
			if err := s.ForgetLimits(t.Context()); err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), program, operation)
			command.Dir = f.folder
			out, err := command.CombinedOutput()
			if code := again[operation]; (code == "") != (err == nil) || !strings.Contains(string(out), code) || len(out) == 0 {
				t.Errorf("%v; want the code %q in\n%s", err, code, out)
			}
		})
	}
}

func follow(t *testing.T, s *runner.Stack) *follower {
	t.Helper()
	samples, err := docstest.Samples("Shell")
	if err != nil {
		t.Fatal(err)
	}
	w := newFixture(t, s)
	f := &follower{stack: s, wallet: w.wallet, folder: t.TempDir(), samples: samples, real: map[string]string{"https://address.invalid": s.APIURL}}
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	f.learn(docstest.Operation(document, "createChallenge").RequestBody.Value.Content["application/json"].Example, map[string]any{"wallet": f.wallet.Address()})
	picture, err := walkthrough.Picture()
	if err != nil {
		t.Fatal(err)
	}
	file, err := keygen(f.wallet.Key())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"picture.png": picture, "creator.pem": file} {
		if err := os.WriteFile(filepath.Join(f.folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// learn records the real values of an example's values: IDs, addresses and other long strings.
func (f *follower) learn(example, answer any) {
	switch example := example.(type) {
	case map[string]any:
		object, _ := answer.(map[string]any)
		for name, value := range example {
			f.learn(value, object[name])
		}
	case []any:
		if list, _ := answer.([]any); len(list) > 0 && len(example) > 0 {
			f.learn(example[0], list[0])
		}
	case string:
		const long = 32
		if text, _ := answer.(string); len(example) >= long && len(text) >= long && f.real[inJSON(example)] == "" {
			f.real[inJSON(example)] = inJSON(text)
		}
	}
}

func inJSON(text string) string {
	raw, _ := json.Marshal(text) // a string always has a form
	return strings.Trim(string(raw), `"`)
}

// filled is a sample with what is real in it.
func (f *follower) filled(text string) string {
	var pairs []string
	for _, example := range slices.Sorted(maps.Keys(f.real)) {
		pairs = append(pairs, example, f.real[example])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// call runs the sample in Shell, validates the response against the document, and learns from it.
func (f *follower) call(t *testing.T, operation string) {
	t.Helper()
	f.prepare(t, operation)
	command := exec.CommandContext(t.Context(), "bash", "-c", "curl() { command curl -sS -D headers \"$@\"; }\n"+f.filled(f.samples[operation]))
	command.Dir, command.Env = f.folder, append(os.Environ(), "TOKEN="+f.token)
	body, err := command.Output()
	if err != nil {
		t.Fatalf("%v of\n%s", err, f.filled(f.samples[operation]))
	}
	if operation == "getTokenCard" {
		if body, err = os.ReadFile(filepath.Join(f.folder, "card.png")); err != nil || !bytes.HasPrefix(body, []byte("\x89PNG")) {
			t.Fatalf("%v: no picture of %d bytes", err, len(body))
		}
	}
	headers, err := os.Open(filepath.Join(f.folder, "headers"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = headers.Close() }()
	response, err := http.ReadResponse(bufio.NewReader(headers), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if err := docstest.Check(operation, response.StatusCode, response.Header, body); err != nil {
		t.Errorf("%v\n%s", err, body)
	}
	if code := refusals[operation]; code != "" {
		f.leads(t, body, code)
		return
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%d %s of\n%s", response.StatusCode, body, f.filled(f.samples[operation]))
	}
	var answer any
	if json.Unmarshal(body, &answer) == nil {
		f.keep(t, operation, response.StatusCode, answer)
	}
}

// leads follows the type of a problem to what the page says of its code.
func (f *follower) leads(t *testing.T, body []byte, code string) {
	t.Helper()
	var problem problem
	if err := json.Unmarshal(body, &problem); err != nil || problem.Code != code {
		t.Fatalf("%s is not a problem with %s: %v", body, code, err)
	}
	page := call(t, http.MethodGet, f.stack.APIURL+problem.Type, "", nil)
	_, fragment, _ := strings.Cut(problem.Type, "#")
	if page.status != http.StatusOK || !strings.Contains(page.body, `<article id="`+fragment+`">`) || fragment != code {
		t.Errorf("%s leads to %d, without a part about %s", problem.Type, page.status, code)
	}
}

// keep learns from a response, and signs what it asks to sign.
func (f *follower) keep(t *testing.T, operation string, status int, answer any) {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	f.learn(docstest.Operation(document, operation).Responses.Value(strconv.Itoa(status)).Value.Content["application/json"].Example, answer)
	body, _ := answer.(map[string]any)
	asked := func(operation string) any {
		return docstest.Operation(document, operation).RequestBody.Value.Content["application/json"].Example
	}
	text := func(name string) string { value, _ := body[name].(string); return value }
	switch operation {
	case "createChallenge":
		f.learn(asked("verifyChallenge"), map[string]any{"signature": f.wallet.SignMessage(text("challenge"))})
	case "verifyChallenge":
		f.token = text("token")
	case "createUnsignedToken":
		signed, err := f.wallet.SignTransaction(text("transaction"))
		if err != nil {
			t.Fatal(err)
		}
		f.learn(asked("submitToken"), map[string]any{"signedTransaction": signed})
	case "submitToken":
		c, err := client.New(f.stack.APIURL)
		if err != nil {
			t.Fatal(err)
		}
		if token, err := c.AwaitToken(t.Context(), solana.MustPublicKeyFromBase58(text("mintAddress"))); err != nil || token.Status != client.TokenConfirmed {
			t.Fatalf("the launch ends as %s: %v", token.Status, err)
		}
	}
}

// prepare does what a sample needs and a reader does elsewhere: a curve is there once its
// transaction was sent, but a chain that is offline has no program for it; and a message goes
// to a Telegram group that was set and has agreed.
func (f *follower) prepare(t *testing.T, operation string) {
	t.Helper()
	switch operation {
	case "listCurves":
		store := curves.Store{Client: dynamodb.NewFromConfig(f.stack.AWS.Config()), Table: f.stack.Outputs["LaunchTableName"]}
		if _, err := store.Deploy(t.Context(), f.mint(t), f.wallet.PublicKey(), 1_000_000_000); err != nil {
			t.Fatal(err)
		}
	case "testTelegram", "linkTelegram":
		signer, err := f.wallet.Signer()
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.New(f.stack.APIURL, client.WithSigner(signer))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.ChangeDistributionSettings(t.Context(), f.mint(t).String(), client.SettingsChange{TelegramGroupID: new("@paper_cranes")}); err != nil {
			t.Fatal(err)
		}
		agree(t, f.stack, f.mint(t), "@paper_cranes")
	}
}

// agree has a group agree to a token's notices.
func agree(t *testing.T, s *runner.Stack, mint solana.PublicKey, group string) {
	t.Helper()
	groups := consents.Store{Client: dynamodb.NewFromConfig(s.AWS.Config()), Table: s.Outputs["LaunchTableName"]}
	if err := telegramtest.Link(t.Context(), groups, mint, group); err != nil {
		t.Fatal(err)
	}
}

func (f *follower) mint(t *testing.T) solana.PublicKey {
	t.Helper()
	var fields struct{ Mint string }
	if err := json.Unmarshal([]byte(f.filled(`{"mint":"93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp"}`)), &fields); err != nil {
		t.Fatal(err)
	}
	return solana.MustPublicKeyFromBase58(fields.Mint)
}

// program builds the samples in Go.
func (f *follower) program(t *testing.T) string {
	t.Helper()
	samples, err := docstest.Samples("Go")
	if err != nil {
		t.Fatal(err)
	}
	for operation, source := range samples {
		samples[operation] = f.filled(source)
	}
	files, err := docstest.WriteProgram(t.TempDir(), samples)
	if err != nil {
		t.Fatal(err)
	}
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "samples")
	build := exec.CommandContext(t.Context(), "go", append([]string{"build", "-o", program}, files...)...)
	build.Dir = root.Path(".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return program
}
