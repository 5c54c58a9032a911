package dex_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/dex"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/platform/idempotency"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

const path = "/dex/exchange/cpmm/create-unsigned"

var (
	caller = solana.NewWallet().PublicKey()
	noon   = time.Date(2026, 11, 22, 12, 0, 0, 5_000_000, time.UTC)
)

// fixture is the route over a chain without the program, and over a real store.
type fixture struct {
	*localnet.Ledger
	pools   curves.Pools
	handler http.Handler
	mint    solana.PublicKey // taxed by 5%, 6 decimals
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	stack, ledger := localnet.AWS(t), localnet.Chain(t)
	db := dynamo.New(stack.Config(t.Context()))
	node, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	w := &fixture{Ledger: ledger, mint: solana.NewWallet().PublicKey()}
	w.pools = curves.Pools{Client: db, Table: stack.CreateTable(t, schema.Launch)}
	answers := windowtable.Answers{Client: db, Table: stack.CreateTable(t, schema.Window)}
	w.handler = handler(t, answers, cpmm.Service{
		Chain: node, Store: w.pools, Network: raydium.Mainnet, Random: rand.Reader,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: func() time.Time { return noon }, NewID: uuid.NewString},
	})
	ledger.Fund(t, caller.String(), 1_000_000_000)
	w.set(t, w.mint, taxedMint(500))
	return w
}

func handler(t *testing.T, answers idempotency.Store, pools dex.Pools) http.Handler {
	t.Helper()
	api := apigw.API{
		Limiter: &ratelimittest.Memory{Now: func() time.Time { return noon }}, Answers: answers,
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon },
	}
	h, err := api.Handler(route.FunctionDex, dex.Endpoint{Pools: pools, Limiter: &ratelimittest.Memory{Now: func() time.Time { return noon }}}.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// set puts a mint, or anything else, of Token-2022 on the chain.
func (w *fixture) set(t *testing.T, address solana.PublicKey, data []byte) {
	t.Helper()
	w.SetAccount(t, address.String(), surfpool.Account{Lamports: 10_000_000, Owner: surfpool.Token2022Program, Data: data})
}

// taxedMint is a mint with a transfer fee and, behind it, further extensions.
func taxedMint(bps uint16, extensions ...byte) []byte {
	data := make([]byte, 166)
	binary.LittleEndian.PutUint64(data[36:], 1_000_000_000_000_000)
	data[44], data[45], data[165] = 6, 1, 1
	fee := make([]byte, 108)
	for _, at := range []int{72, 90} {
		binary.LittleEndian.PutUint64(fee[at+8:], math.MaxUint64)
		binary.LittleEndian.PutUint16(fee[at+16:], bps)
	}
	return slices.Concat(data, []byte{1, 0, 108, 0}, fee, extensions)
}

// post makes a request of the caller.
func post(t *testing.T, h http.Handler, text string, header ...string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequestWithContext(
		apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: caller.String(), SourceIP: "203.0.113.7", RequestID: "r"}),
		http.MethodPost, path, strings.NewReader(text))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("responded %q: %v", w.Body, err)
	}
	return w.Code, answer
}

func request(t *testing.T, mint solana.PublicKey) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"tokenMint": mint.String(), "tokenAmount": "800000000000000", "solAmount": "10000000000"})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// If the chain lacks the program, the transaction is still prepared and recorded with its pool.
func TestPreparePoolWithoutProgram(t *testing.T) {
	w := newFixture(t)
	status, got := post(t, w.handler, request(t, w.mint))
	if status != http.StatusOK {
		t.Fatalf("prepare = %d %v, want 200", status, got)
	}
	address, _ := got["poolAddress"].(string)
	a, err := raydium.Mainnet.AddressesAt(w.mint, solana.MPK(address))
	if err != nil || !a.Own {
		t.Fatalf("AddressesAt() = %+v, %v; want a pool of its own", a, err)
	}
	for field, want := range map[string]any{
		"tokenMint": w.mint.String(), "poolAddress": a.Pool.String(), "lpMint": a.LPMint.String(),
		"vaults":      map[string]any{"token": a.TokenVault.String(), "sol": a.SOLVault.String()},
		"tokenAmount": "800000000000000", "tokenAmountAfterTax": "760000000000000", "solAmount": "10000000000",
		"initialPrice": "0.0000000131578947368",
	} {
		if !reflect.DeepEqual(got[field], want) {
			t.Errorf("%s: %v, want %v", field, got[field], want)
		}
	}
	checkExpiry(t, got)
	simulation, _ := got["simulation"].(map[string]any)
	if simulation["ok"] != false || simulation["reason"] != "program_unavailable" || simulation["missingTokens"] != "800000000000000" {
		t.Errorf("simulation %v", simulation)
	}
	cost, _ := got["cost"].(map[string]any)
	if cost["protocolFeeLamports"] != "150000000" || cost["depositLamports"] != "10000000000" {
		t.Errorf("cost %v", cost)
	}
	raw, err := base64.StdEncoding.DecodeString(got["transaction"].(string))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := wire.ParseTransaction(raw)
	if err != nil || tx.Message().FeePayer() != caller || len(tx.Missing()) != 1 {
		t.Errorf("transaction %+v, %v", tx, err)
	}
	if explanation, _ := got["explanation"].([]any); len(explanation) != len(tx.Message().Instructions()) {
		t.Errorf("%d sentences for %d instructions", len(explanation), len(tx.Message().Instructions()))
	}
	pool, err := w.pools.PreparedPool(t.Context(), got["transactionId"].(string))
	want := token.Pool{
		Kind: token.RaydiumCPMM, Address: a.Pool, Mint: w.mint, Creator: caller, TokenVault: a.TokenVault, SOLVault: a.SOLVault,
		Authority: a.Authority, LPMint: a.LPMint,
	}
	if err != nil || pool != want {
		t.Errorf("recorded %+v, %v; want %+v", pool, err, want)
	}
}

