// Package strangers_test throws at the functions what strangers may send. Each function is
// its own binary, as it is deployed, over the real stores and a real chain; a proxy before
// each neighbour can make it fail. Whatever a binary prints is kept, and read.
package strangers_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	kmstypes "github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/hooks"
	"tokenlaunch.example/service/infra/local/ipfsnode"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/client"
	distributed "tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Secrets in the configuration. Each has the form that the function accepts.
const (
	nodeKey       = "planted-key-of-the-node"                     // #nosec G101 -- planted
	secondNodeKey = "planted-key-of-the-second-node"              // #nosec G101 -- planted
	heliusKey     = "planted-key-of-helius"                       // #nosec G101 -- planted
	guardianToken = "planted-token-of-the-guardian-of-the-tax"    // #nosec G101 -- planted
	exchangeKey   = "planted-key-of-the-exchange"                 // #nosec G101 -- planted
	botToken      = "123456789:planted-token-of-the-telegram-bot" // #nosec G101 -- planted
	accessSecret  = "planted/secret/access/key"                   // #nosec G101 -- planted
	sessionToken  = "planted-session-token"                       // #nosec G101 -- planted
)

// fixture is the functions and what is around them.
type fixture struct {
	*testing.T

	folder project.Folder
	ledger *localnet.Ledger
	env    map[string]string
	// aws and provider are the proxies of AWS and of all providers.
	aws, provider *neighbour
	db            *dynamodb.Client

	mu        sync.Mutex
	processes map[string]*runtimeapi.Process
	output    map[string]*output

	// launched is a token, with a curve and a run; creator is who launched it.
	launched *walkthrough.Launch
	mint     solana.PublicKey
	run      string
	// unused is a distribution wallet that no token has, and order a launch that is under way.
	unused, order string
	// hook is an active webhook of the creator's, delivery one to it, and spare another webhook.
	hook, delivery, spare string
}

// output is the text that a binary prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes what is printed.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

// take returns what was printed since it was called last.
func (o *output) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.text.Reset()
	return o.text.String()
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	stack := localnet.AWS(t)
	folder, err := project.Find()
	must.Do(t, err)
	w := &fixture{
		T: t, folder: folder, ledger: localnet.Chain(t), processes: map[string]*runtimeapi.Process{}, output: map[string]*output{},
		db: dynamo.New(stack.Config(t.Context())),
	}
	build(t, folder)
	w.aws = newNeighbour(t, stack.Endpoint)
	w.aws.lambda = w.invokeInternal
	w.provider = newNeighbour(t, w.ledger.RPCURL)
	w.provider.repeatsHeaders = true
	node, err := ipfsnode.Start(t.Context())
	must.Do(t, err)
	t.Cleanup(node.Stop)
	w.provider.ipfs = node.APIURL
	w.env = environment(t, stack, w.aws.URL, w.provider.URL)
	return w
}

// build makes the functions, as a deployment does.
func build(t *testing.T, folder project.Folder) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-s", "build")
	cmd.Dir = string(folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the functions do not build:\n%s", out)
	}
}

