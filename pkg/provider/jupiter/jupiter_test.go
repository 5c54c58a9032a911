package jupiter_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The tokens and wallets of the fixtures; see testdata/README.md.
var (
	wallet = solana.MustPublicKeyFromBase58("F1Zfc85kpnyECdaKkfgbWmaPDnJLP4eb1JWGS7b4chLh")
	mint   = solana.MustPublicKeyFromBase58("DGiywtpJ7syTYjDeRtZDzet45d5ZXBFkmgG8WGhDZG9W")
	usdc   = terms.Asset(solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"))
	noon   = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

const apiKey = "jup-key-0123456789"

func order(output terms.Asset) exchange.Order {
	return exchange.Order{Wallet: wallet, Input: mint, Amount: 5_000_000_000, Output: output, SlippageBps: 300}
}

// player plays the files that it is given, one a call, and remembers the calls.
type player struct {
	status  int
	answers []string
	calls   []*url.URL
	bodies  []string
	key     string
}

func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.calls, p.bodies, p.key = append(p.calls, r.URL), append(p.bodies, string(body)), r.Header.Get("X-Api-Key")
	if len(p.answers) == 0 {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if p.status != 0 {
		w.WriteHeader(p.status)
	}
	_, _ = io.WriteString(w, p.answers[0])
	p.answers = p.answers[1:]
}

func play(t *testing.T, p *player) *jupiter.Client {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	client, err := jupiter.New(server.URL+"/swap/v1", secret.Fixed(apiKey))
	must.Do(t, err)
	client.Now = func() time.Time { return noon }
	return client
}

func file(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	must.Do(t, err)
	return string(content)
}

func reasonOf(t *testing.T, err error) exchange.Reason {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), apiKey) {
		t.Errorf("the key shows: %v", err)
	}
	deferred, ok := errors.AsType[*exchange.Deferred](err)
	if !ok {
		t.Fatalf("%v is not a deferral", err)
	}
	return deferred.Reason
}

func TestSwapForSOL(t *testing.T) {
	p := &player{answers: []string{file(t, "quote-sol.json"), file(t, "swap-sol.json")}}
	client := play(t, p)
	q, err := client.Quote(t.Context(), order(terms.SOL))
	must.Do(t, err)
	if q.In != 5_000_000_000 || q.Out != 123_456_789 || q.MinimumOut != 119_753_085 || q.PriceImpactBps != 222 ||
		!q.ValidUntil.Equal(noon.Add(30*time.Second)) || q.Order != order(terms.SOL) {
		t.Errorf("Quote() = %+v, want 123456789 out, at least 119753085, for 30 seconds", q)
	}
	must.Do(t, exchange.DefaultLimits().Accept(q, nil, noon))
	want := url.Values{
		"inputMint": {mint.String()}, "outputMint": {solana.WrappedSol.String()}, "amount": {"5000000000"}, "slippageBps": {"300"},
		"swapMode": {"ExactIn"}, "asLegacyTransaction": {"true"}, "maxAccounts": {"21"},
		"restrictIntermediateTokens": {"true"}, "instructionVersion": {"V1"},
	}
	if asked := p.calls[0]; asked.Path != "/swap/v1/quote" || asked.Query().Encode() != want.Encode() || p.key != apiKey {
		t.Errorf("requested %s with the key %q", asked, p.key)
	}

	s, err := client.Swap(t.Context(), q)
	must.Do(t, err)
	if p.calls[1].Path != "/swap/v1/swap-instructions" {
		t.Errorf("requested %s", p.calls[1])
	}
	var asked map[string]any
	must.Do(t, json.Unmarshal([]byte(p.bodies[1]), &asked))
	quoted, _ := asked["quoteResponse"].(map[string]any)
	if asked["userPublicKey"] != wallet.String() || asked["wrapAndUnwrapSol"] != true || asked["asLegacyTransaction"] != true ||
		quoted["contextSlot"] != 377004117.0 || len(asked) != 5 {
		t.Errorf("requested %v", asked)
	}
	if len(s.Instructions) != 3 || s.ComputeUnits != 143_888 || s.CoSign != nil || len(s.CoSigners) != 0 {
		t.Errorf("Swap() = %+v, want 3 instructions in 143888 units", s)
	}
	check(t, s)
}

// check composes what the payout engine would, and holds it against the policy.
func check(t *testing.T, s exchange.Swap) {
	t.Helper()
	receipt := solana.PublicKey{1}
	message, err := wire.Compile(wallet, solana.Hash{1}, append([]solana.Instruction{
		systemprogram.CreateAccountWithSeed{Payer: wallet, Account: receipt, Base: wallet, Seed: strings.Repeat("s", 22)}.Instruction(),
		computebudget.SetUnitLimit(s.ComputeUnits), computebudget.SetUnitPrice(1),
	}, s.Instructions...))
	must.Do(t, err)
	must.Do(t, exchange.Check(message, exchange.NewPolicy(s, receipt)))
}

