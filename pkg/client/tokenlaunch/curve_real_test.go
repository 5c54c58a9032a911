package main_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	routes "tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	curvestable "tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// maker records the curve that it prepares last, as if it were on the chain by then.
type maker struct {
	launchpad.Service

	store curvestable.Store
	made  launchpad.Created
}

func (m *maker) Create(ctx context.Context, caller solana.PublicKey, d launchpad.Draft) (c launchpad.Created, err error) {
	m.made, err = m.Service.Create(ctx, caller, d)
	return m.made, err
}

// curves is the service of curves over a chain with the pools' program, for one wallet.
type curves struct {
	*maker

	node   *solanarpc.Client
	wallet solana.PrivateKey
	mint   solana.PublicKey
	// api, key and rpc are the flags.
	api, key, rpc string
}

func newCurves(t *testing.T) *curves {
	t.Helper()
	ledger := dex.Chain(t)
	stack := localnet.AWS(t)
	node, err := solanarpc.New(ledger.RPCURL)
	check(t, err)
	db, table := dynamo.New(stack.Config(context.Background())), stack.CreateTable(t, schema.Launch)
	store := curvestable.Store{Client: db, Table: table}
	w := &curves{node: node, rpc: ledger.RPCURL, wallet: solana.NewWallet().PrivateKey, maker: &maker{store: store, Service: launchpad.Service{
		Store: store, Issued: issued.Store{Client: db, Table: table}, Chain: node, Random: rand.Reader, Now: time.Now,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: time.Now, NewID: uuid.NewString},
	}}}
	const funds = 100 * solana.LAMPORTS_PER_SOL
	ledger.Fund(t, w.wallet.PublicKey().String(), funds)
	w.mint = w.launch(t)
	w.key = order(t, "key.json", strings.Join(strings.Fields(fmt.Sprintf("%d", []byte(w.wallet))), ","))
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: time.Now}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	handler, err := api.Handler(route.FunctionLaunchpad, routes.Endpoint{Now: time.Now, Curves: w.maker, Tokens: launchtable.Tokens{Client: db, Table: table}, Limiter: &ratelimittest.Memory{Now: time.Now}}.Handlers())
	check(t, err)
	w.api = signingIn(t, func(answer http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/tokens/") {
			_ = json.NewEncoder(answer).Encode(client.Token{MintAddress: w.mint, TransferFeePercent: client.BasisPoints(taxBps)})
			return
		}
		handler.ServeHTTP(answer, r.WithContext(apigw.WithCaller(r.Context(), apigw.CallerContext{
			Wallet: w.wallet.PublicKey().String(), SourceIP: "203.0.113.9", RequestID: "r",
		})))
	})
	return w
}

const (
	taxBps = 500
	whole  = 1_000_000_000_000_000
)

// launch creates a token with a tax, all of it the wallet's.
func (w *curves) launch(t *testing.T) solana.PublicKey {
	t.Helper()
	key, wallet := solana.NewWallet().PrivateKey, w.wallet.PublicKey()
	mint := key.PublicKey()
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	check(t, err)
	const space, rent = 166 + 4 + 108, 10_000_000 // with the extension of the tax
	recent, err := w.node.LatestBlockhash(t.Context())
	check(t, err)
	message, err := wire.Compile(wallet, recent, []solana.Instruction{
		systemprogram.CreateAccount{Payer: wallet, Account: mint, Lamports: rent, Space: space, Owner: solana.Token2022ProgramID}.Instruction(),
		token2022.InitializeTransferFeeConfig{Mint: mint, WithdrawWithheldAuthority: wallet, BasisPoints: taxBps, MaximumFee: 1<<64 - 1}.Instruction(),
		token2022.InitializeMint2{Mint: mint, Decimals: 6, MintAuthority: wallet}.Instruction(), open,
		token2022.MintTo{Mint: mint, Account: account, Authority: wallet, Amount: whole}.Instruction(),
	})
	check(t, err)
	tx := wire.NewTransaction(message)
	check(t, tx.Sign(ed25519.PrivateKey(w.wallet)))
	check(t, tx.Sign(ed25519.PrivateKey(key)))
	check(t, w.node.Execute(t.Context(), tx.Bytes()))
	return mint
}

// curve says something about the curve.
func (w *curves) curve(t *testing.T, in, verb, flags string) said {
	t.Helper()
	arguments := append(strings.Fields("--api "+w.api+" --key "+w.key+" curve "+verb+" "+w.mint.String()), strings.Fields(flags)...)
	if verb != "show" && verb != "price" {
		arguments = append(arguments, "--rpc", w.rpc)
	}
	return say(t, in, arguments...)
}

// does calls a command, and decodes its JSON.
func (w *curves) does(t *testing.T, verb, flags string, into any) {
	t.Helper()
	got := w.curve(t, "", verb, flags+" --json")
	if got.code != 0 {
		t.Fatalf("curve %s %s = %+v, want status 0", verb, flags, got)
	}
	check(t, json.Unmarshal([]byte(got.out), into))
}

// has returns the wallet's balance of the token, in base units.
func (w *curves) has(t *testing.T) uint64 {
	t.Helper()
	address, err := token2022.AssociatedAddress(w.wallet.PublicKey(), w.mint, solana.Token2022ProgramID)
	check(t, err)
	stored, _, err := w.node.Account(t.Context(), address)
	check(t, err)
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	check(t, err)
	return account.Amount
}

