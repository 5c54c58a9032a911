package distribution_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
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
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/testkit/settingstest"
	"tokenlaunch.example/service/pkg/token"
	rules "tokenlaunch.example/service/pkg/token/terms"
)

var (
	creator  = solana.MustPublicKeyFromBase58("Vote111111111111111111111111111111111111111")
	stranger = solana.MustPublicKeyFromBase58("Stake11111111111111111111111111111111111111")
	mint     = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	reward   = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
	noon     = time.Date(2026, 11, 21, 12, 34, 56, 789_000_000, time.UTC)
)

const id = "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de"

// service is the function over a store in memory and a chain of a few facts.
type service struct {
	store   settingstest.Memory
	chain   settingstest.Chain
	records settingstest.Records
	tries   tries
	groups  groups
	now     time.Time
	handler http.Handler
}

// tries keeps the messages that were to be sent; err is the queue's error.
type tries struct {
	groups, ids []string
	err         error
	linked      *groups
}

// groups are the groups that agreed, by token; codes counts the codes.
type groups struct {
	linked map[solana.PublicKey]string
	codes  int
	err    error
}

// Chat finds a group.
func (g *groups) Chat(_ context.Context, mint solana.PublicKey, group string) (int64, error) {
	if g.err != nil {
		return 0, g.err
	}
	if linked, ok := g.linked[mint]; !ok || linked != group {
		return 0, notice.ErrNotLinked
	}
	return -100123, nil
}

// Issue creates a code.
func (g *groups) Issue(_ context.Context, mint solana.PublicKey, _ string) (consent.Code, error) {
	g.codes++
	text := mint.String() + "_AAAAAAAAAAAAAAA" + string(rune('A'+g.codes))
	return consent.Code{Text: text, Command: "/link " + text, ExpiresAt: noon.Add(consent.CodeLifetime), Bot: ""}, g.err
}

// Unlink ends the link of a wallet.
func (g *groups) Unlink(_ context.Context, wallet solana.PublicKey) error {
	delete(g.linked, wallet)
	return g.err
}

// Try keeps a message.
func (q *tries) Try(ctx context.Context, t token.Record, id string) error {
	if _, err := q.linked.Chat(ctx, t.Mint, t.Settings.TelegramGroupID); err != nil {
		return err
	}
	q.groups, q.ids = append(q.groups, t.Settings.TelegramGroupID), append(q.ids, id)
	return q.err
}

func start(t *testing.T) *service {
	t.Helper()
	s := &service{now: noon}
	s.chain.Accounts = map[solana.PublicKey]onchain.Account{
		reward: {Owner: solana.TokenProgramID, Data: plainMint()},
		mint:   {Owner: solana.Token2022ProgramID, Data: taxedMint(500, 500, 7)},
	}
	s.chain.Lamports, s.chain.Now = 1_000_000_000, 900
	s.store.Put(record())
	s.tries.linked = &s.groups
	clock := func() time.Time { return s.now }
	endpoint := distribution.Endpoint{
		Tokens: &s.store, Changes: &s.store,
		Settings: settings.Service{
			Store: &s.store, Chain: &s.chain, Records: &s.records,
			Preparer: transaction.Preparer{Chain: &s.chain, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: clock, NewID: uuid.NewString},
			Now:      clock, Pause: settings.ShortPause, Log: slog.New(slog.DiscardHandler),
		},
		Telegram: &s.tries, Groups: &s.groups, NewID: uuid.NewString, Now: clock,
	}
	api := apigw.API{
		Limiter: &ratelimittest.Memory{Now: time.Now}, Answers: &idempotencytest.Memory{},
		Log: slog.New(slog.DiscardHandler), Now: clock,
	}
	var err error
	if s.handler, err = api.Handler(route.FunctionDistribution, endpoint.Handlers()); err != nil {
		t.Fatal(err)
	}
	return s
}

func record() token.Record {
	return token.Record{
		ID: id, Mint: mint, Creator: creator, Name: "Tidal", Symbol: "TIDE", Status: token.Confirmed, Decimals: 6,
		TransferFeeBps: 500, FeeAdjustable: true, Settings: rules.Default(creator),
		CreatedAt: noon.Add(-24 * time.Hour),
	}
}

