package launchpad_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	curvestable "tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	curves "tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token/terms"
)

var (
	caller   = solana.NewWallet().PublicKey()
	stranger = solana.NewWallet().PublicKey()
	noon     = time.Date(2026, 11, 22, 12, 0, 0, 5_000_000, time.UTC)
)

func handler(t testing.TB, service launchpad.Curves, records ...token.Record) http.Handler {
	t.Helper()
	known := tokens{}
	for _, record := range records {
		known[record.Mint] = record
	}
	api := apigw.API{
		Limiter: &ratelimittest.Memory{Now: time.Now}, Answers: &idempotencytest.Memory{},
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon },
	}
	h, err := api.Handler(route.FunctionLaunchpad, launchpad.Endpoint{
		Curves: service, Limiter: &ratelimittest.Memory{Now: time.Now}, Tokens: known, Gateway: "https://files.example", Now: time.Now,
	}.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// tokens are records by their mints.
type tokens map[solana.PublicKey]token.Record

func (t tokens) TokensOf(_ context.Context, mints []solana.PublicKey) (found []token.Record, err error) {
	for _, mint := range mints {
		if record, ok := t[mint]; ok {
			found = append(found, record)
		}
	}
	return found, nil
}

// call makes a request of a wallet, and validates the response against the document.
func call(t *testing.T, h http.Handler, wallet solana.PublicKey, operation, target, body string) (int, map[string]any) {
	t.Helper()
	method := http.MethodPost
	who := apigw.CallerContext{SourceIP: "203.0.113.7", RequestID: "r", Reason: apigw.ReasonMissingToken}
	switch operation {
	case "listCurves", "getCurve", "getPrice", "getCurveFees", "listTrades", "listCandles":
		method = http.MethodGet
	default:
		if !wallet.IsZero() {
			who.Wallet, who.Reason = wallet.String(), ""
		}
	}
	r := httptest.NewRequestWithContext(apigw.WithCaller(t.Context(), who), method, "/launchpad"+target, strings.NewReader(body))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := docstest.Check(operation, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s %s with body %s: response does not match the document: %v", operation, target, body, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s responded %q: %v", operation, w.Body, err)
	}
	return w.Code, answer
}

// taxedMint is a mint of 6 decimals whose tax is 5% (spl-token-2022,
// TransferFeeConfig).
func taxedMint() []byte {
	data := make([]byte, 166+4+108)
	binary.LittleEndian.PutUint64(data[36:], 1_000_000_000_000_000)
	data[44], data[45], data[165], data[166], data[168] = 6, 1, 1, 1, 108
	for _, at := range []int{72, 90} {
		binary.LittleEndian.PutUint64(data[170+at+8:], math.MaxUint64)
		binary.LittleEndian.PutUint16(data[170+at+16:], 500)
	}
	return data
}