// environment has every variable that any function reads; each reads its own.
func environment(t *testing.T, stack *localnet.Stack, endpoint, provider string) map[string]string {
	t.Helper()
	config := stack.Config(t.Context())
	env := deployed.Access(endpoint, ministack.Region, aws.Credentials{
		AccessKeyID: "test", SecretAccessKey: accessSecret, SessionToken: sessionToken,
	})
	maps.Copy(env, map[string]string{
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024", "LOG_LEVEL": "debug", "METRIC_NAMESPACE": "strangers",
		"NETWORK": "localnet", "STAGE": "test", "MARKETS_NETWORK": "mainnet",
		"PUBLIC_URL": publicURL, "JWT_ISSUER": publicURL, "JWT_AUDIENCE": "token-launch",
		"IPFS_API_URL": provider, "IPFS_GATEWAY_URL": provider, "PAGE_FILES_URL": provider, "PAGE_PROOF_URL": provider,
		"EXCHANGES": "jupiter", "EXCHANGE_URL": provider, "GUARDIAN_URL": provider, "TELEGRAM_API_URL": provider,
		"TREASURY_ADDRESS": solana.NewWallet().PublicKey().String(), "DERIVER_FUNCTION": "deriver", "SIGNER_FUNCTION": "signer",
		"REPORT_URL":          "mailto:abuse@example.com",
		"SIGNER_RUN_LAMPORTS": "1000000000000", "SIGNER_WALLET_DAY_LAMPORTS": "1000000000000", "SIGNER_DAY_LAMPORTS": "1000000000000",
		"SIGNER_RUN_SUPPLY_BPS": "10000", "SIGNER_WALLET_DAY_SUPPLY_BPS": "10000",
		"WEBHOOK_LOOPBACK": "false",
		"LEASES_PER_IP":    "1000000", "PRIORITY_FEE_MICROLAMPORTS": "10000", "PRIORITY_FEE_MAX_MICROLAMPORTS": "1000000",
	})
	for name, table := range map[string]schema.Table{
		"LAUNCH_TABLE": schema.Launch, "WINDOW_TABLE": schema.Window, "LEDGER_TABLE": schema.Ledger, "SETTINGS_TABLE": schema.Settings,
		"CAPS_TABLE": schema.Caps, "WEBHOOK_TABLE": schema.Webhook, "GUARDIAN_TABLE": schema.Guardian,
	} {
		env[name] = stack.CreateTable(t, table)
	}
	for _, name := range []string{"ASSET_BUCKET", "LEDGER_BUCKET"} {
		env[name] = strings.ToLower(strings.ReplaceAll(name, "_", "-")) + "-" + uuid.NewString()
		_, err := s3.NewFromConfig(config).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(env[name])})
		must.Do(t, err)
	}
	for _, kind := range []string{"DISPATCH", "RUN", "PAYOUT", "NOTICE", "PIN", "WEBHOOK", "EVENT"} {
		for _, name := range []string{kind + "_QUEUE_URL", kind + "_DEAD_LETTER_QUEUE_URL"} {
			made, err := sqs.NewFromConfig(config).CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String(kind + uuid.NewString())})
			must.Do(t, err)
			env[name] = *made.QueueUrl
		}
	}
	for name, key := range map[string]awskms.CreateKeyInput{
		"JWT_KEY_IDS":     {KeySpec: kmstypes.KeySpecEccNistP256, KeyUsage: kmstypes.KeyUsageTypeSignVerify},
		"NONCE_KEY_ID":    {KeySpec: kmstypes.KeySpec("ECC_NIST_EDWARDS25519"), KeyUsage: kmstypes.KeyUsageTypeSignVerify},
		"GUARDIAN_KEY_ID": {KeySpec: kmstypes.KeySpec("ECC_NIST_EDWARDS25519"), KeyUsage: kmstypes.KeyUsageTypeSignVerify},
		"MINT_KEY_ID":     {KeySpec: kmstypes.KeySpecHmac512, KeyUsage: kmstypes.KeyUsageTypeGenerateVerifyMac},
		"WEBHOOK_KEY_ID":  {KeySpec: kmstypes.KeySpecHmac512, KeyUsage: kmstypes.KeyUsageTypeGenerateVerifyMac},
		"WALLET_KEY_ID":   {KeySpec: kmstypes.KeySpecHmac512, KeyUsage: kmstypes.KeyUsageTypeGenerateVerifyMac},
	} {
		made, err := awskms.NewFromConfig(config).CreateKey(t.Context(), &key)
		must.Do(t, err)
		env[name] = *made.KeyMetadata.KeyId
	}
	for name, value := range map[string]string{
		"RPC_SECRET": provider + "/?api-key=" + nodeKey, "RPC_SECRET_2": provider + "/?api-key=" + secondNodeKey,
		"HELIUS_SECRET": provider + "/?api-key=" + heliusKey, "EXCHANGE_SECRET": exchangeKey, "TELEGRAM_SECRET": botToken,
		"GUARDIAN_SECRET": guardianToken,
	} {
		env[name] = strings.ToLower(name) + "-" + uuid.NewString()
		_, err := secretsmanager.NewFromConfig(config).CreateSecret(t.Context(), &secretsmanager.CreateSecretInput{
			Name: aws.String(env[name]), SecretString: &value,
		})
		must.Do(t, err)
	}
	return env
}

const publicURL = "http://localhost:8080"

// names of the functions, from what make build has made.
func (w *fixture) names() (names []string) {
	w.Helper()
	built, err := filepath.Glob(w.folder.Path(".build/functions/*/bootstrap"))
	must.Do(w.T, err)
	for _, binary := range built {
		names = append(names, filepath.Base(filepath.Dir(binary)))
	}
	return names
}

