package nonce_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// authority signs with a key in memory.
type authority ed25519.PrivateKey

func (a authority) PublicKey(context.Context) ([32]byte, error) {
	return solana.PrivateKey(a).PublicKey(), nil
}

func (a authority) Sign(_ context.Context, message []byte) (signature [64]byte, err error) {
	copy(signature[:], ed25519.Sign(ed25519.PrivateKey(a), message))
	return signature, nil
}

// node counts what is executed, and can be away for it.
type node struct {
	*solanarpc.Client
	executed atomic.Int32
	away     atomic.Bool
}

var errAway = errors.New("the node is away")

func (n *node) Execute(ctx context.Context, signed []byte) error {
	if n.away.Load() {
		return errAway
	}
	n.executed.Add(1)
	return n.Client.Execute(ctx, signed)
}

type bench struct {
	nonce.Pool
	node *node
	at   time.Time
}

func newBench(t *testing.T, limit int) *bench {
	t.Helper()
	aws, ledger := localnet.AWS(t), localnet.Chain(t)
	b := &bench{at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), node: &node{}}
	client, err := solanarpc.New(ledger.RPCURL)
	must.Do(t, err)
	b.node.Client = client
	key := authority(solana.NewWallet().PrivateKey)
	ledger.Fund(t, solana.PrivateKey(key).PublicKey().String(), 10*solana.LAMPORTS_PER_SOL)
	b.Pool = nonce.Pool{
		Store: launchtable.Nonces{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Launch)},
		Chain: b.node, Authority: key, Max: limit, Now: func() time.Time { return b.at },
	}
	return b
}

func (b *bench) fill(t *testing.T, free, limit int, want nonce.Filled) {
	t.Helper()
	got, err := b.Fill(t.Context(), fmt.Sprint("fill-", b.at, free, limit), free, limit)
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	b.at = b.at.Add(time.Second)
}

func TestFillIsBoundedPerStep(t *testing.T) {
	b := newBench(t, 4)
	b.fill(t, 3, 2, nonce.Filled{Free: 2, Made: 2})
	b.fill(t, 3, 2, nonce.Filled{Free: 3, Made: 1})
	b.fill(t, 3, 2, nonce.Filled{Free: 3})
	b.fill(t, 9, 9, nonce.Filled{Free: 4, Made: 1}) // not beyond Max
	// A filled pool costs a lease no transaction.
	before := b.node.executed.Load()
	for i := range 4 {
		if _, err := b.Lease(t.Context(), fmt.Sprint("launch-", i), b.at.Add(5*time.Minute)); err != nil {
			t.Error(err)
		}
	}
	if made := b.node.executed.Load() - before; made != 0 {
		t.Errorf("leasing sent %d transactions", made)
	}
	b.fill(t, 3, 2, nonce.Filled{}) // all are leased, and there may be no more
	b.at = b.at.Add(6 * time.Minute)
	b.fill(t, 3, 2, nonce.Filled{Free: 4}) // the leases lapse by themselves
}

// Registered, and the process died before it was created.
func TestFillCreatesMissingAccounts(t *testing.T) {
	b := newBench(t, 5)
	b.node.away.Store(true)
	if _, err := b.Fill(t.Context(), "dies", 3, 5); !errors.Is(err, errAway) {
		t.Fatalf("%v, want that the node is away", err)
	}
	b.node.away.Store(false)
	if size, err := b.Store.Size(t.Context()); err != nil || size != 1 {
		t.Fatalf("%d accounts are registered, %v; want 1", size, err)
	}
	b.at = b.at.Add(2 * time.Minute) // its lease lapses
	b.fill(t, 1, 5, nonce.Filled{Free: 1, Made: 1})
	if size, err := b.Store.Size(t.Context()); err != nil || size != 1 {
		t.Errorf("%d accounts are registered, %v; want the one from before", size, err)
	}
}

func TestConcurrentFill(t *testing.T) {
	b := newBench(t, 5)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if _, err := b.Fill(t.Context(), fmt.Sprint("run-", i), 4, 4); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	size, err := b.Store.Size(t.Context())
	if made := int(b.node.executed.Load()); err != nil || size > 5 || made != size {
		t.Errorf("%d accounts registered and %d created, %v; want at most 5, each once", size, made, err)
	}
	b.at = b.at.Add(2 * time.Minute)
	free, err := b.Ready(t.Context(), b.at)
	if err != nil || free != size {
		t.Errorf("%d of %d accounts are free, %v", free, size, err)
	}
}

// The transaction that spends a nonce only advances it from that value, however often and however
// late it is sent.
func TestAdvanceMovesNonceOnce(t *testing.T) {
	b := newBench(t, 1)
	leased, err := b.Lease(t.Context(), "launch", b.at.Add(time.Minute))
	must.Do(t, err)
	must.Do(t, b.Advance(t.Context(), leased))
	must.Do(t, b.Spend(t.Context(), leased, 0)) // returns when it has moved
	state, _, err := b.node.Nonce(t.Context(), leased.Account)
	must.Do(t, err)
	if state.Value == leased.Value {
		t.Fatal("the nonce has not moved")
	}
	for range 3 {
		_ = b.Advance(t.Context(), leased)
	}
	now, _, err := b.node.Nonce(t.Context(), leased.Account)
	if err != nil || now.Value != state.Value {
		t.Errorf("the nonce moved on to %s, %v; want it at %s", now.Value, err, state.Value)
	}
}
