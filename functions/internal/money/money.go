// Package money wires what moves money, alike for the function that decides and
// the one that pays.
package money

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/batch"
	"tokenlaunch.example/service/pkg/books"
	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/dispatch"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/journal"
	"tokenlaunch.example/service/pkg/kms"
	"tokenlaunch.example/service/pkg/objectstore"
	"tokenlaunch.example/service/pkg/payout"
	"tokenlaunch.example/service/pkg/queue"
	"tokenlaunch.example/service/pkg/run"
	"tokenlaunch.example/service/pkg/secretsmanager"
	"tokenlaunch.example/service/pkg/telemetry"
	"tokenlaunch.example/service/pkg/wallet"
)

// feeRaises is how many times the first offer for a compute unit an attempt offers
// at most.
const feeRaises = 50

// Settings are what both functions read from the environment.
type Settings struct {
	telemetry.Settings
	LedgerTable  string `env:"LEDGER_TABLE,required,notEmpty"`
	LedgerBucket string `env:"LEDGER_BUCKET,required,notEmpty"`
	RunQueue     string `env:"RUN_QUEUE_URL,required,notEmpty"`
	PayoutQueue  string `env:"PAYOUT_QUEUE_URL,required,notEmpty"`
	WalletKeyID  string `env:"WALLET_KEY_ID,required,notEmpty"`
	Node         secrets.Node
	// SecondSecret names the secret with the addresses of another provider's nodes.
	SecondSecret string `env:"RPC_SECRET_2"`
	PriorityFee  uint64 `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
}

// Parts are what both functions are made of.
type Parts struct {
	AWS     aws.Config
	Secrets secretsmanager.Store
	Node    *chain.Client
	Files   objectstore.Bucket // the ledger's
	Runs    journal.Runs
	Intents dynamo.Intents
	Engine  payout.Engine
	// RunQueue and Payouts are the queues between the two.
	RunQueue queue.Runs
	Payouts  queue.Payouts
	Messages *sqs.Client
	Log      *slog.Logger
}

// Wire makes the parts. Nothing is connected to.
func Wire(s Settings) (Parts, error) {
	config, err := awshttp.Config()
	if err != nil {
		return Parts{}, err
	}
	logger := s.Logger()
	store := secretsmanager.New(config, logger)
	node, err := s.Node.Client(store)
	if err != nil {
		return Parts{}, err
	}
	nodes := []payout.Chain{chain.Gather(node)}
	if s.SecondSecret != "" {
		second := chain.From(store.Source(s.SecondSecret, chain.CheckAddresses))
		second.Meter, second.Label = node.Meter, "second-"
		nodes = append(nodes, chain.Gather(second))
	}
	db, messages := dynamo.New(config), sqs.NewFromConfig(config)
	p := Parts{
		AWS: config, Secrets: store, Node: node, Messages: messages, Log: logger,
		Files:    Bucket(config, s.LedgerBucket),
		Intents:  dynamo.Intents{Client: db, Table: s.LedgerTable},
		RunQueue: queue.Runs{Client: messages, URL: s.RunQueue},
		Payouts:  queue.Payouts{Client: messages, URL: s.PayoutQueue},
	}
	p.Runs = journal.Runs{
		Store: dynamo.Runs{Client: db, Table: s.LedgerTable, Now: time.Now}, Copies: p.Files, Log: p.Log,
	}
	p.Engine = payout.Engine{
		Store: p.Intents, Journal: journal.Journal{Files: p.Files}, Phases: run.Phases{Store: p.Runs},
		Records: books.Keeper{Files: p.Files}, Chains: nodes,
		Wallet: wallet.Signer{Derivation: wallet.Derivation{
			MAC: kms.HMAC{Client: awskms.NewFromConfig(config), KeyID: s.WalletKeyID},
		}},
		Fees:     payout.Fees{Start: s.PriorityFee, Most: feeRaises * s.PriorityFee},
		Pace:     payout.DefaultPace(),
		Reserved: p.reserved,
		Now:      time.Now, Log: p.Log,
	}
	return p, nil
}

// Bucket is a bucket of files that are written once. That an object has no checksum
// to look at is not worth a line of the log for each.
func Bucket(config aws.Config, name string) objectstore.Bucket {
	client := s3.NewFromConfig(config, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
	return objectstore.Bucket{Client: client, Name: name}
}

// reserved is what must stay in the wallet, for payments that nobody can decide.
func (p Parts) reserved(ctx context.Context, mint solana.PublicKey, asset distribution.Asset) (uint64, error) {
	head, err := p.Runs.Head(ctx, mint)
	if err != nil {
		return 0, fmt.Errorf("read what is reserved of %s: %w", mint, err)
	}
	return head.Reserved[asset], nil
}

// Endpoint does what the messages of a queue ask for.
type Endpoint interface {
	Advance(ctx context.Context, m batch.Message) error
	About(body string) []slog.Attr
}

// Handler handles the batches of the queue at url.
func (p Parts) Handler(url string, e Endpoint) batch.Handler {
	return batch.Handler{
		Do: e.Advance, About: e.About, Backlog: queue.Backlog{Client: p.Messages, URL: url}, Pause: dispatch.Pause,
		Log: p.Log, Meter: p.Node.Meter,
	}
}
