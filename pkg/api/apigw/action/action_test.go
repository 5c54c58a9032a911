package action_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/holder"
	curves "tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token"
)

var update = flag.Bool("update", false, "write testdata/actions.json")

var (
	mint   = solana.MustPublicKeyFromBase58("93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp")
	noon   = time.Date(2026, 11, 30, 12, 0, 0, 5_000_000, time.UTC)
	key    = solana.PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	wallet = key.PublicKey()
)

// service is both functions, with a token, its curve and what a wallet is owed.
type service struct {
	launchpad.Curves

	token.Finder

	record  token.Record
	now     time.Time
	amount  curves.Amount
	buyer   solana.PublicKey
	fails   error
	problem *apperr.Error
	claims  []string

	handlers map[string]http.Handler
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{now: noon, handlers: map[string]http.Handler{}, record: token.Record{
		Mint: mint, Name: "Paper Crane", Symbol: "CRANE", Status: token.Confirmed, Visible: true, Decimals: 6, TransferFeeBps: 500,
		Launchpad: &token.Launchpad{State: token.CurveActive},
	}}
	limiter := &ratelimittest.Memory{Now: func() time.Time { return s.now }}
	api := apigw.API{Limiter: limiter, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return s.now }}
	site := action.Site{URL: "https://api.example.com", Chain: solanarpc.ChainID("mainnet")}
	for function, handlers := range map[string]map[string]apigw.HandlerFunc{
		route.FunctionLaunchpad: launchpad.Endpoint{Curves: s, Tokens: s, Site: site}.Handlers(),
		route.FunctionDistribution: distribution.Endpoint{
			Claims: s, Tokens: s, Site: site, Limiter: limiter, Random: bytes.NewReader(make([]byte, 1<<10)), Now: func() time.Time { return s.now },
		}.Handlers(),
	} {
		h, err := api.Handler(function, handlers)
		if err != nil {
			t.Fatal(err)
		}
		s.handlers[function] = h
	}
	return s
}

func (s *service) TokensOf(context.Context, []solana.PublicKey) ([]token.Record, error) {
	return []token.Record{s.record}, nil
}

func (s *service) Token(_ context.Context, m solana.PublicKey) (token.Record, error) {
	r := s.record
	r.Mint = m
	return r, nil
}

func (s *service) Buy(_ context.Context, caller, _ solana.PublicKey, amount curves.Amount, bps int) (curves.Trade, error) {
	s.buyer, s.amount = caller, amount
	if bps != curves.DefaultSlippageBps {
		return curves.Trade{}, fmt.Errorf("a slippage of %d", bps)
	}
	return curves.Trade{
		Unsigned: transaction.Unsigned{Transaction: []byte("transaction"), Simulation: transaction.Simulation{OK: true}},
		Tokens:   1_203_961_880_000, MinTokens: 1_167_843_020_000, Lamports: amount.Lamports,
	}, s.fails
}

func (s *service) Check(_ context.Context, _ solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error) {
	return []holder.Claimed{{Mint: mints[0], Problem: s.problem}}, nil
}

func (s *service) Claim(ctx context.Context, w solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error) {
	s.claims = append(s.claims, w.String()+" "+mints[0].String())
	return s.Check(ctx, w, mints)
}

// call makes a request without an access token, and validates the response against the document.
func (s *service) call(t *testing.T, operation, path, body string) (int, map[string]any) {
	t.Helper()
	status, _, raw := s.raw(t, operation, path, body)
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatalf("%s returned %q: %v", path, raw, err)
	}
	return status, answer
}

func (s *service) raw(t *testing.T, operation, path, body string) (int, http.Header, []byte) {
	t.Helper()
	for _, r := range route.All() {
		if r.Operation != operation {
			continue
		}
		is := apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r"}
		w := httptest.NewRecorder()
		s.handlers[r.Function].ServeHTTP(w, httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), is), r.Method, "/actions/"+path, strings.NewReader(body)))
		if err := docstest.Check(operation, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("%s %s with body %s: response does not match the document: %v", operation, path, body, err)
		}
		return w.Code, w.Header(), w.Body.Bytes()
	}
	t.Fatalf("no operation %s", operation)
	return 0, nil, nil
}

func account(of solana.PublicKey) string { return `{"account":"` + of.String() + `"}` }

// confirmation is the body with the signature of a message, whose parts may be changed.
func confirmation(t *testing.T, by solana.PrivateKey, of solana.PublicKey, request map[string]any, change func(data map[string]any)) string {
	t.Helper()
	data, _ := request["data"].(map[string]any)
	signature, err := by.Sign([]byte(fmt.Sprintf("%s wants you to sign a message with your account:\n%s\n\n%s\n\nNonce: %s\nIssued At: %s",
		data["domain"], data["address"], data["statement"], data["nonce"], data["issuedAt"])))
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]any{}
	for name, value := range data {
		changed[name] = value
	}
	change(changed)
	body, err := json.Marshal(map[string]any{"account": of, "type": "message", "data": changed, "signature": signature})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func unchanged(map[string]any) {}

