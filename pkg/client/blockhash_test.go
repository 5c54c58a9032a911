package client_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/client"
	lifetimes "tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// fixture is the routes of launches over the real parts, for one wallet, which is signed in
// by a stand-in.
type fixture struct {
	*launchtest.Fixture
	routes http.Handler
	signIn *gate
	wallet solana.PublicKey
}

// Generate is wallet.Service's, with addresses of the test's own.
func (w *fixture) Generate(ctx context.Context) (wallet.Wallet, error) {
	issued := wallet.Wallet{
		ID: uuid.NewString(), Address: solana.NewWallet().PublicKey(),
		CreatedAt: w.Clock.Now(), ValidUntil: w.Clock.Now().Add(wallet.Lifetime),
	}
	return issued, w.Wallets.Put(ctx, issued)
}

func (w *fixture) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.Path, "/auth/") {
		return w.signIn.RoundTrip(r)
	}
	answer := httptest.NewRecorder()
	w.routes.ServeHTTP(answer, r.WithContext(apigw.WithCaller(r.Context(), apigw.CallerContext{
		Wallet: w.wallet.String(), SourceIP: launchtest.Address(), RequestID: "r",
	})))
	return answer.Result(), nil
}

// newFixture launches on a lifetime. The client's wallet has money.
func newFixture(t *testing.T, lifetime lifetimes.Lifetime) (*fixture, *client.Client) {
	t.Helper()
	w := &fixture{Fixture: launchtest.NewEnv(t).Fixture(t, "")}
	w.Lifetime = lifetime
	w.signIn = &gate{t: t, challenge: func(m siws.Message) string {
		text, err := siws.Format(m)
		if err != nil {
			t.Error(err)
		}
		return text
	}}
	api := apigw.API{Limiter: &ratelimittest.Memory{Now: w.Clock.Now}, Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now}
	e := tokens.Endpoint{Wallets: w, Launches: w.Service(t, nil), Records: w.Tokens, Figures: figures.Store{Client: w.Tokens.Client, Table: w.Tokens.Table, Now: w.Clock.Now}, Gateway: "https://ipfs.example", Now: w.Clock.Now}
	var err error
	if w.routes, err = api.Handler(route.FunctionTokens, e.Handlers()); err != nil {
		t.Fatal(err)
	}
	signer := newPerson(t, priced)
	w.wallet = signer.PublicKey()
	w.Ledger.Fund(t, w.wallet.String(), solana.LAMPORTS_PER_SOL)
	c, err := client.New("https://api.example", client.WithSigner(signer), client.WithHTTPClient(&http.Client{Transport: w}))
	if err != nil {
		t.Fatal(err)
	}
	return w, c
}

var crane = client.Order{Token: client.TokenCreation{
	Name: "Paper Crane", Symbol: "CRANE", ImageURI: content.Scheme + launchtest.ImageCID,
	Decimals: 6, Supply: client.BaseUnits(1_000_000_000_000), TransferFeePercent: client.MustPercent("5"),
}}

// The same call launches with a durable nonce and with a blockhash.
func TestLaunchOnEachLifetime(t *testing.T) {
	for _, lifetime := range []lifetimes.Lifetime{lifetimes.OnNonce, lifetimes.OnBlockhash} {
		t.Run(string(lifetime), func(t *testing.T) {
			_, c := newFixture(t, lifetime)
			var id string
			token, err := c.Launch(t.Context(), crane, client.LaunchHooks{Signed: func(s client.Submission) error {
				id = s.TransactionID
				status, err := c.GetTransaction(t.Context(), id)
				if err != nil || status.Status != client.OrderPending || status.Signature != nil || status.ExpiresAt.Before(time.Now()) {
					t.Errorf("before: %+v, %v", status, err)
				}
				return err
			}})
			if err != nil || token.Status != client.TokenConfirmed {
				t.Fatalf("Launch() = %s, %v; want confirmed", token.Status, err)
			}
			status, err := c.GetTransaction(t.Context(), id)
			if err != nil || status.Status != client.OrderConfirmed || status.MintAddress != token.MintAddress ||
				status.Signature == nil || *status.Signature != token.Signature {
				t.Errorf("then: %+v, %v", status, err)
			}
			if _, err := c.RefreshTransaction(t.Context(), id); !errors.Is(err, client.TransactionExpired) {
				t.Errorf("refreshed after its end: %v", err)
			}
		})
	}
}

// The service names the rent and the wallet's funding, so the client enforces a maximum.
func TestLaunchCostIsBounded(t *testing.T) {
	_, c := newFixture(t, lifetimes.OnBlockhash)
	order := crane
	order.MaxLamports = client.LamportsOf(20_000_000)
	_, err := c.Launch(t.Context(), order, client.LaunchHooks{Approve: func(client.UnsignedToken) error {
		t.Error("the caller was asked")
		return nil
	}})
	if !errors.Is(err, client.ErrTransactionMismatch) || !strings.Contains(err.Error(), "more than 0.02 SOL") {
		t.Error(err)
	}
}

// A transaction whose blockhash has expired is signed again, and only if it is the same launch.
func TestLaunchSignsRefreshedTransaction(t *testing.T) {
	const blockhashLife = 160 // slots
	w, c := newFixture(t, lifetimes.OnBlockhash)
	var kept []client.Submission
	var told []string
	changed := func(changes []string) error {
		told = append(told, changes...)
		return nil
	}
	token, err := c.Launch(t.Context(), crane, client.LaunchHooks{Changed: changed, Signed: func(s client.Submission) error {
		if kept = append(kept, s); len(kept) == 1 {
			w.Ledger.PassSlots(t, blockhashLife)
		}
		return nil
	}})
	if err != nil || token.Status != client.TokenConfirmed {
		t.Fatalf("Launch() = %s, %v; want confirmed", token.Status, err)
	}
	// A busy chain may be so slow that the second is outdated, too.
	if len(kept) < 2 || kept[0].TransactionID != kept[1].TransactionID || kept[0].SignedTransaction == kept[1].SignedTransaction {
		t.Fatalf("%d transactions were signed; %s", len(kept), w.Log.Lines(t))
	}
	if len(told) != len(kept) || !strings.Contains(told[0], "priority fee of ") {
		t.Errorf("the wallet's change is reported as %q, for %d transactions", told, len(kept))
	}
	for _, s := range kept { // whichever was kept, it is that launch
		if again, err := c.FinishLaunch(t.Context(), s, client.LaunchHooks{}); err != nil || again.MintAddress != token.MintAddress {
			t.Errorf("finished again: %s, %v", again.MintAddress, err)
		}
	}

	other, err := c.GenerateDistributionWallet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked := crane.Token
	asked.WalletID = other.WalletID
	given, err := c.CreateUnsignedToken(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	fresh := client.Refresh{Transaction: given.Transaction}
	if _, err := client.CheckRefresh(w.wallet, kept[1].SignedTransaction, fresh); !errors.Is(err, client.ErrTransactionMismatch) {
		t.Errorf("another launch is accepted as a fresh one: %v", err)
	}
}