// TestRoutesWithoutProgram calls every route of the real service on a chain without the program,
// and validates the responses against the document.
func TestRoutesWithoutProgram(t *testing.T) {
	stack, ledger := localnet.AWS(t), localnet.Chain(t)
	node, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	db, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Launch)
	clock := func() time.Time { return noon }
	store := curvestable.Store{Client: db, Table: table}
	service := curves.Service{
		Store: store, Issued: issued.Store{Client: db, Table: table}, Chain: node, Random: rand.Reader, Now: clock,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: clock, NewID: uuid.NewString},
	}
	h := handler(t, service)
	mint := solana.NewWallet().PublicKey()
	ledger.SetAccount(t, mint.String(), surfpool.Account{Lamports: 10_000_000, Owner: surfpool.Token2022Program, Data: taxedMint()})
	ledger.Fund(t, caller.String(), 1_000_000_000)
	at := "/" + mint.String()

	if status, got := call(t, h, caller, "getCurve", at+"/status", ""); status != http.StatusNotFound || got["code"] != "launchpad_not_found" {
		t.Errorf("before: %d %v", status, got)
	}
	status, created := call(t, h, caller, "createUnsignedCurve", "/create-unsigned",
		`{"tokenMint":"`+mint.String()+`","tokenAmount":"800000000000000","targetMarketCap":100000,"lockLiquidity":false,"priceMultiplier":16.00}`)
	if status != http.StatusOK {
		t.Fatalf("create-unsigned = %d %v, want 200", status, created)
	}
	for field, want := range map[string]any{
		"tokenMint": mint.String(), "tokenAmount": "800000000000000", "tokenAmountAfterTax": "760000000000000", "targetSol": "100",
		"targetLamports": "100000000000", "lockLiquidity": false, "tradeFeePercent": 1.0, "expectedLaunchTime": "2026-11-23T12:00:00.005Z",
	} {
		if created[field] != want {
			t.Errorf("%s is %v, want %v", field, created[field], want)
		}
	}
	checkExpiry(t, created)
	parameters, _ := created["curveParameters"].(map[string]any)
	// target / (tokens·(√16 − 1)) = 100 / (760,000,000·3), cut off.
	if start, _ := parameters["startPrice"].(string); !strings.HasPrefix(start, "0.00000004385964912") || parameters["priceMultiplier"] != 16.0 {
		t.Errorf("parameters = %v, want startPrice 0.00000004385964912… and priceMultiplier 16", parameters)
	}
	if end, _ := parameters["endPrice"].(string); !strings.HasPrefix(end, "0.0000007017543859") {
		t.Errorf("parameters = %v, want endPrice 0.0000007017543859…", parameters)
	}
	text, _ := created["transaction"].(string)
	tx, err := wire.ParseBase64(text)
	if err != nil || len(tx.Missing()) != 1 || tx.Missing()[0] != caller || len(tx.Bytes()) > 1232 {
		t.Errorf("the transaction: %v, %v lack", err, tx.Missing())
	}

	status, got := call(t, h, caller, "getCurve", at+"/status", "")
	if status != http.StatusOK || got["bondingCurveId"] != created["bondingCurveId"] || got["status"] != "active" || got["progress"] != 0.0 ||
		got["currentMarketCap"] != "0" || got["targetMarketCap"] != "100" || got["tokensSold"] != "0" || got["totalTokens"] != "760000000000000" ||
		got["solCollected"] != "0" || got["uniqueBuyers"] != 0.0 || got["estimatedCompletion"] != nil || got["completedAt"] != nil {
		t.Errorf("status %d %v", status, got)
	}
	for field, operation := range map[string]string{"trades": "listTrades", "candles": "listCandles"} {
		status, got := call(t, h, caller, operation, at+"/"+field, "")
		if list, _ := got[field].([]any); status != http.StatusOK || list == nil || len(list) > 0 || got["nextCursor"] != nil || got["mintAddress"] != mint.String() {
			t.Errorf("%s before any trade: %d %v", field, status, got)
		}
		if status, got := call(t, h, caller, operation, "/"+caller.String()+"/"+field, ""); status != http.StatusNotFound || got["code"] != "launchpad_not_found" {
			t.Errorf("%s of a wallet: %d %v", field, status, got)
		}
	}
	status, price := call(t, h, caller, "getPrice", at+"/price?amount=1000000000000", "")
	if cost, _ := price["solCost"].(string); status != http.StatusOK || !strings.HasPrefix(cost, "0.046") || price["tokenAmount"] != "1000000000000" ||
		price["tokenTax"] != "52631578948" || price["currentPrice"] != parameters["startPrice"] || price["priceImpact"] != 0.27 {
		t.Errorf("price %d %v", status, price)
	}
	status, got = call(t, h, caller, "createUnsignedBuy", at+"/buy/create-unsigned", `{"tokenAmount":"1000000000000","slippagePercent":0}`)
	if status != http.StatusOK || got["solCost"] != price["solCost"] || got["maximumSolCost"] != price["solCost"] || got["maximumLamports"] != price["solCostLamports"] {
		t.Errorf("buy %d %v, quoted %v", status, got, price)
	}
	if raw, err := base64.StdEncoding.DecodeString(got["transaction"].(string)); err != nil || len(raw) > 1232 { //nolint:forcetypeassert // as checked against the document
		t.Errorf("the purchase: %d bytes, %v", len(raw), err)
	}
	if status, got = call(t, h, caller, "createUnsignedSell", at+"/sell/create-unsigned", `{"tokenAmount":"1000"}`); status != http.StatusBadRequest || got["code"] != "exceeds_liquidity" {
		t.Errorf("sell %d %v", status, got)
	}
	if status, got = call(t, h, caller, "createUnsignedCancel", at+"/cancel/create-unsigned", `{}`); status != http.StatusOK || got["solAmount"] != "0" {
		t.Errorf("cancel %d %v", status, got)
	}
	if status, got = call(t, h, stranger, "createUnsignedCancel", at+"/cancel/create-unsigned", `{}`); status != http.StatusForbidden || got["code"] != "not_curve_creator" {
		t.Errorf("a stranger cancels: %d %v", status, got)
	}
	if status, got = call(t, h, caller, "getCurveFees", at+"/fees", ""); status != http.StatusOK || got["claimableLamports"] != "0" || got["claimedTokens"] != "0" {
		t.Errorf("fees %d %v", status, got)
	}
	if status, got = call(t, h, caller, "createUnsignedFeeClaim", at+"/fees/create-unsigned", `{}`); status != http.StatusBadRequest || got["code"] != "nothing_to_claim" {
		t.Errorf("claim %d %v", status, got)
	}
	if status, got = call(t, h, stranger, "createUnsignedFeeClaim", at+"/fees/create-unsigned", `{}`); status != http.StatusForbidden || got["code"] != "not_curve_creator" {
		t.Errorf("a stranger claims: %d %v", status, got)
	}
	if status, got = call(t, h, caller, "listCurves", "", ""); status != http.StatusOK || len(got["launchpad"].([]any)) != 0 { //nolint:forcetypeassert // as checked against the document
		t.Errorf("a curve that is not on the chain is listed: %d %v", status, got)
	}
	candidates, err := store.Candidates(t.Context(), mint)
	if err != nil || len(candidates) != 1 {
		t.Fatalf("Candidates() = %v, %v; want one", candidates, err)
	}
	candidates[0].CreatedAt = noon
	if err := store.Deploy(t.Context(), candidates[0], candidates[0].ID); err != nil {
		t.Fatal(err)
	}
	status, got = call(t, h, caller, "listCurves", "?limit=1", "")
	if list, _ := got["launchpad"].([]any); status != http.StatusOK || len(list) != 1 || got["nextCursor"] != nil || strings.Contains(fmt.Sprint(list), "token:") {
		t.Errorf("list %d %v", status, got)
	}
	h = handler(t, service, token.Record{
		ID: uuid.NewString(), Mint: mint, Name: "Paper Crane", Symbol: "CRANE", ImageCID: "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
		MetadataCID: "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy", Status: token.Confirmed, Visible: true, Decimals: 6, Supply: 1,
		Wallet: token.Wallet{ID: uuid.NewString(), Address: caller}, CreatedAt: noon,
		Settings: terms.Settings{RewardToken: terms.RewardSOL, Enabled: true, Interval: terms.EveryHour, SellBps: 10_000},
	})
	_, got = call(t, h, caller, "listCurves", "?limit=1", "")
	list, _ := got["launchpad"].([]any)
	curve, _ := list[0].(map[string]any)
	listed, _ := curve["token"].(map[string]any)
	if listed["name"] != "Paper Crane" || listed["symbol"] != "CRANE" || listed["mintAddress"] != mint.String() ||
		listed["imageUrl"] != "https://files.example/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy" {
		t.Errorf("the token of a listed curve: %v", listed)
	}
	if _, got = call(t, h, caller, "getCurve", at+"/status", ""); got["token"] != nil {
		t.Errorf("the status has a record: %v", got)
	}
}

