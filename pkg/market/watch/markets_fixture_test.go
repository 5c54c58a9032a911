package watch_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// marketFixture is the launchpad with its watcher and its index, over a real chain and a
// real store.
type marketFixture struct {
	*payFixture
	curves    curves.Store
	launchpad launchpad.Service
}

// markets is a fixture of markets on the environment's chain.
func (g *payEnv) markets(t *testing.T) *marketFixture {
	t.Helper()
	w := &marketFixture{payFixture: g.fixture(t)}
	w.clock.Pass(time.Since(w.clock.Now())) // the chain's time matters here
	w.curves = curves.Store{Client: w.store.Client, Table: w.table}
	w.launchpad = launchpad.Service{
		Store: w.curves, Issued: issued.Store{Client: w.store.Client, Table: w.table}, Chain: g.node,
		Preparer: transaction.Preparer{Chain: g.node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: w.clock.Now, NewID: uuid.NewString},
		Random:   rand.Reader, Now: w.clock.Now,
	}
	return w
}

// watches runs a watcher a minute later, on a chain or a proxy of the chain.
func (w *marketFixture) watches(t *testing.T, chain watch.MarketChain, want watch.MarketReport) {
	t.Helper()
	w.clock.Pass(time.Minute)
	got, err := w.marketWatcher(chain).Run(t.Context())
	payMust(t, err)
	if got != want {
		t.Errorf("the watcher did %+v, want %+v", got, want)
	}
}

func (w *marketFixture) marketWatcher(chain watch.MarketChain) watch.Markets {
	return watch.Markets{
		Store: curves.Transactions{Client: w.store.Client, Table: w.table}, Chain: chain, Raydium: raydium.Mainnet,
		Max: watch.MaxMarkets, Now: w.clock.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// indexes runs the index a minute later.
func (w *marketFixture) indexes(t *testing.T) index.Report {
	t.Helper()
	w.clock.Pass(time.Minute)
	x := index.New(curves.Index{Client: w.store.Client, Table: w.table}, w.node, slog.New(slog.DiscardHandler))
	x.Now, x.PageTransactions = w.clock.Now, 4
	report, err := x.Run(t.Context())
	payMust(t, err)
	return report
}

// issuedFate returns the end in the record of a transaction.
func (w *marketFixture) issuedFate(t *testing.T, id string) (fate transaction.Fate, watched bool) {
	t.Helper()
	out, err := w.store.Client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: &w.table, ConsistentRead: new(true), Key: payKey("ISSUED#"+id, "ISSUED"),
	})
	payMust(t, err)
	var stored struct {
		Fate  string `dynamodbav:"fate"`
		DuePk string `dynamodbav:"duePk"`
	}
	payMust(t, attributevalue.UnmarshalMap(out.Item, &stored))
	return transaction.Fate(stored.Fate), stored.DuePk != ""
}

// hasEnded checks how a transaction has ended: it is no longer watched.
func (w *marketFixture) hasEnded(t *testing.T, id string, want transaction.Fate) {
	t.Helper()
	if fate, watched := w.issuedFate(t, id); fate != want || watched {
		t.Errorf("transaction %s is %s, watched %v; want %s", id, fate, watched, want)
	}
}

// rich is a wallet with ten thousand SOL.
func (w *marketFixture) rich(t *testing.T) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	w.ledger.Fund(t, key.PublicKey().String(), 10_000*solana.LAMPORTS_PER_SOL)
	return key
}

// newMint creates a token of six decimals with a tax of 5%, a billion of it the owner's, and
// records it as one that was launched here.
func (w *marketFixture) newMint(t *testing.T, owner solana.PrivateKey) solana.PublicKey {
	t.Helper()
	const space, taxBps, supply = 166 + 4 + 108, 500, 1_000_000_000_000_000
	key, wallet := solana.NewWallet().PrivateKey, owner.PublicKey()
	mint := key.PublicKey()
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	payMust(t, err)
	recent, err := w.node.LatestBlockhash(t.Context())
	payMust(t, err)
	message, err := wire.Compile(wallet, recent, []solana.Instruction{
		systemprogram.CreateAccount{Payer: wallet, Account: mint, Lamports: 10_000_000, Space: space, Owner: solana.Token2022ProgramID}.Instruction(),
		token2022.InitializeTransferFeeConfig{Mint: mint, WithdrawWithheldAuthority: wallet, BasisPoints: taxBps, MaximumFee: 1<<64 - 1}.Instruction(),
		token2022.InitializeMint2{Mint: mint, Decimals: 6, MintAuthority: wallet}.Instruction(), open,
		token2022.MintTo{Mint: mint, Account: account, Authority: wallet, Amount: supply}.Instruction(),
	})
	payMust(t, err)
	w.lands(t, wire.NewTransaction(message).Bytes(), owner, key)
	w.give(t, payToken{owner, mint})
	return mint
}

// lands signs a transaction and lands it.
func (w *marketFixture) lands(t *testing.T, unsigned []byte, signers ...solana.PrivateKey) {
	t.Helper()
	tx, err := wire.ParseTransaction(unsigned)
	payMust(t, err)
	for _, s := range signers {
		payMust(t, tx.Sign(ed25519.PrivateKey(s)))
	}
	payMust(t, w.node.Execute(t.Context(), tx.Bytes()))
}

// pool is the state of a mint's curve on the chain.
func (w *marketFixture) pool(t *testing.T, mint solana.PublicKey) meteora.Pool {
	t.Helper()
	address, err := meteora.PoolAddress(mint, solana.WrappedSol)
	payMust(t, err)
	stored, _, err := w.node.Account(t.Context(), address)
	payMust(t, err)
	p, err := meteora.DecodePool(stored.Owner, stored.Data)
	payMust(t, err)
	return p
}

// curve is the record of a mint's curve.
func (w *marketFixture) curve(t *testing.T, mint solana.PublicKey) market.Curve {
	t.Helper()
	c, err := w.curves.Curve(t.Context(), mint)
	payMust(t, err)
	return c
}