// process returns the running function, and starts the function if necessary.
func (w *fixture) process(name string) (*runtimeapi.Process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.processes[name]; p != nil {
		select {
		case <-p.Exited():
		default:
			return p, nil
		}
	}
	if w.output[name] == nil {
		w.output[name] = &output{}
	}
	env := maps.Clone(w.env)
	if name == "deriver" { // it asks the signer, who has the key
		delete(env, "WALLET_KEY_ID")
	}
	p, err := runtimeapi.Start(w.Context(), runtimeapi.Options{
		Binary: w.folder.Path(".build/functions/" + name + "/bootstrap"), Env: deployed.List(env), Log: w.output[name],
	})
	if err != nil {
		return nil, err
	}
	w.processes[name] = p
	w.Cleanup(p.Stop)
	return p, nil
}

// stop ends all functions, so that the next events find new ones.
func (w *fixture) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.processes {
		p.Stop()
	}
	clear(w.processes)
}

func (w *fixture) invoke(ctx context.Context, function string, event []byte) ([]byte, error) {
	p, err := w.process(function)
	if err != nil {
		return nil, err
	}
	return p.Invoke(ctx, runtimeapi.Event{Payload: event})
}

func (w *fixture) invokeInternal(function string, payload []byte) ([]byte, error) {
	return w.invoke(context.Background(), function, payload)
}

// RoundTrip sends a client's request as the gateway does: the authorizer first, then the
// function of the route.
func (w *fixture) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte{}
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	headers := map[string]string{}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	for _, candidate := range route.All() {
		pattern := http.NewServeMux()
		pattern.Handle(candidate.MuxPattern(), http.NotFoundHandler())
		if _, found := pattern.Handler(r); found == "" {
			continue
		}
		described, err := w.authorize(r.Context(), headers)
		if err != nil {
			return nil, err
		}
		status, header, answer, err := w.send(r.Context(), candidate, request{
			path: r.URL.Path, query: r.URL.RawQuery, headers: headers, body: body, authorizer: described, from: "203.0.113.1",
		})
		if err == nil {
			err = docstest.Check(candidate.Operation, status, header, answer)
		}
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(answer)), Request: r}, err
	}
	return nil, fmt.Errorf("%s %s is not a route", r.Method, r.URL)
}

// authorize has the authorizer describe the caller.
func (w *fixture) authorize(ctx context.Context, headers map[string]string) (map[string]any, error) {
	event, err := json.Marshal(events.APIGatewayV2CustomAuthorizerV2Request{Headers: headers})
	if err != nil {
		return nil, err
	}
	answer, err := w.invoke(ctx, "authorizer", event)
	var described events.APIGatewayV2CustomAuthorizerSimpleResponse
	if err == nil {
		err = json.Unmarshal(answer, &described)
	}
	return described.Context, err
}

// request is one of a caller.
type request struct {
	path, query string
	headers     map[string]string
	body        []byte
	authorizer  map[string]any
	from        string
	said        verdict
}

// send sends the request to the function of a route as the gateway does.
func (w *fixture) send(ctx context.Context, r route.Route, q request) (int, http.Header, []byte, error) {
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: r.Key(), RawPath: q.path, RawQueryString: q.query, Headers: q.headers, Body: string(q.body),
	}
	if !utf8.Valid(q.body) {
		event.Body, event.IsBase64Encoded = base64.StdEncoding.EncodeToString(q.body), true
	}
	event.RequestContext.RequestID = "request"
	event.RequestContext.HTTP.Method, event.RequestContext.HTTP.Path, event.RequestContext.HTTP.SourceIP = r.Method, q.path, q.from
	if r.NeedsToken() {
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{Lambda: q.authorizer}
	}
	return w.serve(ctx, r.Function, event)
}

// serve sends a function a request over HTTP, and returns the response.
func (w *fixture) serve(ctx context.Context, function string, event events.APIGatewayV2HTTPRequest) (int, http.Header, []byte, error) {
	text, err := json.Marshal(event)
	if err != nil {
		return 0, nil, nil, err
	}
	answer, err := w.invoke(ctx, function, text)
	if err != nil {
		return 0, nil, nil, err
	}
	var out events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &out); err != nil {
		return 0, nil, nil, err
	}
	body := []byte(out.Body)
	if out.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(out.Body); err != nil {
			return 0, nil, nil, err
		}
	}
	header := http.Header{}
	for name, value := range out.Headers {
		header.Set(name, value)
	}
	for name, values := range out.MultiValueHeaders {
		header[http.CanonicalHeaderKey(name)] = values
	}
	return out.StatusCode, header, body, nil
}

