package e2e_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// unprovoked are the statuses that no caller brings about, with who tests them.
var unprovoked = map[int]string{
	http.StatusAccepted:            "a chain that is slow: package launch",
	http.StatusInternalServerError: "a fault of the service: package apigw",
	http.StatusServiceUnavailable:  "a store or a chain that is down: packages apigw and launch",
}

// takenDown are the responses that need an operator or a week, with the test that covers each.
var takenDown = map[string]string{
	"cancelHandover 409":       "a hand-over that has begun: TestOrderIsPlacedOnceAndCancelledOnce",
	"buyByAction 409":          "a cancelled curve: the same checks as createUnsignedBuy",
	"claimByAction 200":        "a debt: TestClaimNeedsTheWalletsSignature",
	"claimByAction 409":        "a run at work: the same checks as claimRewards",
	"confirmClaimByAction 200": "a debt: TestClaimNeedsTheWalletsSignature",
	"confirmClaimByAction 409": "a run at work: the same checks as claimRewards",
	"claimByAction 429":        "the window of buyByAction",
	"confirmClaimByAction 429": "the window of buyByAction",
	"validateToken 403":        "the same checks as createUnsignedToken",
	"createUnsignedToken 403":  "a blocked name or picture: TestBlockedContentIsRejected",
	"submitToken 403":          "the same, blocked since: TestBlockedPictureRefusedByEachWrite",
	"uploadImage 403":          "a blocked picture: TestBlockedContentIsRejected",
}

// TestEveryDescribedAnswerIsGiven calls each operation so that it returns every status that the
// document describes for it. callBy compares each response with the document; this finds what the
// document describes and the code does not do.
func TestEveryDescribedAnswerIsGiven(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	t.Cleanup(func() {
		if err := s.ForgetLimits(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("empty the windows: %v", err)
		}
	})
	given := map[string]bool{}
	for _, c := range provocations(t, s, l) {
		if operation := operationOf(c.method, strings.Split(c.path, "?")[0]); operation != c.operation {
			t.Fatalf("%s %s is %s, not %s", c.method, c.path, operation, c.operation)
		}
		if c.status == http.StatusTooManyRequests {
			fill(t, s, c.operation, l.Wallet.Address())
		}
		if c.status == http.StatusNotModified { // what is served changes with what was called before
			etag := call(t, http.MethodGet, s.APIURL+c.path, "", nil).header.Get("ETag")
			c.header = map[string]string{"If-None-Match": etag}
		}
		a := call(t, c.method, s.APIURL+c.path, c.body, c.header)
		if a.status == http.StatusTooManyRequests && c.status != a.status { // operations that share a limit used it up
			if err := s.ForgetLimits(t.Context()); err != nil {
				t.Fatal(err)
			}
			a = call(t, c.method, s.APIURL+c.path, c.body, c.header)
		}
		if a.status != c.status {
			t.Errorf("%s = %d %.300s, want %d", c.operation, a.status, a.body, c.status)
		}
		given[c.operation+" "+strconv.Itoa(a.status)] = true
	}
	checkGiven(t, given)
}

func checkGiven(t *testing.T, given map[string]bool) {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, r := range route.All() {
		for status := range docstest.Operation(document, r.Operation).Responses.Map() {
			number, err := strconv.Atoi(status)
			if err != nil {
				t.Errorf("%s describes the status %s", r.Operation, status)
			}
			switch {
			case given[r.Operation+" "+status]:
			case unprovoked[number] != "", takenDown[r.Operation+" "+status] != "":
				left++
			default:
				t.Errorf("%s describes the status %s, and no test here provokes it", r.Operation, status)
			}
		}
	}
	t.Logf("%d described answers are given, %d more need a fault", len(given), left)
}

// tooLarge is a body that no route of JSON accepts.
var tooLarge = strings.Repeat("x", 70_000)

// provocation is a call and the status that it must have.
type provocation struct {
	operation, method, path, body string
	header                        map[string]string
	status                        int
}

// with is the call with another status, another body or more headers.
func (p provocation) with(status int, body string, header map[string]string) provocation {
	p.status, p.body, p.header = status, body, merged(p.header, header)
	return p
}

