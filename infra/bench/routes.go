package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/idempotency"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/telegramtest"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// sample is the cost of a request in this process and in DynamoDB.
type sample struct {
	Operation string

	CPU    time.Duration // of all threads, including kernel time
	Allocs uint64
	Bytes  uint64
	Units  meter.Units
}

// authorizing is the authorizer's name among the operations. The authorizer runs before every route
// that needs an access token.
const authorizing = "authorizer"

// keyed is the upload of a picture with an Idempotency-Key, whose response is stored.
const keyed = "keyed"

// countingLate is the limiter only, for the last places of a window of the largest rule. Its item
// has grown, and the first guess at a free place is often wrong.
const countingLate = "limiter"

// samples are the samples by operation.
type samples map[string][]sample

// pageSize is the number of tokens on a measured page, and the number of launches.
const pageSize = 20

// creatorLamports is enough for every launch of a run, 100 SOL.
const creatorLamports = 100_000_000_000

// session calls the service as a single creator.
type session struct {
	*service

	wallet walkthrough.Wallet
	token  string // the access token
	key    string // the Idempotency-Key of the next request, if any
	mint   string // of the newest token
	run    string // of one of its runs
	// hook is a webhook, and delivery a delivery to the webhook.
	hook, delivery string
	// transaction is the ID of the launch's transaction.
	transaction string
	from        string // the address of its requests
	out         samples
}

// newSession creates a creator with SOL, launches a token and reads the token, which opens the
// connections.
func newSession(ctx context.Context, at place) (*session, error) {
	s, err := newService(at.Functions)
	if err != nil {
		return nil, err
	}
	creator, err := walkthrough.NewWallet()
	if err != nil {
		return nil, err
	}
	ledger := surfpool.At(at.RPCURL, "")
	if err := ledger.Fund(ctx, creator.Address(), creatorLamports); err != nil {
		return nil, err
	}
	b := &session{service: s, wallet: creator, from: "203.0.113.9", out: samples{}}
	if err := errors.Join(b.launch(ctx), b.read(ctx)); err != nil {
		return nil, err
	}
	b.out = samples{}
	return b, nil
}

// answerRoutes measures the routes of the stack in the input.
func answerRoutes(ctx context.Context, in io.Reader, out io.Writer) error {
	var at place
	if err := json.NewDecoder(in).Decode(&at); err != nil {
		return fmt.Errorf("read where the stack is: %w", err)
	}
	taken, err := measureRoutes(ctx, at, pageSize)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(taken)
}

// measureRoutes launches rounds tokens and reads the tokens as often, and takes a sample of every
// request.
func measureRoutes(ctx context.Context, at place, rounds int) (samples, error) {
	b, err := newSession(ctx, at)
	if err != nil {
		return nil, err
	}
	for range rounds {
		if err := b.launch(ctx); err != nil {
			return nil, err
		}
	}
	for range rounds {
		if err := b.read(ctx); err != nil {
			return nil, err
		}
	}
	if err := b.fillWindow(ctx, limits.Tokens); err != nil {
		return nil, err
	}
	for _, r := range route.All() {
		if len(b.out[r.Operation]) == 0 {
			return nil, fmt.Errorf("%s is not measured: add it to launch", r.Pattern())
		}
	}
	return b.out, nil
}