// launch has a token launched through the functions, with a curve that can be traded on
// and a run that there is something to read of.
func (w *fixture) launch() {
	w.Helper()
	ctx, config := w.Context(), localnet.AWS(w.T).Config(w.Context())
	authority, err := (&kms.Ed25519Signer{Client: awskms.NewFromConfig(config), KeyID: w.env["NONCE_KEY_ID"]}).PublicKey(ctx)
	must.Do(w.T, err)
	w.ledger.Fund(w.T, solana.PublicKey(authority).String(), 1000*solana.LAMPORTS_PER_SOL)
	w.launched, err = walkthrough.New(publicURL, w.ledger.Local(), &http.Client{Transport: w})
	must.Do(w.T, err)
	must.Do(w.T, w.launched.Create(ctx))
	w.launched.Submitted, err = w.launched.Client.SubmitToken(ctx, client.Submission{
		TransactionID: w.launched.Prepared.TransactionID, SignedTransaction: w.launched.Signed,
	})
	must.Do(w.T, err)
	w.mint = w.launched.Submitted.MintAddress
	unused, err := w.launched.Client.GenerateDistributionWallet(ctx)
	must.Do(w.T, err)
	w.unused = unused.WalletID

	_, err = w.launched.Client.CreateUnsignedCurve(ctx, client.CurveCreation{
		TokenMint: w.mint, TokenAmount: client.BaseUnits(500_000_000_000_000), TargetMarketCap: "50", LockLiquidity: new(false),
	})
	must.Do(w.T, err)
	_, err = curves.Store{Client: w.db, Table: w.env["LAUNCH_TABLE"]}.Deploy(ctx, w.mint, w.launched.Wallet.PublicKey(), solana.LAMPORTS_PER_SOL)
	must.Do(w.T, err)

	w.addWebhooks(ctx)

	now := time.Now()
	slot := terms.EveryHour.Slot(now).Add(-time.Hour) // the one of this hour is still to come
	w.run = terms.RunID(w.mint, slot)
	must.Do(w.T, ledgertable.Runs{Client: w.db, Table: w.env["LEDGER_TABLE"], Now: time.Now}.Open(ctx, distributed.Head{Mint: w.mint, LastSlot: slot}, distributed.Run{
		ID: w.run, Mint: w.mint, Slot: slot, OpenedAt: now, Settings: terms.Default(w.mint),
		End: &distributed.End{At: now, Code: distributed.CodePaused, Detail: "Distribution was switched off."},
	}))
}

// addWebhooks adds two webhooks, and has the first answer its challenge.
func (w *fixture) addWebhooks(ctx context.Context) {
	w.Helper()
	wanted := client.WebhookCreation{URL: "https://hooks.crane.example/", Events: []client.WebhookEvent{client.EventRunSettled}}
	var made [2]client.CreatedWebhook
	for i := range made {
		var err error
		made[i], err = w.launched.Client.CreateWebhook(ctx, wanted)
		must.Do(w.T, err)
	}
	w.hook, w.spare = made[0].WebhookID, made[1].WebhookID
	list, err := w.launched.Client.ListDeliveries(ctx, w.hook, client.Cursor{})
	must.Do(w.T, err)
	w.delivery = list.Deliveries[0].DeliveryID
	store := hooks.Table{Client: w.db, Name: w.env["WEBHOOK_TABLE"]}
	must.Do(w.T, store.Activate(ctx, w.launched.Wallet.PublicKey(), w.hook))
}

// forget empties the rate windows of the creator, who sends each of these requests.
func (w *fixture) forget(ctx context.Context, r route.Route) error {
	_, err := w.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String(w.env["WINDOW_TABLE"]), Key: dynamo.Key("RATE#"+r.Rule.Name+"#"+w.launched.Wallet.Address(), "W"),
	})
	return err
}

// secrets are the planted ones, and what was learnt of KMS.
func (w *fixture) secrets() []string {
	return slices.Concat([]string{nodeKey, secondNodeKey, heliusKey, exchangeKey, guardianToken, botToken, accessSecret, sessionToken}, w.aws.learnt())
}
