// Package money wires the parts that move money, for the function that decides and the function
// that pays.
package money

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/functions/internal/preparing"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/guardian"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Settings are the environment variables of both functions.
type Settings struct {
	telemetry.Settings
	LedgerTable  string `env:"LEDGER_TABLE,required,notEmpty"`
	LedgerBucket string `env:"LEDGER_BUCKET,required,notEmpty"`
	RunQueue     string `env:"RUN_QUEUE_URL,required,notEmpty"`
	PayoutQueue  string `env:"PAYOUT_QUEUE_URL,required,notEmpty"`
	// Signer is the function that signs for the wallets.
	Signer string `env:"SIGNER_FUNCTION,required,notEmpty"`
	Node   secrets.Node
	// Recovered is set in a stack that was restored from copies; see run.Head.
	Recovered time.Time `env:"RECOVERED"`
	// SecondSecret is the name of the secret with the addresses of another provider's nodes.
	SecondSecret string `env:"RPC_SECRET_2"`
	// GuardianURL is the address of the guardian; empty means no guardian. GuardianSecret is the name
	// of the secret with the guardian's token.
	GuardianURL    string `env:"GUARDIAN_URL"`
	GuardianSecret string `env:"GUARDIAN_SECRET"`
	Price          preparing.Settings
}

// Parts are the common parts of both functions.
type Parts struct {
	AWS      aws.Config
	Secrets  secretsmanager.Store
	Node     *solanarpc.Client
	Files    s3store.Bucket // the ledger's
	Runs     journal.Runs
	Payments ledgertable.Payments
	Engine   payout.Engine
	// Signer is the client of the signing function.
	Signer *lambdafn.Signer
	// RunQueue and Payouts are the queues between both functions.
	RunQueue sqsqueue.Runs
	Payouts  sqsqueue.Payouts
	Messages *sqs.Client
	Log      *slog.Logger
}

// Wire creates the parts without opening connections.
func Wire(s Settings) (Parts, error) {
	fees, err := s.Price.Bounds()
	if err != nil {
		return Parts{}, err
	}
	config, err := awsconfig.Config()
	if err != nil {
		return Parts{}, err
	}
	logger := s.Logger()
	store := secretsmanager.New(config, logger)
	node, err := s.Node.Client(store)
	if err != nil {
		return Parts{}, err
	}
	nodes := []payout.Chain{solanarpc.Gather(node)}
	if s.SecondSecret != "" {
		nodes = append(nodes, solanarpc.Gather(secrets.Second(node, store, s.SecondSecret)))
	}
	db, messages := dynamo.New(config), sqs.NewFromConfig(config)
	p := Parts{
		AWS: config, Secrets: store, Node: node, Messages: messages, Log: logger,
		Files:    Bucket(config, s.LedgerBucket),
		Payments: ledgertable.Payments{Client: db, Table: s.LedgerTable},
		RunQueue: sqsqueue.Runs{Client: messages, URL: s.RunQueue},
		Payouts:  sqsqueue.Payouts{Client: messages, URL: s.PayoutQueue},
		Signer:   lambdafn.NewSigner(lambda.NewFromConfig(config), s.Signer),
	}
	p.Runs = journal.Runs{
		Store: ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now}, Copies: p.Files, Log: p.Log,
	}
	phases := run.Phases{Store: p.Runs, Recovered: s.Recovered}
	p.Engine = payout.Engine{
		Store: p.Payments, Journal: journal.Journal{Files: p.Files}, Phases: phases,
		Records: books.Bookkeeper{Files: p.Files}, Chains: nodes,
		Wallet:   p.Signer,
		Fees:     fees,
		Reserved: p.reserved,
		Freeze:   phases.Freeze,
		Now:      time.Now, Log: p.Log,
	}
	if s.GuardianURL != "" {
		asked, err := guardian.New(s.GuardianURL, store.Source(s.GuardianSecret, guardian.CheckToken))
		if err != nil {
			return Parts{}, err
		}
		p.Engine.Guardian = asked
	}
	return p, nil
}

// Bucket returns a bucket of files that are written once. The client does not log objects without a
// checksum, because the lines would flood the log.
func Bucket(config aws.Config, name string) s3store.Bucket {
	client := s3.NewFromConfig(config, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
	return s3store.Bucket{Client: client, Name: name}
}

// reserved returns the amount that must stay in the wallet for payments with an unknown outcome.
func (p Parts) reserved(ctx context.Context, mint solana.PublicKey, asset terms.Asset) (uint64, error) {
	head, err := p.Runs.Head(ctx, mint)
	if err != nil {
		return 0, fmt.Errorf("read what is reserved of %s: %w", mint, err)
	}
	return head.Reserved[asset], nil
}

// Waiting lets a call wait for its own next step if the step is due soon.
func (p Parts) Waiting() batch.Waiting {
	return batch.Waiting{Wait: p.Node.Pause, Below: batch.ShortWait}
}

// Endpoint handles the messages of a queue.
type Endpoint interface {
	Advance(ctx context.Context, m batch.Message) error
	About(body string) []slog.Attr
}

// Handler returns the handler for the batches of the queue at url.
func (p Parts) Handler(url string, e Endpoint) batch.Handler {
	return batch.Handler{
		Do: e.Advance, About: e.About, Backlog: sqsqueue.Backlog{Client: p.Messages, URL: url}, Pause: dispatch.Pause,
		Log: p.Log, Meter: p.Node.Meter,
	}
}