// asked is a service that records its requests and returns fixed responses.
type asked struct {
	draft    curves.Draft
	tokens   uint64
	lamports uint64
	slippage int
	after    string
	limit    int
	before   uint64
	interval market.Interval
	start    time.Time
	calls    int
	fails    error
}

func someCurve(mint solana.PublicKey) market.Curve {
	return market.Curve{
		Pool: token.Pool{Mint: mint, CreatedAt: noon}, Decimals: 6, Tokens: 1, TargetLamports: 1, State: token.CurveActive, MultiplierBps: 15_500,
		StartSqrtPrice: big.NewInt(1 << 60), TargetSqrtPrice: big.NewInt(1 << 62), Liquidity: big.NewInt(1), FeeBps: 25,
	}
}

func (a *asked) unsigned(mint solana.PublicKey) (transaction.Unsigned, error) {
	a.calls++
	return transaction.Unsigned{
		ID: uuid.NewString(), Mint: mint, Transaction: []byte{1}, ExpiresAt: noon, LastValid: 9, Explanation: []string{"."}, Simulation: transaction.Simulation{OK: true},
	}, a.fails
}

func (a *asked) Create(_ context.Context, _ solana.PublicKey, d curves.Draft) (curves.Created, error) {
	a.draft = d
	u, err := a.unsigned(d.Mint)
	return curves.Created{Unsigned: u, Curve: someCurve(d.Mint), ExpectedCompletion: noon}, err
}

