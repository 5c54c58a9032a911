package reconcile_test

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// imageCID is of an image that the bench's service has stored.
const imageCID = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"

// bench is the service and its reconciler over a real store and a real chain.
// The pool has one nonce, so that the next launch needs the one before it ended.
type bench struct {
	service  launch.Service
	pool     nonce.Pool
	ledger   *localnet.Ledger
	node     *solanarpc.Client
	launches launchtable.Launches
	tokens   launchtable.Tokens
	wallets  launchtable.Wallets
	nonces   launchtable.Nonces

	clock sync.Mutex
	at    time.Time
}

// local signs with a key in memory: the key service has tests of its own.
type local ed25519.PrivateKey

func (k local) PublicKey(context.Context) ([32]byte, error) {
	return solana.PrivateKey(k).PublicKey(), nil
}

func (k local) Sign(_ context.Context, message []byte) (signature [64]byte, err error) {
	copy(signature[:], ed25519.Sign(ed25519.PrivateKey(k), message))
	return signature, nil
}

// mac is a keyed hash in memory.
type mac struct{}

func (mac) Sum512(_ context.Context, message []byte) (sum [64]byte, err error) {
	h := hmac.New(sha512.New, []byte("key of the mints"))
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

func newBench(t *testing.T) *bench {
	t.Helper()
	aws := localnet.AWS(t)
	client := dynamo.New(aws.Config(t.Context()))
	table, window := aws.CreateTable(t, schema.Launch), aws.CreateTable(t, schema.Window)
	// It begins with the real time: the store deletes what expires by its own clock.
	b := &bench{ledger: localnet.Chain(t), at: time.Now().UTC().Truncate(time.Millisecond)}
	var err error
	b.node, err = solanarpc.New(b.ledger.RPCURL)
	must.Do(t, err)
	authority := local(solana.NewWallet().PrivateKey)
	b.ledger.Fund(t, solana.PrivateKey(authority).PublicKey().String(), 10*solana.LAMPORTS_PER_SOL)

	b.launches = launchtable.Launches{Client: client, Table: table}
	b.tokens = launchtable.Tokens{Client: client, Table: table}
	b.wallets = launchtable.Wallets{Client: client, Table: table, Now: b.now}
	b.nonces = launchtable.Nonces{Client: client, Table: table}
	b.pool = nonce.Pool{Store: b.nonces, Chain: b.node, Authority: authority, Max: 1, Now: b.now}
	b.service = launch.Service{
		Store: b.launches, Wallets: b.wallets, Images: images{}, Names: names{}, Files: files{},
		Nonces: b.pool, Signer: authority, Chain: b.node,
		Limiter:     windowtable.Limiter{Client: client, Table: window, Now: b.now, Rand: mathrand.Int64N},
		LeasesPerIP: 1000, FundingLamports: 20_000_000, ConfirmWithin: 20 * time.Second,
		Preparer: transaction.Preparer{Chain: b.node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: b.now, NewID: uuid.NewString},
		Now:      b.now, NewID: uuid.NewString, Lifetime: launch.OnNonce, MintMAC: mac{}, Log: slog.New(slog.DiscardHandler),
	}
	return b
}

func (b *bench) now() time.Time {
	b.clock.Lock()
	defer b.clock.Unlock()
	return b.at
}

func (b *bench) pass(d time.Duration) {
	b.clock.Lock()
	defer b.clock.Unlock()
	b.at = b.at.Add(d)
}

// reconciler reads the network through node.
func (b *bench) reconciler(node reconcile.Chain) reconcile.Reconciler {
	return reconcile.Reconciler{
		Launches: b.launches, Chain: node, Nonces: b.pool,
		MaxLaunches: 10, MaxNonces: 5, Within: 20 * time.Second, FreeNonces: 0,
		Now: b.now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}
}

type images struct{}

func (images) Hold(context.Context, string, time.Time) error { return nil }

func (images) Get(context.Context, string) (image.Stored, error) { return image.Stored{}, nil }

type names struct{}

func (names) Blocked(_ context.Context, names ...string) ([]bool, error) {
	return make([]bool, len(names)), nil
}

type files struct{}

func (files) Name([]byte) (string, error) { return imageCID, nil }

func (files) SaveMetadata(context.Context, []byte) error { return nil }

// network is the real chain with troubles that it does not have on demand.
type network struct {
	*solanarpc.Client
	down    bool
	behind  bool   // it has not come to the submission, and shows the nonce's value before
	drops   bool   // it takes transactions, and does not pass them on
	blind   bool   // simulations always succeed
	deaf    bool   // outcomes are never learned
	asked   func() // called after the outcomes were read
	sighted func() // called after the accounts were read
}

var errDown = apperr.Upstream("The Solana network", errors.New("the node is away"))

func (n *network) Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error) {
	s, err := n.Client.Simulate(ctx, tx)
	s.OK = s.OK || n.blind
	return s, err
}