// plainMint is a mint of 6 decimals without authorities. Layout: spl-token, Mint.
func plainMint() []byte {
	data := make([]byte, 82)
	data[44], data[45] = 6, 1
	return data
}

// taxedMint is a mint whose tax the creator may change: older, and from epoch on
// newer, in basis points. Layout: spl-token-2022, TransferFeeConfig.
func taxedMint(older, newer uint16, epoch uint64) []byte {
	data := append(plainMint(), make([]byte, 165-82)...)
	data = append(data, 1, 1, 0, 108, 0)
	data = append(append(append(data, creator[:]...), mint[:]...), make([]byte, 8)...)
	for _, fee := range []struct {
		epoch uint64
		bps   uint16
	}{{0, older}, {epoch, newer}} {
		data = binary.LittleEndian.AppendUint64(data, fee.epoch)
		data = binary.LittleEndian.AppendUint64(data, 1<<63)
		data = binary.LittleEndian.AppendUint16(data, fee.bps)
	}
	return data
}

// call makes a request as a wallet, or without a wallet if the key is zero, and validates the
// response against the document.
func (s *service) call(t *testing.T, wallet solana.PublicKey, method, target, body string, header ...string) (int, map[string]any) {
	t.Helper()
	caller := apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r", Reason: apigw.ReasonMissingToken}
	if !wallet.IsZero() {
		caller.Wallet, caller.Reason = wallet.String(), ""
	}
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), caller), method, target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	operation := map[string]string{
		http.MethodGet: "getDistributionSettings", http.MethodPatch: "changeDistributionSettings", http.MethodPost: "testTelegram",
	}[method]
	if strings.HasSuffix(target, "/link") {
		operation = "linkTelegram"
	}
	if strings.HasPrefix(target, "/holders/") {
		operation = "linkHolderTelegram"
		if method == http.MethodDelete {
			operation = "unlinkHolderTelegram"
		}
	}
	if path, _, _ := strings.Cut(target, "?"); strings.HasSuffix(path, "/changes") {
		operation = "listSettingsChanges"
	}
	if err := docstest.Check(operation, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s %s: response does not match the document: %v", method, target, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s responded %q: %v", method, target, w.Body, err)
	}
	return w.Code, answer
}

func (s *service) get(t *testing.T) map[string]any {
	t.Helper()
	status, answer := s.call(t, creator, http.MethodGet, "/distribution/"+id+"/settings", "")
	if status != http.StatusOK {
		t.Fatalf("GET settings = %d %v, want 200", status, answer)
	}
	return answer
}