func (a *asked) Status(_ context.Context, mint solana.PublicKey) (curves.Status, error) {
	a.calls++
	return curves.Status{Curve: someCurve(mint), SqrtPrice: big.NewInt(1 << 61), ProgressBps: 1111}, a.fails
}

func (a *asked) List(_ context.Context, after string, limit int) ([]curves.Status, string, error) {
	a.after, a.limit = after, limit
	one, err := a.Status(context.Background(), solana.WrappedSol)
	return []curves.Status{one}, "001795348800005#" + solana.WrappedSol.String(), err
}

func (a *asked) Trades(_ context.Context, _ solana.PublicKey, before uint64, limit int) (curves.TradePage, error) {
	a.calls++
	a.before, a.limit = before, limit
	one := market.Trade{
		Number: 7, Signature: solana.Signature{1}, Slot: 9, At: noon, Trader: caller, Bought: true, Lamports: 1 << 63, Tokens: 5, Fee: 3,
		SqrtBefore: big.NewInt(1 << 60), SqrtAfter: big.NewInt(1 << 61),
	}
	other := one
	other.Number, other.Trader, other.Bought = 6, solana.PublicKey{}, false
	return curves.TradePage{Decimals: 6, Trades: []market.Trade{one, other}, Next: 6}, a.fails
}

func (a *asked) Candles(_ context.Context, _ solana.PublicKey, i market.Interval, before time.Time, limit int) (curves.CandlePage, error) {
	a.calls++
	a.interval, a.start, a.limit = i, before, limit
	one := market.Candle{
		Interval: i, Start: i.Start(noon), Open: big.NewInt(1 << 60), High: big.NewInt(1 << 62), Low: big.NewInt(1 << 59), Close: big.NewInt(1 << 61),
		Lamports: big.NewInt(1_500_000_000), Tokens: new(big.Int).Lsh(big.NewInt(1), 70), Trades: 2,
	}
	dust := one // the program lets a trader pay for nothing
	dust.Tokens = new(big.Int)
	return curves.CandlePage{Decimals: 6, Candles: []market.Candle{one, dust}, Next: i.Start(noon)}, a.fails
}

func (a *asked) Price(_ context.Context, _ solana.PublicKey, amount curves.Amount) (curves.Price, error) {
	a.calls++
	a.tokens, a.lamports = amount.Tokens, amount.Lamports
	return curves.Price{Tokens: amount.Tokens, SqrtPrice: big.NewInt(1), NextSqrtPrice: big.NewInt(2), ImpactBps: new(big.Int).Lsh(big.NewInt(1), 200)}, a.fails
}

func (a *asked) Buy(_ context.Context, _, mint solana.PublicKey, amount curves.Amount, slippage int) (curves.Trade, error) {
	a.tokens, a.lamports, a.slippage = amount.Tokens, amount.Lamports, slippage
	u, err := a.unsigned(mint)
	return curves.Trade{Unsigned: u, Tokens: amount.Tokens}, err
}

func (a *asked) Sell(ctx context.Context, who, mint solana.PublicKey, tokens uint64, slippage int) (curves.Trade, error) {
	return a.Buy(ctx, who, mint, curves.Amount{Tokens: tokens}, slippage)
}

func (a *asked) Cancel(_ context.Context, _, mint solana.PublicKey) (curves.Cancellation, error) {
	u, err := a.unsigned(mint)
	return curves.Cancellation{Unsigned: u}, err
}

