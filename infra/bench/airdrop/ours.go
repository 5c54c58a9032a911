package airdrop

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/api/endpoint/payer"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// The latencies of AWS, and the concurrency, from the stack's settings.
const (
	storeTime = 5 * time.Millisecond
	keyTime   = 10 * time.Millisecond
	fileTime  = 30 * time.Millisecond
	startTime = 20 * time.Millisecond // from a message in the queue to its function
	// payers is the number of concurrent functions, and perPayer the number of messages of each
	// function (payoutConcurrency and payoutBatch of the stack).
	payers, perPayer = 20, 10
)

// ours is the service's engine, its queue, and its data.
type ours struct {
	ledger
	node   http.RoundTripper
	people []payout.Entry
	phase  payout.Phase
	signer payout.Wallet
	work   chan payout.Work
	ended  chan int
}

// ledger is a ledger in memory with the latencies of DynamoDB and S3.
type ledger struct{ *payouttest.Memory }

func (l ledger) store() *payouttest.Memory {
	time.Sleep(storeTime)
	return l.Memory
}

func (l ledger) Payment(ctx context.Context, id payout.ID) (payout.Payment, error) {
	return l.store().Payment(ctx, id)
}

func (l ledger) Payments(ctx context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error] {
	return l.store().Payments(ctx, run, kind, leg)
}

func (l ledger) Batches(ctx context.Context, run string, kind payout.Kind, leg, from, to int) ([]payout.Payment, error) {
	return l.store().Batches(ctx, run, kind, leg, from, to)
}

func (l ledger) Bind(ctx context.Context, p payout.Payment) error { return l.store().Bind(ctx, p) }

func (l ledger) Record(ctx context.Context, p payout.Payment) error { return l.store().Record(ctx, p) }

func (l ledger) End(ctx context.Context, p payout.Payment, parts ...payout.Payment) error {
	return l.store().End(ctx, p, parts...)
}

func (l ledger) Quiet(ctx context.Context, p payout.Payment) error { return l.store().Quiet(ctx, p) }

func (l ledger) ChunkDone(ctx context.Context, w payout.Work) error {
	return l.store().ChunkDone(ctx, w)
}

func (l ledger) Attempt(ctx context.Context, p payout.Payment) error {
	time.Sleep(fileTime)
	return l.Memory.Attempt(ctx, p)
}

func (l ledger) Landed(ctx context.Context, p payout.Payment) error {
	time.Sleep(fileTime)
	return l.Memory.Landed(ctx, p)
}

func (l ledger) Has(ctx context.Context, p payout.Payment) (bool, error) {
	time.Sleep(fileTime)
	return l.Memory.Has(ctx, p)
}

// keys derives keys like KMS.
type keys struct{}

