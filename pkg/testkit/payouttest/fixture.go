package payouttest

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Env is the environment that many fixtures may share: a chain, AWS, and the key from which wallets
// are derived.
type Env struct {
	Ledger *localnet.Ledger
	Stack  *localnet.Stack
	MACKey string // of KMS
	// NextKey is the key of the wallets' second root.
	NextKey string
	Bucket  string // of the journal and of the ledger's files
	// Payer pays for the transactions of tests.
	Payer  solana.PrivateKey
	config aws.Config
}

// retryPause is the pause between attempts of the AWS clients.
const retryPause = 2 * time.Millisecond

// NewEnv starts a chain and creates the other parts. The environment ends with the test.
func NewEnv(t testing.TB) *Env {
	t.Helper()
	return NewEnvOn(t, localnet.Chain(t))
}

// NewEnvOn is NewEnv on a running chain.
func NewEnvOn(t testing.TB, ledger *localnet.Ledger) *Env {
	t.Helper()
	g := &Env{Stack: localnet.AWS(t), Ledger: ledger}
	g.config = g.Stack.Config(t.Context())
	g.config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return retryPause, nil })
		})
	}
	for _, id := range []*string{&g.MACKey, &g.NextKey} {
		key, err := awskms.NewFromConfig(g.config).CreateKey(t.Context(), &awskms.CreateKeyInput{
			KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac,
		})
		must.Do(t, err)
		*id = *key.KeyMetadata.KeyId
	}
	g.Bucket = "journal-" + uuid.NewString()
	_, err := g.S3(g.config).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &g.Bucket})
	must.Do(t, err)
	g.Payer = g.Ledger.Payer(t, 10_000*solana.LAMPORTS_PER_SOL)
	return g
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

// nodePause replaces the pauses between attempts at a node.
const nodePause = 2 * time.Millisecond

// Node returns the client of the chain in a process; nil means a process without faults. Confirmed
// transactions count as finalized: see Final. heights may be nil.
func (g *Env) Node(t testing.TB, p *fault.Process, heights *Heights) *solanarpc.Client {
	t.Helper()
	node, err := solanarpc.New(g.Ledger.RPCURL)
	must.Do(t, err)
	wait := node.Pause
	node.Pause = func(ctx context.Context, d time.Duration) error { return wait(ctx, min(d, nodePause)) }
	over := Final(http.DefaultTransport.RoundTrip)
	if heights != nil {
		node.Now = heights.Now // so that the node refreshes by the test's clock
		over = heights.Over(over)
	}
	if p == nil {
		return node.WithTransport(roundTripper(over))
	}
	return node.WithTransport(p.Over(over))
}

type roundTripper fault.Send

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// Fixture is a ledger with a distribution wallet, which outlives the engines that work on the
// ledger. The fields of Fixture bypass all faults.
type Fixture struct {
	*Env
	Table   string
	Store   payout.Store
	Journal payout.Journal
	Clock   *fault.Clock
	Heights *Heights
	Chain   *solanarpc.Client
	// Wallet is the distribution wallet of Mint. Mint need not exist on the chain.
	Wallet token.Wallet
	Mint   solana.PublicKey
	Run    string
	Slot   time.Time
	// Pace and Fees are the settings of the engines.
	Pace payout.Pace
	Fees computebudget.Bounds
	Log  *slog.Logger

	mu     sync.Mutex
	phases map[phaseKey]payout.Phase
	files  map[string][]payout.Entry
}

type phaseKey struct {
	run  string
	kind payout.Kind
	leg  int
}

