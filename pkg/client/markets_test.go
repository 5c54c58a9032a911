package client_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/dex"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/featured"
	routes "tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/client"
	lifetimes "tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// markets are the routes of markets over the real parts, for the wallet of a fixture that
// has launched a token. The chain has neither program, so nothing is there but what was
// launched and recorded.
type markets struct {
	*fixture

	client   *client.Client
	token    client.Token
	launch   vector // as it was signed
	preparer transaction.Preparer
	curves   curves.Store
	// made is the curve that was prepared last.
	made   launchpad.Created
	byPath map[string]http.Handler
}

// maker keeps what it prepares.
type maker struct {
	launchpad.Service
	m *markets
}

func (s maker) Create(ctx context.Context, caller solana.PublicKey, d launchpad.Draft) (launchpad.Created, error) {
	c, err := s.Service.Create(ctx, caller, d)
	s.m.made = c
	return c, err
}

func (m *markets) RoundTrip(r *http.Request) (*http.Response, error) {
	for path, handler := range m.byPath {
		if strings.HasPrefix(r.URL.Path, path) || path == "/launchpad" && strings.HasSuffix(r.URL.Path, "/lock/create-unsigned") {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, r.WithContext(apigw.WithCaller(r.Context(), apigw.CallerContext{
				Wallet: m.wallet.String(), SourceIP: launchtest.Address(), RequestID: "r",
			})))
			return answer.Result(), nil
		}
	}
	return m.fixture.RoundTrip(r)
}

func newMarkets(t *testing.T) *markets {
	t.Helper()
	w, _ := newFixture(t, lifetimes.OnBlockhash)
	key, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	w.wallet = key.PublicKey()
	w.Ledger.Fund(t, w.wallet.String(), 100*solana.LAMPORTS_PER_SOL)
	db := dynamo.New(w.Config(nil))
	m := &markets{
		fixture: w, curves: curves.Store{Client: db, Table: w.Table}, byPath: map[string]http.Handler{},
		preparer: transaction.Preparer{Chain: w.Node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: w.Clock.Now, NewID: uuid.NewString},
	}
	serve := func(path string, function string, handlers map[string]apigw.HandlerFunc) {
		api := apigw.API{Limiter: &ratelimittest.Memory{Now: w.Clock.Now}, Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now}
		if m.byPath[path], err = api.Handler(function, handlers); err != nil {
			t.Fatal(err)
		}
	}
	serve("/dex/", route.FunctionDex, dex.Endpoint{Pools: cpmm.Service{
		Chain: w.Node, Store: curves.Pools{Client: db, Table: w.Table}, Network: raydium.Mainnet, Preparer: m.preparer,
		Random: rand.Reader,
	}, Limiter: &ratelimittest.Memory{Now: w.Clock.Now}}.Handlers())
	serve("/launchpad", route.FunctionLaunchpad, routes.Endpoint{Curves: maker{launchpad.Service{
		Store: m.curves, Issued: issued.Store{Client: db, Table: w.Table}, Chain: w.Node, Preparer: m.preparer,
		Random: rand.Reader, Now: w.Clock.Now,
	}, m}, Locks: lock.Service{
		Issued: issued.Store{Client: db, Table: w.Table}, Chain: w.Node, Preparer: m.preparer, Random: rand.Reader,
	}, Limiter: &ratelimittest.Memory{Now: w.Clock.Now}, Tokens: w.Tokens}.Handlers())
	promotions := promotions.Store{Client: db, Table: w.Table}
	serve("/featured", route.FunctionFeatured, endpoint.Endpoint{
		Promotions: featured.Service{
			Tokens: w.Tokens, Store: promotions, Preparer: m.preparer, Treasury: solana.NewWallet().PublicKey(), Random: rand.Reader,
		},
		Records: promotions, Gateway: "https://ipfs.example", Now: w.Clock.Now,
	}.Handlers())
	if m.client, err = client.New("https://api.example", client.WithSigner(key), client.WithHTTPClient(&http.Client{Transport: m})); err != nil {
		t.Fatal(err)
	}
	return m
}