func (a *asked) Fees(_ context.Context, _ solana.PublicKey) (curves.Fees, error) {
	a.calls++
	return curves.Fees{ClaimableTokens: 1, ClaimableLamports: 2, ClaimedTokens: 3, ClaimedLamports: math.MaxUint64}, a.fails
}

func (a *asked) ClaimFees(_ context.Context, _, mint solana.PublicKey) (curves.FeeClaim, error) {
	u, err := a.unsigned(mint)
	return curves.FeeClaim{Unsigned: u, Tokens: 4, Lamports: 5, NFTMint: caller}, err
}

// TestFees uses a different value for each amount, so a mix-up shows.
func TestFees(t *testing.T) {
	h, at := handler(t, &asked{}), "/"+solana.NewWallet().PublicKey().String()+"/fees"
	_, got := call(t, h, solana.PublicKey{}, "getCurveFees", at, "")
	if got["claimableTokens"] != "1" || got["claimableLamports"] != "2" || got["claimedTokens"] != "3" || got["claimedLamports"] != "18446744073709551615" {
		t.Errorf("fees = %v, want 1 and 2 claimable, 3 and 2^64-1 claimed", got)
	}
	_, got = call(t, h, caller, "createUnsignedFeeClaim", at+"/create-unsigned", `{}`)
	if got["tokenAmount"] != "4" || got["solAmount"] != "5" || got["positionNftMint"] != caller.String() {
		t.Errorf("claim = %v, want 4 tokens, 5 lamports and NFT mint %s", got, caller)
	}
}

func TestLaunchpadRequests(t *testing.T) {
	mint := solana.NewWallet().PublicKey()
	base := `{"tokenMint":"` + mint.String() + `","tokenAmount":"5"`
	for body, want := range map[string]curves.Draft{
		base + `,"targetMarketCap":"100"}`: {TargetLamports: 100e9, Multiplier: 1600, Locked: true, FeeBps: 100},
		base + `,"targetMarketCap":100.25,"targetMarketCapUnit":null,"priceMultiplier":null,"lockLiquidity":null}`: {
			TargetLamports: 100_250_000_000, Multiplier: 1600, Locked: true, FeeBps: 100,
		},
		base + `,"targetMarketCap":"5000","targetMarketCapUnit":"milliSOL","priceMultiplier":1.5,"lockLiquidity":false,"tradeFeePercent":0.25,
			"antiSniperFeePercent":50,"antiSniperMinutes":60}`: {
			TargetLamports: 5e9, Multiplier: 150, FeeBps: 25, SniperBps: 5000, Window: time.Hour,
		},
		base + `,"targetMarketCap":"100","initialBuyLamports":"18446744073709551615","startsAt":""}`: {
			TargetLamports: 100e9, Multiplier: 1600, Locked: true, FeeBps: 100, InitialLamports: math.MaxUint64,
		},
		base + `,"targetMarketCap":"100","initialBuyLamports":"0","startsAt":"2026-11-25T19:00:00.750+01:00"}`: {
			TargetLamports: 100e9, Multiplier: 1600, Locked: true, FeeBps: 100, StartsAt: time.Date(2026, 11, 25, 18, 0, 0, 0, time.UTC),
		},
	} {
		service := &asked{}
		status, got := call(t, handler(t, service), caller, "createUnsignedCurve", "/create-unsigned", body)
		want.Mint, want.Tokens = mint, 5
		if status != http.StatusOK || service.draft != want {
			t.Errorf("%s: %d %v\n%+v, want\n%+v", body, status, got, service.draft, want)
		}
	}
	service := &asked{}
	h := handler(t, service)
	at := "/" + mint.String()
	call(t, h, caller, "createUnsignedBuy", at+"/buy/create-unsigned", `{"tokenAmount":"18446744073709551615"}`)
	if service.tokens != math.MaxUint64 || service.slippage != curves.DefaultSlippageBps {
		t.Errorf("buy called the service with %+v, want 2^64-1 tokens and the default slippage", service)
	}
	call(t, h, caller, "createUnsignedSell", at+"/sell/create-unsigned", `{"tokenAmount":"7","slippagePercent":50}`)
	if service.tokens != 7 || service.slippage != 5000 {
		t.Errorf("sell called the service with %+v, want 7 tokens and 5000 basis points", service)
	}
	call(t, h, caller, "createUnsignedBuy", at+"/buy/create-unsigned", `{"lamports":"7","tokenAmount":null}`)
	if service.tokens != 0 || service.lamports != 7 {
		t.Errorf("buy called the service with %+v, want 7 lamports", service)
	}
	call(t, h, caller, "getPrice", at+"/price?lamports=18446744073709551615", "")
	if service.tokens != 0 || service.lamports != math.MaxUint64 {
		t.Errorf("price called the service with %+v, want 2^64-1 lamports", service)
	}
	_, price := call(t, h, caller, "getPrice", at+"/price?amount=18446744073709551615", "")
	if service.tokens != math.MaxUint64 || price["priceImpact"] != 1e9 {
		t.Errorf("price called the service with %+v, response %v; want 2^64-1 tokens and impact 1e9", service, price)
	}
	_, list := call(t, h, caller, "listCurves", "", "")
	cursor, _ := list["nextCursor"].(string)
	if service.limit != 20 || cursor == "" {
		t.Errorf("list called the service with %+v, response %v; want limit 20 and a cursor", service, list)
	}
	if call(t, h, caller, "listCurves", "?limit=100&cursor="+cursor, ""); service.limit != 100 || !strings.HasSuffix(service.after, solana.WrappedSol.String()) {
		t.Errorf("list called the service with %+v, want limit 100 after the cursor", service)
	}
}