func (s *service) patch(t *testing.T, body string, header ...string) (int, map[string]any) {
	t.Helper()
	return s.call(t, creator, http.MethodPatch, "/distribution/"+id+"/settings", body, header...)
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSettingsAreShown(t *testing.T) {
	s := start(t)
	want := `{"burnPercent":0,"changeDelay":"none","creatorSplits":[],"developerFeePercent":0,"developerWallet":"` + creator.String() + `","distributionEnabled":true,` +
		`"distributionInterval":"1h","distributionModel":"proportional","effectiveAt":"2026-11-21T13:00:00.000Z","minimumHoldersPercent":0,"minimumHoldingRequirement":"1",` +
		`"orderedByCreator":false,"percentageToSellPerDistribution":100,"rewardBasis":"snapshot","rewardToken":"SOL","telegramGroupId":"","telegramLinked":false,"version":1}`
	for _, name := range []string{id, strings.ToUpper(id), mint.String()} {
		status, got := s.call(t, creator, http.MethodGet, "/distribution/"+name+"/settings", "")
		if status != http.StatusOK || encode(t, got) != want {
			t.Errorf("%s: %d\n%s, want\n%s", name, status, encode(t, got), want)
		}
	}
}

func TestSettingsAuthorization(t *testing.T) {
	for name, c := range map[string]struct {
		wallet solana.PublicKey
		token  string
		body   string
		status int
		code   string
	}{
		"no caller":                           {solana.PublicKey{}, id, `{}`, 401, "missing_token"},
		"a stranger":                          {stranger, id, `{}`, 403, "not_token_creator"},
		"another caller, by the mint":         {stranger, mint.String(), `{}`, 403, "not_token_creator"},
		"another caller, with an invalid sum": {stranger, id, `{"burnPercent":60}`, 403, "not_token_creator"},
		"another caller, with a bad body":     {stranger, id, `{"distributionInterval":"2h"}`, 400, "validation_failed"},
		"no such id":                          {creator, "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1df", `{}`, 404, "token_not_found"},
		"no such id, with a bad body":         {creator, "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1df", `{"a":1}`, 400, "validation_failed"},
		"no such mint":                        {creator, stranger.String(), `{}`, 404, "token_not_found"},
		"neither":                             {creator, "tide", `{}`, 404, "token_not_found"},
		"an id in braces":                     {creator, "%7B" + id + "%7D", `{}`, 404, "token_not_found"},
		"an id without hyphens":               {creator, strings.ReplaceAll(id, "-", ""), `{}`, 404, "token_not_found"},
		"too long":                            {creator, strings.Repeat("1", 10_000), `{}`, 404, "token_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			before := s.get(t)
			target := "/distribution/" + c.token + "/settings"
			status, answer := s.call(t, c.wallet, http.MethodPatch, target, c.body)
			if status != c.status || answer["code"] != c.code {
				t.Errorf("PATCH: %d %v, want %d %s", status, answer, c.status, c.code)
			}
			if status, answer := s.call(t, c.wallet, http.MethodGet, target, ""); c.status != 400 && (status != c.status || answer["code"] != c.code) {
				t.Errorf("GET: %d %v, want %d %s", status, answer, c.status, c.code)
			}
			if after := s.get(t); encode(t, after) != encode(t, before) {
				t.Errorf("changed all the same: %v", after)
			}
		})
	}
}

func TestPatchChangesOnlySentFields(t *testing.T) {
	for field, value := range map[string]any{
		"rewardToken": reward.String(), "minimumHoldingRequirement": "18446744073709551615", "percentageToSellPerDistribution": 1.25,
		"distributionEnabled": false, "telegramGroupId": "-1001234567890", "distributionInterval": "24h", "burnPercent": 33.33,
		"developerFeePercent": 100.0, "developerWallet": stranger.String(),
		"rewardBasis":   "held",
		"creatorSplits": []any{map[string]any{"wallet": stranger.String(), "percent": 33.33}, map[string]any{"wallet": reward.String(), "percent": 66.67}},
	} {
		t.Run(field, func(t *testing.T) {
			s := start(t)
			want := s.get(t)
			want[field], want["version"] = value, 2
			if field == "distributionInterval" {
				want["effectiveAt"] = "2026-11-22T00:00:00.000Z"
			}
			status, got := s.patch(t, encode(t, map[string]any{field: value}))
			if status != http.StatusOK || encode(t, got) != encode(t, want) {
				t.Errorf("%d\n%s, want\n%s", status, encode(t, got), encode(t, want))
			}
			if now := s.get(t); encode(t, now) != encode(t, want) {
				t.Errorf("then it is\n%s, want\n%s", encode(t, now), encode(t, want))
			}
		})
	}
}

func TestNextBoundaryAfterChange(t *testing.T) {
	for _, c := range []struct{ interval, at, want string }{
		{"5m", "2026-11-21T12:34:56.789Z", "2026-11-21T12:35:00.000Z"},
		{"5m", "2026-11-21T12:35:00.000Z", "2026-11-21T12:40:00.000Z"}, // that slot is settled by what was before
		{"10m", "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00.000Z"},
		{"6h", "2026-11-21T12:34:56.789Z", "2026-11-21T18:00:00.000Z"},
		{"24h", "2026-12-31T12:34:56.789Z", "2027-01-01T00:00:00.000Z"},
	} {
		s := start(t)
		var err error
		if s.now, err = time.Parse(time.RFC3339, c.at); err != nil {
			t.Fatal(err)
		}
		if _, got := s.patch(t, `{"distributionInterval":"`+c.interval+`"}`); got["effectiveAt"] != c.want {
			t.Errorf("%s at %s: %v, want %s", c.interval, c.at, got["effectiveAt"], c.want)
		}
	}
}