// launch signs in and launches a token. For the limiter, the launch is an hour after the last
// launch.
func (b *session) launch(ctx context.Context) error {
	b.clock.ahead += time.Hour + time.Minute
	var challenge struct{ Challenge string }
	var verified struct{ Token string }
	var distribution client.DistributionWallet
	var image client.UploadedImage
	var prepared client.UnsignedToken
	var submitted client.SubmissionResult

	picture, err := walkthrough.Picture()
	if err != nil {
		return err
	}
	form, contentType, err := imageForm(picture)
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error {
			return b.post(ctx, "createChallenge", map[string]string{"wallet": b.wallet.Address()}, &challenge)
		},
		func() error {
			return b.post(ctx, "verifyChallenge", map[string]string{
				"wallet": b.wallet.Address(), "challenge": challenge.Challenge, "signature": b.wallet.SignMessage(challenge.Challenge),
			}, &verified)
		},
		func() error { return b.post(ctx, "generateDistributionWallet", nil, &distribution) },
		func() error { return b.call(ctx, "uploadImage", contentType, form, &image) },
		func() error {
			b.key = uuid.NewString()
			defer func() { b.key = "" }()
			return b.call(ctx, "uploadImage", contentType, form, nil)
		},
		func() error {
			return b.post(ctx, "validateToken", walkthrough.Example(image.ImageURI, distribution.WalletID), nil)
		},
		func() error {
			return b.post(ctx, "createUnsignedToken", walkthrough.Example(image.ImageURI, distribution.WalletID), &prepared)
		},
		func() error {
			b.transaction = prepared.TransactionID
			return b.post(ctx, "refreshTransaction", nil, nil)
		},
		func() error {
			signed, err := b.wallet.SignTransaction(prepared.Transaction)
			if err != nil {
				return err
			}
			return b.post(ctx, "submitToken", map[string]string{
				"transactionId": prepared.TransactionID, "signedTransaction": signed,
			}, &submitted)
		},
		func() error {
			b.mint = submitted.MintAddress.String()
			return b.post(ctx, "changeDistributionSettings", map[string]any{
				"burnPercent": 7, "distributionInterval": "6h", "telegramGroupId": "@crane_holders",
			}, nil)
		},
		func() error { return b.post(ctx, "linkTelegram", nil, nil) },
		func() error { return telegramtest.Link(ctx, b.groups, submitted.MintAddress, "@crane_holders") },
		func() error { return b.post(ctx, "testTelegram", nil, nil) },
		func() error { return b.handover(ctx) },
		func() error { return b.post(ctx, "linkHolderTelegram", nil, nil) },
		func() error { return b.call(ctx, "unlinkHolderTelegram", "", nil, nil) },
		func() error { return b.post(ctx, "claimRewards", map[string]any{"mints": []string{b.mint}}, nil) },
		func() error { return b.post(ctx, "claimByAction", map[string]any{"account": b.wallet.Address()}, nil) },
		func() error {
			return b.post(ctx, "confirmClaimByAction", map[string]any{
				"account": b.wallet.Address(), "data": action.Message{Domain: "-", Address: "-", Statement: "-", Nonce: "-", IssuedAt: "-"},
				"signature": b.wallet.SignMessage("-"),
			}, nil)
		},
		func() error { return b.webhooks(ctx) },
		func() error { return b.markets(ctx) },
		func() error { return b.openRun(ctx) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if submitted.Status != "confirmed" {
		return fmt.Errorf("the launch is %s", submitted.Status)
	}
	b.token = verified.Token
	return nil
}

// handover orders a hand-over, and cancels the order.
func (b *session) handover(ctx context.Context) error {
	order := handover.Order{
		Number: 1, To: b.wallet.PublicKey(), EffectiveAt: time.Now().UTC().Add(handover.DefaultDelay + time.Hour).Truncate(time.Second),
	}
	if err := b.post(ctx, "orderHandover", map[string]any{
		"number": order.Number, "newAuthority": order.To.String(), "effectiveAt": order.EffectiveAt.Format(time.RFC3339),
		"signature": b.wallet.SignMessage(order.Text(solana.MustPublicKeyFromBase58(b.mint))),
	}, nil); err != nil {
		return err
	}
	return b.call(ctx, "cancelHandover", "", nil, nil)
}

// webhooks creates a webhook for the token's events, in place of the webhook before.
func (b *session) webhooks(ctx context.Context) error {
	if b.hook != "" {
		if err := b.call(ctx, "deleteWebhook", "", nil, nil); err != nil {
			return err
		}
	}
	var made client.CreatedWebhook
	var queued client.QueuedDelivery
	if err := b.post(ctx, "createWebhook", client.WebhookCreation{
		URL: "https://hooks.example.com/", Events: []client.WebhookEvent{client.EventRunSettled},
		Mints: []solana.PublicKey{solana.MustPublicKeyFromBase58(b.mint)},
	}, &made); err != nil {
		return err
	}
	b.hook = made.WebhookID
	if err := b.post(ctx, "updateWebhook", client.WebhookUpdate{URL: "https://hooks.example.com/next"}, nil); err != nil {
		return err
	}
	if err := b.post(ctx, "rotateWebhookSecret", nil, nil); err != nil {
		return err
	}
	if err := b.post(ctx, "testWebhook", nil, &queued); err != nil {
		return err
	}
	b.delivery = queued.DeliveryID
	if err := b.hooks.Activate(ctx, b.wallet.PublicKey(), b.hook); err != nil {
		return err
	}
	return b.post(ctx, "replayDelivery", nil, nil)
}

// openRun opens a run of the token, because the reads need a run.
func (b *session) openRun(ctx context.Context) error {
	mint, err := solana.PublicKeyFromBase58(b.mint)
	if err != nil {
		return fmt.Errorf("read the mint of a token: %w", err)
	}
	now := time.Now()
	slot := terms.EveryHour.Slot(now)
	b.run = terms.RunID(mint, slot)
	return b.runs.Open(ctx, run.Head{Mint: mint, Active: slot, LastSlot: slot}, run.Run{ID: b.run, Mint: mint, Slot: slot, OpenedAt: now})
}

// read calls every reading operation.
func (b *session) read(ctx context.Context) error {
	b.clock.ahead += time.Hour
	for _, r := range route.All() {
		if r.Method != http.MethodGet {
			continue
		}
		if err := b.call(ctx, r.Operation, "", nil, nil); err != nil {
			return err
		}
	}
	return b.authorize(ctx)
}

// authorize lets the authorizer verify the creator's access token.
func (b *session) authorize(ctx context.Context) error {
	var described events.APIGatewayV2CustomAuthorizerSimpleResponse
	var err error
	b.measure(authorizing, func() {
		described, err = b.authorizer.Handle(ctx, events.APIGatewayV2CustomAuthorizerV2Request{
			Headers: map[string]string{"authorization": "Bearer " + b.token},
		})
	})
	if err != nil || described.Context[apigw.AuthorizerWallet] != b.wallet.Address() {
		return fmt.Errorf("the authorizer says %v of the creator, %w", described.Context, err)
	}
	return nil
}

func (b *session) post(ctx context.Context, operation string, body, out any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		content = nil
	}
	return b.call(ctx, operation, "application/json", content, out)
}