func (n *network) Send(ctx context.Context, signed []byte) error {
	switch {
	case n.down:
		return errDown
	case n.drops:
		return nil
	}
	return n.Client.Send(ctx, signed)
}

func (n *network) Await(ctx context.Context, signature solana.Signature) (transaction.Outcome, error) {
	if !n.deaf {
		return n.Client.Await(ctx, signature)
	}
	if !n.drops && !n.down {
		// The process dies after it landed, and before that is known.
		if _, err := n.Client.Await(ctx, signature); err != nil {
			return transaction.Outcome{}, err
		}
	}
	return transaction.Outcome{State: transaction.Unknown}, nil
}

func (n *network) Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error) {
	if n.down {
		return nil, errDown
	}
	outcomes, err := n.Client.Outcomes(ctx, signatures...)
	if n.behind || n.deaf {
		for i := range outcomes {
			outcomes[i] = transaction.Outcome{State: transaction.Unknown}
		}
	}
	if n.asked != nil {
		n.asked()
	}
	return outcomes, err
}

func (n *network) Observe(ctx context.Context, nonceAccount, mint solana.PublicKey, from uint64) (reconcile.Observation, error) {
	if n.down {
		return reconcile.Observation{}, errDown
	}
	if n.behind {
		return reconcile.Observation{Slot: from - 1, Nonce: solana.Hash{1}, NonceFound: true}, nil
	}
	s, err := n.Client.Observe(ctx, nonceAccount, mint, from)
	if n.sighted != nil {
		n.sighted()
	}
	return s, err
}

func (n *network) ObserveMint(ctx context.Context, mint solana.PublicKey) (reconcile.Observation, error) {
	if n.down {
		return reconcile.Observation{}, errDown
	}
	if n.behind {
		return reconcile.Observation{}, nil
	}
	s, err := n.Client.ObserveMint(ctx, mint)
	if n.sighted != nil {
		n.sighted()
	}
	return s, err
}

// submission is a launch that was submitted, with all that is needed to submit
// it again.
type submission struct {
	launch.Launch
	creator solana.PrivateKey
	signed  string
}

// submit prepares a launch and submits it through node.
func (b *bench) submit(t *testing.T, node launch.Chain, lamports uint64) submission {
	t.Helper()
	creator := solana.NewWallet().PrivateKey
	b.ledger.Fund(t, creator.PublicKey().String(), lamports)
	created := b.prepare(t, creator)
	tx, err := wire.ParseTransaction(created.Fresh.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(creator)))
	s := submission{creator: creator, signed: base64.StdEncoding.EncodeToString(tx.Bytes())}
	through := b.service
	through.Chain = node
	s.Launch, err = through.Submit(t.Context(), creator.PublicKey(), created.ID, s.signed)
	must.Do(t, err)
	return s
}

// prepare makes a launch that waits for its creator's signature.
func (b *bench) prepare(t *testing.T, creator solana.PrivateKey) launch.Created {
	t.Helper()
	w := wallet.Wallet{
		ID: uuid.NewString(), Address: solana.NewWallet().PublicKey(),
		CreatedAt: b.now(), ValidUntil: b.now().Add(wallet.Lifetime),
	}
	must.Do(t, b.wallets.Put(t.Context(), w))
	d := token.DefaultDraft(creator.PublicKey())
	d.Name, d.Symbol, d.ImageURI, d.WalletID = "Tidal", "TIDE", content.Scheme+imageCID, w.ID
	d.TransferFeeBps, d.Decimals, d.Supply = 500, 6, 1_000_000_000_000
	created, err := b.service.Create(t.Context(), creator.PublicKey(), "203.0.113.7", d)
	must.Do(t, err)
	return created
}

// minted reports whether the chain has the launch's mint.
func (b *bench) minted(t *testing.T, l launch.Launch) bool {
	t.Helper()
	_, found, err := b.node.Account(t.Context(), l.Mint)
	must.Do(t, err)
	return found
}