// Sum512 implements wallet.MAC.
func (keys) Sum512(_ context.Context, message []byte) (sum [64]byte, err error) {
	time.Sleep(keyTime)
	h := hmac.New(sha512.New, []byte("bench"))
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

const walletID = "5f0c7a52-7e5c-4a53-8f0b-0a6f2f3d9b11"

func newOurs(ctx context.Context, node http.RoundTripper, people []payout.Entry, version payout.Version) (*ours, error) {
	derivation := wallet.Derivation{MAC: keys{}}
	address, err := derivation.Address(ctx, walletID)
	if err != nil {
		return nil, err
	}
	return &ours{
		ledger: ledger{&payouttest.Memory{}}, node: node, people: people, signer: payouttest.Unchecked{Signer: wallet.Signer{Derivation: derivation}},
		phase: payout.Phase{
			Run: "run", Mint: solana.WrappedSol, Wallet: token.Wallet{ID: walletID, Address: address}, Kind: payout.Pay, Records: uint32(len(people)), //nolint:gosec // at most millions
			Version: version, BatchSize: version.Batch(terms.SOL), Chunk: payout.MaxStripe, Deadline: time.Now().Add(24 * time.Hour),
		},
		work: make(chan payout.Work, len(people)), ended: make(chan int, len(people)),
	}, nil
}

// Phase implements payout.Phases.
func (o *ours) Phase(context.Context, payout.Work) (payout.Phase, error) {
	time.Sleep(storeTime)
	return o.phase, nil
}

// Records implements payout.Records.
func (o *ours) Records(_ context.Context, _ payout.Phase, from, to uint32) ([]payout.Entry, error) {
	time.Sleep(fileTime)
	return o.people[from:to], nil
}

// SendWork implements payer.Queue, in whole seconds, like SQS.
func (o *ours) SendWork(_ context.Context, after time.Duration, chunks ...payout.Work) error {
	time.Sleep(storeTime)
	whole := (after + time.Second - 1).Truncate(time.Second)
	for _, w := range chunks {
		time.AfterFunc(whole, func() { o.work <- w })
	}
	return nil
}

// SendRuns implements payer.Runs.
func (o *ours) SendRuns(context.Context, []dispatch.Delayed) error {
	o.ended <- 1
	return nil
}

// anyNode is the address of a node in calls to a RoundTripper.
const anyNode = "http://node.example"

// engine returns the engine of a process.
func (o *ours) engine() (payout.Engine, error) {
	client, err := solanarpc.New(anyNode)
	if err != nil {
		return payout.Engine{}, err
	}
	view := solanarpc.Gather(client.WithTransport(o.node))
	return payout.Engine{
		Store: o.ledger, Journal: o.ledger, Phases: o, Records: o, Chains: []payout.Chain{view}, Wallet: o.signer,
		Fees: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}, nil
}

// giveBack closes the receipts, like distributor.
func (o *ours) giveBack(ctx context.Context) error {
	e, err := o.engine()
	if err != nil {
		return err
	}
	for {
		next, err := e.Return(ctx, payout.Returning{
			Run: "run", Mint: o.phase.Mint, Wallet: o.phase.Wallet, Version: o.phase.Version, Of: []payout.ID{{Run: "run", Kind: payout.Pay}},
		})
		if err != nil || next.Done {
			return err
		}
		time.Sleep(next.After)
	}
}

// pay completes all chunks, with as many functions as the stack has.
func (o *ours) pay(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, payers)
	for range payers {
		e, err := o.engine()
		if err != nil {
			return err
		}
		go o.function(ctx, e, failed)
	}
	for chunk := range o.phase.Chunks() {
		o.work <- payout.Work{Mint: o.phase.Mint, Run: o.phase.Run, Kind: o.phase.Kind, Chunk: chunk}
	}
	for range o.phase.Chunks() {
		select {
		case <-o.ended:
		case err := <-failed:
			return fmt.Errorf("a payer: %w", err)
		}
	}
	return nil
}

// wait advances virtual time.
func wait(_ context.Context, d time.Duration) error {
	time.Sleep(d)
	return nil
}

// function handles the available messages, at most ten at a time, until the end.
func (o *ours) function(ctx context.Context, e payout.Engine, failed chan<- error) {
	for {
		var messages []payout.Work
		select {
		case <-ctx.Done():
			return
		case w := <-o.work:
			messages = append(messages, w)
		}
		time.Sleep(startTime)
		for len(messages) < perPayer && len(o.work) > 0 {
			select {
			case w := <-o.work:
				messages = append(messages, w)
			default:
			}
		}
		done := make(chan error, len(messages))
		for _, w := range messages {
			endpoint := payer.Endpoint{
				Engine: e, Queue: o, Runs: o, Now: time.Now, Log: e.Log,
				Read:    func(string) (payout.Work, error) { return w, nil },
				Waiting: batch.Waiting{Wait: wait, Below: batch.ShortWait},
			}
			go func() { done <- endpoint.Advance(ctx, batch.Message{}) }()
		}
		for range messages {
			if err := <-done; err != nil {
				failed <- err
			}
		}
	}
}