func TestPatchAcceptsOwnResponse(t *testing.T) {
	s := start(t)
	before := encode(t, s.get(t))
	if status, got := s.patch(t, before); status != http.StatusOK || encode(t, got) != before {
		t.Errorf("PATCH settings with the stored settings = %d %v, want 200 and no change", status, got)
	}
	s.now = s.now.Add(90 * time.Minute) // the creator takes their time
	if status, got := s.patch(t, before); status != http.StatusOK || got["effectiveAt"] != "2026-11-21T15:00:00.000Z" {
		t.Errorf("PATCH settings at another time = %d %v, want 200 effective at 15:00", status, got)
	}
	for _, empty := range []string{`{}`, `{"burnPercent":null,"telegramGroupId":null,"effectiveAt":"","distributionModel":null}`} {
		if status, got := s.patch(t, empty); status != http.StatusOK || got["rewardToken"] != "SOL" {
			t.Errorf("PATCH settings with %s = %d %v, want 200 and rewardToken SOL", empty, status, got)
		}
	}
	if s.chain.Asked != 0 {
		t.Error("the chain was queried about an unchanged reward")
	}
}

func TestPatchUnsetsGroup(t *testing.T) {
	s := start(t)
	s.patch(t, `{"telegramGroupId":"@group"}`)
	if _, got := s.patch(t, `{"telegramGroupId":null}`); got["telegramGroupId"] != "@group" {
		t.Errorf("null unsets: %v", got)
	}
	if _, got := s.patch(t, `{"telegramGroupId":""}`); got["telegramGroupId"] != "" {
		t.Errorf("the group stays: %v", got)
	}
}

// With splits the one wallet is read-only; [] ends them, and null and absence leave them.
func TestSplitsAreKeptUntilTheyAreEnded(t *testing.T) {
	s := start(t)
	split := `"creatorSplits":[{"wallet":"` + stranger.String() + `","percent":0.01},{"wallet":"` + reward.String() + `","percent":99.99}]`
	if status, got := s.patch(t, `{`+split+`}`); status != http.StatusOK {
		t.Fatalf("PATCH settings with splits = %d %v, want 200", status, got)
	}
	other := `"developerWallet":"` + stranger.String() + `"`
	for body, want := range map[string]int{
		`{` + other + `}`: http.StatusBadRequest, `{"creatorSplits":null,` + other + `}`: http.StatusBadRequest,
		`{"creatorSplits":null,"burnPercent":1}`: http.StatusOK, `{"developerWallet":"` + creator.String() + `"}`: http.StatusOK,
	} {
		if status, got := s.patch(t, body); status != want {
			t.Errorf("PATCH settings with %s = %d %v, want %d", body, status, got, want)
		}
		if now := encode(t, s.get(t)["creatorSplits"]); !strings.Contains(now, `"percent":99.99`) {
			t.Errorf("%s: now the splits are %s", body, now)
		}
	}
	if status, got := s.patch(t, `{"creatorSplits":[],`+other+`}`); status != http.StatusOK || encode(t, got["creatorSplits"]) != "[]" || got["developerWallet"] != stranger.String() {
		t.Errorf("PATCH settings with empty splits = %d %v, want 200, no splits and developerWallet %s", status, got, stranger)
	}
}