// A repeated request with the same key gets the same transaction.
func TestPreparePoolReplaysKey(t *testing.T) {
	w := newFixture(t)
	key := uuid.NewString()
	_, first := post(t, w.handler, request(t, w.mint), "Idempotency-Key", key)
	_, again := post(t, w.handler, request(t, w.mint), "Idempotency-Key", key)
	if first["transactionId"] == nil || !reflect.DeepEqual(first, again) {
		t.Errorf("%v, then %v", first["transactionId"], again["transactionId"])
	}
	if _, other := post(t, w.handler, request(t, w.mint)); other["transactionId"] == first["transactionId"] {
		t.Error("the same without a key")
	}
}

func TestPreparePoolRejections(t *testing.T) {
	w := newFixture(t)
	hooked, wallet, taken := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	w.set(t, hooked, taxedMint(100, append([]byte{14, 0, 64, 0}, make([]byte, 64)...)...))
	w.Fund(t, wallet.String(), 1_000_000)
	w.set(t, taken, taxedMint(500))
	a, err := raydium.Mainnet.Addresses(taken)
	if err != nil {
		t.Fatal(err)
	}
	w.SetAccount(t, a.Pool.String(), surfpool.Account{Lamports: 1, Owner: raydium.Mainnet.Program.String(), Data: make([]byte, raydium.PoolSize)})
	for name, c := range map[string]struct {
		mint   solana.PublicKey
		status int
		code   string
		says   string
	}{
		"a missing mint":   {solana.NewWallet().PublicKey(), 404, "token_not_found", ""},
		"a wallet":         {wallet, 404, "token_not_found", ""},
		"wrapped SOL":      {solana.WrappedSol, 400, "unsupported_token", "wrapped SOL has no market"},
		"a transfer hook":  {hooked, 400, "unsupported_token", "transfer hook"},
		"a planted pool":   {taken, 200, "", ""},
		"all of the above": {w.mint, 200, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, got := post(t, w.handler, request(t, c.mint))
			detail, _ := got["detail"].(string)
			if code, _ := got["code"].(string); status != c.status || code != c.code || !strings.Contains(detail, c.says) {
				t.Errorf("prepare = %d %v, want %d %s with detail %q", status, got, c.status, c.code, c.says)
			}
		})
	}
}

// scripted answers from a fixed fact, and remembers what it was asked.
type scripted struct {
	tokens, lamports uint64
	err              error
}

func (s *scripted) Create(_ context.Context, _, _ solana.PublicKey, tokens, lamports uint64) (cpmm.Created, error) {
	s.tokens, s.lamports = tokens, lamports
	return cpmm.Created{}, s.err
}