// Trades and candles match the document, and a page leads to the next.
func TestTradesAndCandles(t *testing.T) {
	service := &asked{}
	h, at := handler(t, service), "/"+solana.NewWallet().PublicKey().String()
	status, got := call(t, h, caller, "listTrades", at+"/trades", "")
	list, _ := got["trades"].([]any)
	if status != http.StatusOK || len(list) != 2 || service.limit != 20 || service.before != 0 {
		t.Fatalf("%d %v, requested %+v", status, got, service)
	}
	first, _ := list[0].(map[string]any)
	for field, want := range map[string]any{
		"number": 7.0, "slot": 9.0, "time": "2026-11-22T12:00:00.005Z", "side": "buy", "trader": caller.String(),
		"lamports": "9223372036854775808", "tokenAmount": "5", "feeLamports": "3", "priceBefore": "0.00000390625", "price": "0.000015625",
		"signature": solana.Signature{1}.String(),
	} {
		if first[field] != want {
			t.Errorf("%s is %v, want %v", field, first[field], want)
		}
	}
	if second, _ := list[1].(map[string]any); second["side"] != "sell" || second["trader"] != nil {
		t.Errorf("of an unknown instruction: %v", second)
	}
	cursor, _ := got["nextCursor"].(string)
	if call(t, h, caller, "listTrades", at+"/trades?limit=100&cursor="+cursor, ""); service.before != 6 || service.limit != 100 {
		t.Errorf("the next page is requested as %+v", service)
	}
	status, got = call(t, h, caller, "listCandles", at+"/candles", "")
	if list, _ = got["candles"].([]any); status != http.StatusOK || len(list) != 2 || service.interval != market.OneHour || got["interval"] != "1h" || !service.start.IsZero() {
		t.Fatalf("%d %v, requested %+v", status, got, service)
	}
	candle, _ := list[0].(map[string]any)
	for field, want := range map[string]any{
		"time": "2026-11-22T12:00:00.000Z", "open": "0.00000390625", "high": "0.0000625", "low": "0.0000009765625", "close": "0.000015625",
		"volume": "1.5", "volumeLamports": "1500000000", "volumeTokens": "1180591620717411303424", "trades": 2.0,
	} {
		if candle[field] != want {
			t.Errorf("%s is %v, want %v", field, candle[field], want)
		}
	}
	cursor, _ = got["nextCursor"].(string)
	if call(t, h, caller, "listCandles", at+"/candles?interval=1d&limit=7&cursor="+cursor, ""); service.interval != market.OneDay ||
		service.start != noon.Truncate(time.Hour) || service.limit != 7 {
		t.Errorf("the next page is requested as %+v", service)
	}
}