// provocations follow a launch, in this order: the calls that succeed, then the calls that
// end them, and finally the calls that follow when the limits are used up.
func provocations(t *testing.T, s *runner.Stack, l *walkthrough.Launch) []provocation {
	t.Helper()
	var succeed, fail, refused []provocation
	activeCurve(t, s, l)
	all := successes(t, s, l)
	stranger := map[string]string{"Authorization": "Bearer " + signedIn(t, s).Token}
	for _, p := range all {
		if p.operation == "createUnsignedLock" {
			p.header = stranger // the launch's wallet has but ten an hour, for curves and their fees
		}
		r := routeOf(t, p.operation)
		p.method, p.status = r.Method, cmp.Or(p.status, http.StatusOK)
		if r.Rule.Counted() {
			var by map[string]string
			if r.NeedsToken() {
				by = bearer(l) // whose window is filled
			}
			refused = append(refused, p.with(http.StatusTooManyRequests, p.body, by))
		}
		if r.NeedsToken() {
			fail = append(fail, p.with(http.StatusUnauthorized, p.body, map[string]string{"Authorization": ""}))
		}
		if r.MaxBody > 0 && p.operation != "uploadImage" {
			fail = append(fail, p.with(http.StatusRequestEntityTooLarge, tooLarge, nil))
		}
		if takesKey(t, p.operation) {
			key := map[string]string{"Idempotency-Key": p.operation}
			p = p.with(p.status, p.body, key)
			fail = append(fail, p.with(http.StatusConflict, p.body+" ", key),
				p.with(http.StatusBadRequest, p.body, map[string]string{"Idempotency-Key": "not visible"}))
		} else if r.Method == http.MethodPost && takesBody(t, p.operation) {
			fail = append(fail, p.with(http.StatusBadRequest, "{", nil))
		}
		succeed = append(succeed, p)
	}
	verified := slices.IndexFunc(succeed, func(p provocation) bool { return p.operation == "verifyChallenge" })
	fail = append(fail,
		provocation{"verifyChallenge", http.MethodPost, "/auth/verify", succeed[verified].body, nil, http.StatusUnauthorized}, // used up by now
		provocation{"refreshTransaction", http.MethodPost, "/tokens/transactions/nonsense/refresh", "", bearer(l), http.StatusNotFound},
		provocation{"refreshTransaction", http.MethodPost, "/tokens/transactions/" + l.Prepared.TransactionID + "/refresh", "", bearer(l), http.StatusBadRequest},
		provocation{"validateToken", http.MethodPost, "/tokens/validate", encoded(t, walkthrough.Example(l.Image.ImageURI, l.Distribution.WalletID)), bearer(l), http.StatusConflict},
		provocation{"getAsset", http.MethodGet, "/assets/main-of-yesterday.js", "", nil, http.StatusNotFound},
		provocation{"listTokens", http.MethodGet, "/tokens?limit=0", "", nil, http.StatusBadRequest},
		provocation{"listFeatured", http.MethodGet, "/featured?limit=0", "", nil, http.StatusBadRequest},
		provocation{"listMyTokens", http.MethodGet, "/tokens/me?page=x", "", bearer(l), http.StatusBadRequest},
	)
	fail = append(fail, distributionFailures(t, s, l)...)
	fail = append(fail, marketFailures(t, s, l)...)
	fail = append(fail, webhookFailures(t, s, l)...)
	for _, p := range all {
		r := routeOf(t, p.operation)
		parameter := strings.Index(r.Path, "{")
		is404 := func(f provocation) bool { return f.operation == p.operation && f.status == http.StatusNotFound }
		if r.Method == http.MethodGet && parameter > 0 && describes(t, p.operation, http.StatusNotFound) && !slices.ContainsFunc(fail, is404) {
			_, rest, _ := strings.Cut(r.Path[parameter:], "}")
			fail = append(fail, provocation{p.operation, http.MethodGet, r.Path[:parameter] + "nonsense" + rest, "", p.header, http.StatusNotFound})
		}
		if describes(t, p.operation, http.StatusNotModified) {
			fail = append(fail, provocation{p.operation, http.MethodGet, p.path, "", nil, http.StatusNotModified})
		}
	}
	return slices.Concat(succeed, fail, refused)
}