func TestBadFieldsAreAllNamed(t *testing.T) {
	good := map[string]any{"tokenMint": solana.WrappedSol.String(), "tokenAmount": "1", "solAmount": "18446744073709551615"}
	with := func(changes ...any) map[string]any {
		out := map[string]any{}
		for k, v := range good {
			out[k] = v
		}
		for i := 0; i+1 < len(changes); i += 2 {
			out[changes[i].(string)] = changes[i+1]
		}
		return out
	}
	for name, c := range map[string]struct {
		body map[string]any
		bad  map[string]string // code by field
	}{
		"nothing":       {map[string]any{}, map[string]string{"tokenMint": "required", "tokenAmount": "required", "solAmount": "required"}},
		"zeros":         {with("tokenAmount", "0", "solAmount", "0"), map[string]string{"tokenAmount": "out_of_range", "solAmount": "out_of_range"}},
		"numbers":       {with("tokenAmount", 5, "solAmount", 1.5), map[string]string{"tokenAmount": "invalid_type", "solAmount": "invalid_type"}},
		"a sign":        {with("tokenAmount", "-1", "solAmount", "1.5"), map[string]string{"tokenAmount": "invalid_format", "solAmount": "invalid_format"}},
		"above 64 bits": {with("solAmount", "18446744073709551616"), map[string]string{"solAmount": "out_of_range"}},
		"no address":    {with("tokenMint", "0x12", "more", 1), map[string]string{"tokenMint": "invalid_format", "more": "unknown_field"}},
		"all is good":   {good, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{}
			text, err := json.Marshal(c.body)
			if err != nil {
				t.Fatal(err)
			}
			status, got := post(t, handler(t, nil, s), string(text))
			bad := map[string]string{}
			errors, _ := got["errors"].([]any)
			for _, e := range errors {
				field := e.(map[string]any)
				bad[field["field"].(string)] = field["code"].(string)
			}
			if c.bad == nil {
				if status != http.StatusOK || s.tokens != 1 || s.lamports != math.MaxUint64 {
					t.Errorf("%d %v, requested %+v", status, got, s)
				}
				return
			}
			if status != http.StatusBadRequest || got["code"] != "validation_failed" || !reflect.DeepEqual(bad, c.bad) || s.tokens != 0 {
				t.Errorf("%d %v, want %v", status, got, c.bad)
			}
		})
	}
}

// From one address only a number of pools is prepared in an hour, whatever the wallets; another
// address is free.
func TestPreparedMarketsAreLimitedByAddress(t *testing.T) {
	h := handler(t, nil, &scripted{})
	prepare := func(address string) *httptest.ResponseRecorder {
		by := apigw.CallerContext{Wallet: solana.NewWallet().PublicKey().String(), SourceIP: address, RequestID: "r"}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), by), http.MethodPost, path, strings.NewReader(request(t, caller))))
		return w
	}
	for n := range market.PreparedPerAddress {
		if got := prepare("203.0.113.9"); got.Code != http.StatusOK {
			t.Fatalf("pool %d: %d %s", n, got.Code, got.Body)
		}
	}
	got := prepare("203.0.113.9")
	if got.Code != http.StatusTooManyRequests || !strings.Contains(got.Body.String(), `"market_limit_exceeded"`) ||
		got.Header().Get("X-RateLimit-Limit") != "100" || got.Header().Get("Retry-After") == "" {
		t.Errorf("then %d %s with %v", got.Code, got.Body, got.Header())
	}
	if got := prepare("203.0.113.10"); got.Code != http.StatusOK {
		t.Errorf("from another address: %d %s", got.Code, got.Body)
	}
}

// If the node does not respond, the response is 503 and nothing is recorded.
func TestPreparePoolWithoutNode(t *testing.T) {
	node, err := solanarpc.New("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	node.Pause = func(context.Context, time.Duration) error { return nil }
	status, got := post(t, handler(t, nil, cpmm.Service{Chain: node, Network: raydium.Mainnet, Random: rand.Reader}), request(t, caller))
	if status != http.StatusServiceUnavailable || got["code"] != "upstream_unavailable" {
		t.Errorf("prepare without the node = %d %v, want 503 upstream_unavailable", status, got)
	}
}

// FuzzCreateBody sends arbitrary bodies: a creation reaches the service with amounts of at least 1,
// or every invalid field is named, and no body is an internal error.
func FuzzCreateBody(f *testing.F) {
	f.Add(`{"tokenMint":"So11111111111111111111111111111111111111112","tokenAmount":"1","solAmount":"2"}`)
	f.Add(`{"tokenMint":"","tokenAmount":"01","solAmount":"18446744073709551616"}`)
	f.Add(`{"tokenMint":1,"tokenAmount":null}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		s := &scripted{}
		status, answer := post(t, handler(t, nil, s), text)
		switch status {
		case http.StatusOK:
			if s.tokens < 1 || s.lamports < 1 {
				t.Errorf("the service was called with %+v, want both amounts above 0", s)
			}
		case http.StatusBadRequest:
			if fields, _ := answer["errors"].([]any); s.tokens != 0 || len(fields) == 0 {
				t.Errorf("rejected with %v", answer)
			}
		case http.StatusRequestEntityTooLarge:
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}

// checkExpiry holds until when a transaction lands, made at noon on a blockhash: 150 blocks,
// of a second at most.
func checkExpiry(t *testing.T, answer map[string]any) {
	t.Helper()
	text, _ := answer["expiresAt"].(string)
	expires, err := time.Parse(time.RFC3339, text)
	height, _ := answer["lastValidBlockHeight"].(float64)
	if left := expires.Sub(noon); err != nil || left <= 0 || left > 150*time.Second || height < 1 {
		t.Errorf("expires at %s, after block %v", text, height)
	}
}