func TestBadFields(t *testing.T) {
	for _, c := range []struct {
		body string
		want map[string]string // code by field
	}{
		{`{"burnPercent":-1}`, map[string]string{"burnPercent": "invalid_percentage"}},
		{`{"burnPercent":100.01}`, map[string]string{"burnPercent": "invalid_percentage"}},
		{`{"burnPercent":"5"}`, map[string]string{"burnPercent": "invalid_type"}},
		{`{"developerFeePercent":1.001}`, map[string]string{"developerFeePercent": "invalid_percentage"}},
		{`{"percentageToSellPerDistribution":0.99}`, map[string]string{"percentageToSellPerDistribution": "invalid_percentage"}},
		{`{"percentageToSellPerDistribution":101}`, map[string]string{"percentageToSellPerDistribution": "invalid_percentage"}},
		{`{"minimumHoldingRequirement":"0"}`, map[string]string{"minimumHoldingRequirement": "out_of_range"}},
		{`{"minimumHoldingRequirement":1}`, map[string]string{"minimumHoldingRequirement": "invalid_type"}},
		{`{"minimumHoldingRequirement":"1.5"}`, map[string]string{"minimumHoldingRequirement": "invalid_format"}},
		{`{"minimumHoldingRequirement":"18446744073709551616"}`, map[string]string{"minimumHoldingRequirement": "out_of_range"}},
		{`{"distributionEnabled":"yes"}`, map[string]string{"distributionEnabled": "invalid_type"}},
		{`{"rewardBasis":"balance"}`, map[string]string{"rewardBasis": "invalid_format"}},
		{`{"rewardBasis":1}`, map[string]string{"rewardBasis": "invalid_type"}},
		{`{"changeDelay":"48h"}`, map[string]string{"changeDelay": "invalid_format"}},
		{`{"changeDelay":1}`, map[string]string{"changeDelay": "invalid_type"}},
		{`{"minimumHoldersPercent":101}`, map[string]string{"minimumHoldersPercent": "invalid_percentage"}},
		{`{"minimumHoldersPercent":60,"burnPercent":41}`, map[string]string{"burnPercent": "out_of_range"}},
		{`{"distributionInterval":"60m"}`, map[string]string{"distributionInterval": "invalid_interval"}},
		{`{"distributionInterval":5}`, map[string]string{"distributionInterval": "invalid_type"}},
		{`{"developerWallet":"0OIl"}`, map[string]string{"developerWallet": "invalid_wallet_address"}},
		{`{"creatorSplits":"x"}`, map[string]string{"creatorSplits": "invalid_type"}},
		{`{"creatorSplits":[1,null]}`, map[string]string{"creatorSplits[0]": "invalid_type", "creatorSplits[1]": "invalid_type"}},
		{`{"creatorSplits":[{"wallet":"` + stranger.String() + `","percent":99.99}]}`, map[string]string{"creatorSplits": "out_of_range"}},
		{`{"creatorSplits":[` + strings.Repeat(`{},`, 10) + `{}]}`, map[string]string{"creatorSplits": "out_of_range"}},
		{`{"creatorSplits":[{"wallet":"` + stranger.String() + `","percent":50},{"wallet":"` + reward.String() + `","percent":49.99}]}`, map[string]string{
			"creatorSplits": "invalid_percentage",
		}},
		{`{"creatorSplits":[{"wallet":"` + stranger.String() + `","percent":50},{"wallet":"` + stranger.String() + `","percent":50}]}`, map[string]string{
			"creatorSplits[1].wallet": "invalid_wallet_address",
		}},
		{`{"creatorSplits":[{"wallet":"0OIl","percent":50.001},{"percent":100,"by":1}]}`, map[string]string{
			"creatorSplits[0].wallet": "invalid_wallet_address", "creatorSplits[0].percent": "invalid_percentage",
			"creatorSplits[1].wallet": "required", "creatorSplits[1].percent": "invalid_percentage", "creatorSplits[1].by": "unknown_field",
		}},
		{`{"developerWallet":"` + stranger.String() + `","creatorSplits":[{"wallet":"` + stranger.String() + `","percent":50},{"wallet":"` + reward.String() + `","percent":50}]}`, map[string]string{
			"developerWallet": "read_only",
		}},
		{`{"rewardToken":"USDC"}`, map[string]string{"rewardToken": "invalid_format"}},
		{`{"telegramGroupId":"group"}`, map[string]string{"telegramGroupId": "invalid_format"}},
		{`{"telegramGroupId":-100}`, map[string]string{"telegramGroupId": "invalid_type"}},
		{`{"distributionModel":"equal"}`, map[string]string{"distributionModel": "read_only"}},
		{`{"effectiveAt":"2026-11-21T13:00:00.001Z"}`, map[string]string{"effectiveAt": "read_only"}},
		{`{"effectiveAt":"2026-11-21T14:00:00.000Z"}`, map[string]string{"effectiveAt": "read_only"}},
		{`{"effectiveAt":"2030-01-01T00:00:00.000Z"}`, map[string]string{"effectiveAt": "read_only"}},
		{`{"effectiveAt":"2020-01-01T00:00:00.000Z"}`, map[string]string{"effectiveAt": "read_only"}},
		{`{"effectiveAt":"tomorrow"}`, map[string]string{"effectiveAt": "invalid_format"}},
		{`{"transferFeePercent":101}`, map[string]string{"transferFeePercent": "invalid_percentage"}},
		{`{"version":2}`, map[string]string{"version": "read_only"}},
		{`{"version":0}`, map[string]string{"version": "out_of_range"}},
		{`{"version":"1"}`, map[string]string{"version": "invalid_type"}},
		{`{"orderedByCreator":true}`, map[string]string{"orderedByCreator": "read_only"}},
		{`{"orderedByCreator":true,"version":1}`, map[string]string{"orderedByCreator": "read_only"}},
		{`{"order":"x"}`, map[string]string{"order": "invalid_type"}},
		{`{"order":{}}`, map[string]string{"order.version": "required", "order.signature": "required"}},
		{`{"order":{"version":0,"signature":"0OIl","by":1}}`, map[string]string{
			"order.version": "out_of_range", "order.signature": "invalid_format", "order.by": "unknown_field",
		}},
		{`{"order":{"version":2,"signature":"` + strings.Repeat("1", 63) + `"}}`, map[string]string{"order.signature": "invalid_format"}},
		{`{"order":{"version":2,"signature":"` + strings.Repeat("z", 10_000) + `"}}`, map[string]string{"order.signature": "invalid_format"}},
		{`{"order":{"version":2,"signature":7},"burnPercent":101}`, map[string]string{
			"order.signature": "invalid_type", "burnPercent": "invalid_percentage",
		}},
		{`{"colour":"red"}`, map[string]string{"colour": "unknown_field"}},
		{`{"burnPercent":60,"developerFeePercent":60}`, map[string]string{"developerFeePercent": "invalid_percentage"}},
		{`{"burnPercent":1,"burnPercent":1}`, map[string]string{"burnPercent": "duplicate_field"}},
		{
			`{"burnPercent":101,"distributionInterval":"x","developerWallet":"x","telegramGroupId":"x","distributionModel":"x","minimumHoldingRequirement":"0","a":1}`,
			map[string]string{
				"burnPercent": "invalid_percentage", "distributionInterval": "invalid_interval",
				"developerWallet": "invalid_wallet_address", "telegramGroupId": "invalid_format",
				"distributionModel": "read_only", "minimumHoldingRequirement": "out_of_range", "a": "unknown_field",
			},
		},
		{`[]`, map[string]string{"body": "invalid_format"}},
		{``, map[string]string{"body": "invalid_format"}},
		{`{}{}`, map[string]string{"body": "invalid_format"}},
	} {
		t.Run(c.body, func(t *testing.T) {
			s := start(t)
			before := s.get(t)
			status, answer := s.patch(t, c.body)
			if status != http.StatusBadRequest || answer["code"] != "validation_failed" {
				t.Fatalf("PATCH settings = %d %v, want 400 validation_failed", status, answer)
			}
			if got := codes(t, answer); !maps.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
			if after := s.get(t); encode(t, after) != encode(t, before) {
				t.Errorf("changed all the same: %v", after)
			}
		})
	}
}