// reads returns a call for each operation of GET that has no row, at the address of what there is.
func reads(t *testing.T, l *walkthrough.Launch, rows []provocation, places ...string) (calls []provocation) {
	t.Helper()
	for _, r := range route.All() {
		if r.Method != http.MethodGet || slices.ContainsFunc(rows, func(p provocation) bool { return p.operation == r.Operation }) {
			continue
		}
		call := provocation{operation: r.Operation, path: strings.NewReplacer(places...).Replace(r.Path)}
		if r.NeedsToken() {
			call.header = bearer(l)
		}
		calls = append(calls, call)
	}
	return calls
}

// successes has one call for each operation, except those of marketCalls and reads.
func successes(t *testing.T, s *runner.Stack, l *walkthrough.Launch) []provocation {
	t.Helper()
	picture, form := upload(t)
	token, asForm := bearer(l), map[string]string{"Content-Type": form}
	mint := l.Prepared.MintKeypair.PublicKey.String()
	distributed := "/distribution/" + mint
	refreshed := refreshing(t, s, l)
	hook, delivery, spare := hooked(t, s, l)
	agree(t, s, l.Submitted.MintAddress, "@crane_holders")
	rows := []provocation{
		{operation: "createWebhook", path: "/webhooks", header: token, body: hookBody(t, mint)},
		{operation: "updateWebhook", path: "/webhooks/" + hook, header: token, body: `{"events":["run.settled","run.failed"]}`},
		{operation: "rotateWebhookSecret", path: "/webhooks/" + hook + "/secret", header: token},
		{operation: "deleteWebhook", path: "/webhooks/" + spare, header: token},
		{operation: "testWebhook", path: "/webhooks/" + hook + "/test", header: token, status: http.StatusAccepted},
		{operation: "replayDelivery", path: "/webhooks/" + hook + "/deliveries/" + delivery + "/replay", header: token, status: http.StatusAccepted},
		{operation: "createChallenge", path: "/auth/challenge", body: encoded(t, map[string]string{"wallet": l.Wallet.Address()})},
		{operation: "verifyChallenge", path: "/auth/verify", body: signInBody(t, s)},
		{operation: "generateDistributionWallet", path: "/tokens/generate-distribution-wallet"},
		{operation: "uploadImage", path: "/tokens/upload-image", body: picture, header: merged(token, asForm)},
		{operation: "createUnsignedToken", path: "/tokens/create-unsigned", body: creation(t, l), header: token},
		{operation: "validateToken", path: "/tokens/validate", body: creation(t, l), header: token},
		{operation: "submitToken", path: "/tokens/submit", header: token, body: encoded(t, map[string]string{
			"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Signed,
		})},
		refreshed,
		{operation: "listTokens", path: "/tokens?limit=2"},
		{operation: "changeDistributionSettings", path: distributed + "/settings", body: `{"burnPercent":10,"telegramGroupId":"@crane_holders"}`, header: token},
		{operation: "testTelegram", path: distributed + "/telegram/test", header: token, status: http.StatusAccepted},
		{operation: "linkTelegram", path: distributed + "/telegram/link", header: token},
		{operation: "orderHandover", path: distributed + "/handover", body: handoverOrder(t, l), header: token},
		{operation: "cancelHandover", path: distributed + "/handover", header: token},
		{operation: "getRun", path: distributed + "/runs/" + openedRun(t, s, l)},
		{operation: "getHolderLedger", path: "/holders/" + l.Wallet.Address() + "?mints=" + mint},
		{operation: "linkHolderTelegram", path: "/holders/" + l.Wallet.Address() + "/telegram/link", header: token},
		{operation: "unlinkHolderTelegram", path: "/holders/" + l.Wallet.Address() + "/telegram/link", header: token},
		{operation: "claimRewards", path: "/holders/" + l.Wallet.Address() + "/claims", body: `{"mints":["` + mint + `"]}`, header: token, status: http.StatusAccepted},
	}
	market := marketCalls(l, func(v any) string { return encoded(t, v) })
	return slices.Concat(rows, market, reads(t, l, slices.Concat(rows, market),
		"{mintAddress}", mint, "{tokenId}", mint, "{wallet}", l.Wallet.Address(), "{transactionId}", l.Prepared.TransactionID,
		"{webhookId}", hook, "{file}", "favicon.svg"))
}

