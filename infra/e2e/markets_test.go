package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// check checks the common promises: the signers, the expiry, and a sentence for each instruction.
func check(t *testing.T, u client.Unsigned, signer string, others int, reason string) {
	t.Helper()
	tx, err := wire.ParseBase64(u.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	signers := tx.Message().Signers()
	if len(signers) != others+1 || signers[0].String() != signer {
		t.Errorf("%s is signed by %v, want %s and %d more", u.TransactionID, signers, signer, others)
	}
	if got, want := len(u.Explanation), len(tx.Message().Instructions()); got != want {
		t.Errorf("%d sentences for %d instructions: %q", got, want, u.Explanation)
	}
	if left := time.Until(u.ExpiresAt.Time); left < 15*time.Second || left > time.Minute {
		t.Errorf("it expires at %s, in %s", u.ExpiresAt, left)
	}
	if string(u.Simulation.Reason) != reason || u.Simulation.OK != (reason == "") {
		t.Errorf("simulation %+v, want the reason %q", u.Simulation, reason)
	}
}

// mustAnswer ends the test when a request was rejected.
func mustAnswer(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
}

const unavailable = "program_unavailable"

// TestPreparePool works even if the chain lacks the program.
func TestPreparePool(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	mint := l.Submitted.MintAddress
	body := client.PoolCreation{TokenMint: mint, TokenAmount: client.BaseUnits(800_000_000_000_000), SOLAmount: client.LamportsOf(500_000_000)}
	made, err := l.Client.CreateUnsignedPool(t.Context(), body)
	mustAnswer(t, err)
	check(t, made.Unsigned, l.Wallet.Address(), 1, unavailable)
	want, err := raydium.Mainnet.AddressesAt(mint, made.PoolAddress)
	if err != nil {
		t.Fatal(err)
	}
	if !want.Own || made.PoolAddress != want.Pool || made.LPMint != want.LPMint || made.Vaults.Token != want.TokenVault || made.Vaults.SOL != want.SOLVault {
		t.Errorf("the pool is %+v, want %+v", made, want)
	}
	// 5% of the tokens are tax, and 760 million for half a SOL is the price.
	if made.TokenAmountAfterTax != client.BaseUnits(760_000_000_000_000) || made.InitialPrice != "0.000000000657894736842" {
		t.Errorf("%s arrive, at %s", made.TokenAmountAfterTax, made.InitialPrice)
	}
	// A pool that a third party has planted at the derived address blocks no creation.
	other, err := raydium.Mainnet.Addresses(solana.MustPublicKeyFromBase58(surfpool.USDT))
	if err == nil {
		err = s.Chain.SetAccount(t.Context(), other.Pool.String(), surfpool.Account{
			Lamports: 10_000_000, Owner: raydium.Mainnet.Program.String(), Data: make([]byte, raydium.PoolSize),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	body.TokenMint = solana.MustPublicKeyFromBase58(surfpool.USDT)
	second, err := l.Client.CreateUnsignedPool(t.Context(), body)
	mustAnswer(t, err)
	if second.PoolAddress == other.Pool {
		t.Errorf("the pool is to be at %s, where one is", other.Pool)
	}
}

// TestCurveStatusFromRecord tests that, if the chain lacks the program, a prepared curve has the
// status of a curve that was sent.
func TestCurveStatusFromRecord(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	ctx, mint := t.Context(), l.Submitted.MintAddress
	made, err := l.Client.CreateUnsignedCurve(ctx, client.CurveCreation{
		TokenMint: mint, TokenAmount: client.BaseUnits(800_000_000_000_000), TargetMarketCap: "100000", // thousandths of SOL
	})
	mustAnswer(t, err)
	check(t, made.Unsigned, l.Wallet.Address(), 1, unavailable)
	if made.TargetSOL != "100" || made.TargetLamports != client.LamportsOf(100_000_000_000) || made.TokenAmountAfterTax != client.BaseUnits(760_000_000_000_000) ||
		made.CurveParameters.StartPrice != "0.0000000438596491228" || made.CurveParameters.PriceMultiplier != client.MustFactor("16") {
		t.Errorf("the curve is %+v", made)
	}
	status, err := l.Client.GetCurve(ctx, mint)
	mustAnswer(t, err)
	if status.Status != client.CurveActive || status.BondingCurveID != made.BondingCurveID || status.TotalTokens != made.TokenAmountAfterTax ||
		status.TargetMarketCap != "100" || status.CurrentMarketCap != "0" || status.SOLCollected != "0" || status.Progress != (client.Percent{}) ||
		status.TokensSold.Uint64() != 0 || status.UniqueBuyers != 0 || status.EstimatedCompletion != nil || !status.LockLiquidity ||
		status.CurrentPrice != made.CurveParameters.StartPrice || status.CurveParameters.EndPrice != made.CurveParameters.EndPrice {
		t.Errorf("the status is %+v", status)
	}
	price, err := l.Client.GetPrice(ctx, mint, client.BaseUnits(1_000_000_000_000))
	mustAnswer(t, err)
	// A million tokens arrive; their tax comes on top. x·y=k asks for 46,232,086
	// lamports, which are 99% of what is paid: the rest is the fee.
	if price.TokenAmount != client.BaseUnits(1_000_000_000_000) || price.TokenTax != client.BaseUnits(52_631_578_948) || price.SOLCostLamports != client.LamportsOf(46_699_077) ||
		price.SOLCost != "0.046699077" || price.FeeLamports != client.LamportsOf(466_991) || price.CurrentPrice != status.CurrentPrice {
		t.Errorf("the price is %+v", price)
	}
	trade, err := l.Client.CreateUnsignedBuy(ctx, mint, client.CurvePurchase{TokenAmount: client.BaseUnits(1_000_000_000_000), SlippagePercent: new(client.MustPercent("1"))})
	mustAnswer(t, err)
	check(t, trade.Unsigned, l.Wallet.Address(), 0, unavailable)
	if trade.SOLCost != price.SOLCost || trade.MaximumLamports != client.LamportsOf(47_166_068) { // 1% more, rounded up
		t.Errorf("the purchase is %+v", trade)
	}
	spent, err := l.Client.CreateUnsignedBuy(ctx, mint, client.CurvePurchase{Lamports: client.LamportsOf(46_699_077)})
	mustAnswer(t, err)
	check(t, spent.Unsigned, l.Wallet.Address(), 0, unavailable)
	// A lamport is more than a unit there, so that a few more units arrive than were asked for above.
	units := spent.TokenAmount.Uint64()
	if spent.MaximumLamports != client.LamportsOf(46_699_077) || units < 1_000_000_000_000 || units > 1_000_000_100_000 ||
		spent.MinimumTokenAmount.Uint64() != units-(units*3+99)/100 {
		t.Errorf("the purchase for lamports is %+v", spent)
	}
	locked := call(t, http.MethodPost, s.APIURL+"/launchpad/"+mint.String()+"/cancel/create-unsigned", "{}", bearer(l))
	checkProblem(t, locked, http.StatusConflict, "liquidity_locked")
}

// cancelledCurve creates a curve of USDC that was cancelled, as if it had been on the chain, and
// returns its mint.
func cancelledCurve(t *testing.T, s *runner.Stack, l *walkthrough.Launch) string {
	t.Helper()
	usdc := solana.MustPublicKeyFromBase58(surfpool.USDC)
	a := call(t, http.MethodPost, s.APIURL+"/launchpad/create-unsigned", encoded(t, map[string]any{
		"tokenMint": usdc, "tokenAmount": "1000000000", "targetMarketCap": 25.5, "lockLiquidity": false, // a number, which the client never sends
	}), bearer(l))
	if a.status != http.StatusOK {
		t.Fatalf("cancel = %d %s, want 200", a.status, a.body)
	}
	store := curves.Store{Client: dynamodb.NewFromConfig(s.AWS.Config()), Table: s.Outputs["LaunchTableName"]}
	c, err := store.Deploy(t.Context(), usdc, l.Wallet.PublicKey(), 1_000_000)
	if err == nil {
		err = store.Cancel(t.Context(), c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return surfpool.USDC
}

// activeCurve creates a curve of the launched token that accepts purchases, as if it were on the
// chain, with one purchase for a SOL.
func activeCurve(t *testing.T, s *runner.Stack, l *walkthrough.Launch) {
	t.Helper()
	mint := l.Submitted.MintAddress
	_, err := l.Client.CreateUnsignedCurve(t.Context(), client.CurveCreation{
		TokenMint: mint, TokenAmount: client.BaseUnits(500_000_000_000_000), TargetMarketCap: "50", LockLiquidity: new(false),
	})
	mustAnswer(t, err)
	store := curves.Store{Client: dynamodb.NewFromConfig(s.AWS.Config()), Table: s.Outputs["LaunchTableName"]}
	if _, err := store.Deploy(t.Context(), mint, l.Wallet.PublicKey(), solana.LAMPORTS_PER_SOL); err != nil {
		t.Fatal(err)
	}
}

// marketCalls are the calls about markets and promotions that succeed once the token
// has a curve.
func marketCalls(l *walkthrough.Launch, encode func(any) string) []provocation {
	token, mint := bearer(l), l.Submitted.MintAddress.String()
	curve, order := "/launchpad/"+mint, `{"tokenAmount":"1000000"}`
	return []provocation{
		{operation: "createUnsignedPool", path: "/dex/exchange/cpmm/create-unsigned", header: token, body: encode(map[string]any{
			"tokenMint": mint, "tokenAmount": "1000000000", "solAmount": "1000000",
		})},
		{operation: "createUnsignedCurve", path: "/launchpad/create-unsigned", header: token, body: encode(map[string]any{
			"tokenMint": mint, "tokenAmount": "500000000000000", "targetMarketCap": "50", "lockLiquidity": false,
		})},
		{operation: "listCurves", path: "/launchpad?limit=2"},
		{operation: "getCurve", path: curve + "/status"},
		{operation: "getPrice", path: curve + "/price?amount=1000000"},
		{operation: "listTrades", path: curve + "/trades?limit=1"},
		{operation: "listCandles", path: curve + "/candles?interval=1d"},
		{operation: "createUnsignedBuy", path: curve + "/buy/create-unsigned", body: order, header: token},
		{operation: "buyByAction", path: "/actions/" + mint + "/buy/0.001", body: encode(map[string]any{"account": l.Wallet.Address()})},
		{operation: "createUnsignedSell", path: curve + "/sell/create-unsigned", body: order, header: token},
		{operation: "createUnsignedCancel", path: curve + "/cancel/create-unsigned", body: "{}", header: token},
		{operation: "getCurveFees", path: curve + "/fees"},
		{operation: "createUnsignedFeeClaim", path: curve + "/fees/create-unsigned", body: "{}", header: token},
		{operation: "createUnsignedLock", path: "/tokens/" + mint + "/lock/create-unsigned", body: lockOrder(), header: token},
		{operation: "listFeatured", path: "/featured"},
		{operation: "createUnsignedPromotion", path: "/featured/create-unsigned", header: token, body: encode(map[string]any{
			"tokenMint": mint, "durationDays": 1,
		})},
	}
}

// lockOrder locks a little until tomorrow.
func lockOrder() string {
	return fmt.Sprintf(`{"tokenAmount":"1000000","firstReleaseAt":%q,"releases":1}`, time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339))
}

// marketFailures are the calls about markets that are rejected for their content or their caller.
func marketFailures(t *testing.T, s *runner.Stack, l *walkthrough.Launch) []provocation {
	t.Helper()
	get, post, token := http.MethodGet, http.MethodPost, bearer(l)
	mint, cancelled := "/launchpad/"+l.Submitted.MintAddress.String(), "/launchpad/"+cancelledCurve(t, s, l)
	const unknown, order = "/launchpad/US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx", `{"tokenAmount":"1000000"}`
	stranger := map[string]string{"Authorization": "Bearer " + signedIn(t, s).Token}
	other := func(p provocation) provocation {
		p.method, p.status = post, http.StatusNotFound
		p.body = strings.ReplaceAll(p.body, l.Submitted.MintAddress.String(), "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx")
		return p
	}
	var failures []provocation
	for _, p := range marketCalls(l, func(v any) string { return encoded(t, v) }) {
		switch p.operation {
		case "createUnsignedPool", "createUnsignedCurve":
			failures = append(failures, other(p))
		case "createUnsignedPromotion":
			p.method = post
			failures = append(failures, other(p), p.with(http.StatusForbidden, p.body, stranger))
		}
	}
	return append(failures,
		provocation{"listCurves", get, "/launchpad?limit=0", "", nil, http.StatusBadRequest},
		provocation{"getCurve", get, "/launchpad/nonsense/status", "", nil, http.StatusNotFound},
		provocation{"getPrice", get, mint + "/price", "", nil, http.StatusBadRequest},
		provocation{"getPrice", get, unknown + "/price?amount=1", "", nil, http.StatusNotFound},
		provocation{"getPrice", get, cancelled + "/price?amount=1", "", nil, http.StatusConflict},
		provocation{"listTrades", get, mint + "/trades?limit=101", "", nil, http.StatusBadRequest},
		provocation{"listTrades", get, unknown + "/trades", "", nil, http.StatusNotFound},
		provocation{"listCandles", get, mint + "/candles?interval=2h", "", nil, http.StatusBadRequest},
		provocation{"listCandles", get, unknown + "/candles", "", nil, http.StatusNotFound},
		provocation{"createUnsignedBuy", post, unknown + "/buy/create-unsigned", order, token, http.StatusNotFound},
		provocation{"createUnsignedBuy", post, cancelled + "/buy/create-unsigned", order, token, http.StatusConflict},
		provocation{"buyByAction", post, strings.Replace(unknown, "launchpad", "actions", 1) + "/buy/1", `{"account":"` + l.Wallet.Address() + `"}`, nil, http.StatusNotFound},
		provocation{"buyByAction", post, strings.Replace(mint, "launchpad", "actions", 1) + "/buy/0", `{"account":"` + l.Wallet.Address() + `"}`, nil, http.StatusBadRequest},
		provocation{"createUnsignedSell", post, unknown + "/sell/create-unsigned", order, token, http.StatusNotFound},
		provocation{"createUnsignedCancel", post, unknown + "/cancel/create-unsigned", "{}", token, http.StatusNotFound},
		provocation{"createUnsignedCancel", post, mint + "/cancel/create-unsigned", "{}", stranger, http.StatusForbidden},
		provocation{"getCurveFees", get, unknown + "/fees", "", nil, http.StatusNotFound},
		provocation{"getCurveFees", get, cancelled + "/fees", "", nil, http.StatusConflict},
		provocation{"createUnsignedFeeClaim", post, unknown + "/fees/create-unsigned", "{}", stranger, http.StatusNotFound},
		provocation{"createUnsignedFeeClaim", post, mint + "/fees/create-unsigned", "{}", stranger, http.StatusForbidden},
		provocation{"createUnsignedLock", post, strings.Replace(unknown, "launchpad", "tokens", 1) + "/lock/create-unsigned", lockOrder(), stranger, http.StatusNotFound},
	)
}

// TestCurveTrades compares the trades that the index counted with the API and the token's record.
func TestCurveTrades(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	activeCurve(t, s, l)
	mint := l.Submitted.MintAddress
	status, err := l.Client.GetCurve(t.Context(), mint)
	mustAnswer(t, err)
	// 475 million tokens arrived, and 50 SOL are 3 times what they were worth: for the
	// first SOL there are 475 million · 1/(50/3+1).
	if status.Status != client.CurveActive || status.SOLCollected != "1" || status.CurrentMarketCap != "1" || status.TargetMarketCap != "50" ||
		status.Progress != client.MustPercent("2") || status.UniqueBuyers != 1 || !strings.HasPrefix(status.TokensSold.String(), "26886792") || status.LockLiquidity ||
		status.EstimatedCompletion == nil {
		t.Errorf("the status is %+v", status)
	}
	list, err := l.Client.ListCurves(t.Context(), client.Cursor{Limit: 1})
	mustAnswer(t, err)
	if len(list.Launchpad) != 1 || list.Launchpad[0].MintAddress != mint || list.Launchpad[0].SOLCollected != "1" {
		t.Errorf("the newest curve is %+v", list)
	}
	record, err := l.Client.GetToken(t.Context(), mint)
	mustAnswer(t, err)
	if record.Launchpad == nil || record.Launchpad.BondingCurveID != status.BondingCurveID || record.Launchpad.Status != client.CurveActive ||
		len(record.Pools) != 1 || record.Pools[0].Kind != "meteora-damm-v2" || record.Pools[0].Address != status.BondingCurveID {
		t.Errorf("the token's record has %+v", record)
	}
}

// TestMarketRejections names the codes.
func TestMarketRejections(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	mint := l.Submitted.MintAddress.String()
	pool, curve, featured := "/dex/exchange/cpmm/create-unsigned", "/launchpad/create-unsigned", "/featured/create-unsigned"
	_, err := l.Client.CreateUnsignedCurve(t.Context(), client.CurveCreation{
		TokenMint: l.Submitted.MintAddress, TokenAmount: client.BaseUnits(500_000_000_000_000), TargetMarketCap: "50", TargetMarketCapUnit: "SOL",
	})
	mustAnswer(t, err)
	tests := []struct {
		path   string
		body   map[string]any
		status int
		code   string
		field  string
	}{
		{pool, map[string]any{"tokenMint": solana.WrappedSol, "tokenAmount": "1", "solAmount": "1"}, 400, "unsupported_token", "tokenMint unsupported_token"},
		{pool, map[string]any{"tokenMint": l.Wallet.Address(), "tokenAmount": "1", "solAmount": "1"}, 404, "token_not_found", ""},
		{pool, map[string]any{"tokenMint": mint, "tokenAmount": "0", "solAmount": "1"}, 400, "validation_failed", "tokenAmount out_of_range"},
		{pool, map[string]any{"tokenMint": mint, "tokenAmount": "1"}, 400, "validation_failed", "solAmount required"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000", "targetMarketCap": "5000"}, 400, "validation_failed", "targetMarketCapUnit required"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000", "targetMarketCap": "10001", "targetMarketCapUnit": "SOL"}, 400, "validation_failed", "targetMarketCap out_of_range"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000", "targetMarketCap": "10", "antiSniperMinutes": 5}, 400, "validation_failed", "antiSniperFeePercent required"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000000", "targetMarketCap": "10", "initialBuyLamports": "1000", "startsAt": "2100-01-01T00:00:00Z"}, 400, "validation_failed", "initialBuyLamports out_of_range"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000000", "targetMarketCap": "10", "startsAt": "2100-01-01T00:00:00Z"}, 400, "validation_failed", "startsAt out_of_range"},
		{curve, map[string]any{"tokenMint": mint, "tokenAmount": "1000000000", "targetMarketCap": "10", "initialBuyLamports": "20000000000"}, 400, "exceeds_liquidity", "initialBuyLamports exceeds_liquidity"},
		{"/launchpad/" + mint + "/buy/create-unsigned", map[string]any{"tokenAmount": "1", "lamports": "1"}, 400, "validation_failed", "lamports out_of_range"},
		{"/launchpad/" + mint + "/buy/create-unsigned", map[string]any{"lamports": "100000000000"}, 400, "exceeds_liquidity", "lamports exceeds_liquidity"},
		{"/launchpad/" + mint + "/buy/create-unsigned", map[string]any{"tokenAmount": "500000000000000"}, 400, "exceeds_liquidity", "tokenAmount exceeds_liquidity"},
		{"/launchpad/" + mint + "/sell/create-unsigned", map[string]any{"tokenAmount": "1000000", "slippagePercent": 51}, 400, "validation_failed", "slippagePercent invalid_percentage"},
		{featured, map[string]any{"tokenMint": mint, "durationDays": 31}, 400, "validation_failed", "durationDays out_of_range"},
		{featured, map[string]any{"tokenMint": mint, "durationDays": 1.5}, 400, "validation_failed", "durationDays invalid_format"},
		{featured, map[string]any{"tokenMint": surfpool.USDC, "durationDays": 1}, 404, "token_not_found", ""},
	}
	for _, test := range tests {
		if err := s.ForgetLimits(t.Context()); err != nil {
			t.Fatal(err)
		}
		p := checkProblem(t, call(t, http.MethodPost, s.APIURL+test.path, encoded(t, test.body), bearer(l)), test.status, test.code)
		var fields []string
		for _, e := range p.Errors {
			fields = append(fields, e.Field+" "+e.Code)
		}
		if test.field != "" && !slices.Contains(fields, test.field) {
			t.Errorf("%s %v: fields %v, want %s", test.path, test.body, fields, test.field)
		}
	}
	a := call(t, http.MethodGet, s.APIURL+"/launchpad/"+mint+"/price?amount=500000000000000", "", nil)
	checkProblem(t, a, http.StatusBadRequest, "exceeds_liquidity")
}

// TestPaidPromotionStarts pays a promotion on the chain: the deployed reconciler finds the payment,
// and every visitor sees the promotion.
func TestPaidPromotionStarts(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	ctx, mint := t.Context(), l.Submitted.MintAddress
	asked := client.PromotionPurchase{TokenMint: mint, DurationDays: 2}
	offer, err := l.Client.CreateUnsignedPromotion(ctx, asked)
	mustAnswer(t, err)
	check(t, offer.Unsigned, l.Wallet.Address(), 0, "")
	if offer.Amount != client.LamportsOf(600_000_000) || offer.DurationDays != 2 || offer.Recipient != s.Treasury ||
		offer.PromotionID != offer.TransactionID || offer.Cost.DepositLamports != offer.Amount {
		t.Errorf("the offer is %+v", offer)
	}
	signed, err := l.Client.SignPromotion(ctx, asked, offer)
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.Chain.Balance(t.Context(), s.Treasury.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chain.Send(t.Context(), signed); err != nil {
		t.Fatal(err)
	}
	shown := awaitFeatured(t, l, s)
	if shown.PromotionID != offer.PromotionID || shown.EndsAt.Sub(shown.StartsAt.Time) != 48*time.Hour || time.Since(shown.StartsAt.Time) > 5*time.Minute {
		t.Errorf("the promotion is %+v", shown)
	}
	if after, err := s.Chain.Balance(t.Context(), s.Treasury.String()); err != nil || after-before != 600_000_000 {
		t.Errorf("the treasury has %d lamports, %d before, %v", after, before, err)
	}
	record, err := l.Client.GetToken(ctx, mint)
	mustAnswer(t, err)
	if record.FeaturedUntil == nil || !record.FeaturedUntil.Equal(shown.EndsAt.Time) {
		t.Errorf("the token is featured until %s, its promotion ends at %s", record.FeaturedUntil, shown.EndsAt)
	}
}

// awaitFeatured has the reconciler look until the token is featured.
func awaitFeatured(t *testing.T, l *walkthrough.Launch, s *runner.Stack) client.Featured {
	t.Helper()
	mint := l.Submitted.MintAddress
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Second) {
		reconcileNow(t, s)
		list, err := l.Client.ListFeatured(t.Context(), client.Cursor{})
		mustAnswer(t, err)
		for _, f := range list.Featured {
			if f.Token.MintAddress == mint {
				return f
			}
		}
		if err := s.ForgetLimits(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s is not featured", mint)
	return client.Featured{}
}
