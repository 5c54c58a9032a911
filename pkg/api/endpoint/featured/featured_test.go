package featured_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/featured"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token"
)

var (
	caller = solana.MustPublicKeyFromBase58("Vote111111111111111111111111111111111111111")
	mint   = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	noon   = time.Date(2026, 11, 22, 12, 0, 0, 5_000_000, time.UTC)
)

// service remembers what it was asked and answers from a few fixed facts.
type service struct {
	asked  bool
	caller solana.PublicKey
	mint   string
	days   int
	err    error
	listed []featured.Listed
	now    time.Time

	after, next string
	limit       int
}

func (s *service) Create(_ context.Context, caller solana.PublicKey, mintAddress string, days int) (featured.Offer, error) {
	s.asked, s.caller, s.mint, s.days = true, caller, mintAddress, days
	return featured.Offer{
		Promotion: featured.Promotion{
			ID: "id", Mint: mint, Days: days, Lamports: uint64(days) * featured.LamportsPerDay,
			Treasury: mint, Reference: caller,
		},
		Transaction: transaction.Unsigned{
			ID: "id", Transaction: []byte{1}, ExpiresAt: noon, LastValid: 9, Cost: transaction.Cost{NetworkFee: 1, Deposit: 2},
			Explanation: []string{"One."}, Simulation: transaction.Simulation{OK: true, ComputeUnits: 450},
		},
	}, s.err
}

func (s *service) Featured(_ context.Context, now time.Time, after string, limit int) ([]featured.Listed, string, error) {
	s.now, s.after, s.limit = now, after, limit
	return s.listed, s.next, s.err
}

// call makes a request of the caller; body may be empty.
func call(t *testing.T, s *service, by apigw.CallerContext, method, target, body string) (int, map[string]any) {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	e := endpoint.Endpoint{Promotions: s, Records: s, Gateway: "https://ipfs.example", Now: func() time.Time { return noon }}
	handler, err := api.Handler(route.FunctionFeatured, e.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	by.SourceIP, by.RequestID = "203.0.113.7", "r"
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), by), method, target, strings.NewReader(body))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s responded %q: %v", method, target, w.Body, err)
	}
	return w.Code, answer
}

func create(t *testing.T, s *service, body string) (int, map[string]any) {
	t.Helper()
	return call(t, s, apigw.CallerContext{Wallet: caller.String()}, http.MethodPost, "/featured/create-unsigned", body)
}

func TestOfferResponse(t *testing.T) {
	s := &service{}
	status, got := create(t, s, `{"tokenMint":"`+mint.String()+`","durationDays":30}`)
	want := `{"amount":"9000000000","cost":{"depositLamports":"2","networkFeeLamports":"1","protocolFeeLamports":"0","rentLamports":"0","totalLamports":"3"},` +
		`"durationDays":30,"expiresAt":"2026-11-22T12:00:00.005Z","explanation":["One."],"lastValidBlockHeight":9,"promotionId":"id","recipient":"` + mint.String() + `",` +
		`"reference":"` + caller.String() + `","simulation":{"computeUnits":450,"ok":true},"transaction":"AQ==","transactionId":"id"}`
	if text, _ := json.Marshal(got); status != http.StatusOK || string(text) != want {
		t.Errorf("%d, got\n%s, want\n%s", status, text, want)
	}
	if s.caller != caller || s.mint != mint.String() || s.days != 30 {
		t.Errorf("requested by %s for %s and %d days", s.caller, s.mint, s.days)
	}
}

func TestOfferRejections(t *testing.T) {
	address := `"tokenMint":"` + mint.String() + `"`
	for body, want := range map[string]map[string]string{
		`{` + address + `,"durationDays":0}`:                       {"durationDays": "out_of_range"},
		`{` + address + `,"durationDays":31}`:                      {"durationDays": "out_of_range"},
		`{` + address + `,"durationDays":-1}`:                      {"durationDays": "out_of_range"},
		`{` + address + `,"durationDays":99999999999999999999}`:    {"durationDays": "out_of_range"},
		`{` + address + `,"durationDays":1.5}`:                     {"durationDays": "invalid_format"},
		`{` + address + `,"durationDays":1e1}`:                     {"durationDays": "invalid_format"},
		`{` + address + `,"durationDays":"3"}`:                     {"durationDays": "invalid_type"},
		`{` + address + `,"durationDays":null}`:                    {"durationDays": "required"},
		`{` + address + `}`:                                        {"durationDays": "required"},
		`{"durationDays":3}`:                                       {"tokenMint": "required"},
		`{"tokenMint":"","durationDays":3}`:                        {"tokenMint": "required"},
		`{"tokenMint":5,"durationDays":true}`:                      {"tokenMint": "invalid_type", "durationDays": "invalid_type"},
		`{` + address + `,"durationDays":3,"referral":"a friend"}`: {"referral": "unknown_field"},
	} {
		t.Run(body, func(t *testing.T) {
			s := &service{}
			status, answer := create(t, s, body)
			got := map[string]string{}
			fields, _ := answer["errors"].([]any)
			for _, field := range fields {
				f := field.(map[string]any)
				got[f["field"].(string)] = f["code"].(string)
			}
			if status != http.StatusBadRequest || answer["code"] != "validation_failed" || s.asked || len(got) != len(want) {
				t.Errorf("%d %v, requested %v", status, answer, s.asked)
			}
			for field, code := range want {
				if got[field] != code {
					t.Errorf("%s: %q, want %q", field, got[field], code)
				}
			}
		})
	}
	// A whole number may be written with a fraction of zeros.
	if status, answer := create(t, &service{}, `{`+address+`,"durationDays":3.0}`); status != http.StatusOK || answer["durationDays"] != 3.0 {
		t.Errorf("3.0 days: %d %v", status, answer)
	}
}

