// Package runworld runs distributions in tests with the real parts: local implementations of the
// chain, the ledger and the files, the key service, and a market maker who trades on the chain.
// Only IPFS is missing, and finality comes immediately.
//
// A Fixture is a token with its stores. A Worker is one of our processes that works on the token.
// Tests break the calls of a worker, kill the worker, and start another worker over the same
// stores. Messages between the functions are in the fixture's queue, which outlives its workers,
// like SQS.
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

// Env is the environment that many fixtures may share: a chain with a market maker and a payer of
// all costs, and the stores.
type Env struct {
	*payouttest.Env

	// Meter counts the workers' requests to DynamoDB.
	Meter meter.Meter

	Maker *marketmaker.Maker
	// Market is the maker's address.
	Market string
	// Bank has SOL for all purposes of a test.
	Bank solana.PrivateKey
	Node *solanarpc.Client

	// Table is the ledger, and Files the name of its bucket. Public is the name of the public
	// bucket.
	Table, Files, Public string
	caps                 string

	// markets are the pools that tests have created.
	markets markets
}

const (
	retryPause = 2 * time.Millisecond
	bankSOL    = 10_000
)

// NewEnv starts a chain and creates the stores. The environment ends with the test.
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