// codes returns the codes of the bad fields.
func codes(t *testing.T, answer map[string]any) map[string]string {
	t.Helper()
	out := map[string]string{}
	bad, _ := answer["errors"].([]any)
	for _, one := range bad {
		field, _ := one.(map[string]any)
		out[fmt.Sprint(field["field"])] = fmt.Sprint(field["code"])
	}
	return out
}

func TestRewards(t *testing.T) {
	hooked := append(plainMint(), make([]byte, 165-82)...)
	hooked = append(append(hooked, 1, 14, 0, 64, 0), make([]byte, 64)...)
	for name, c := range map[string]struct {
		account *onchain.Account
		err     error
		status  int
		code    string
	}{
		"a mint":                      {&onchain.Account{Owner: solana.TokenProgramID, Data: plainMint()}, nil, 200, ""},
		"a mint with a transfer hook": {&onchain.Account{Owner: solana.Token2022ProgramID, Data: hooked}, nil, 400, "unsupported_reward_token"},
		"a wallet":                    {&onchain.Account{Owner: solana.SystemProgramID}, nil, 400, "unsupported_reward_token"},
		"nothing":                     {nil, nil, 400, "unsupported_reward_token"},
		"the network is down":         {nil, apperr.Upstream("The network", errors.New("away")), 503, "upstream_unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.chain.Err = c.err
			delete(s.chain.Accounts, reward)
			if c.account != nil {
				s.chain.Accounts[reward] = *c.account
			}
			status, answer := s.patch(t, `{"rewardToken":"`+reward.String()+`","burnPercent":7}`)
			if code, _ := answer["code"].(string); status != c.status || code != c.code {
				t.Errorf("%d %v, want %d %s", status, answer, c.status, c.code)
			}
			s.chain.Err = nil
			if changed := s.get(t)["burnPercent"] == 7.0; changed != (c.status == 200) {
				t.Errorf("changed: %v", changed)
			}
		})
	}
	s := start(t)
	if status, got := s.patch(t, `{"rewardToken":"`+solana.WrappedSol.String()+`"}`); status != http.StatusOK || got["rewardToken"] != "SOL" {
		t.Errorf("wrapped SOL: %d %v", status, got)
	}
}

