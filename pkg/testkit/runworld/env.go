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
	"crypto/ed25519"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// Env is what many fixtures may share: a chain with a market maker and a payer
// of all costs, and the stores.
type Env struct {
	// Meter counts what workers ask of DynamoDB.
	Meter meter.Meter

	Ledger *localnet.Ledger
	Maker  *marketmaker.Maker
	// Market is the maker's address.
	Market string
	// Bank has SOL for whatever a test needs.
	Bank solana.PrivateKey
	Node *solanarpc.Client

	stack     *localnet.Stack
	config    aws.Config
	walletKey string
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
	g := &Env{stack: localnet.AWS(t), Ledger: ledger}
	g.config = g.stack.Config(t.Context())
	g.config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return retryPause, nil })
		})
	}
	g.Table = g.stack.CreateTable(t, schema.Ledger)
	g.caps = g.stack.CreateTable(t, schema.Caps)
	g.Files, g.Public = "ledger-"+g.Table, "assets-"+g.Table
	for _, name := range []string{g.Files, g.Public} {
		_, err := bucket(g.config).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name})
		must.Do(t, err)
	}
	keys := awskms.NewFromConfig(g.config)
	key, err := keys.CreateKey(t.Context(), &awskms.CreateKeyInput{KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac})
	must.Do(t, err)
	g.walletKey = *key.KeyMetadata.KeyId
	g.Bank = g.Ledger.Payer(t, bankSOL*solana.LAMPORTS_PER_SOL)
	g.Node = g.node(t, nil, nil)

	g.Maker, err = marketmaker.New(g.Ledger.RPCURL)
	must.Do(t, err)
	g.Ledger.Fund(t, g.Maker.Address.String(), bankSOL*solana.LAMPORTS_PER_SOL)
	url, stop, err := g.Maker.Listen(context.WithoutCancel(t.Context()))
	must.Do(t, err)
	t.Cleanup(stop)
	g.Market = url
	return g
}

func bucket(config aws.Config) *s3.Client {
	return s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true })
}

// aws is the configuration of a process's AWS clients; nil for one to which
// nothing happens.
func (g *Env) aws(p *fault.Process) aws.Config {
	config := g.config.Copy()
	if p != nil {
		config.HTTPClient = p.Over(config.HTTPClient.Do)
	}
	return config
}

// node is the chain as a process sees it; heights may be nil.
func (g *Env) node(t testing.TB, p *fault.Process, heights *payouttest.Heights) *solanarpc.Client {
	t.Helper()
	node, err := solanarpc.New(g.Ledger.RPCURL)
	must.Do(t, err)
	wait := node.Pause
	node.Pause = func(ctx context.Context, d time.Duration) error { return wait(ctx, min(d, retryPause)) }
	if p == nil {
		p = fault.NewProcess() // to which nothing happens
	}
	over := payouttest.Final(http.DefaultTransport.RoundTrip)
	if heights != nil {
		node.Now = heights.Now // so that it asks anew by the clock of the test
		over = heights.Over(over)
	}
	return node.WithTransport(p.Over(over))
}

// Execute carries instructions out; the first signer pays, or the bank when there
// is none.
func (g *Env) Execute(t testing.TB, signers []solana.PrivateKey, instructions ...solana.Instruction) {
	t.Helper()
	if len(signers) == 0 {
		signers = []solana.PrivateKey{g.Bank}
	}
	tx, err := g.signed(t.Context(), signers, instructions)
	must.Do(t, err)
	must.Do(t, g.Node.Execute(t.Context(), tx.Bytes()))
}

// signed makes a transaction of instructions, which the first signer pays.
func (g *Env) signed(ctx context.Context, signers []solana.PrivateKey, instructions []solana.Instruction) (wire.Transaction, error) {
	recent, err := g.Node.LatestBlockhash(ctx)
	if err != nil {
		return wire.Transaction{}, err
	}
	message, err := wire.Compile(signers[0].PublicKey(), recent, instructions)
	if err != nil {
		return wire.Transaction{}, err
	}
	tx := wire.NewTransaction(message)
	for _, signer := range signers {
		if err := tx.Sign(ed25519.PrivateKey(signer)); err != nil {
			return wire.Transaction{}, err
		}
	}
	return tx, nil
}
