package launchtest

import (
	"crypto/ed25519"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Fixture is a set of stores, which outlives the services that work on the stores. The fields of
// Fixture bypass all faults.
type Fixture struct {
	*Env
	Table        string
	NonceKeyID   string
	NoncePoolMax int
	// Lifetime is the lifetime of the services' launches; launch.OnNonce.
	Lifetime launch.Lifetime
	Clock    *fault.Clock

	Launches launchtable.Launches
	Tokens   launchtable.Tokens
	Wallets  launchtable.Wallets
	Nonces   launchtable.Nonces
	Node     *solanarpc.Client
	// Log is the log of services and reconcilers.
	Log telemetrytest.Log

	mu   sync.Mutex
	sent map[solana.Signature]solana.PublicKey // by signature: the payer
}

func (w *Fixture) authority(p *fault.Process) *kms.Ed25519Signer {
	return &kms.Ed25519Signer{Client: awskms.NewFromConfig(w.Config(p)), KeyID: w.NonceKeyID}
}

// Service starts a service in a process; nil means a process without faults. The service has all
// parts of the function, and shares no memory with earlier services.
func (w *Fixture) Service(t testing.TB, p *fault.Process) launch.Service {
	t.Helper()
	config := w.Config(p)
	db, node, authority := dynamo.New(config), w.Env.Node(t, p), w.authority(p)
	api := w.IPFS
	if p != nil {
		api = p.Proxy(t, api)
	}
	pinner, err := ipfs.NewKubo(api)
	must.Do(t, err)
	return launch.Service{
		Store:   launchtable.Launches{Client: db, Table: w.Table},
		Wallets: launchtable.Wallets{Client: db, Table: w.Table, Now: w.Clock.Now},
		Images:  launchtable.Images{Client: db, Table: w.Table},
		Names:   launchtable.Blocks{Client: db, Table: w.Table},
		Files: content.Store{
			Objects: s3store.Bucket{Client: w.bucket(config), Name: w.Bucket},
			Pinner:  pinner, CID: ipfs.CID, Log: slog.New(slog.DiscardHandler),
			Queue: sqsqueue.Pins{Client: sqs.NewFromConfig(config), URL: w.Queue},
		},
		Nonces:      w.pool(db, node, authority),
		Signer:      authority,
		Chain:       node,
		Limiter:     windowtable.Limiter{Client: db, Table: w.Window, Now: w.Clock.Now, Rand: mathrand.Int64N},
		Preparer:    transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: w.Clock.Now, NewID: uuid.NewString},
		LeasesPerIP: 10, FundingLamports: 20_000_000, ConfirmWithin: 20 * time.Second,
		Lifetime: w.Lifetime, MintMAC: kms.HMAC{Client: awskms.NewFromConfig(config), KeyID: w.MintKeyID},
		Now: w.Clock.Now, NewID: uuid.NewString, Log: w.Log.Logger(slog.LevelInfo),
	}
}

func (w *Fixture) pool(db *dynamodb.Client, node *solanarpc.Client, authority *kms.Ed25519Signer) nonce.Pool {
	return nonce.Pool{
		Store: launchtable.Nonces{Client: db, Table: w.Table}, Chain: node, Authority: authority,
		Max: w.NoncePoolMax, Now: w.Clock.Now, Memory: &nonce.Memory{},
	}
}

// Reconciler starts a reconciler in a process, like Service.
func (w *Fixture) Reconciler(t testing.TB, p *fault.Process) reconcile.Reconciler {
	t.Helper()
	config := w.Config(p)
	db, node := dynamo.New(config), w.Env.Node(t, p)
	node.Meter = &metric.Meter{}
	return reconcile.Reconciler{
		Launches: launchtable.Launches{Client: db, Table: w.Table}, Chain: node, Nonces: w.pool(db, node, w.authority(p)),
		MaxLaunches: 50, MaxNonces: 5, Within: 20 * time.Second,
		Now: w.Clock.Now, NewID: uuid.NewString, Log: w.Log.Logger(slog.LevelInfo), Meter: node.Meter,
	}
}