func TestTaxChangeRejectsLockedTax(t *testing.T) {
	fixed := record()
	fixed.FeeAdjustable = false
	for _, body := range []string{`{"transferFeePercent":3}`, `{"transferFeePercent":5,"burnPercent":7}`} {
		s := start(t)
		s.store.Put(fixed)
		status, answer := s.patch(t, body)
		if status != http.StatusBadRequest || answer["code"] != "transfer_fee_locked" || codes(t, answer)["transferFeePercent"] != "transfer_fee_locked" {
			t.Errorf("PATCH settings with %s = %d %v, want 400 transfer_fee_locked", body, status, answer)
		}
		if s.get(t)["burnPercent"] != 0.0 {
			t.Error("the rest changed all the same")
		}
	}
	s := start(t)
	s.store.Put(fixed)
	_, answer := s.patch(t, `{"transferFeePercent":3,"burnPercent":101}`)
	if got := codes(t, answer); answer["code"] != "validation_failed" || got["transferFeePercent"] != "transfer_fee_locked" || len(got) != 2 {
		t.Errorf("both are wrong: %v", answer)
	}

	s = start(t)
	given := taxedMint(500, 500, 7)
	copy(given[170:], make([]byte, 32)) // its authority
	s.chain.Accounts[mint] = onchain.Account{Owner: solana.Token2022ProgramID, Data: given}
	if status, answer := s.patch(t, `{"transferFeePercent":3}`); status != http.StatusBadRequest || answer["code"] != "transfer_fee_locked" {
		t.Errorf("the right is given away: %d %v", status, answer)
	}
	delete(s.chain.Accounts, mint)
	if status, answer := s.patch(t, `{"transferFeePercent":3}`); status != http.StatusConflict || answer["code"] != "token_not_confirmed" {
		t.Errorf("no mint: %d %v", status, answer)
	}
}