// handoverOrder is the body of the launch's first order of a hand-over, to the creator.
func handoverOrder(t *testing.T, l *walkthrough.Launch) string {
	t.Helper()
	o := handover.Order{Number: 1, To: l.Wallet.PublicKey(), EffectiveAt: time.Now().UTC().Add(handover.DefaultDelay + time.Hour).Truncate(time.Second)}
	return encoded(t, map[string]any{
		"number": o.Number, "newAuthority": o.To.String(), "effectiveAt": o.EffectiveAt.Format(time.RFC3339),
		"signature": l.Wallet.SignMessage(o.Text(l.Submitted.MintAddress)),
	})
}

// distributionFailures are the calls about distributions that are rejected for their content or
// their caller.
func distributionFailures(t *testing.T, s *runner.Stack, l *walkthrough.Launch) []provocation {
	t.Helper()
	const unknown = "/distribution/4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de"
	known, action := "/distribution/"+l.Submitted.MintAddress.String(), "/actions/"+l.Submitted.MintAddress.String()
	account := encoded(t, map[string]any{"account": l.Wallet.Address()})
	confirmed := encoded(t, map[string]any{
		"account": l.Wallet.Address(), "signature": l.Wallet.SignMessage("-"),
		"data": map[string]any{"domain": "-", "address": l.Wallet.Address(), "statement": "-", "nonce": "-", "issuedAt": "-"},
	})
	stranger := map[string]string{"Authorization": "Bearer " + signedIn(t, s).Token}
	get, patch := http.MethodGet, http.MethodPatch
	return []provocation{
		{"getDistributionSettings", get, known + "/settings", "", stranger, http.StatusForbidden},
		{"getDistributionSettings", get, unknown + "/settings", "", bearer(l), http.StatusNotFound},
		{"changeDistributionSettings", patch, known + "/settings", "{}", stranger, http.StatusForbidden},
		{"changeDistributionSettings", patch, unknown + "/settings", "{}", bearer(l), http.StatusNotFound},
		{"testTelegram", http.MethodPost, known + "/telegram/test", "", stranger, http.StatusForbidden},
		{"testTelegram", http.MethodPost, unknown + "/telegram/test", "", bearer(l), http.StatusNotFound},
		{"linkTelegram", http.MethodPost, known + "/telegram/link", "", stranger, http.StatusForbidden},
		{"linkTelegram", http.MethodPost, unknown + "/telegram/link", "", bearer(l), http.StatusNotFound},
		{"changeDistributionSettings", patch, known + "/settings", `{"telegramGroupId":""}`, bearer(l), http.StatusOK},
		{"linkTelegram", http.MethodPost, known + "/telegram/link", "", bearer(l), http.StatusConflict},
		{"testTelegram", http.MethodPost, known + "/telegram/test", "", bearer(l), http.StatusConflict},
		{"listSettingsChanges", get, known + "/changes?limit=0", "", nil, http.StatusBadRequest},
		{"listSettingsChanges", get, unknown + "/changes", "", nil, http.StatusNotFound},
		{"getHandover", get, unknown + "/handover", "", nil, http.StatusNotFound},
		{"orderHandover", http.MethodPost, known + "/handover", "{}", bearer(l), http.StatusBadRequest},
		{"orderHandover", http.MethodPost, known + "/handover", handoverOrder(t, l), stranger, http.StatusForbidden},
		{"orderHandover", http.MethodPost, unknown + "/handover", handoverOrder(t, l), bearer(l), http.StatusNotFound},
		{"cancelHandover", http.MethodDelete, known + "/handover", "", stranger, http.StatusForbidden},
		{"cancelHandover", http.MethodDelete, unknown + "/handover", "", bearer(l), http.StatusNotFound},
		{"listRuns", get, known + "/runs?limit=0", "", nil, http.StatusBadRequest},
		{"listRuns", get, unknown + "/runs", "", nil, http.StatusNotFound},
		{"getRun", get, known + "/runs/4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de", "", nil, http.StatusNotFound},
		{"previewRun", get, unknown + "/preview", "", nil, http.StatusNotFound},
		{"getHolder", get, known + "/holders/0OIl", "", nil, http.StatusBadRequest},
		{"getHolder", get, unknown + "/holders/" + l.Wallet.Address(), "", nil, http.StatusNotFound},
		{"getHolderLedger", get, "/holders/" + l.Wallet.Address() + "?mints=nonsense", "", nil, http.StatusBadRequest},
		{"getHolderLedger", get, "/holders/nonsense", "", nil, http.StatusNotFound},
		{"listHolderPayments", get, "/holders/" + l.Wallet.Address() + "/payments?mint=nonsense", "", nil, http.StatusBadRequest},
		{"listHolderPayments", get, "/holders/nonsense/payments", "", nil, http.StatusNotFound},
		{"linkHolderTelegram", http.MethodPost, "/holders/" + l.Wallet.Address() + "/telegram/link", "", stranger, http.StatusForbidden},
		{"linkHolderTelegram", http.MethodPost, "/holders/nonsense/telegram/link", "", bearer(l), http.StatusNotFound},
		{"unlinkHolderTelegram", http.MethodDelete, "/holders/" + l.Wallet.Address() + "/telegram/link", "", stranger, http.StatusForbidden},
		{"unlinkHolderTelegram", http.MethodDelete, "/holders/nonsense/telegram/link", "", bearer(l), http.StatusNotFound},
		{"claimRewards", http.MethodPost, "/holders/" + l.Wallet.Address() + "/claims", "{}", stranger, http.StatusForbidden},
		{"claimRewards", http.MethodPost, "/holders/" + l.Wallet.Address() + "/claims", `{"mints":["nonsense"]}`, bearer(l), http.StatusBadRequest},
		{"claimRewards", http.MethodPost, "/holders/nonsense/claims", "{}", bearer(l), http.StatusNotFound},
		{"getAction", get, "/actions/nonsense", "", nil, http.StatusNotFound},
		{"claimByAction", http.MethodPost, action + "/claim", account, nil, http.StatusBadRequest}, // nothing is owed
		{"claimByAction", http.MethodPost, action + "/claim", tooLarge, nil, http.StatusRequestEntityTooLarge},
		{"confirmClaimByAction", http.MethodPost, action + "/claim/confirm", tooLarge, nil, http.StatusRequestEntityTooLarge},
		{"claimByAction", http.MethodPost, "/actions/nonsense/claim", account, nil, http.StatusNotFound},
		{"confirmClaimByAction", http.MethodPost, action + "/claim/confirm", "{}", nil, http.StatusBadRequest},
		{"confirmClaimByAction", http.MethodPost, action + "/claim/confirm", confirmed, nil, http.StatusUnauthorized},
		{"confirmClaimByAction", http.MethodPost, "/actions/nonsense/claim/confirm", confirmed, nil, http.StatusNotFound},
		{"getBurns", get, "/burns/" + l.Submitted.MintAddress.String() + "?limit=0", "", nil, http.StatusBadRequest},
		{"getBurns", get, "/burns/nonsense", "", nil, http.StatusNotFound},
	}
}

