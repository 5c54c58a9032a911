package burns_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/burns"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/testkit/settingstest"
	"tokenlaunch.example/service/pkg/token"
)

var (
	mint  = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	other = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
	noon  = time.Date(2026, 11, 21, 12, 0, 0, 5_000_000, time.UTC)
)

// history has a number of burns; the place of one is its number from the newest.
type history struct {
	burns int
	asked []string
	err   error
}

func (h *history) Page(_ context.Context, m solana.PublicKey, after string, limit int) ([]run.Burn, uint64, string, error) {
	h.asked = append(h.asked, fmt.Sprintf("%s %d", after, limit))
	if m != mint {
		return nil, 0, "", h.err
	}
	first := 0
	if after != "" {
		if _, err := fmt.Sscanf(after, "%012d#", &first); err != nil {
			return nil, 0, "", err
		}
		first++
	}
	last := min(first+limit, h.burns)
	var page []run.Burn
	for i := first; i < last; i++ {
		page = append(page, run.Burn{
			Mint: mint, Run: runID(i), Amount: 1<<64 - 1, Signature: solana.Signature{byte(i + 1)}, ChainSlot: uint64(i), At: noon,
		})
	}
	next := ""
	if last < h.burns {
		next = fmt.Sprintf("%012d#%s", last-1, runID(last-1))
	}
	return page, 1<<64 - 1, next, h.err
}

func runID(i int) string { return fmt.Sprintf("4b8f7d8e-6f0e-5a7c-9a51-%012d", i) }

func call(t *testing.T, h *history, target string) (int, map[string]any) {
	t.Helper()
	data := make([]byte, 82) // spl-token, Mint
	binary.LittleEndian.PutUint64(data[36:], 1<<64-2)
	data[44], data[45] = 6, 1
	store := &settingstest.Memory{}
	store.Put(token.Record{Mint: mint, Status: token.Confirmed})
	store.Put(token.Record{Mint: other, Status: token.Submitted})
	endpoint := burns.Endpoint{
		Tokens: store, History: h,
		Chain: &settingstest.Chain{Accounts: map[solana.PublicKey]onchain.Account{mint: {Owner: solana.TokenProgramID, Data: data}}},
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	handler, err := api.Handler(route.FunctionBurns, endpoint.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(
		apigw.WithCaller(t.Context(), apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r"}), http.MethodGet, target, http.NoBody)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if err := docstest.Check("getBurns", w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("GET %s: response does not match the document: %v", target, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s responded %q: %v", target, w.Body, err)
	}
	return w.Code, answer
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBurnsAreShown(t *testing.T) {
	status, got := call(t, &history{burns: 1}, "/burns/"+mint.String())
	want := `{"burns":[{"amount":"18446744073709551615","chainSlot":0,"id":"` + got["burns"].([]any)[0].(map[string]any)["id"].(string) +
		`","runId":"` + runID(0) + `","signature":"` + solana.Signature{1}.String() + `","timestamp":"2026-11-21T12:00:00.005Z"}],` +
		`"currentSupply":"18446744073709551614","mintAddress":"` + mint.String() + `","nextCursor":null,"totalBurned":"18446744073709551615"}`
	if status != http.StatusOK || encode(t, got) != want {
		t.Errorf("%d\n%s, want\n%s", status, encode(t, got), want)
	}
	if status, got := call(t, &history{}, "/burns/"+other.String()); status != http.StatusOK || encode(t, got["burns"]) != "[]" ||
		got["totalBurned"] != "0" || got["currentSupply"] != "0" {
		t.Errorf("a token that is not on the chain: %d %v", status, got)
	}
}

func TestPagesFollowEachOther(t *testing.T) {
	h := &history{burns: 45}
	seen := map[string]bool{}
	for cursor, pages := "", 1; ; pages++ {
		status, got := call(t, h, "/burns/"+mint.String()+cursor)
		if status != http.StatusOK {
			t.Fatalf("GET /burns = %d %v, want 200", status, got)
		}
		for _, b := range got["burns"].([]any) {
			id, _ := b.(map[string]any)["id"].(string)
			if seen[id] {
				t.Errorf("%s is there twice", id)
			}
			seen[id] = true
		}
		next, more := got["nextCursor"].(string)
		if !more {
			if pages != 3 || len(seen) != 45 {
				t.Errorf("%d burns on %d pages", len(seen), pages)
			}
			break
		}
		if strings.Contains(next, "#") {
			t.Errorf("the cursor shows the store's key: %s", next)
		}
		cursor = "?cursor=" + next
	}
	if call(t, h, "/burns/"+mint.String()+"?limit=100"); h.asked[3] != " 100" {
		t.Errorf("requested %q", h.asked)
	}
}

func TestBadRequests(t *testing.T) {
	for target, want := range map[string]struct {
		status int
		code   string
		field  string
	}{
		mint.String() + "?limit=0":                 {400, "validation_failed", "limit"},
		mint.String() + "?limit=101":               {400, "validation_failed", "limit"},
		mint.String() + "?limit=-1":                {400, "validation_failed", "limit"},
		mint.String() + "?limit=1.5":               {400, "validation_failed", "limit"},
		mint.String() + "?limit=ten":               {400, "validation_failed", "limit"},
		mint.String() + "?cursor=x":                {400, "validation_failed", "cursor"},
		mint.String() + "?cursor=SEVBRA":           {400, "validation_failed", "cursor"}, // HEAD
		mint.String() + "?cursor=MDAwMDAwMDAwMDAw": {400, "validation_failed", "cursor"}, // twelve digits alone
		mint.String() + "?cursor=%F0%9F%94%A5":     {400, "validation_failed", "cursor"},
		solana.WrappedSol.String():                 {404, "token_not_found", ""},
		"4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de":     {404, "token_not_found", ""},
		"x?limit=0":                                {400, "validation_failed", "limit"},
	} {
		h := &history{burns: 1}
		status, answer := call(t, h, "/burns/"+target)
		if status != want.status || answer["code"] != want.code || len(h.asked) > 0 {
			t.Errorf("%s: %d %v, requested %v", target, status, answer, h.asked)
		}
		if want.field != "" && !strings.Contains(encode(t, answer["errors"]), `"field":"`+want.field+`"`) {
			t.Errorf("GET %s = %v, want an error of %s", target, answer, want.field)
		}
	}
	if status, _ := call(t, &history{burns: 1}, "/burns/"+mint.String()+"?limit=&cursor="); status != http.StatusOK {
		t.Errorf("empty parameters: %d", status)
	}
	if status, _ := call(t, &history{err: apperr.Upstream("The store", errors.New("away"))}, "/burns/"+mint.String()); status != http.StatusServiceUnavailable {
		t.Errorf("the store is away: %d", status)
	}
}
