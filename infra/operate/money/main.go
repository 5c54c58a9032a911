// Command money explains why no money of a token moves, and resumes the token.
//
//	go run -C infra ./operate/money why MINT
//	go run -C infra ./operate/money resolve --all
//	go run -C infra ./operate/money resolve [--reason TEXT] [--landed SIGNATURE]… [--lost PAYMENT]… MINT
//
// resolve updates a ledger after a restore from a backup, decides payments with an unknown outcome
// again, resumes a run after an imbalance of the books, and releases the token. With --reason the
// proof of the run enters the missing amount as an adjustment, and publishes the reason. --landed
// and --lost are the operator's decisions about payments without evidence on the chain.
//
// In a stack that was restored from copies in another Region, RECOVERED is the functions'
// RECOVERED. There resolve first compares the wallet's transactions with ledger and journal. The
// token pays no holder before this comparison. SIGNER_FUNCTION derives the receipts that identify
// forgotten payments. The caller must be allowed to invoke SIGNER_FUNCTION.
//
// With --all, resolve resolves every token, and lists the tokens with open problems.
//
// The command reads LAUNCH_TABLE, LEDGER_TABLE, LEDGER_BUCKET, NETWORK, RPC_URL and RPC_URL_2 like
// the functions, and AWS credentials with the right to read and write the ledger. The command needs
// no key of any wallet, because the command signs and sends no transaction. The command is
// idempotent, and continues after an interruption.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/caarlos0/env/v11"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type settings struct {
	LaunchTable  string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable  string `env:"LEDGER_TABLE,required,notEmpty"`
	LedgerBucket string `env:"LEDGER_BUCKET,required,notEmpty"`
	Network      string `env:"NETWORK,required,notEmpty"`
	RPCURL       string `env:"RPC_URL,required,notEmpty"`
	RPCURL2      string `env:"RPC_URL_2"`
	// Recovered and Signer are for a stack that was restored from copies, where wallets are
	// compared.
	Recovered time.Time `env:"RECOVERED"`
	Signer    string    `env:"SIGNER_FUNCTION"`
}

func main() { program.Main("money", run) }

var errUsage = errors.New(
	"usage: money why MINT, money resolve [--reason TEXT] [--landed SIGNATURE]… [--lost PAYMENT]… MINT, or money resolve --all")

// request is the parsed command line.
type request struct {
	resolve bool
	all     bool // tokens
	mint    solana.PublicKey
	order   unstick.Order
}

func parse(arguments []string) (request, error) {
	if len(arguments) == 0 || arguments[0] != "why" && arguments[0] != "resolve" {
		return request{}, errUsage
	}
	r := request{resolve: arguments[0] == "resolve"}
	flags := flag.NewFlagSet(arguments[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if r.resolve {
		flags.BoolVar(&r.all, "all", false, "")
		flags.StringVar(&r.order.Reason, "reason", "", "")
		flags.Func("landed", "", func(text string) error {
			signature, err := solana.SignatureFromBase58(text)
			r.order.Landed = append(r.order.Landed, signature)
			return err
		})
		flags.Func("lost", "", func(text string) error {
			r.order.Lost = append(r.order.Lost, text)
			return nil
		})
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		return request{}, fmt.Errorf("%w: %w", err, errUsage)
	}
	if r.all && flags.NArg() == 0 && flags.NFlag() == 1 { // --all allows no other flags
		return r, nil
	}
	if r.all || flags.NArg() != 1 {
		return request{}, errUsage
	}
	var err error
	if r.mint, err = solana.PublicKeyFromBase58(flags.Arg(0)); err != nil {
		return request{}, fmt.Errorf("%q is not the address of a mint", flags.Arg(0))
	}
	return r, nil
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	r, err := parse(arguments)
	if err != nil {
		return err
	}
	s, err := env.ParseAs[settings]()
	if err != nil {
		return err
	}
	tokens, desk, err := wire(ctx, s)
	if err != nil {
		return err
	}
	if r.all {
		return resolveAll(ctx, tokens, desk, out)
	}
	record, err := tokens.Token(ctx, r.mint)
	if err != nil {
		return err
	}
	var found unstick.Case
	if r.resolve {
		found, err = desk.Resolve(ctx, r.mint, record.Wallet, r.order)
	} else {
		found, err = desk.Why(ctx, r.mint, record.Wallet)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, found.String())
	return err
}

func wire(ctx context.Context, s settings) (launchtable.Tokens, unstick.Desk, error) {
	config, err := profile.Config(ctx)
	if err != nil {
		return launchtable.Tokens{}, unstick.Desk{}, err
	}
	var nodes []payout.Chain
	var histories []unstick.Node
	cluster := solanarpc.NewCluster(s.Network)
	for _, address := range []string{s.RPCURL, s.RPCURL2} {
		if address == "" {
			continue
		}
		node, err := solanarpc.New(address)
		if err != nil {
			return launchtable.Tokens{}, unstick.Desk{}, err
		}
		node.Cluster = cluster
		nodes, histories = append(nodes, node), append(histories, node)
	}
	db := dynamo.New(config)
	log := telemetry.New(os.Stderr, slog.LevelInfo, "money")
	client := s3.NewFromConfig(config, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
	files := s3store.Bucket{Client: client, Name: s.LedgerBucket}
	ledger := ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now}
	engine := payout.Engine{
		Store: ledgertable.Payments{Client: db, Table: s.LedgerTable}, Journal: journal.Journal{Files: files},
		Records: books.Bookkeeper{Files: files}, Chains: nodes, Now: time.Now, Log: log,
	}
	if s.Signer != "" { // derives the receipts of forgotten payments
		engine.Wallet = lambdafn.NewSigner(lambda.NewFromConfig(config), s.Signer)
	}
	return launchtable.Tokens{Client: db, Table: s.LaunchTable}, unstick.Desk{
		Restorer: journal.Restorer{Ledger: ledger, Copies: files},
		Runs:     journal.Runs{Store: ledger, Copies: files, Log: log},
		Engine:   engine,
		Nodes:    histories, Recovered: s.Recovered,
		Now: time.Now,
	}, nil
}