// openedRun opens a run of the token by a message of its queue, and returns its id.
func openedRun(t *testing.T, s *runner.Stack, l *walkthrough.Launch) string {
	t.Helper()
	mint := l.Submitted.MintAddress
	slot := terms.EveryHour.Slot(time.Now())
	runs := sqsqueue.Runs{Client: sqs.NewFromConfig(s.AWS.Config()), URL: s.Outputs["RunQueueUrl"]}
	if err := runs.SendRuns(t.Context(), []dispatch.Delayed{{Run: dispatch.Run{Mint: mint, Slot: slot}}}); err != nil {
		t.Fatal(err)
	}
	id := terms.RunID(mint, slot)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if call(t, http.MethodGet, s.APIURL+"/distribution/"+mint.String()+"/runs/"+id, "", nil).status == http.StatusOK {
			return id
		}
		if time.Now().After(deadline) {
			t.Fatalf("the run %s is not opened", id)
		}
	}
}

func bearer(l *walkthrough.Launch) map[string]string {
	return map[string]string{"Authorization": "Bearer " + l.Session.Token}
}

// describes reports whether the document has a response of the operation with this status.
func describes(t *testing.T, operation string, status int) bool {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return docstest.Operation(document, operation).Responses.Value(strconv.Itoa(status)) != nil
}

