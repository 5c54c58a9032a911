package tokens_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

var (
	caller = solana.MustPublicKeyFromBase58("Vote111111111111111111111111111111111111111")
	mint   = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	noon   = time.Date(2026, 11, 21, 12, 0, 0, 5_000_000, time.UTC)
)

// service remembers what it was asked and answers from a few fixed facts.
type service struct {
	draft   *token.Draft
	page    [2]int64
	creator solana.PublicKey
	// visibleOnly: asked for what anyone may see of a creator's tokens.
	visibleOnly bool
	asked       string
	stats       figures.Stats
	public      map[solana.PublicKey]figures.Public
}

func (s *service) Generate(context.Context) (wallet.Wallet, error) {
	return wallet.Wallet{ID: "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de", Address: mint}, nil
}

func (s *service) Create(_ context.Context, _ solana.PublicKey, _ string, d token.Draft) (launch.Created, error) {
	s.draft = &d
	return launch.Created{
		Launch: launch.Launch{Prepared: transaction.Prepared{ID: "id", Mint: mint, ExpiresAt: noon}, Token: record()},
		Fresh:  launch.Fresh{Transaction: []byte{1}, ExpiresAt: noon}, Cost: transaction.Cost{NetworkFee: 1, Rent: 2, Deposit: 3}, Explanation: []string{"One."},
		Simulation: transaction.Simulation{Reason: transaction.InsufficientFunds, Detail: "Poor.", MissingLamports: 7},
	}, nil
}

func (s *service) Validate(_ context.Context, _ solana.PublicKey, d token.Draft) (transaction.Cost, []string, error) {
	s.draft = &d
	return transaction.Cost{NetworkFee: 1, Rent: 2, Deposit: 3}, []string{"One."}, nil
}

func (s *service) Submit(_ context.Context, _ solana.PublicKey, id, _ string) (launch.Launch, error) {
	status := transaction.Confirmed
	if id == "old" {
		return launch.Launch{}, &launch.ExpiredError{
			Told:  apperr.New(apperr.CodeTransactionExpired, "Old."),
			Fresh: launch.Fresh{Transaction: []byte{2}, ExpiresAt: noon, LastValid: 4_711},
		}
	}
	if id == "slow" {
		status = transaction.Submitted
	}
	return launch.Launch{Prepared: transaction.Prepared{Mint: mint, Status: status, Signature: solana.Signature{1}}}, nil
}

func (s *service) Status(_ context.Context, _ solana.PublicKey, id string) (launch.Launch, error) {
	l, found := orders[id]
	if !found {
		return launch.Launch{}, apperr.New(apperr.CodeNotFound, "None.")
	}
	l.ID, l.Mint, l.ExpiresAt = id, mint, noon
	return launch.Launch{Prepared: l}, nil
}

// orders are those of the caller.
var orders = map[string]transaction.Prepared{
	"waiting": {Status: transaction.Pending},
	"sent":    {Status: transaction.Submitted, Signature: solana.Signature{1}},
	"refused": {Status: transaction.Failed, Signature: solana.Signature{1}, Reason: "Poor."},
}

func (s *service) Refresh(_ context.Context, _ solana.PublicKey, id string) (launch.Fresh, error) {
	if _, found := orders[id]; !found {
		return launch.Fresh{}, apperr.New(apperr.CodeNotFound, "None.")
	}
	return launch.Fresh{Transaction: []byte{2}, ExpiresAt: noon, LastValid: 4_711}, nil
}

func (s *service) Token(_ context.Context, m solana.PublicKey) (token.Record, error) {
	if m != mint {
		return token.Record{}, token.ErrNotFound
	}
	return record(), nil
}

func (s *service) List(_ context.Context, page, limit int64) ([]token.Record, int64, error) {
	s.page, s.creator = [2]int64{page, limit}, solana.PublicKey{}
	return []token.Record{record()}, 41, nil
}

func (s *service) ListOf(_ context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	s.page, s.creator = [2]int64{page, limit}, creator
	return nil, 0, nil
}

func (s *service) ListAllOf(_ context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	s.page, s.creator = [2]int64{page, limit}, creator
	list := make([]token.Record, 3)
	for i, status := range []token.Status{token.Submitted, token.Failed, token.Confirmed} {
		list[i] = record()
		list[i].Status, list[i].TransactionID = status, "launch"
	}
	list[1].Reason = "Poor."
	return list, 3, nil
}

func (s *service) ListVisibleOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	s.visibleOnly = true
	return s.ListOf(ctx, creator, page, limit)
}