func TestRefusalsAreAnswered(t *testing.T) {
	body := `{"tokenMint":"` + mint.String() + `","durationDays":3}`
	if status, answer := call(t, &service{}, apigw.CallerContext{Reason: "missing_token"}, http.MethodPost, "/featured/create-unsigned", body); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %v", status, answer)
	}
	if status, answer := create(t, &service{err: token.NotFound()}, body); status != http.StatusNotFound || answer["code"] != "token_not_found" {
		t.Errorf("no token: %d %v", status, answer)
	}
}

func TestFeaturedList(t *testing.T) {
	s := &service{listed: []featured.Listed{{
		Placement: featured.Placement{PromotionID: "id", Mint: mint, StartsAt: noon, EndsAt: noon.Add(24 * time.Hour)},
		Token:     token.Record{Mint: mint, Name: "Tidal", ImageCID: "image", FeaturedUntil: noon.Add(24 * time.Hour)},
	}}}
	status, got := call(t, s, apigw.CallerContext{}, http.MethodGet, "/featured", "")
	list := got["featured"].([]any)
	if status != http.StatusOK || len(got) != 2 || got["nextCursor"] != nil || len(list) != 1 || !s.now.Equal(noon) || s.limit != 100 {
		t.Fatalf("%d %v, of %s", status, got, s.now)
	}
	entry := list[0].(map[string]any)
	shown := entry["token"].(map[string]any)
	if len(entry) != 4 || entry["promotionId"] != "id" || entry["startsAt"] != "2026-11-22T12:00:00.005Z" || entry["endsAt"] != "2026-11-23T12:00:00.005Z" ||
		shown["name"] != "Tidal" || shown["featuredUntil"] != entry["endsAt"] || shown["imageUrl"] != "https://ipfs.example/ipfs/image" {
		t.Errorf("entry = %v, want the promotion with its token", entry)
	}
	s.next = "001763985600000#" + mint.String()
	_, got = call(t, s, apigw.CallerContext{}, http.MethodGet, "/featured?limit=7", "")
	cursor, _ := got["nextCursor"].(string)
	if _, got = call(t, s, apigw.CallerContext{}, http.MethodGet, "/featured?limit=7&cursor="+cursor, ""); s.after != s.next || s.limit != 7 {
		t.Errorf("%v: requested %d after %q, want the items after %q", got, s.limit, s.after, s.next)
	}
	if status, _ := call(t, s, apigw.CallerContext{}, http.MethodGet, "/featured?cursor=x", ""); status != http.StatusBadRequest {
		t.Errorf("a cursor of no page: %d", status)
	}
	if _, got := call(t, &service{}, apigw.CallerContext{}, http.MethodGet, "/featured", ""); got["featured"] == nil || len(got["featured"].([]any)) != 0 {
		t.Errorf("no promotions: %v, want an empty list", got)
	}
}

// FuzzOfferBody sends arbitrary bodies: an offer has a valid number of days, or every invalid field
// is named, and no body is an internal error.
func FuzzOfferBody(f *testing.F) {
	f.Add(`{"tokenMint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","durationDays":3}`)
	f.Add(`{"tokenMint":1,"durationDays":"3"}`)
	f.Add(`{"tokenMint":"x","durationDays":30.0}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		s := &service{}
		status, answer := create(t, s, text)
		switch status {
		case http.StatusOK:
			if s.days < 1 || s.days > featured.MaxDays || s.mint == "" {
				t.Errorf("%d days of %q", s.days, s.mint)
			}
		case http.StatusBadRequest:
			if fields, _ := answer["errors"].([]any); s.asked || len(fields) == 0 {
				t.Errorf("rejected with %v, requested %v", answer, s.asked)
			}
		case http.StatusRequestEntityTooLarge:
		default:
			t.Errorf("status %d: %v", status, answer)
		}
	})
}
