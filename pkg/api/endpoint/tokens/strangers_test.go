package tokens_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// function is the function behind the gateway: its limiter, nonce pool and stores are the
// real ones, its clock is the test's, and so is whether its node answers.
type function struct {
	*launchtest.Fixture

	process *fault.Process
	service launch.Service
	handle  func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)
	away    atomic.Pointer[fault.Fault] // what becomes of calls to the node; nil: they arrive
}

// deployedLeases is the default of LEASES_PER_IP.
const deployedLeases = 20

func newFunction(t *testing.T, poolMax int) *function {
	t.Helper()
	f := &function{Fixture: launchtest.NewEnv(t).Fixture(t, ""), process: fault.NewProcess()}
	f.NoncePoolMax = poolMax
	f.process.On(fault.Service(fault.Solana), func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		if away := f.away.Load(); away != nil {
			return (*away)(c, r, send)
		}
		return send(r)
	})
	f.service = f.Service(t, f.process)
	node := f.Env.Node(t, nil).WithTransport(f.process.Over(http.DefaultTransport.RoundTrip))
	node.Now = f.Clock.Now
	node.Pause = func(ctx context.Context, d time.Duration) error { // as long as the test's clock says
		f.Clock.Pass(d)
		return ctx.Err()
	}
	pool, _ := f.service.Nonces.(nonce.Pool)
	pool.Chain = node
	f.service.Nonces, f.service.Chain, f.service.Preparer.Chain, f.service.LeasesPerIP = pool, node, node, deployedLeases
	db := dynamo.New(f.Config(f.process))
	api := apigw.API{
		Limiter: windowtable.Limiter{Client: db, Table: f.Window, Now: f.Clock.Now, Rand: mathrand.Int64N},
		Answers: windowtable.Answers{Client: db, Table: f.Window},
		Log:     f.Log.Logger(slog.LevelInfo), Now: f.Clock.Now,
	}
	handler, err := api.Handler(route.FunctionTokens, tokens.Endpoint{
		Wallets:  wallet.Service{Deriver: fixedDeriver{}, Store: f.Wallets, Now: f.Clock.Now, NewID: uuid.NewString},
		Launches: f.service, Records: f.Tokens, Figures: figures.Store{Client: f.Tokens.Client, Table: f.Tokens.Table, Now: f.Clock.Now}, Gateway: "https://ipfs.example", Now: f.Clock.Now,
	}.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	f.handle = apigw.Proxy(handler)
	return f
}

// post sends an event of the gateway: a wallet's request from an address.
func (f *function) post(t *testing.T, by solana.PublicKey, from, path string, body any) (int, http.Header, map[string]any) {
	t.Helper()
	event := events.APIGatewayV2HTTPRequest{RawPath: path, Body: encode(t, body)}
	event.RequestContext.RequestID = uuid.NewString()
	event.RequestContext.HTTP.Method, event.RequestContext.HTTP.SourceIP = http.MethodPost, from
	event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
		Lambda: map[string]any{apigw.AuthorizerWallet: by.String()},
	}
	out, err := f.handle(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range out.Headers {
		header.Set(name, value)
	}
	for name, values := range out.MultiValueHeaders {
		header[http.CanonicalHeaderKey(name)] = values
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(out.Body), &answer); err != nil {
		t.Fatalf("%s responded %q: %v", path, out.Body, err)
	}
	return out.StatusCode, header, answer
}

// draft is the body of a creation, with a distribution wallet of its own.
func (f *function) draft(t *testing.T, creator solana.PrivateKey) map[string]any {
	t.Helper()
	body := creation()
	body["imageUri"], body["walletId"] = content.Scheme+launchtest.ImageCID, f.Draft(t, creator).WalletID
	return body
}

// launch prepares, signs and submits a token, and returns the calls that this took of the
// outside world.
func (f *function) launch(t *testing.T, creator solana.PrivateKey, from string) (calls int) {
	t.Helper()
	body, before := f.draft(t, creator), len(f.process.Calls())
	status, _, created := f.post(t, creator.PublicKey(), from, "/tokens/create-unsigned", body)
	if status != http.StatusOK {
		t.Fatalf("the creation = %d %v", status, created)
	}
	text, _ := created["transaction"].(string)
	tx, err := wire.ParseBase64(text)
	if err == nil {
		err = tx.Sign(ed25519.PrivateKey(creator))
	}
	if err != nil {
		t.Fatal(err)
	}
	status, _, submitted := f.post(t, creator.PublicKey(), from, "/tokens/submit", map[string]any{
		"transactionId": created["transactionId"], "signedTransaction": tx.Base64(),
	})
	if status != http.StatusOK || submitted["status"] != "confirmed" {
		t.Fatalf("the launch = %d %v", status, submitted)
	}
	return len(f.process.Calls()) - before
}