// Fixture creates a new ledger in the environment, and a wallet with lamports.
func (g *Env) Fixture(t testing.TB, lamports uint64) *Fixture {
	t.Helper()
	w := &Fixture{
		Env: g, Table: g.Stack.CreateTable(t, schema.Ledger),
		Clock: fault.NewClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)), Chain: g.Node(t, nil, nil),
		Mint: solana.NewWallet().PublicKey(), Run: uuid.NewString(),
		Fees:   computebudget.Bounds{Floor: 10_000, Cap: 40_000},
		Log:    slog.New(slog.DiscardHandler),
		phases: map[phaseKey]payout.Phase{}, files: map[string][]payout.Entry{},
	}
	w.Slot = w.Clock.Now()
	w.Heights = NewHeights(w.Clock.Now, 400*time.Millisecond)
	w.Heights.Block = func() { w.Ledger.PassSlots(t, 1) }
	w.Journal = w.journal(g.config)
	w.Store = ledgertable.Payments{Client: dynamo.New(g.config), Table: w.Table}
	w.Wallet.ID = uuid.NewString()
	var err error
	w.Wallet.Address, err = w.signer(nil).Derivation.Address(t.Context(), w.Wallet.ID)
	must.Do(t, err)
	w.Give(t, w.Wallet.Address, lamports)
	return w
}

func (g *Env) journal(config aws.Config) journal.Journal {
	return journal.Journal{Files: s3store.Bucket{Client: g.S3(config), Name: g.Bucket}}
}

// S3 returns a client of the local buckets.
func (*Env) S3(config aws.Config) *s3.Client {
	return s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true })
}

func (g *Env) signer(p *fault.Process) wallet.Signer {
	return wallet.Signer{Derivation: g.Derivation(g.Config(p))}
}

// Derivation derives wallets' keys by the key service.
func (g *Env) Derivation(config aws.Config) wallet.Derivation {
	client := awskms.NewFromConfig(config)
	return wallet.Derivation{MAC: kms.HMAC{Client: client, KeyID: g.MACKey}, Next: []wallet.MAC{kms.HMAC{Client: client, KeyID: g.NextKey}}}
}

// Engine starts an engine in a process; nil means a process without faults. The engine shares no
// memory with earlier engines.
func (w *Fixture) Engine(t testing.TB, p *fault.Process) payout.Engine {
	t.Helper()
	return payout.Engine{
		Store:   ledgertable.Payments{Client: dynamo.New(w.Config(p)), Table: w.Table},
		Journal: w.journal(w.Config(p)), Phases: w, Records: w, Chains: []payout.Chain{w.Node(t, p, w.Heights)}, Wallet: Unchecked{w.signer(p)},
		Fees: w.Fees, Pace: w.Pace, Now: w.Clock.Now, Log: w.Log,
	}
}

// Plan creates a phase of payments, or of accounts to collect from.
func (w *Fixture) Plan(p payout.Phase, entries []payout.Entry) payout.Phase {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.Run, p.Mint, p.Wallet = w.Run, w.Mint, w.Wallet
	p.File, p.Records = fmt.Sprintf("%s/%d", p.Kind, p.Leg), uint32(len(entries)) //nolint:gosec // a test's
	if p.Deadline.IsZero() {
		p.Deadline = w.Clock.Now().Add(24 * time.Hour)
	}
	if p.Chunk == 0 {
		p.Chunk = payout.MaxStripe
	}
	w.phases[phaseKey{p.Run, p.Kind, p.Leg}], w.files[p.File] = p, entries
	return p
}

// Phase implements payout.Phases.
func (w *Fixture) Phase(_ context.Context, work payout.Work) (payout.Phase, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.phases[phaseKey{work.Run, work.Kind, work.Leg}]
	if !ok {
		return payout.Phase{}, fmt.Errorf("no phase %s of leg %d", work.Kind, work.Leg)
	}
	return p, nil
}

// Records implements payout.Records.
func (w *Fixture) Records(_ context.Context, p payout.Phase, from, to uint32) ([]payout.Entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[p.File][from:to], nil
}

// Give sends lamports to an address.
func (g *Env) Give(t testing.TB, to solana.PublicKey, lamports uint64) {
	t.Helper()
	g.Do(t, nil, Transfer(g.Payer.PublicKey(), to, lamports))
}