// Watch records the transactions that the process sends to its node, even if the node loses them.
// Watch sees only the transactions that faults registered later let through.
func (w *Fixture) Watch(p *fault.Process) {
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		id, _, err := fault.Sent(r)
		if err != nil {
			return nil, err
		}
		payer, err := Payer(r)
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.sent[id] = payer
		w.mu.Unlock()
		return send(r)
	})
}

// Payer returns the payer of the transaction in a sendTransaction request.
func Payer(r *http.Request) (solana.PublicKey, error) {
	_, raw, err := fault.Sent(r)
	if err != nil {
		return solana.PublicKey{}, err
	}
	tx, err := wire.ParseTransaction(raw)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read what is sent: %w", err)
	}
	return tx.Message().Signers()[0], nil
}

// Sent returns the number of different transactions of a payer that watched processes have sent to
// their nodes.
func (w *Fixture) Sent(payer solana.PublicKey) (count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.sent {
		if p == payer {
			count++
		}
	}
	return count
}

// Creator returns a wallet with SOL.
func (w *Fixture) Creator(t testing.TB) solana.PrivateKey {
	t.Helper()
	created := solana.NewWallet()
	w.Ledger.Fund(t, created.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	return created.PrivateKey
}

// Draft returns a draft that can be launched, with a new distribution wallet.
func (w *Fixture) Draft(t testing.TB, creator solana.PrivateKey) token.Draft {
	t.Helper()
	issued := wallet.Wallet{
		ID: uuid.NewString(), Address: solana.NewWallet().PublicKey(),
		CreatedAt: w.Clock.Now(), ValidUntil: w.Clock.Now().Add(wallet.Lifetime),
	}
	must.Do(t, w.Wallets.Put(t.Context(), issued))
	d := token.DefaultDraft(creator.PublicKey())
	d.Name, d.Symbol, d.ImageURI, d.WalletID = "Tidal", "TIDE", content.Scheme+ImageCID, issued.ID
	d.TransferFeeBps, d.Decimals, d.Supply = 500, 6, 1_000_000_000_000
	if bad := d.Validate(); len(bad) > 0 {
		t.Fatalf("the test's draft is not valid: %v", bad)
	}
	return d
}

// Prepare creates and signs a launch in a process without faults.
func (w *Fixture) Prepare(t testing.TB, creator solana.PrivateKey) (created launch.Created, signed string) {
	t.Helper()
	created, err := w.Service(t, nil).Create(t.Context(), creator.PublicKey(), Address(), w.Draft(t, creator))
	must.Do(t, err)
	return created, Sign(t, created, creator)
}

// addresses counts the callers' addresses.
var addresses atomic.Uint32

// Address returns an unused IP address, for the limits by address.
func Address() string {
	n := addresses.Add(1)
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}).String() //nolint:gosec // its bytes
}

// Sign returns the created transaction with the creator's signature, in base64.
func Sign(t testing.TB, created launch.Created, creator solana.PrivateKey) string {
	t.Helper()
	tx, err := wire.ParseTransaction(created.Fresh.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(creator)))
	return tx.Base64()
}

// SignChanged signs what a wallet makes of a transaction of a launch that it changes first.
func SignChanged(t testing.TB, unsigned []byte, creator solana.PrivateKey, change func([]solana.Instruction) []solana.Instruction) string {
	t.Helper()
	issued, err := wire.ParseTransaction(unsigned)
	must.Do(t, err)
	var list []solana.Instruction
	for _, i := range issued.Message().Instructions() {
		metas := make([]*solana.AccountMeta, len(i.Accounts))
		for n := range i.Accounts {
			metas[n] = &i.Accounts[n]
		}
		list = append(list, solana.NewInstruction(i.ProgramID, metas, i.Data))
	}
	message, err := wire.Compile(creator.PublicKey(), issued.Message().Recent(), change(list))
	must.Do(t, err)
	tx := wire.NewTransaction(message)
	must.Do(t, tx.Sign(ed25519.PrivateKey(creator)))
	return tx.Base64()
}

// Priced changes the price of a compute unit, the third instruction of a launch.
func Priced(microLamports uint64) func([]solana.Instruction) []solana.Instruction {
	return func(list []solana.Instruction) []solana.Instruction {
		const price = 2
		list[price] = computebudget.SetUnitPrice(microLamports)
		return list
	}
}