// free counts the nonces that no launch has, of how many there are.
func (f *function) free(t *testing.T) (free, size int) {
	t.Helper()
	pool, _ := f.service.Nonces.(nonce.Pool)
	free, err := pool.Ready(t.Context(), f.Clock.Now())
	if err == nil {
		size, err = pool.Size(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return free, size
}

// TestManyWalletsBlockNoLaunch tests docs/attacks.md, "Launching": 200 empty wallets at 10
// addresses prepare launches for ten minutes, each again every minute. Another creator launches all
// the while, at the first try, and with as many calls of the outside world as on any day. The pool
// is smaller than the deployed one, so that it is used up all the sooner.
func TestManyWalletsBlockNoLaunch(t *testing.T) {
	const wallets, addresses, minutes, pool = 200, 10, 10, 20
	f := newFunction(t, pool)
	usual := f.launch(t, f.Creator(t), launchtest.Address())

	strangers := make([]solana.PublicKey, wallets)
	for i := range strangers {
		strangers[i] = solana.NewWallet().PublicKey()
	}
	body := f.draft(t, solana.NewWallet().PrivateKey) // one is enough for all that is never signed
	answers := map[string]int{}
	maximum, took := 0, time.Duration(0)
	for minute := range minutes {
		for i, stranger := range strangers {
			from := netip.AddrFrom4([4]byte{198, 51, 100, byte(i % addresses)}).String()
			status, header, answer := f.post(t, stranger, from, "/tokens/create-unsigned", body)
			code, _ := answer["code"].(string)
			answers[strings.TrimSpace(strconv.Itoa(status)+" "+code)]++
			if status == http.StatusTooManyRequests && header.Get("Retry-After") == "" {
				t.Fatalf("a refusal without Retry-After: %v", answer)
			}
		}
		began := time.Now()
		calls := f.launch(t, f.Creator(t), launchtest.Address())
		maximum, took = max(maximum, calls), max(took, time.Since(began))
		if free, size := f.free(t); minute == 0 && (free > 1 || size != pool) {
			t.Errorf("%d of %d nonces are free: the attack had no effect", free, size)
		}
		f.Clock.Pass(time.Minute)
	}
	t.Logf("the attackers got %v; a launch made %d calls before, %d at most during the attack, %v at most", answers, usual, maximum, took)
	// At most the pool is read once more, and one request for a nonce fails.
	if maximum > usual+4 {
		t.Errorf("a launch makes %d calls to other services during the attack, %d on other days", maximum, usual)
	}
	if prepared := answers["200"]; prepared > addresses*deployedLeases*(minutes/5) {
		t.Errorf("%d launches were prepared from %d addresses", prepared, addresses)
	}
	for answer := range answers {
		if !slices.Contains([]string{"200", "429 launch_limit_exceeded", "429 rate_limit_exceeded"}, answer) {
			t.Errorf("the attackers got %s", answer)
		}
	}
}

// TestLaunchAfterNodeOutage tests docs/attacks.md, "Launching": while the node is unavailable, each
// creation is a 503 with Retry-After, leases no nonce and counts in no limit. Two seconds after the
// node's return the first try succeeds.
func TestLaunchAfterNodeOutage(t *testing.T) {
	faults := map[string]fault.Fault{
		"nothing listens":    fault.Down,
		"503":                fault.Answer(http.StatusServiceUnavailable, "away"),
		"the node is busy":   fault.Answer(http.StatusTooManyRequests, "{}"),
		"the node is behind": fault.Answer(http.StatusOK, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Node is behind by 150 slots"}}`),
		"no JSON":            fault.Answer(http.StatusOK, "<html>"),
	}
	f := newFunction(t, 10)
	f.launch(t, f.Creator(t), launchtest.Address()) // so that there is a pool
	f.Clock.Pass(10 * time.Minute)
	for name, away := range faults {
		t.Run(name, func(t *testing.T) {
			creator, from := f.Creator(t), launchtest.Address()
			body := f.draft(t, creator)
			freeBefore, sizeBefore := f.free(t)

			f.away.Store(&away)
			for began := f.Clock.Now(); f.Clock.Now().Before(began.Add(time.Minute)); f.Clock.Pass(time.Second) {
				status, header, answer := f.post(t, creator.PublicKey(), from, "/tokens/create-unsigned", body)
				if seconds, err := strconv.Atoi(header.Get("Retry-After")); status != http.StatusServiceUnavailable || err != nil || seconds < 1 {
					t.Fatalf("%d %v with Retry-After %q, want 503", status, answer, header.Get("Retry-After"))
				}
			}
			f.away.Store(nil)
			f.Clock.Pass(2 * time.Second)

			if free, size := f.free(t); free < freeBefore || size-free != sizeBefore-freeBefore {
				t.Errorf("%d of %d nonces are free after the outage, %d of %d before", free, size, freeBefore, sizeBefore)
			}
			status, header, answer := f.post(t, creator.PublicKey(), from, "/tokens/create-unsigned", body)
			if status != http.StatusOK {
				t.Fatalf("after its return: %d %v", status, answer)
			}
			if left := header.Get("X-RateLimit-Remaining"); left != "4" {
				t.Errorf("%s of 5 creations are left after the first that succeeded", left)
			}
			id, _ := answer["transactionId"].(string)
			if l, err := f.Launches.Launch(t.Context(), id); err != nil || !l.OnNonce() {
				t.Errorf("the first launch after the outage has no nonce: %v", err)
			}
			// The address has all its launches but this one.
			for i := range deployedLeases {
				status, _, answer := f.post(t, solana.NewWallet().PublicKey(), from, "/tokens/create-unsigned", body)
				if want := i < deployedLeases-1; (status == http.StatusOK) != want {
					t.Fatalf("launch %d of the address: %d %v", i+2, status, answer["code"])
				}
			}
			f.Clock.Pass(10 * time.Minute)
		})
	}
}

// fixedDeriver returns the same address for every wallet.
type fixedDeriver struct{}

// Address implements wallet.Deriver.
func (fixedDeriver) Address(context.Context, string) (solana.PublicKey, error) { return mint, nil }