func record() token.Record {
	settings := terms.Default(caller)
	settings.BurnBps, settings.DeveloperFeeBps, settings.SellBps = 250, 5, 10_000
	return token.Record{
		ID: "id", Mint: mint, Creator: caller, Name: "Tidal", Symbol: "TIDE", ImageCID: "image", MetadataCID: "meta",
		Status: token.Confirmed, Visible: true, Decimals: 6, Supply: 1<<64 - 1, TransferFeeBps: 550, FeeAdjustable: true, Immutable: true,
		Wallet: token.Wallet{ID: "wallet", Address: mint}, Settings: settings, CreatedAt: noon,
	}
}

// ask makes a request of the caller; body may be empty.
func ask(t *testing.T, s *service, method, target, body string) *httptest.ResponseRecorder {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	e := tokens.Endpoint{Wallets: s, Launches: s, Records: s, Figures: s, Gateway: "https://ipfs.example", Now: time.Now}
	handler, err := api.Handler(route.FunctionTokens, e.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(
		apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: caller.String(), SourceIP: "203.0.113.7", RequestID: "r"}),
		method, target, strings.NewReader(body))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// call is ask, and reads the response.
func call(t *testing.T, s *service, method, target, body string) (int, map[string]any) {
	t.Helper()
	w := ask(t, s, method, target, body)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s responded %q: %v", method, target, w.Body, err)
	}
	return w.Code, answer
}