func TestAnotherTax(t *testing.T) {
	s := start(t)
	status, answer := s.patch(t, `{"transferFeePercent":3,"burnPercent":7}`)
	fee, _ := answer["transferFee"].(map[string]any)
	if status != http.StatusOK || fee == nil || answer["burnPercent"] != 7.0 {
		t.Fatalf("PATCH settings with another tax = %d %v, want 200 with transferFee", status, answer)
	}
	for field, want := range map[string]string{
		"transferFeePercent": `3`, "effectiveEpoch": `902`, "currentTransferFeePercent": `5`, "currentEpoch": `900`, "replaces": `null`,
		"expiresAt": `"2026-11-21T12:35:26.789Z"`, "lastValidBlockHeight": `1000`, "cost": `{"networkFeeLamports":"5018","totalLamports":"5018"}`,
		"simulation": `{"computeUnits":1485,"ok":true}`,
	} {
		if got := encode(t, fee[field]); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	if s.get(t)["transferFee"] != nil {
		t.Error("settings have an unrequested transaction")
	}

	// 4 percent was to hold from epoch 901 on.
	s.chain.Accounts[mint] = onchain.Account{Owner: solana.Token2022ProgramID, Data: taxedMint(500, 400, 901)}
	_, answer = s.patch(t, `{"transferFeePercent":2.5}`)
	fee, _ = answer["transferFee"].(map[string]any)
	if encode(t, fee["replaces"]) != `{"effectiveEpoch":901,"transferFeePercent":4}` || encode(t, fee["currentTransferFeePercent"]) != "5" {
		t.Errorf("transferFee = %v, want that it replaces 4 percent of epoch 901", fee)
	}
	s.chain.Now = 901
	_, answer = s.patch(t, `{"transferFeePercent":2.5}`)
	fee, _ = answer["transferFee"].(map[string]any)
	if fee["replaces"] != nil || encode(t, fee["currentTransferFeePercent"]) != "4" || encode(t, fee["effectiveEpoch"]) != "903" {
		t.Errorf("transferFee = %v, want 4 percent now and epoch 903", fee)
	}

	s.chain.Lamports = 5_000
	_, answer = s.patch(t, `{"transferFeePercent":2.5}`)
	fee, _ = answer["transferFee"].(map[string]any)
	want := `{"computeUnits":1485,"detail":"The wallet has 0.000005 SOL and needs 0.000895898 SOL.","missingLamports":"890898","ok":false,"reason":"insufficient_funds"}`
	if encode(t, fee["simulation"]) != want {
		t.Errorf("%s, want %s", encode(t, fee["simulation"]), want)
	}
}

// TestConcurrentPatchesMerge lets another change win the race each time.
func TestConcurrentPatchesMerge(t *testing.T) {
	s := start(t)
	first := true
	s.store.Before = func() {
		if !first {
			return
		}
		first = false
		if status, answer := s.patch(t, `{"developerFeePercent":60}`); status != http.StatusOK {
			t.Errorf("concurrent PATCH settings = %d %v, want 200", status, answer)
		}
	}
	if status, answer := s.patch(t, `{"telegramGroupId":"@group"}`); status != http.StatusOK || answer["developerFeePercent"] != 60.0 {
		t.Errorf("the other change is lost: %d %v", status, answer)
	}
	first = true
	status, answer := s.patch(t, `{"burnPercent":41,"distributionInterval":"5m"}`)
	if status != http.StatusBadRequest || !slices.Equal(slices.Collect(maps.Keys(codes(t, answer))), []string{"burnPercent"}) {
		t.Errorf("valid settings, invalid together: %d %v", status, answer)
	}
	if now := s.get(t); now["burnPercent"] != 0.0 || now["distributionInterval"] != "1h" {
		t.Errorf("half of it holds: %v", now)
	}
}

func TestPatchAppliesOnce(t *testing.T) {
	s := start(t)
	key := []string{"Idempotency-Key", "6f1c"}
	_, first := s.patch(t, `{"burnPercent":7}`, key...)
	s.patch(t, `{"burnPercent":8}`)
	status, again := s.patch(t, `{"burnPercent":7}`, key...)
	if status != http.StatusOK || encode(t, again) != encode(t, first) {
		t.Errorf("%d %v, first it was %v", status, again, first)
	}
	if s.get(t)["burnPercent"] != 8.0 {
		t.Error("the change was done again")
	}
	if status, answer := s.patch(t, `{"burnPercent":9}`, key...); status != http.StatusConflict || answer["code"] != "idempotency_key_reused" {
		t.Errorf("PATCH settings with a used key = %d %v, want 409 idempotency_key_reused", status, answer)
	}
}