// takesKey reports whether the document lets the operation be repeated by a key.
func takesKey(t *testing.T, operation string) bool {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return docstest.Operation(document, operation).Parameters.GetByInAndName("header", "Idempotency-Key") != nil
}

func takesBody(t *testing.T, operation string) bool {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return docstest.Operation(document, operation).RequestBody != nil
}

func routeOf(t *testing.T, operation string) route.Route {
	t.Helper()
	for _, r := range route.All() {
		if r.Operation == operation {
			return r
		}
	}
	t.Fatalf("%s is not an operation", operation)
	return route.Route{}
}

func merged(a, b map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// signInBody is a body of POST /auth/verify that works once.
func signInBody(t *testing.T, s *runner.Stack) string {
	t.Helper()
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	issued, err := newLaunch(t, s).Client.CreateChallenge(t.Context(), client.ChallengeRequest{Wallet: wallet.PublicKey()})
	if err != nil {
		t.Fatal(err)
	}
	return encoded(t, map[string]string{
		"wallet": wallet.Address(), "challenge": issued.Challenge, "signature": wallet.SignMessage(issued.Challenge),
	})
}

// creation is the launch again, for an unused distribution wallet.
func creation(t *testing.T, l *walkthrough.Launch) string {
	t.Helper()
	unused, err := l.Client.GenerateDistributionWallet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return encoded(t, walkthrough.Example(l.Image.ImageURI, unused.WalletID))
}

// refreshing is a call of another wallet, whose order lives.
func refreshing(t *testing.T, s *runner.Stack, l *walkthrough.Launch) provocation {
	t.Helper()
	key, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	other, err := client.New(s.APIURL, client.WithSigner(key))
	if err != nil {
		t.Fatal(err)
	}
	session, err := other.SignIn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unused, err := other.GenerateDistributionWallet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := other.CreateUnsignedToken(t.Context(), walkthrough.Example(l.Image.ImageURI, unused.WalletID))
	if err != nil {
		t.Fatal(err)
	}
	return provocation{
		operation: "refreshTransaction", path: "/tokens/transactions/" + prepared.TransactionID + "/refresh",
		header: map[string]string{"Authorization": "Bearer " + session.Token},
	}
}

func upload(t *testing.T) (body, contentType string) {
	t.Helper()
	picture, err := walkthrough.Picture()
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	form := multipart.NewWriter(&content)
	part, err := form.CreateFormFile("image", "logo.png")
	if err == nil {
		_, err = part.Write(picture)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return content.String(), form.FormDataContentType()
}

// windows counts as the functions do.
func windows(s *runner.Stack) windowtable.Limiter {
	return windowtable.Limiter{
		Client: awsdynamodb.NewFromConfig(s.AWS.Config()), Table: s.Outputs["WindowTableName"], Now: time.Now, Rand: rand.Int64N,
	}
}

// fill uses up the limit of an operation for this wallet and this address. The requests count from two
// minutes ahead, so none expires while a busy machine counts the others.
func fill(t *testing.T, s *runner.Stack, operation, wallet string) {
	t.Helper()
	r := routeOf(t, operation)
	key := ratelimit.AddressKey("127.0.0.1")
	if r.NeedsToken() {
		key = wallet
	}
	ahead, w := time.Now().Add(2*time.Minute), windows(s)
	w.Now = func() time.Time { return ahead }
	for range r.Rule.Limit + 1 {
		decision, err := w.Spend(t.Context(), r.Rule, key)
		if err != nil {
			t.Fatal(fmt.Errorf("fill the window of %s: %w", operation, err))
		}
		if !decision.Allowed {
			return
		}
	}
	t.Fatalf("the window of %s does not fill", operation)
}