// TestActionsAreAsRecorded compares the responses of an action from the first request to the last
// with testdata/actions.json, which the TypeScript package's tests hold to the specification.
func TestActionsAreAsRecorded(t *testing.T) {
	s := newService(t)
	type exchange struct {
		Path    string            `json:"path"`
		Method  string            `json:"method"`
		Request json.RawMessage   `json:"request,omitempty"`
		Headers map[string]string `json:"headers"`
		Status  int               `json:"status"`
		Body    json.RawMessage   `json:"body"`
	}
	list := []exchange{{"/actions.json", http.MethodGet, nil, map[string]string{}, http.StatusOK, json.RawMessage(action.Rules)}}
	record := func(operation, method, path, body string) map[string]any {
		status, header, raw := s.raw(t, operation, path, body)
		headers := map[string]string{}
		for _, name := range []string{"Content-Type", "X-Action-Version", "X-Blockchain-Ids"} {
			if value := header.Get(name); value != "" {
				headers[name] = value
			}
		}
		list = append(list, exchange{"/actions/" + path, method, json.RawMessage(body), headers, status, raw})
		var answer map[string]any
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	record("getAction", http.MethodGet, mint.String(), "")
	record("buyByAction", http.MethodPost, mint.String()+"/buy/0.5", account(wallet))
	record("buyByAction", http.MethodPost, mint.String()+"/buy/none", account(wallet))
	asked := record("claimByAction", http.MethodPost, mint.String()+"/claim", account(wallet))
	record("confirmClaimByAction", http.MethodPost, mint.String()+"/claim/confirm", confirmation(t, key, wallet, asked, unchanged))
	got, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const file = "testdata/actions.json"
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; run with -update if the change is intended:\n%s", err, got)
	}
}

func TestButtonsFollowTheCurve(t *testing.T) {
	s := newService(t)
	for state, want := range map[token.CurveState]int{
		token.CurveActive: 5, token.CurveCompleted: 5, token.CurvePrepared: 1, token.CurveCancelled: 1, "": 1,
	} {
		s.record.Launchpad = &token.Launchpad{State: state}
		if state == "" {
			s.record.Launchpad = nil
		}
		_, got := s.call(t, "getAction", mint.String(), "")
		links, _ := got["links"].(map[string]any)
		if list, _ := links["actions"].([]any); len(list) != want {
			t.Errorf("%q: %d buttons, want %d: %v", state, len(list), want, got)
		}
	}
	for name, change := range map[string]func(){
		"hidden": func() { s.record.Visible = false },
		"failed": func() { s.record.Visible, s.record.Status = true, token.Failed },
	} {
		change()
		for operation, path := range map[string]string{"getAction": "", "buyByAction": "/buy/1"} {
			if status, got := s.call(t, operation, mint.String()+path, account(wallet)); status != http.StatusNotFound || got["message"] != got["detail"] || got["message"] == "" {
				t.Errorf("%s of a %s token: %d %v", operation, name, status, got)
			}
		}
	}
	if status, got := s.call(t, "getAction", "nonsense", ""); status != http.StatusNotFound || got["code"] != "token_not_found" {
		t.Errorf("getAction(\"nonsense\") = %d %v, want 404 token_not_found", status, got)
	}
	if s.amount != (curves.Amount{}) {
		t.Errorf("a purchase of %v", s.amount)
	}
}

func TestBuyReadsAmountAndAccount(t *testing.T) {
	s := newService(t)
	for sol, lamports := range map[string]uint64{
		"0.1": 100_000_000, "1": 1_000_000_000, "0.000000001": 1, "18446744073.709551615": 1<<64 - 1, "007": 7_000_000_000,
	} {
		status, got := s.call(t, "buyByAction", mint.String()+"/buy/"+sol, `{"account":"`+wallet.String()+`","type":"transaction","data":{"a":["b"]},"new":1}`)
		if status != http.StatusOK || s.amount != (curves.Amount{Lamports: lamports}) || s.buyer != wallet || got["transaction"] != "dHJhbnNhY3Rpb24=" {
			t.Errorf("%s: %d %v, %v of %v", sol, status, got, s.amount, s.buyer)
		}
	}
	s.amount = curves.Amount{}
	for _, sol := range []string{"0", "0.0", "-1", "%2B1", "1e3", "1.", ".1", "0.0000000001", "18446744073.709551616", "99999999999", "1,5", "%EF%BC%91", "NaN", "1%0A"} {
		if status, got := s.call(t, "buyByAction", mint.String()+"/buy/"+sol, account(wallet)); status != http.StatusBadRequest || !strings.HasPrefix(fmt.Sprint(got["message"]), "sol: Must be") {
			t.Errorf("buyByAction with %q SOL = %d %v, want 400 that names sol", sol, status, got)
		}
	}
	for _, body := range []string{"", "[]", "{}", `{"account":1}`, `{"account":"nonsense"}`, `{"account":"` + wallet.String() + `","account":"` + wallet.String() + `"}`} {
		if status, got := s.call(t, "buyByAction", mint.String()+"/buy/1", body); status != http.StatusBadRequest || got["message"] == nil {
			t.Errorf("buyByAction with body %s = %d %v, want 400 with a message", body, status, got)
		}
	}
	if s.amount != (curves.Amount{}) {
		t.Errorf("a purchase of %v", s.amount)
	}
	s.fails = apperr.New(apperr.CodeLaunchpadNotStarted, "Trading starts later.")
	if status, got := s.call(t, "buyByAction", mint.String()+"/buy/1", account(wallet)); status != http.StatusBadRequest && status != http.StatusConflict || got["message"] != "Trading starts later." {
		t.Errorf("buyByAction before the start = %d %v, want 400 or 409 with the service's detail", status, got)
	}
}

