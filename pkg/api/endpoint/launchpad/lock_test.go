package launchpad_test

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// The lock route's responses on a chain without the program, and its rejections.
func TestLocksOnAChainWithoutTheProgram(t *testing.T) {
	stack, ledger := localnet.AWS(t), localnet.Chain(t)
	node, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	table := stack.CreateTable(t, schema.Launch)
	clock := func() time.Time { return noon }
	locks := lock.Service{
		Issued: issued.Store{Client: dynamo.New(stack.Config(t.Context())), Table: table}, Chain: node, Random: rand.Reader,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: clock, NewID: uuid.NewString},
	}
	ask := func(t *testing.T, mint, body string) (int, map[string]any) {
		t.Helper()
		api := apigw.API{ // with a bucket of its own
			Limiter: &ratelimittest.Memory{Now: time.Now}, Answers: &idempotencytest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: clock,
		}
		h, err := api.Handler(route.FunctionLaunchpad, launchpad.Endpoint{Locks: locks}.Handlers())
		if err != nil {
			t.Fatal(err)
		}
		who := apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r", Wallet: caller.String()}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), who), http.MethodPost, "/tokens/"+mint+"/lock/create-unsigned", strings.NewReader(body)))
		if err := docstest.Check("createUnsignedLock", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("lock with %s: response does not match the document: %v", body, err)
		}
		var answer map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("lock response %q: %v", w.Body, err)
		}
		return w.Code, answer
	}
	mint := solana.NewWallet().PublicKey().String()
	ledger.SetAccount(t, mint, surfpool.Account{Lamports: 10_000_000, Owner: surfpool.Token2022Program, Data: taxedMint()})
	ledger.Fund(t, caller.String(), 1_000_000_000)
	first := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Second)
	at := func(after time.Duration) string {
		return `"firstReleaseAt":"` + first.Add(after).Format(time.RFC3339) + `"`
	}

	status, got := ask(t, mint, `{"tokenAmount":"1000000","releases":12,"periodSeconds":86400,"recipient":"`+stranger.String()+`",`+at(0)+`}`)
	if status != http.StatusOK {
		t.Fatalf("lock = %d %v, want 200", status, got)
	}
	for field, want := range map[string]any{
		"tokenMint": mint, "tokenAmount": "999999", "tokenAmountAfterTax": "949999", "recipient": stranger.String(), "releases": 12.0,
		"firstReleaseAmount": "79173", "periodAmount": "79166", "periodSeconds": 86400.0,
		"firstReleaseAt": first.Format("2006-01-02T15:04:05.000Z"), "lastReleaseAt": first.AddDate(0, 0, 11).Format("2006-01-02T15:04:05.000Z"),
	} {
		if got[field] != want {
			t.Errorf("%s is %v, want %v", field, got[field], want)
		}
	}
	if s, _ := got["simulation"].(map[string]any); s["ok"] != false || s["reason"] != "program_unavailable" {
		t.Errorf("simulation = %v, want program_unavailable", got["simulation"])
	}
	if status, got = ask(t, mint, `{"tokenAmount":"1000000","releases":1,`+at(0)+`}`); status != http.StatusOK || got["recipient"] != caller.String() ||
		got["periodSeconds"] != nil || got["periodAmount"] != "0" || got["firstReleaseAmount"] != got["tokenAmountAfterTax"] {
		t.Errorf("lock with one release = %d %v, want 200 for the caller, with the whole amount in the first release", status, got)
	}
	for _, unknown := range []string{stranger.String(), "nonsense"} {
		if status, got := ask(t, unknown, `{"tokenAmount":"1000000","releases":1,`+at(0)+`}`); status != http.StatusNotFound || got["code"] != "token_not_found" {
			t.Errorf("lock of %s = %d %v, want 404 token_not_found", unknown, status, got)
		}
	}
	escrow := "HVSD3yugYfaeDoLMYmzrwd4aQSHFUCDaGxRzCLqawSUo" // the address of no key
	for body, want := range map[string]map[string]string{
		`{}`: {"tokenAmount": "required", "releases": "required", "firstReleaseAt": "required"},
		`{"tokenAmount":"0","releases":1,` + at(0) + `}`:                                                   {"tokenAmount": "out_of_range"},
		`{"tokenAmount":"9","releases":10,"periodSeconds":1,` + at(0) + `}`:                                {"tokenAmount": "out_of_range"},
		`{"tokenAmount":"9","releases":0,` + at(0) + `}`:                                                   {"releases": "out_of_range"},
		`{"tokenAmount":"9","releases":1001,"periodSeconds":1,` + at(0) + `}`:                              {"releases": "out_of_range"},
		`{"tokenAmount":"9","releases":2,` + at(0) + `}`:                                                   {"periodSeconds": "required"},
		`{"tokenAmount":"9","releases":1,"periodSeconds":1,` + at(0) + `}`:                                 {"periodSeconds": "out_of_range"},
		`{"tokenAmount":"9","releases":2,"periodSeconds":31536001,` + at(0) + `}`:                          {"periodSeconds": "out_of_range"},
		`{"tokenAmount":"9999","releases":11,"periodSeconds":31536000,` + at(0) + `}`:                      {"periodSeconds": "out_of_range"},
		`{"tokenAmount":"9999","releases":294,"periodSeconds":31536000,` + at(0) + `}`:                     {"periodSeconds": "out_of_range"},
		`{"tokenAmount":"9999","releases":1000,"periodSeconds":31536000,` + at(0) + `}`:                    {"periodSeconds": "out_of_range"},
		`{"tokenAmount":"9","releases":1,` + at(-48*time.Hour) + `}`:                                       {"firstReleaseAt": "out_of_range"},
		`{"tokenAmount":"9","releases":1,` + at(lock.Longest) + `}`:                                        {"firstReleaseAt": "out_of_range"},
		`{"tokenAmount":"9","releases":1,"firstReleaseAt":"tomorrow"}`:                                     {"firstReleaseAt": "invalid_format"},
		`{"tokenAmount":"9","releases":1,"recipient":"me",` + at(0) + `}`:                                  {"recipient": "invalid_format"},
		`{"tokenAmount":"9","releases":1,"recipient":"` + escrow + `",` + at(0) + `}`:                      {"recipient": "invalid_format"},
		`{"tokenAmount":"9","releases":1,"recipient":"` + solana.PublicKey{}.String() + `",` + at(0) + `}`: {"recipient": "invalid_format"},
		`{"tokenAmount":"9","releases":1,"cancelable":true,` + at(0) + `}`:                                 {"cancelable": "unknown_field"},
	} {
		status, got := ask(t, mint, body)
		said := map[string]string{}
		fields, _ := got["errors"].([]any)
		for _, f := range fields {
			one, _ := f.(map[string]any)
			field, _ := one["field"].(string)
			said[field], _ = one["code"].(string)
		}
		if status != http.StatusBadRequest || len(said) != len(want) {
			t.Errorf("%s: %d %v, want %v", body, status, got, want)
		}
		for field, code := range want {
			if said[field] != code {
				t.Errorf("%s: %s is %s, want %s", body, field, said[field], code)
			}
		}
	}
}