// call makes a request and decodes the response.
func (b *session) call(ctx context.Context, operation, contentType string, content []byte, out any) error {
	r, ok := find(operation)
	if !ok {
		return fmt.Errorf("no route is called %s", operation)
	}
	ctx = apigw.WithCaller(ctx, apigw.CallerContext{Wallet: b.wallet.Address(), SourceIP: b.from, RequestID: "bench"})
	path := strings.NewReplacer(
		"{webhookId}", b.hook, "{deliveryId}", b.delivery, "{mintAddress}", b.mint, "{tokenId}", b.mint, "{runId}", b.run, "{wallet}", b.wallet.Address(), "{transactionId}", b.transaction, "{file}", "favicon.svg", "{sol}", "0.001",
	).Replace(r.Path)
	if operation == "getPrice" {
		path += "?amount=1000000"
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	name := operation
	if b.key != "" {
		request.Header.Set(idempotency.Header, b.key)
		name = keyed
	}
	answer := httptest.NewRecorder()
	b.measure(name, func() { b.handlers[r.Function].ServeHTTP(answer, request) })
	if answer.Code != http.StatusOK && answer.Code != http.StatusAccepted && refused[operation] != answer.Code {
		return fmt.Errorf("%s answers %d: %s", r.Pattern(), answer.Code, answer.Body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Body.Bytes(), out)
}

// refused are the statuses of operations that have nothing to do here: nothing is owed to the wallet.
var refused = map[string]int{"claimByAction": http.StatusBadRequest, "confirmClaimByAction": http.StatusUnauthorized}

// measure takes the sample of a request.
func (b *session) measure(operation string, request func()) {
	var before, after runtime.MemStats
	b.meter.Take()
	runtime.ReadMemStats(&before)
	began := report.CPUTime()
	request()
	took := report.CPUTime() - began
	runtime.ReadMemStats(&after)
	b.out[operation] = append(b.out[operation], sample{
		Operation: operation, CPU: took, Allocs: after.Mallocs - before.Mallocs, Bytes: after.TotalAlloc - before.TotalAlloc, Units: b.meter.Take(),
	})
}

// fillWindow counts requests until a window is full, and takes samples of the last fifth, at most
// pageSize.
func (b *session) fillWindow(ctx context.Context, rule ratelimit.Rule) error {
	last := min(pageSize, rule.Limit/5)
	for i := range rule.Limit {
		var decision ratelimit.Decision
		var err error
		count := func() { decision, err = b.limiter.Spend(ctx, rule, "bench") }
		if i < rule.Limit-last {
			count()
		} else {
			b.measure(countingLate, count)
		}
		if err != nil || !decision.Allowed {
			return errors.Join(fmt.Errorf("place %d of a window is refused", i+1), err)
		}
	}
	return nil
}

func find(operation string) (route.Route, bool) {
	for _, r := range route.All() {
		if r.Operation == operation {
			return r, true
		}
	}
	return route.Route{}, false
}

func imageForm(picture []byte) (content []byte, contentType string, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("image", "logo.png")
	if err != nil {
		return nil, "", err
	}
	if _, err := file.Write(picture); err != nil {
		return nil, "", err
	}
	err = form.Close()
	return body.Bytes(), form.FormDataContentType(), err
}

// routeTables returns the section on the routes, which infra/cost reads.
func routeTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	side, err := o.apart("routes")
	if err != nil {
		return nil, err
	}
	taken, err := report.Ask[samples](ctx, side)
	if err != nil {
		return nil, err
	}
	return []document.Table{{Name: "bench:routes", Text: machine + "\n\n" + routeTable(taken)}}, nil
}

// routeTable has a row for each route in the order of the routes' table, the authorizer first.
func routeTable(taken samples) string {
	rows := [][]string{{"route", "calls", "read units", "write units", "CPU time", "spread", "allocations", "allocated"}}
	row := func(name, operation string) {
		list := taken[operation]
		if len(list) == 0 {
			return
		}
		cpu := report.Each(list, func(s sample) time.Duration { return s.CPU })
		median := func(of func(sample) float64) float64 { return report.Median(report.Each(list, of)) }
		rows = append(rows, []string{
			name,
			report.Decimal(median(func(s sample) float64 { return float64(s.Units.Calls) })),
			report.Decimal(median(func(s sample) float64 { return s.Units.Read })),
			report.Decimal(median(func(s sample) float64 { return s.Units.Write })),
			report.Millis(report.Median(cpu)), report.Spread(cpu),
			report.Decimal(median(func(s sample) float64 { return float64(s.Allocs) })),
			fmt.Sprintf("%.0f KB", median(func(s sample) float64 { return float64(s.Bytes) })/1e3),
		})
	}
	row("authorizer, before each route with a token", authorizing)
	for _, r := range route.All() {
		row("`"+r.Pattern()+"`", r.Operation)
		if r.Operation == "uploadImage" {
			row("the same with an `Idempotency-Key`", keyed)
		}
	}
	row("the limiter alone, requests 81 to 100 of 100", countingLate)
	return document.Markdown(rows)
}