func TestClaimNeedsTheWalletsSignature(t *testing.T) {
	s := newService(t)
	s.problem = apperr.New(apperr.CodeBelowCost, "Too little.")
	if status, got := s.call(t, "claimByAction", mint.String()+"/claim", account(wallet)); status != http.StatusBadRequest || got["message"] != "Too little." || got["code"] != "nothing_to_claim" {
		t.Errorf("claimByAction below cost = %d %v, want 400 nothing_to_claim", status, got)
	}
	s.problem = nil
	_, asked := s.call(t, "claimByAction", mint.String()+"/claim", account(wallet))
	confirm := mint.String() + "/claim/confirm"
	other := solana.PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize)))
	set := func(name string, value any) func(map[string]any) {
		return func(data map[string]any) { data[name] = value }
	}
	for name, body := range map[string]string{
		"another key":       confirmation(t, other, wallet, asked, unchanged),
		"another account":   confirmation(t, key, other.PublicKey(), asked, unchanged),
		"another domain":    confirmation(t, key, wallet, asked, set("domain", "evil.example")),
		"another address":   confirmation(t, key, wallet, asked, set("address", other.PublicKey().String())),
		"another statement": confirmation(t, key, wallet, asked, set("statement", "Hello.")),
		"another nonce":     confirmation(t, key, wallet, asked, set("nonce", strings.Repeat("1", 32))),
		"a nonce of lines":  confirmation(t, key, wallet, asked, set("nonce", "1\nIssued At: 2027-01-01T00:00:00.000Z")),
		"another time":      confirmation(t, key, wallet, asked, set("issuedAt", "2026-11-30T12:00:01.000Z")),
		"no time":           confirmation(t, key, wallet, asked, set("issuedAt", "now")),
		"a time to come":    confirmation(t, key, wallet, asked, set("issuedAt", "2026-11-30T12:01:01.000Z")),
	} {
		if status, got := s.call(t, "confirmClaimByAction", confirm, body); status != http.StatusUnauthorized || got["message"] == nil {
			t.Errorf("confirmClaimByAction, %s = %d %v, want 401 with a message", name, status, got)
		}
	}
	for _, body := range []string{account(wallet), strings.TrimSuffix(account(wallet), "}") + `,"data":"text","signature":"x"}`} {
		if status, got := s.call(t, "confirmClaimByAction", confirm, body); status != http.StatusBadRequest {
			t.Errorf("confirmClaimByAction with body %s = %d %v, want 400", body, status, got)
		}
	}
	good := confirmation(t, key, wallet, asked, unchanged)
	if status, got := s.call(t, "confirmClaimByAction", other.PublicKey().String()+"/claim/confirm", good); status != http.StatusUnauthorized {
		t.Errorf("a claim of another token: %d %v", status, got)
	}
	s.now = noon.Add(5 * time.Minute)
	if status, got := s.call(t, "confirmClaimByAction", confirm, good); status != http.StatusUnauthorized || got["code"] != "challenge_expired" {
		t.Errorf("confirmClaimByAction after five minutes = %d %v, want 401 challenge_expired", status, got)
	}
	if len(s.claims) > 0 {
		t.Fatalf("claimed: %v", s.claims)
	}
	s.now = noon.Add(5*time.Minute - time.Millisecond)
	for range limits.Claims.Limit {
		if status, got := s.call(t, "confirmClaimByAction", confirm, good); status != http.StatusOK || got["type"] != action.Completed || got["links"] != nil {
			t.Errorf("confirmClaimByAction = %d %v, want 200 without links", status, got)
		}
	}
	if status, got := s.call(t, "confirmClaimByAction", confirm, good); status != http.StatusTooManyRequests || got["message"] == nil {
		t.Errorf("confirmClaimByAction over the limit = %d %v, want 429 with a message", status, got)
	}
	if len(s.claims) != limits.Claims.Limit || s.claims[0] != wallet.String()+" "+mint.String() {
		t.Errorf("claimed: %v", s.claims)
	}
}
