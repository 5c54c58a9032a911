// Package launchtest runs launches in tests with the real parts: local implementations of DynamoDB,
// S3, SQS and KMS, and a chain. Only the IPFS node is fake. Each fault.Process has its own
// services, so that tests can break calls, kill services, and start services again over the same
// stores.
package launchtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
)

// Env is the environment that many fixtures may share: the chain, the buckets and queues, the rate
// windows and the IPFS node.
type Env struct {
	Ledger *localnet.Ledger
	Stack  *localnet.Stack
	Bucket string
	Queue  string // its URL
	Window string // table
	IPFS   string // address of the Kubo RPC
	// MintKeyID is the HMAC key of the mints.
	MintKeyID string
	config    aws.Config
}

// retryPause is the pause between attempts of the AWS clients.
const retryPause = 2 * time.Millisecond

// NewEnv starts a chain and creates the other parts. The environment ends with the test.
func NewEnv(t testing.TB) *Env {
	t.Helper()
	g := &Env{Stack: localnet.AWS(t), Ledger: localnet.Chain(t), IPFS: kubo(t)}
	g.config = g.Stack.Config(t.Context())
	g.config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return retryPause, nil })
		})
	}
	g.Window = g.Stack.CreateTable(t, schema.Window)
	g.Bucket = "assets-" + g.Window
	_, err := g.bucket(g.config).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &g.Bucket})
	must.Do(t, err)
	queue, err := sqs.NewFromConfig(g.config).CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("pins-" + g.Window)})
	must.Do(t, err)
	g.Queue = *queue.QueueUrl
	mints, err := awskms.NewFromConfig(g.config).CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac,
	})
	must.Do(t, err)
	g.MintKeyID = *mints.KeyMetadata.KeyId
	return g
}

func (g *Env) bucket(config aws.Config) *s3.Client {
	return s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true })
}

// Config returns the configuration of the AWS clients of a process; nil means a process without
// faults.
func (g *Env) Config(p *fault.Process) aws.Config {
	config := g.config.Copy()
	if p != nil {
		config.HTTPClient = p.Over(config.HTTPClient.Do)
	}
	return config
}

// A process with faults polls its node at most polls times in all, with pauses of pollPause, so
// that an unlanded launch is given up soon. A process without faults polls at the same interval,
// without a maximum.
const (
	polls     = 3
	pollPause = 10 * time.Millisecond
)

// Node returns the client of the chain in a process; nil means a process without faults.
func (g *Env) Node(t testing.TB, p *fault.Process) *solanarpc.Client {
	t.Helper()
	node, err := solanarpc.New(g.Ledger.RPCURL)
	must.Do(t, err)
	wait := node.Pause
	left := atomic.Int64{}
	left.Store(polls)
	node.Pause = func(ctx context.Context, d time.Duration) error {
		if p != nil && left.Add(-1) < 0 {
			return context.DeadlineExceeded
		}
		return wait(ctx, min(d, pollPause))
	}
	if p != nil {
		node = node.WithTransport(p.Over(http.DefaultTransport.RoundTrip))
	}
	return node
}

// ImageCID is the content ID of an image that every fixture has stored.
const ImageCID = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"

// Fixture creates new stores in the environment, with an image. The nonce authority is nonceKeyID,
// a result of NewAuthority, or a new authority if nonceKeyID is empty. Fixtures with the same
// authority have the same nonce accounts on the chain. So the first launch of the second fixture is
// faster, and the two fixtures cannot be used concurrently.
func (g *Env) Fixture(t testing.TB, nonceKeyID string) *Fixture {
	t.Helper()
	w := &Fixture{
		Env: g, Table: g.Stack.CreateTable(t, schema.Launch), NoncePoolMax: 10, NonceKeyID: nonceKeyID, Lifetime: launch.OnNonce,
		// The clock starts at the real time, because the store and real processes expire items by
		// their own clocks.
		Clock: fault.NewClock(time.Now().UTC().Truncate(time.Millisecond)),
		sent:  map[solana.Signature]solana.PublicKey{},
	}
	if w.NonceKeyID == "" {
		w.NonceKeyID = g.NewAuthority(t)
	}
	client := dynamo.New(g.config)
	w.Launches = launchtable.Launches{Client: client, Table: w.Table}
	w.Tokens = launchtable.Tokens{Client: client, Table: w.Table}
	w.Wallets = launchtable.Wallets{Client: client, Table: w.Table, Now: w.Clock.Now}
	w.Nonces = launchtable.Nonces{Client: client, Table: w.Table}
	w.Node = g.Node(t, nil)
	must.Do(t, launchtable.Images{Client: client, Table: w.Table}.Put(t.Context(), image.Stored{
		CID: ImageCID, Key: content.Image.Key(ImageCID), CreatedAt: w.Clock.Now(),
	}, w.Clock.Now()))
	return w
}

// NewAuthority creates a key with SOL for nonce accounts.
func (g *Env) NewAuthority(t testing.TB) (keyID string) {
	t.Helper()
	client := awskms.NewFromConfig(g.config)
	key, err := client.CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpec("ECC_NIST_EDWARDS25519"), KeyUsage: types.KeyUsageTypeSignVerify,
	})
	must.Do(t, err)
	keyID = *key.KeyMetadata.KeyId
	address, err := (&kms.Ed25519Signer{Client: client, KeyID: keyID}).PublicKey(t.Context())
	must.Do(t, err)
	g.Ledger.Fund(t, solana.PublicKey(address).String(), 10*solana.LAMPORTS_PER_SOL)
	return keyID
}

// kubo starts a node that accepts every pin and stores nothing.
func kubo(t testing.TB) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body, err := io.ReadAll(file)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		cid, err := ipfs.CID(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"Hash": cid})
	}))
	t.Cleanup(server.Close)
	return server.URL
}