// mustBe returns a value that came without an error.
func mustBe[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// prepared is a transaction of each kind as the service prepares it, with what was asked for.
func (m *markets) prepared(t *testing.T) (list []vector) {
	t.Helper()
	ctx, c := t.Context(), m.client
	order := crane
	order.Token.Supply = client.BaseUnits(1_000_000_000_000_000)
	// The launch in parts, so that each is at hand.
	wallet := mustBe(c.GenerateDistributionWallet(ctx))(t)
	order.Token.WalletID = wallet.WalletID
	launched := mustBe(c.CreateUnsignedToken(ctx, order.Token))(t)
	signed := mustBe(c.SignLaunch(ctx, order.Token, wallet, launched))(t)
	m.token = mustBe(c.FinishLaunch(ctx, client.Submission{TransactionID: launched.TransactionID, SignedTransaction: signed}, client.LaunchHooks{}))(t)
	if m.token.Status != client.TokenConfirmed {
		t.Fatalf("the token is %s", m.token.Status)
	}
	mint, tax := m.token.MintAddress, m.token.TransferFeePercent
	add := func(name string, asked request, given any, signed string) {
		t.Helper()
		if tx, err := wire.ParseBase64(signed); err != nil || tx.VerifySignature(m.wallet) != nil {
			t.Errorf("%s: ParseBase64() = %v, want a transaction signed by the wallet", name, err)
		}
		v := vector{Name: name, Wallet: m.wallet, Asked: asked}
		v.Given = mustBe(json.Marshal(given))(t)
		list = append(list, v)
	}
	add("launch", request{Launch: &order.Token, To: &wallet}, launched, signed)

	pool := client.PoolCreation{TokenMint: mint, TokenAmount: client.BaseUnits(400_000_000_000_000), SOLAmount: client.MustSOL("10")}
	newPool := mustBe(c.CreateUnsignedPool(ctx, pool))(t)
	add("pool", request{Pool: &pool}, newPool, mustBe(c.SignPool(ctx, pool, newPool))(t))

	// A pool may be at the address derived from its mint, or at a key of its own that signs. The
	// service uses the second.
	prepared := list[len(list)-1]
	for _, account := range []solana.PublicKey{{}, key(71)} {
		v := prepared
		v.Name = "pool at " + makesPool(t, v, account).Accounts()[3].PublicKey.String()
		v.Given = v.with(v.poolAt(t, account))
		list = append(list, v)
	}

	unlocked := false
	sniped := client.CurveCreation{
		TokenMint: mint, TokenAmount: client.BaseUnits(123_456_789_012_345), TargetMarketCap: "12500", TargetMarketCapUnit: "milliSOL", PriceMultiplier: client.MustFactor("7.25"),
		LockLiquidity: &unlocked, TradeFeePercent: client.MustPercent("1.5"), AntiSniperFeePercent: client.MustPercent("25"), AntiSniperMinutes: 10,
	}
	newSniped := mustBe(c.CreateUnsignedCurve(ctx, sniped))(t)
	add("curve with every option", request{Curve: &sniped, Tax: tax}, newSniped, mustBe(c.SignCurve(ctx, sniped, tax, newSniped))(t))
	curve := client.CurveCreation{TokenMint: mint, TokenAmount: client.BaseUnits(400_000_000_000_000), TargetMarketCap: "85.5"}
	newCurve := mustBe(c.CreateUnsignedCurve(ctx, curve))(t)
	add("curve", request{Curve: &curve, Tax: tax}, newCurve, mustBe(c.SignCurve(ctx, curve, tax, newCurve))(t))

	first := curve
	first.InitialBuyLamports, first.AntiSniperFeePercent, first.AntiSniperMinutes = client.LamportsOf(1_234_567_890), client.MustPercent("50"), 60
	newFirst := mustBe(c.CreateUnsignedCurve(ctx, first))(t)
	if newFirst.InitialBuyLamports != first.InitialBuyLamports || newFirst.InitialBuyTokens.Uint64() == 0 || newFirst.StartsAt != nil {
		t.Errorf("the first purchase is %+v", newFirst)
	}
	add("curve with a first purchase", request{Curve: &first, Tax: tax}, newFirst, mustBe(c.SignCurve(ctx, first, tax, newFirst))(t))
	later := curve
	later.StartsAt = client.Time{Time: m.Clock.Now().Add(48*time.Hour + 750*time.Millisecond)}
	newLater := mustBe(c.CreateUnsignedCurve(ctx, later))(t)
	if newLater.StartsAt == nil || !newLater.StartsAt.Equal(later.StartsAt.Truncate(time.Second)) {
		t.Errorf("it begins at %s", newLater.StartsAt)
	}
	add("curve that begins later", request{Curve: &later, Tax: tax}, newLater, mustBe(c.SignCurve(ctx, later, tax, newLater))(t))

	// A curve with withdrawable liquidity, recorded as if it were on the chain.
	free := curve
	free.LockLiquidity = &unlocked
	mustBe(c.CreateUnsignedCurve(ctx, free))(t)
	m.made.Curve.CreatedAt = m.Clock.Now()
	if err := m.curves.Deploy(ctx, m.made.Curve, m.made.ID); err != nil {
		t.Fatal(err)
	}
	buy := client.CurvePurchase{TokenAmount: client.BaseUnits(5_000_000_000)}
	quote := mustBe(c.GetPrice(ctx, mint, buy.TokenAmount))(t)
	purchase := mustBe(c.CreateUnsignedBuy(ctx, mint, buy))(t)
	maximum := client.LamportsOf(quote.SOLCostLamports.Uint64() * 21 / 20)
	add("buy", request{Mint: &mint, Buy: &buy, Max: maximum}, purchase, mustBe(c.SignBuy(ctx, mint, buy, maximum, purchase))(t))
	spend := client.CurvePurchase{Lamports: client.MustSOL("0.333333333")}
	quote = mustBe(c.GetPriceFor(ctx, mint, spend.Lamports))(t)
	spent := mustBe(c.CreateUnsignedBuy(ctx, mint, spend))(t)
	if spent.TokenAmount != quote.TokenAmount || spent.MaximumLamports != spend.Lamports || quote.SOLCostLamports != spend.Lamports {
		t.Errorf("%+v, quoted %+v", spent, quote)
	}
	atLeast := client.BaseUnits(quote.TokenAmount.Uint64() * 19 / 20)
	add("spend", request{Mint: &mint, Buy: &spend, Min: client.Lamports(atLeast)}, spent, mustBe(c.SignSpend(ctx, mint, spend, atLeast, spent))(t))
	half := client.MustPercent("0.5")
	sell := client.CurveSale{TokenAmount: client.BaseUnits(4_000_000_000), SlippagePercent: &half}
	m.raised(t, mint, client.MustSOL("2"))
	sale := mustBe(c.CreateUnsignedSell(ctx, mint, sell))(t)
	minimum := client.LamportsOf(sale.MinimumLamports.Uint64() / 2)
	add("sell", request{Mint: &mint, Sell: &sell, Min: minimum}, sale, mustBe(c.SignSell(ctx, mint, sell, minimum, sale))(t))
	claim := mustBe(c.CreateUnsignedFeeClaim(ctx, mint))(t)
	if due := mustBe(c.GetCurveFees(ctx, mint))(t); due.ClaimableLamports.Uint64() == 0 || due.ClaimableLamports != claim.SOLAmount {
		t.Errorf("%+v are due, %s are claimed", due, claim.SOLAmount)
	}
	add("fees", request{Mint: &mint, Fees: true}, claim, mustBe(c.SignFeeClaim(ctx, mint, claim))(t))
	cancel := mustBe(c.CreateUnsignedCancel(ctx, mint))(t)
	add("cancel", request{Mint: &mint, Cancel: true}, cancel, mustBe(c.SignCancel(ctx, mint, cancel))(t))

	locks := client.TokenLock{
		TokenAmount: client.BaseUnits(120_000_000_000_007), FirstReleaseAt: client.Time{Time: m.Clock.Now().Add(90*24*time.Hour + 600*time.Millisecond)},
		Releases: 12, PeriodSeconds: 2_592_000, Recipient: key(72),
	}
	locked := mustBe(c.CreateUnsignedLock(ctx, mint, locks))(t)
	if parts := locked.FirstReleaseAmount.Uint64() + 11*locked.PeriodAmount.Uint64(); parts != locked.TokenAmountAfterTax.Uint64() || locked.TokenAmount.Uint64() > locks.TokenAmount.Uint64() {
		t.Errorf("the parts add up to %d: %+v", parts, locked)
	}
	add("lock", request{Mint: &mint, Lock: &locks, Tax: tax}, locked, mustBe(c.SignLock(ctx, mint, locks, tax, locked))(t))
	once := client.TokenLock{TokenAmount: client.BaseUnits(1_000_000), FirstReleaseAt: locks.FirstReleaseAt, Releases: 1}
	lockedOnce := mustBe(c.CreateUnsignedLock(ctx, mint, once))(t)
	add("lock with one release", request{Mint: &mint, Lock: &once, Tax: tax}, lockedOnce, mustBe(c.SignLock(ctx, mint, once, tax, lockedOnce))(t))

	days := client.PromotionPurchase{TokenMint: mint, DurationDays: 7}
	promotion := mustBe(c.CreateUnsignedPromotion(ctx, days))(t)
	add("promotion", request{Promotion: &days}, promotion, mustBe(c.SignPromotion(ctx, days, promotion))(t))

	change := m.taxChange(t, mint, 250)
	add("tax", request{Mint: &mint, Tax: client.MustPercent("2.5")}, change, mustBe(c.SignTransferFee(ctx, mint, client.MustPercent("2.5"), change))(t))
	return list
}

// raised records that a curve has raised so much, as the index does.
func (m *markets) raised(t *testing.T, mint solana.PublicKey, l client.Lamports) {
	t.Helper()
	_, err := m.curves.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &m.Table, UpdateExpression: aws.String("SET paid = :paid"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":paid": dynamo.Number(int64(l.Uint64()))}, // #nosec G115 -- a few SOL
		Key: map[string]types.AttributeValue{
			schema.PartitionKey: dynamo.Text("CURVE#" + mint.String()), schema.SortKey: dynamo.Text("CURVE"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// taxChange returns the service's response to a change of the tax; see settings.Service.
func (m *markets) taxChange(t *testing.T, mint solana.PublicKey, bps uint16) (out client.UnsignedTransferFee) {
	t.Helper()
	u, err := m.preparer.Prepare(t.Context(), "", transaction.Draft{
		Kind: transaction.KindTax, Caller: m.wallet, Mint: mint, MaxUnits: 5_000,
		Steps: []transaction.Step{{
			Instruction: token2022.SetTransferFee{Mint: mint, Authority: m.wallet, BasisPoints: bps, MaximumFee: math.MaxUint64}.Instruction(),
			Explanation: "Sets the transfer tax.",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := wire.ParseTransaction(u.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	out.Transaction, out.Explanation, out.TransferFeePercent = tx.Base64(), u.Explanation, client.BasisPoints(uint64(bps))
	out.Cost = client.FeeChangeCost{NetworkFeeLamports: client.LamportsOf(u.Cost.NetworkFee), TotalLamports: client.LamportsOf(u.Cost.Total())}
	return out
}