func TestSwapForToken(t *testing.T) {
	p := &player{answers: []string{file(t, "quote-usdc.json"), file(t, "swap-usdc.json")}}
	client := play(t, p)
	q, err := client.Quote(t.Context(), order(usdc))
	must.Do(t, err)
	s, err := client.Swap(t.Context(), q)
	must.Do(t, err)
	if len(s.Instructions) != 1 || s.Quote.MinimumOut != 17_962_962 {
		t.Errorf("Swap() = %+v, want 1 instruction with a minimum of 17962962", s)
	}
	check(t, s)
}

func TestQuoteRejections(t *testing.T) {
	good := file(t, "quote-sol.json")
	change := func(old, now string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not in the fixture", old)
		}
		return strings.Replace(good, old, now, 1)
	}
	tests := []struct {
		name   string
		status int
		answer string
		reason exchange.Reason // empty: Jupiter is as good as away
	}{
		{"no route", 400, file(t, "no-route.json"), exchange.NoRoute},
		{"not tradable", 400, `{"error":"…","errorCode":"TOKEN_NOT_TRADABLE"}`, exchange.NoRoute},
		{"our mistake", 400, `{"error":"invalid mint"}`, exchange.Unreadable},
		{"the API was removed", 404, `Not Found`, exchange.Unreadable},
		{"too many requests", 429, `{"code":429}`, ""},
		{"the key is wrong", 401, `{"code":401,"message":"Unauthorized"}`, ""},
		{"away", 502, `<html>`, ""},
		{"not JSON", 200, `<html>`, ""},
		{"an amount as a number", 200, change(`"123456789"`, `123456789`), exchange.Unreadable},
		{"a negative amount", 200, change(`"123456789"`, `"-1"`), exchange.Unreadable},
		{"no minimum", 200, change(`"119753085"`, `""`), exchange.Unreadable},
		{"another mint", 200, change(mint.String(), wallet.String()), ""},
		{"another output", 200, change(solana.WrappedSol.String(), usdc.String()), ""},
		{"more slippage", 200, change(`"slippageBps": 300`, `"slippageBps": 301`), ""},
		{"another mode", 200, change("ExactIn", "ExactOut"), ""},
		{"a fee", 200, change(`"platformFee": null`, `"platformFee": {"amount": "1", "feeBps": 1}`), ""},
		{"no impact", 200, change(`"0.0221788557383956966426401317"`, `""`), exchange.Unreadable},
		{"an impact of a thousand million digits", 200, change(`"0.0221788557383956966426401317"`, `"1e999999999"`), exchange.Unreadable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			client := play(t, &player{status: test.status, answers: []string{test.answer}})
			_, err := client.Quote(t.Context(), order(terms.SOL))
			if test.reason == "" {
				if apperr.KindOf(err) != apperr.Unavailable || strings.Contains(err.Error(), apiKey) {
					t.Error(err)
				}
				return
			}
			if reason := reasonOf(t, err); reason != test.reason {
				t.Errorf("Quote(): reason %q, %v; want %q", reason, err, test.reason)
			}
		})
	}
}

func TestImpacts(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "-0.00013": 0, "0.0001": 1, "0.00010001": 2, "0.05": 500, "1": 10_000, "7.5": 10_000, "0.99999": 10_000,
	} {
		answer := strings.Replace(file(t, "quote-sol.json"), "0.0221788557383956966426401317", text, 1)
		q, err := play(t, &player{answers: []string{answer}}).Quote(t.Context(), order(terms.SOL))
		if err != nil || q.PriceImpactBps != want {
			t.Errorf("%s is %d basis points, want %d: %v", text, q.PriceImpactBps, want, err)
		}
	}
}

func TestQuoteOfAnotherVenue(t *testing.T) {
	client := play(t, &player{})
	if _, err := client.Swap(t.Context(), exchange.Quote{Venue: "maker"}); err == nil {
		t.Error("the setting is accepted")
	}
	if _, err := jupiter.New("jup.ag", nil); err == nil {
		t.Error("an address without a scheme is accepted")
	}
}

// TestQuoteUsesRotatedKey tests that a request uses the source's present key, and waits without a
// key.
func TestQuoteUsesRotatedKey(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("X-Api-Key"))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	now, failure := "first", error(nil)
	client, err := jupiter.New(server.URL, func(context.Context) (string, error) { return now, failure })
	if err != nil {
		t.Fatal(err)
	}
	for _, now = range []string{"first", "second"} {
		if _, err := client.Quote(t.Context(), exchange.Order{}); apperr.KindOf(err) != apperr.Unavailable {
			t.Error(err)
		}
	}
	failure = errors.New("no secret")
	if _, err := client.Quote(t.Context(), exchange.Order{}); apperr.KindOf(err) != apperr.Unavailable || !errors.Is(err, failure) {
		t.Error(err)
	}
	if !slices.Equal(asked, []string{"first", "second"}) {
		t.Errorf("requested with %q", asked)
	}
	for _, bad := range []string{"", "two words", apiKey + "\n"} {
		if err := jupiter.CheckKey(bad); err == nil || strings.Contains(err.Error(), apiKey) {
			t.Errorf("CheckKey(%q) = %v, want an error without the key", bad, err)
		}
	}
	if err := jupiter.CheckKey(apiKey); err != nil {
		t.Error(err)
	}
}