func TestBadRequests(t *testing.T) {
	mint := solana.NewWallet().PublicKey().String()
	good := `"tokenMint":"` + mint + `","tokenAmount":"5","targetMarketCap":"100"`
	for _, c := range []struct {
		operation, target, body string
		want                    map[string]string // code by field
	}{
		{"createUnsignedCurve", "/create-unsigned", `{}`, map[string]string{
			"tokenMint": "required", "tokenAmount": "required", "targetMarketCap": "required",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{"tokenMint":"x","tokenAmount":"0","targetMarketCap":"0.5","priceMultiplier":1.49,"lockLiquidity":"no",
			"tradeFeePercent":10.01,"antiSniperFeePercent":50.01,"antiSniperMinutes":61,"colour":1}`, map[string]string{
			"tokenMint": "invalid_format", "tokenAmount": "out_of_range", "targetMarketCap": "out_of_range",
			"priceMultiplier": "out_of_range", "lockLiquidity": "invalid_type", "tradeFeePercent": "invalid_percentage",
			"antiSniperFeePercent": "invalid_percentage", "antiSniperMinutes": "out_of_range", "colour": "unknown_field",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{"tokenMint":"` + mint + `","tokenAmount":5,"targetMarketCap":"5000"}`, map[string]string{
			"tokenAmount": "invalid_type", "targetMarketCapUnit": "required",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"antiSniperFeePercent":1,"antiSniperMinutes":5,"priceMultiplier":100.01}`, map[string]string{
			"antiSniperFeePercent": "out_of_range", "priceMultiplier": "out_of_range",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"antiSniperMinutes":5}`, map[string]string{"antiSniperFeePercent": "required"}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"antiSniperFeePercent":5}`, map[string]string{"antiSniperMinutes": "required"}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"initialBuyLamports":"1","startsAt":"2026-11-25T18:00:00Z"}`, map[string]string{
			"initialBuyLamports": "out_of_range", "startsAt": "out_of_range",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"initialBuyLamports":1,"startsAt":"tomorrow"}`, map[string]string{
			"initialBuyLamports": "invalid_type", "startsAt": "invalid_format",
		}},
		{"createUnsignedCurve", "/create-unsigned", `{` + good + `,"startsAt":"0001-01-01T00:00:00Z"}`, map[string]string{"startsAt": "invalid_format"}},
		{"getPrice", "/" + mint + "/price?amount=1&lamports=1", "", map[string]string{"amount": "out_of_range", "lamports": "out_of_range"}},
		{"getPrice", "/" + mint + "/price?lamports=0", "", map[string]string{"lamports": "out_of_range"}},
		{"getPrice", "/" + mint + "/price?lamports=", "", map[string]string{"lamports": "required"}},
		{"getPrice", "/" + mint + "/price?lamports=0.1", "", map[string]string{"lamports": "invalid_format"}},
		{"createUnsignedBuy", "/" + mint + "/buy/create-unsigned", `{"tokenAmount":"1","lamports":"1"}`, map[string]string{
			"tokenAmount": "out_of_range", "lamports": "out_of_range",
		}},
		{"createUnsignedBuy", "/" + mint + "/buy/create-unsigned", `{"slippagePercent":1}`, map[string]string{"tokenAmount": "required"}},
		{"createUnsignedBuy", "/" + mint + "/buy/create-unsigned", `{"lamports":"0"}`, map[string]string{"lamports": "out_of_range"}},
		{"createUnsignedBuy", "/" + mint + "/buy/create-unsigned", `{"lamports":1}`, map[string]string{"lamports": "invalid_type"}},
		{"createUnsignedSell", "/" + mint + "/sell/create-unsigned", `{"lamports":"1"}`, map[string]string{
			"tokenAmount": "required", "lamports": "unknown_field",
		}},
		{"listTrades", "/" + mint + "/trades?limit=101&cursor=x", "", map[string]string{"limit": "out_of_range", "cursor": "invalid_format"}},
		{"listCandles", "/" + mint + "/candles?interval=2h", "", map[string]string{"interval": "invalid_interval"}},
		{"listCandles", "/malformed/candles?limit=0&interval=2h&cursor=x", "", map[string]string{
			"limit": "out_of_range", "interval": "invalid_interval", "cursor": "invalid_format",
		}},
		{"getPrice", "/" + mint + "/price", "", map[string]string{"amount": "required"}},
		{"getPrice", "/" + mint + "/price?amount=0", "", map[string]string{"amount": "out_of_range"}},
		{"getPrice", "/" + mint + "/price?amount=18446744073709551616", "", map[string]string{"amount": "out_of_range"}},
		{"getPrice", "/" + mint + "/price?amount=1.5", "", map[string]string{"amount": "invalid_format"}},
		{"getPrice", "/" + mint + "/price?amount=-1", "", map[string]string{"amount": "invalid_format"}},
		{"getPrice", "/malformed/price?amount=x", "", map[string]string{"amount": "invalid_format"}},
		{"createUnsignedBuy", "/" + mint + "/buy/create-unsigned", `{"tokenAmount":"0","slippagePercent":50.01}`, map[string]string{
			"tokenAmount": "out_of_range", "slippagePercent": "invalid_percentage",
		}},
		{"createUnsignedSell", "/" + mint + "/sell/create-unsigned", `{"slippagePercent":-1}`, map[string]string{
			"tokenAmount": "required", "slippagePercent": "invalid_percentage",
		}},
		{"createUnsignedCancel", "/" + mint + "/cancel/create-unsigned", `{"why":"so"}`, map[string]string{"why": "unknown_field"}},
		{"createUnsignedFeeClaim", "/" + mint + "/fees/create-unsigned", `{"why":"so"}`, map[string]string{"why": "unknown_field"}},
		{"listCurves", "?limit=101&cursor=AAAA", "", map[string]string{"limit": "out_of_range", "cursor": "invalid_format"}},
	} {
		service := &asked{}
		status, got := call(t, handler(t, service), caller, c.operation, c.target, c.body)
		found := map[string]string{}
		list, _ := got["errors"].([]any)
		for _, one := range list {
			field, _ := one.(map[string]any)
			found[field["field"].(string)] = field["code"].(string) //nolint:forcetypeassert // as checked against the document
		}
		if status != http.StatusBadRequest || service.calls != 0 || len(found) != len(c.want) {
			t.Errorf("%s with %s = %d %v, want 400 for %v and no call", c.operation, c.body, status, got, c.want)
		}
		for field, code := range c.want {
			if found[field] != code {
				t.Errorf("%s %s: %s is %q, want %s", c.operation, c.body, field, found[field], code)
			}
		}
	}
}

// TestMalformedMints have no curve, and the service is not asked about them.
func TestMalformedMints(t *testing.T) {
	for operation, c := range map[string][2]string{
		"listTrades": {"/trades", ""}, "listCandles": {"/candles", ""},
		"getCurve": {"/status", ""}, "getPrice": {"/price?amount=1", ""}, "createUnsignedBuy": {"/buy/create-unsigned", `{"tokenAmount":"1"}`},
		"createUnsignedSell": {"/sell/create-unsigned", `{"tokenAmount":"1"}`}, "createUnsignedCancel": {"/cancel/create-unsigned", `{}`},
		"getCurveFees": {"/fees", ""}, "createUnsignedFeeClaim": {"/fees/create-unsigned", `{}`},
	} {
		service := &asked{}
		for _, mint := range []string{"malformed", strings.Repeat("1", 10_000), "0OIl"} {
			status, got := call(t, handler(t, service), caller, operation, "/"+mint+c[0], c[1])
			if status != http.StatusNotFound || got["code"] != "launchpad_not_found" || service.calls != 0 {
				t.Errorf("%s of %.10s = %d %v, want 404 launchpad_not_found and no call", operation, mint, status, got)
			}
		}
	}
}

func TestTradesNeedAToken(t *testing.T) {
	for operation, target := range map[string]string{
		"createUnsignedCurve": "/create-unsigned", "createUnsignedBuy": "/" + caller.String() + "/buy/create-unsigned",
		"createUnsignedSell": "/" + caller.String() + "/sell/create-unsigned", "createUnsignedCancel": "/" + caller.String() + "/cancel/create-unsigned",
		"createUnsignedFeeClaim": "/" + caller.String() + "/fees/create-unsigned",
	} {
		service := &asked{}
		if status, got := call(t, handler(t, service), solana.PublicKey{}, operation, target, `{}`); status != http.StatusUnauthorized || service.calls != 0 {
			t.Errorf("%s without a wallet = %d %v, want 401 and no call", operation, status, got)
		}
	}
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