// Do executes instructions. The environment's payer pays and signs, and the keys sign as well.
func (g *Env) Do(t testing.TB, keys []solana.PrivateKey, instructions ...solana.Instruction) {
	t.Helper()
	g.Execute(t, append([]solana.PrivateKey{g.Payer}, keys...), instructions...)
}

// Execute executes instructions. The first signer pays, or the environment's payer if there is no
// signer.
func (g *Env) Execute(t testing.TB, signers []solana.PrivateKey, instructions ...solana.Instruction) {
	t.Helper()
	if len(signers) == 0 {
		signers = []solana.PrivateKey{g.Payer}
	}
	node := g.Node(t, nil, nil)
	tx, err := Signed(t.Context(), node, signers, instructions)
	must.Do(t, err)
	must.Do(t, node.Execute(t.Context(), tx.Bytes()))
}

// Signed returns a signed transaction of instructions. The first signer pays.
func Signed(ctx context.Context, node *solanarpc.Client, signers []solana.PrivateKey, instructions []solana.Instruction) (wire.Transaction, error) {
	recent, err := node.LatestBlockhash(ctx)
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

// Lamports returns the balance of an address.
func (w *Fixture) Lamports(t testing.TB, address solana.PublicKey) uint64 {
	t.Helper()
	lamports, err := w.Chain.Balance(t.Context(), address)
	must.Do(t, err)
	return lamports
}

// steps is the maximum number of steps.
const steps = 2_000

// Finish repeats a step until the step is done, and advances the clock by each requested pause.
func (w *Fixture) Finish(t testing.TB, step func() (payout.Next, error)) {
	t.Helper()
	for range steps {
		next, err := step()
		must.Do(t, err)
		if next.Done {
			return
		}
		w.Clock.Pass(next.After)
	}
	t.Fatalf("it is not done after %d steps", steps)
}

// Ready creates the wallet's token accounts.
func (w *Fixture) Ready(t testing.TB, accounts ...payout.TokenAccount) {
	t.Helper()
	e := w.Engine(t, nil)
	w.Finish(t, func() (payout.Next, error) {
		return e.Require(t.Context(), payout.WalletRequirements{Run: w.Run, Mint: w.Mint, Wallet: w.Wallet, Accounts: accounts})
	})
}

// Work returns the message for a chunk of a phase.
func (w *Fixture) Work(p payout.Phase, chunk int) payout.Work {
	return payout.Work{Mint: w.Mint, Slot: w.Slot, Run: p.Run, Kind: p.Kind, Leg: p.Leg, Chunk: chunk, MessageGeneration: p.MessageGeneration}
}

// Pay completes a phase, chunk by chunk.
func (w *Fixture) Pay(t testing.TB, e payout.Engine, p payout.Phase) {
	t.Helper()
	for chunk := range p.Chunks() {
		w.Finish(t, func() (payout.Next, error) { return e.Work(t.Context(), w.Work(p, chunk)) })
	}
}

// Return closes the receipts of a leg's payments.
func (w *Fixture) Return(t testing.TB, e payout.Engine, legs ...int) {
	t.Helper()
	r := payout.Returning{Run: w.Run, Mint: w.Mint, Wallet: w.Wallet}
	for _, leg := range legs {
		r.Of = append(r.Of, payout.ID{Run: w.Run, Kind: payout.Pay, Leg: leg})
	}
	w.Finish(t, func() (payout.Next, error) { return e.Return(t.Context(), r) })
}

// Payments returns the payments of a phase, except payments that were split.
func (w *Fixture) Payments(t testing.TB, kind payout.Kind, leg int) []payout.Payment {
	t.Helper()
	var list []payout.Payment
	for p, err := range w.Store.Payments(t.Context(), w.Run, kind, leg) {
		must.Do(t, err)
		if p.Status() != payout.Split {
			list = append(list, p)
		}
	}
	return list
}

// SOL returns a phase that pays in SOL.
func SOL(batch uint32) payout.Phase {
	return payout.Phase{Kind: payout.Pay, Asset: terms.SOL, BatchSize: batch}
}
