// Package runworld runs distributions in tests over the real parts: the chain, the
// ledger and the files by their local counterparts, the key service, and a market
// maker who trades on the chain. Only IPFS is left out, and finality comes at once.
//
// A Fixture is a token with its stores. A Worker is a process of ours that works on
// it; tests break its calls, kill it, and start another one over the same stores.
// Messages between the functions are in a queue of the fixture's own, which outlives
// its workers, as SQS does.
package runworld

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// Env is what many fixtures may share: a chain with a market maker and a payer
// of all costs, and the stores.
type Env struct {
	*payouttest.Env

	// Meter counts what workers ask of DynamoDB.
	Meter meter.Meter

	Maker *marketmaker.Maker
	// Market is the maker's address.
	Market string
	// Bank has SOL for whatever a test needs.
	Bank solana.PrivateKey
	Node *solanarpc.Client

	// Table, Files and Public are the ledger, and the names of its bucket and of the
	// bucket that anyone may read.
	Table, Files, Public string
	caps                 string

	// markets are the pools that tests have made.
	markets markets
}

const (
	retryPause = 2 * time.Millisecond
	bankSOL    = 10_000
)

// NewEnv starts a chain and makes the stores. It ends with the test.
func NewEnv(t testing.TB) *Env {
	t.Helper()
	return newEnv(t, localnet.Chain(t))
}

func newEnv(t testing.TB, ledger *localnet.Ledger) *Env {
	t.Helper()
	g := &Env{Env: payouttest.NewEnvOn(t, ledger)}
	g.Table = g.Stack.CreateTable(t, schema.Ledger)
	g.caps = g.Stack.CreateTable(t, schema.Caps)
	g.Files, g.Public = g.Bucket, "assets-"+g.Table
	_, err := g.S3(g.Config(nil)).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &g.Public})
	must.Do(t, err)
	g.Bank, g.Node = g.Payer, g.Env.Node(t, nil, nil)

	g.Maker, err = marketmaker.New(g.Ledger.RPCURL)
	must.Do(t, err)
	g.Ledger.Fund(t, g.Maker.Address.String(), bankSOL*solana.LAMPORTS_PER_SOL)
	url, stop, err := g.Maker.Listen(context.WithoutCancel(t.Context()))
	must.Do(t, err)
	t.Cleanup(stop)
	g.Market = url
	return g
}
