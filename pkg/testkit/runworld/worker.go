package runworld

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	pools "tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Worker is a process that works on a fixture's runs: distributor and payer in one process.
type Worker struct {
	Machine run.Machine
	Engine  payout.Engine
	fixture *Fixture
	process *fault.Process
}

// Worker starts a worker; p is nil for a process without faults.
func (w *Fixture) Worker(t testing.TB, p *fault.Process) *Worker {
	t.Helper()
	config := w.Config(p)
	metered := config.Copy()
	metered.APIOptions = append(metered.APIOptions, w.Meter.Middleware)
	db, node := dynamo.New(metered), w.Env.Env.Node(t, p, w.Heights)
	log := w.Log.Logger(slog.LevelInfo)
	if os.Getenv("RUNWORLD_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	files := s3store.Bucket{Client: w.S3(config), Name: w.Files}
	public := s3store.Bucket{Client: w.S3(config), Name: w.Public}
	runs := ledgertable.Runs{Client: db, Table: w.Table, Now: w.Clock.Now}
	payments := ledgertable.Payments{Client: db, Table: w.Table}
	keeper := books.Bookkeeper{
		Snapshotter: snapshot.Snapshotter{
			Sources: []snapshot.Source{node}, Chain: node, Store: files, Folder: t.TempDir(), Parallel: 1,
			Pause: func(context.Context, time.Duration) error { return nil },
		},
		Files: files, Public: public, Payments: payments,
		Proofs: content.Store{Objects: public, Pinner: unpinned{}, CID: ipfs.CID, Queue: unpinned{}, Log: log},
	}
	market := w.Market
	if p != nil {
		market = p.Proxy(t, market)
	}
	venue, err := marketmaker.New(market)
	must.Do(t, err)
	vaults, err := pools.Authorities(raydium.Mainnet)
	must.Do(t, err)
	signer := signing.Direct{Core: w.Signer(config)}
	worker, phases := &Worker{fixture: w, process: p}, run.Phases{Store: runs}
	worker.Engine = payout.Engine{
		Store: payments, Journal: journal.Journal{Files: files}, Phases: phases, Freeze: phases.Freeze, Records: keeper, Chains: []payout.Chain{node},
		Wallet: signer,
		Fees:   computebudget.Bounds{Floor: 1_000, Cap: 100_000},
		Reserved: func(ctx context.Context, mint solana.PublicKey, asset terms.Asset) (uint64, error) {
			head, err := runs.Head(ctx, mint)
			return head.Reserved[asset], err
		},
		Now: w.Clock.Now, Log: log,
	}
	worker.Machine = run.Machine{
		Store: runs, Payments: payments, Engine: worker.Engine, Claims: ledgertable.Claims{Client: db, Table: w.Table}, Handovers: w.handovers(config), Notary: signer, Tokens: records(w.record), Origins: w, Chain: node,
		Holders: keeper, Books: keeper, Venue: venue, Vaults: vaults, Chunks: &w.queue, Chunk: w.Chunk, Rooms: signer,
		Costs: run.Costs{Transaction: 5_500, Float: Funding / 2}, Payouts: w.Payouts,
		Now: w.Clock.Now, Log: log,
	}
	if w.Prepare != nil {
		w.Prepare(worker)
	}
	return worker
}

// Signer returns the signer of a fixture, in process. The signer's requests to the key service go
// over config, so that faults apply. All other reads bypass faults, like the reads of a separate
// function.
func (w *Fixture) Signer(config aws.Config) signing.Core {
	return signing.Core{
		Wallets:  wallet.Signer{Derivation: w.Derivation(config)},
		Payments: w.Payments, Runs: w.Runs,
		Records: books.Bookkeeper{Files: s3store.Bucket{Client: w.S3(w.Config(nil)), Name: w.Files}},
		Chain:   w.Node,
		Caps:    w.Caps(),
		Notes:   w.Caps(), HandoverDelay: HandoverDelay, Now: w.Clock.Now,
		Limits:   w.Limits,
		Programs: []solana.PublicKey{raydium.Mainnet.Program, meteora.Program}, CoSigned: true,
		Log: w.Log.Logger(slog.LevelInfo),
	}
}

// HandoverDelay is the delay of the fixtures' signer.
const HandoverDelay = 10 * time.Minute

// Caps returns the signer's own table.
func (w *Fixture) Caps() capstable.Caps {
	return capstable.Caps{Client: dynamo.New(w.Config(nil)), Table: w.caps, Now: w.Clock.Now}
}

func (w *Fixture) handovers(config aws.Config) ledgertable.Handovers {
	return ledgertable.Handovers{Client: dynamo.New(config), Table: w.Table}
}

// Handovers reads and writes the fixture's hand-overs without faults.
func (w *Fixture) Handovers() ledgertable.Handovers { return w.handovers(w.Config(nil)) }

// unpinned accepts files for pinning, and drops the files.
type unpinned struct{}

// Pin does nothing.
func (unpinned) Pin(context.Context, string, []byte) error { return nil }

// Send does nothing.
func (unpinned) Send(context.Context, content.PinRequest) error { return nil }

// handle handles a message.
func (w *Fixture) handle(ctx context.Context, worker *Worker, m message) (payout.Next, error) {
	if m.work != nil {
		return worker.Engine.Work(ctx, *m.work)
	}
	if m.claim {
		slot, err := worker.Machine.OpenClaim(ctx, w.Token.Mint)
		if err == nil && slot.IsZero() { // perhaps an earlier delivery of this message has opened the slot
			var head run.Head
			head, err = w.Runs.Head(ctx, w.Token.Mint)
			slot = head.Active
		}
		if err == nil && !slot.IsZero() {
			w.queue.push(message{due: w.Clock.Now(), slot: slot})
		}
		return payout.Next{Done: true}, err
	}
	return worker.Machine.Run(ctx, w.Token.Mint, m.slot)
}

// Closing are books with a hook before the closing.
type Closing struct {
	run.Books

	Before func()
}

// Close implements run.Books.
func (c Closing) Close(ctx context.Context, r run.Run, order run.CloseOrder) (run.Closed, error) {
	c.Before()
	return c.Books.Close(ctx, r, order)
}