func (w *curves) lamports(t *testing.T) uint64 {
	t.Helper()
	n, err := w.node.Balance(t.Context(), w.wallet.PublicKey())
	check(t, err)
	return n
}

// A curve is created with a first purchase, shown, traded on both sides, and cancelled, each by one
// command, and the chain matches the output. A trade beyond the caller's limit, or without consent,
// moves nothing.
func TestRealCurveByTheCommandLine(t *testing.T) {
	w := newCurves(t)
	var made struct{ Curve client.UnsignedCurve }
	w.does(t, "create", "--yes --no-lock --amount 800000000000000 --target 100 --initial-buy-lamports 1000000000 --anti-sniper-fee 20 --anti-sniper-minutes 1", &made)
	had := w.has(t)
	if want := whole - made.Curve.TokenAmount.Uint64() + made.Curve.InitialBuyTokens.Uint64(); had != want || made.Curve.InitialBuyTokens.Uint64() == 0 {
		t.Errorf("the wallet has %d, want %d", had, want)
	}
	w.made.Curve.CreatedAt = time.Now()
	check(t, w.store.Deploy(t.Context(), w.made.Curve, w.made.ID))

	// The caller's limits hold, and a no is a no.
	paid := w.lamports(t)
	for _, c := range []struct{ in, verb, flags, want string }{
		{"", "buy", "--yes --amount 1000000000 --most 0.000001", "more than 0.000001 SOL"},
		{"", "buy", "--yes --lamports 1000000 --least 999999999999999", "fewer than 999999999999999"},
		{"", "sell", "--yes --amount 1000000000 --least 1", "less than 1 SOL"},
		{"no\n", "buy", "--amount 1000000000", "not signed, and nothing was bought"},
		{"no\n", "sell", "--amount 1000000000", "not signed, and nothing was sold"},
		{"no\n", "cancel", "", "not signed, and nothing was cancelled"},
		{"", "sell", "--yes --least 0 --amount 999000000000000", "exceeds_liquidity"},
		{"", "buy", "--yes --least 0 --lamports 99500000000", "the purchase would fail: "}, // it has no more than 99 SOL
	} {
		if got := w.curve(t, c.in, c.verb, c.flags); got.code != 1 || got.out != "" || !strings.Contains(got.errs, c.want) {
			t.Errorf("%s %s: %+v, want %s", c.verb, c.flags, got, c.want)
		}
	}
	if w.has(t) != had || w.lamports(t) != paid {
		t.Errorf("a rejected trade moved funds: %d and %d, had %d and %d", w.has(t), w.lamports(t), had, paid)
	}

	// Exactly that amount of tokens arrives, and what a quote says is within what is paid.
	var quote client.PriceQuote
	w.does(t, "price", "--amount 5000000000", &quote)
	var buy struct{ Purchase client.UnsignedPurchase }
	w.does(t, "buy", "--yes --most 1 --slippage 10 --amount 5000000000", &buy)
	if now := w.has(t); now != had+5_000_000_000 || quote.SOLCostLamports.Uint64() == 0 || quote.SOLCostLamports.Uint64() > buy.Purchase.MaximumLamports.Uint64() {
		t.Errorf("%d arrived, for %s at most, quoted at %s", now-had, buy.Purchase.MaximumLamports, quote.SOLCostLamports)
	}
	// Exactly that amount of lamports is paid.
	had, paid = w.has(t), w.lamports(t)
	w.does(t, "buy", "--yes --least 1 --lamports 500000000", &buy)
	fees := buy.Purchase.Cost.NetworkFeeLamports.Uint64()
	if got, took := w.has(t)-had, paid-w.lamports(t); got < buy.Purchase.MinimumTokenAmount.Uint64() || took != 500_000_000+fees {
		t.Errorf("%d arrived of at least %s, for %d", got, buy.Purchase.MinimumTokenAmount, took)
	}
	// Without a limit of the caller's, what was shown is the limit.
	for _, flags := range []string{"--amount 7", "--lamports 1000000"} {
		if got := w.curve(t, "y\n", "buy", flags); got.code != 0 || !strings.Contains(got.errs, "You pay ") || !strings.Contains(got.out, "bought at least") {
			t.Errorf("curve buy %s = %+v, want the costs and the result", flags, got)
		}
	}
	had, paid = w.has(t), w.lamports(t)
	got := w.curve(t, "yes\n", "sell", "--amount 4000000000000 --slippage 20")
	if sold := had - w.has(t); got.code != 0 || sold != 4_000_000_000_000 || w.lamports(t) <= paid || !strings.Contains(got.out, "brought at least") ||
		!strings.Contains(got.errs, "You give 4000000000000 base units and get ") {
		t.Errorf("%d were sold: %+v", sold, got)
	}
	var curve client.Curve
	w.does(t, "show", "", &curve)
	if curve.Status != client.CurveActive || curve.SOLCollected == "0" || curve.LiquidityLocked || curve.Creator != w.wallet.PublicKey() {
		t.Errorf("the curve: %+v", curve)
	}
	had = w.has(t)
	var end struct{ Cancellation client.UnsignedCancellation }
	w.does(t, "cancel", "--yes", &end)
	if now := w.has(t); now <= had || now > had+end.Cancellation.TokenAmount.Uint64() {
		t.Errorf("%d came back of %s before the tax", now-had, end.Cancellation.TokenAmount)
	}
}