// creation is a body of create-unsigned with only what is required.
func creation() map[string]any {
	return map[string]any{
		"name": "Tidal", "symbol": "TIDE", "imageUri": "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
		"walletId": "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de", "transferFeePercent": 5, "decimals": 6, "supply": "1000000",
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCreateBadFieldsCreatesNothing(t *testing.T) {
	for _, c := range []struct {
		field string
		value any // nil removes the field
		code  string
	}{
		{"name", nil, "required"},
		{"name", "", "required"},
		{"name", 7, "invalid_type"},
		{"name", strings.Repeat("n", 33), "out_of_range"},
		{"name", " n", "invalid_format"},
		{"symbol", nil, "required"},
		{"symbol", strings.Repeat("s", 11), "out_of_range"},
		{"imageUri", nil, "required"},
		{"imageUri", "https://a.example/i.png", "invalid_format"},
		{"walletId", nil, "required"},
		{"walletId", "wallet", "invalid_format"},
		{"description", []string{}, "invalid_type"},
		{"twitter", "not a link", "invalid_format"},
		{"telegram", "ftp://t.me/x", "invalid_format"},
		{"website", "javascript:alert(1)", "invalid_format"},
		{"transferFeePercent", nil, "required"},
		{"transferFeePercent", "5", "invalid_type"},
		{"transferFeePercent", -1, "invalid_percentage"},
		{"transferFeePercent", 100.01, "invalid_percentage"},
		{"transferFeePercent", 1.234, "invalid_percentage"},
		{"burnPercent", 101, "invalid_percentage"},
		{"developerFeePercent", 101, "invalid_percentage"},
		{"developerWallet", "x", "invalid_wallet_address"},
		{"creatorSplits", []any{map[string]any{"wallet": mint.String(), "percent": 50}}, "out_of_range"},
		{"distributionInterval", "2h", "invalid_interval"},
		{"rewardBasis", "average", "invalid_format"},
		{"minimumHoldersPercent", 100.5, "invalid_percentage"},
		{"percentageToSellPerDistribution", 0, "invalid_percentage"},
		{"percentageToSellPerDistribution", 0.5, "invalid_percentage"},
		{"rewardToken", "USDC", "invalid_format"},
		{"minimumHoldingRequirement", 5, "invalid_type"},
		{"minimumHoldingRequirement", "-5", "invalid_format"},
		{"decimals", nil, "required"},
		{"decimals", 8, "out_of_range"},
		{"decimals", "6", "invalid_type"},
		{"supply", nil, "required"},
		{"supply", "0", "out_of_range"},
		{"supply", "18446744073709551616", "out_of_range"},
		{"supply", "01", "invalid_format"},
		{"supply", 1000, "invalid_type"},
		{"transferFeeAdjustable", "yes", "invalid_type"},
		{"immutableMetadata", 1, "invalid_type"},
		{"guardian", true, "invalid_type"},
		{"guardian", "l" + mint.String()[1:], "invalid_wallet_address"},
		{"mintAuthority", "x", "unknown_field"},
	} {
		t.Run(fmt.Sprintf("%s %v", c.field, c.value), func(t *testing.T) {
			body := creation()
			body[c.field] = c.value
			if c.value == nil {
				delete(body, c.field)
			}
			s := &service{}
			status, answer := call(t, s, http.MethodPost, "/tokens/create-unsigned", encode(t, body))
			if status != http.StatusBadRequest || answer["code"] != "validation_failed" {
				t.Fatalf("%d %v, want 400 validation_failed", status, answer)
			}
			bad, _ := answer["errors"].([]any)
			first, _ := bad[0].(map[string]any)
			if len(bad) != 1 || first["field"] != c.field || first["code"] != c.code || first["message"] == "" {
				t.Errorf("errors %v, want one: %s %s", bad, c.field, c.code)
			}
			if s.draft != nil {
				t.Error("something was created all the same")
			}
		})
	}
}

func TestEveryBadFieldIsNamedAtOnce(t *testing.T) {
	_, answer := call(t, &service{}, http.MethodPost, "/tokens/create-unsigned",
		`{"name":1,"symbol":"`+strings.Repeat("s", 11)+`","decimals":7,"foo":1}`)
	var fields []string
	for _, e := range answer["errors"].([]any) {
		fields = append(fields, e.(map[string]any)["field"].(string))
	}
	slices.Sort(fields)
	want := []string{"decimals", "foo", "imageUri", "name", "supply", "symbol", "transferFeePercent", "walletId"}
	if !slices.Equal(fields, want) {
		t.Errorf("bad fields %v, want %v", fields, want)
	}
}

func TestCreateDefaults(t *testing.T) {
	for name, empty := range map[string]any{"absent": nil, "null": json.RawMessage("null"), "empty": ""} {
		t.Run(name, func(t *testing.T) {
			body := creation()
			if empty != nil {
				for _, field := range []string{"description", "twitter", "telegram", "website", "rewardToken", "developerWallet", "distributionInterval", "minimumHoldingRequirement"} {
					body[field] = empty
				}
			}
			s := &service{}
			status, answer := call(t, s, http.MethodPost, "/tokens/create-unsigned", encode(t, body))
			if status != http.StatusOK {
				t.Fatalf("create-unsigned = %d %v, want 200", status, answer)
			}
			if want := terms.Default(caller); s.draft.Settings != want || s.draft.FeeAdjustable || s.draft.Immutable {
				t.Errorf("the draft is %+v, want settings %+v", s.draft, want)
			}
		})
	}
}

func TestCreateKeepsChoices(t *testing.T) {
	body := creation()
	maps.Copy(body, map[string]any{
		"description": "About.", "twitter": "@tide", "telegram": "t.me/tide", "website": "https://tide.example",
		"transferFeePercent": 2.5, "burnPercent": 10.25, "developerFeePercent": 89.75, "developerWallet": mint.String(),
		"distributionInterval": "24h", "percentageToSellPerDistribution": 1, "rewardToken": mint.String(),
		"minimumHoldingRequirement": "0", "decimals": 9, "supply": "18446744073709551615",
		"transferFeeAdjustable": true, "immutableMetadata": true, "guardian": mint.String(),
	})
	s := &service{}
	if status, answer := call(t, s, http.MethodPost, "/tokens/create-unsigned", encode(t, body)); status != http.StatusOK {
		t.Fatalf("create-unsigned = %d %v, want 200", status, answer)
	}
	want := token.Draft{
		Name: "Tidal", Symbol: "TIDE", Description: "About.", ImageURI: body["imageUri"].(string), WalletID: body["walletId"].(string),
		Links:          token.Links{Twitter: "https://x.com/tide", Telegram: "https://t.me/tide", Website: "https://tide.example"},
		TransferFeeBps: 250, FeeAdjustable: true, Immutable: true, Guardian: mint, Decimals: 9, Supply: 1<<64 - 1,
		Settings: terms.Settings{
			RewardToken: mint.String(), MinimumHolding: 0, SellBps: 100, Enabled: true, Interval: terms.Every24Hours,
			BurnBps: 1025, DeveloperFeeBps: 8975, DeveloperWallet: mint,
		},
	}
	if *s.draft != want {
		t.Errorf("the draft is\n%+v, want\n%+v", *s.draft, want)
	}
}

func TestCreationResponse(t *testing.T) {
	_, got := call(t, &service{}, http.MethodPost, "/tokens/create-unsigned", encode(t, creation()))
	want := `{"cost":{"distributionWalletFundingLamports":"3","networkFeeLamports":"1","rentLamports":"2","totalLamports":"6"},` +
		`"expiresAt":"2026-11-21T12:00:00.005Z","explanation":["One."],"metadataUri":"https://ipfs.io/ipfs/meta","mintKeypair":{"publicKey":"` + mint.String() + `"},` +
		`"simulation":{"detail":"Poor.","missingLamports":"7","ok":false,"reason":"insufficient_funds"},"transaction":"AQ==","transactionId":"id"}`
	if encode(t, got) != want {
		t.Errorf("got\n%s, want\n%s", encode(t, got), want)
	}
}

func TestValidationResponse(t *testing.T) {
	s := &service{}
	status, got := call(t, s, http.MethodPost, "/tokens/validate", encode(t, creation()))
	want := `{"cost":{"distributionWalletFundingLamports":"3","networkFeeLamports":"1","rentLamports":"2","totalLamports":"6"},"explanation":["One."],"valid":true}`
	if status != http.StatusOK || encode(t, got) != want {
		t.Errorf("%d\n%s, want\n%s", status, encode(t, got), want)
	}
	_, refused := call(t, s, http.MethodPost, "/tokens/validate", `{"name":1}`)
	_, same := call(t, s, http.MethodPost, "/tokens/create-unsigned", `{"name":1}`)
	delete(refused, "instance")
	delete(same, "instance")
	if refused["code"] != "validation_failed" || encode(t, refused) != encode(t, same) {
		t.Errorf("validating returns\n%s, and a creation\n%s", encode(t, refused), encode(t, same))
	}
}

func TestTokenRecord(t *testing.T) {
	_, got := call(t, &service{}, http.MethodGet, "/tokens/"+mint.String(), "")
	key := mint.String()
	want := `{"authorities":{"freeze":null,"metadataUpdate":null,"mint":null,"transferFeeConfig":"` + caller.String() + `","withdrawWithheld":"` + key + `"},` +
		`"createdAt":"2026-11-21T12:00:00.005Z","creator":"` + caller.String() + `","decimals":6,"description":null,"distributionWallet":{"address":"` + key + `","walletId":"wallet"},` +
		`"featuredUntil":null,"figures":{"holders":null,"lastPayoutAt":null,"paid":[],"payouts":0,"tradedLamports":"0"},` +
		`"guardian":null,"id":"id","imageUri":"ipfs://image","imageUrl":"https://ipfs.example/ipfs/image","immutableMetadata":true,"launchpad":null,"metadataUri":"https://ipfs.io/ipfs/meta",` +
		`"mintAddress":"` + key + `","name":"Tidal","otherPools":[],"pendingSettings":null,"pools":[],"settings":{"burnPercent":2.5,"changeDelay":"none","creatorSplits":[],"developerFeePercent":0.05,"developerWallet":"` + caller.String() + `",` +
		`"distributionEnabled":true,"distributionInterval":"1h","distributionModel":"proportional","minimumHoldersPercent":0,"minimumHoldingRequirement":"1","percentageToSellPerDistribution":100,` +
		`"rewardBasis":"snapshot","rewardToken":"SOL","telegramGroupId":""},"signature":"1111111111111111111111111111111111111111111111111111111111111111","status":"confirmed",` +
		`"supply":"18446744073709551615","symbol":"TIDE","telegram":null,"transferFeeAdjustable":true,"transferFeePercent":5.5,"twitter":null,"visible":true,"website":null,"windsDownAt":null}`
	if encode(t, got) != want {
		t.Errorf("got\n%s, want\n%s", encode(t, got), want)
	}
}

func TestUnknownTokens(t *testing.T) {
	for _, address := range []string{caller.String(), "x", "0OIl", strings.Repeat("1", 31)} {
		if status, answer := call(t, &service{}, http.MethodGet, "/tokens/"+address, ""); status != http.StatusNotFound || answer["code"] != "token_not_found" {
			t.Errorf("%s: %d %v, want 404 token_not_found", address, status, answer)
		}
	}
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		query  string
		status int
		want   [2]int64
	}{
		{"", 200, [2]int64{1, 20}},
		{"?page=2&limit=100", 200, [2]int64{2, 100}},
		{"?page=&limit=", 200, [2]int64{1, 20}},
		{"?page=9007199254740991", 200, [2]int64{9007199254740991, 20}},
		{"?page=0", 400, [2]int64{}},
		{"?page=-1", 400, [2]int64{}},
		{"?page=1.5", 400, [2]int64{}},
		{"?page=99999999999999999999", 400, [2]int64{}},
		{"?limit=0", 400, [2]int64{}},
		{"?limit=101", 400, [2]int64{}},
		{"?limit=ten", 400, [2]int64{}},
	} {
		for _, path := range []string{"/tokens", "/tokens/me"} {
			t.Run(path+c.query, func(t *testing.T) {
				s := &service{}
				status, answer := call(t, s, http.MethodGet, path+c.query, "")
				if status != c.status || s.page != c.want {
					t.Errorf("%d %v requested %v, want %d for %v", status, answer, s.page, c.status, c.want)
				}
			})
		}
	}
	s := &service{}
	if _, got := call(t, s, http.MethodGet, "/tokens?limit=20&page=2", ""); encode(t, got["pagination"]) != `{"hasNext":true,"limit":20,"page":2,"total":41,"totalPages":3}` {
		t.Errorf("pagination %v", got["pagination"])
	}
	if _, got := call(t, s, http.MethodGet, "/tokens/me", ""); encode(t, got["tokens"]) != "[]" || s.creator != caller || s.visibleOnly {
		t.Errorf("mine: %v of %s, want an empty list of the caller's, hidden ones too", got["tokens"], s.creator)
	}
	if call(t, s, http.MethodGet, "/tokens?creator="+mint.String(), ""); s.creator != mint || !s.visibleOnly {
		t.Errorf("requested tokens of %s, only visible ones: %v; want %s, only visible ones", s.creator, s.visibleOnly, mint)
	}
	s.visibleOnly = false
	if call(t, s, http.MethodGet, "/tokens?creator="+solana.SystemProgramID.String(), ""); !s.visibleOnly {
		t.Error("the tokens of the zero key are all tokens")
	}
	if status, _ := call(t, s, http.MethodGet, "/tokens?creator=x", ""); status != http.StatusBadRequest {
		t.Errorf("a malformed creator: %d, want 400", status)
	}
}

// A launch that is not confirmed has the ID by which its creator queries the status; other lists
// omit it.
func TestMyTokensHaveLaunchStatus(t *testing.T) {
	s := &service{}
	status, got := call(t, s, http.MethodGet, "/tokens/me?status=all&page=2&limit=3", "")
	if status != http.StatusOK || s.creator != caller || s.page != [2]int64{2, 3} {
		t.Fatalf("%d %v of %s, page %v", status, got, s.creator, s.page)
	}
	want := [][3]any{{"submitted", "launch", nil}, {"failed", "launch", "Poor."}, {"confirmed", nil, nil}}
	for i, one := range got["tokens"].([]any) {
		if entry := one.(map[string]any); [3]any{entry["status"], entry["transactionId"], entry["reason"]} != want[i] {
			t.Errorf("entry %d is %v by %v for %v, want %v", i, entry["status"], entry["transactionId"], entry["reason"], want[i])
		}
	}
	if public := contract.NewToken(token.Record{Status: token.Failed, TransactionID: "launch", Reason: "Poor."}, ""); public.TransactionID+public.Reason != "" {
		t.Errorf("all can read %q and %q", public.TransactionID, public.Reason)
	}
	if status, answer := call(t, s, http.MethodGet, "/tokens/me?status=failed", ""); status != http.StatusBadRequest || encode(t, answer["errors"]) == "null" {
		t.Errorf("an unknown status: %d %v, want 400 that names the field", status, answer)
	}
	if status, _ := call(t, s, http.MethodGet, "/tokens/me?status=", ""); status != http.StatusOK {
		t.Errorf("an empty status: %d, want 200", status)
	}
}

func TestSubmitStatusCodes(t *testing.T) {
	for id, want := range map[string]int{"done": http.StatusOK, "slow": http.StatusAccepted} {
		status, answer := call(t, &service{}, http.MethodPost, "/tokens/submit", `{"transactionId":"`+id+`","signedTransaction":"AQ=="}`)
		if status != want || answer["success"] != true || answer["mintAddress"] != mint.String() || answer["signature"] == "" {
			t.Errorf("%s: %d %v, want %d", id, status, answer, want)
		}
	}
	status, answer := call(t, &service{}, http.MethodPost, "/tokens/submit", `{}`)
	if status != http.StatusBadRequest || len(answer["errors"].([]any)) != 2 {
		t.Errorf("an empty body: %d %v, want both fields named", status, answer)
	}
}
