// Command restore brings the ledger of tokens forward after its table was restored
// from a backup: from the copies of runs and heads and the journal of signed
// transactions in the ledger's bucket, and from the nonces' histories on the chain.
//
//	go run -C infra ./operate/restore MINT…
//
// It reads LAUNCH_TABLE, LEDGER_TABLE, LEDGER_BUCKET, RPC_URL and RPC_URL_2 as the
// functions do, and the AWS credentials of who calls it, who may read and write the
// ledger. It needs no key of any wallet: nothing is signed or sent. It may be
// repeated, and goes on where it was interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/caarlos0/env/v11"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type settings struct {
	LaunchTable  string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable  string `env:"LEDGER_TABLE,required,notEmpty"`
	LedgerBucket string `env:"LEDGER_BUCKET,required,notEmpty"`
	RPCURL       string `env:"RPC_URL,required,notEmpty"`
	RPCURL2      string `env:"RPC_URL_2"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := restore(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "restore:", err)
		os.Exit(1)
	}
}

func restore(ctx context.Context, mints []string) error {
	if len(mints) == 0 {
		return errors.New("name the mints of the tokens whose ledger is to be brought forward")
	}
	keys := make([]solana.PublicKey, len(mints))
	for i, text := range mints {
		key, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return fmt.Errorf("%q is not the address of a mint", text)
		}
		keys[i] = key
	}
	s, err := env.ParseAs[settings]()
	if err != nil {
		return err
	}
	parts, err := wire(ctx, s)
	if err != nil {
		return err
	}
	for _, mint := range keys {
		if err := parts.restore(ctx, mint); err != nil {
			return fmt.Errorf("%s: %w", mint, err)
		}
	}
	return nil
}

// parts is what a restoration needs.
type parts struct {
	tokens launchtable.Tokens
	runs   ledgertable.Runs
	files  s3store.Bucket
	engine payout.Engine
}

func wire(ctx context.Context, s settings) (parts, error) {
	config, err := profile.Config(ctx)
	if err != nil {
		return parts{}, err
	}
	var nodes []payout.Chain
	for _, address := range []string{s.RPCURL, s.RPCURL2} {
		if address == "" {
			continue
		}
		node, err := solanarpc.New(address)
		if err != nil {
			return parts{}, err
		}
		nodes = append(nodes, node)
	}
	db := dynamo.New(config)
	p := parts{
		tokens: launchtable.Tokens{Client: db, Table: s.LaunchTable},
		runs:   ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now},
		files:  s3store.Bucket{Client: s3.NewFromConfig(config), Name: s.LedgerBucket},
	}
	p.engine = payout.Engine{
		Store: ledgertable.Intents{Client: db, Table: s.LedgerTable}, Journal: journal.Journal{Files: p.files},
		Chains: nodes, Pace: payout.DefaultPace(), Now: time.Now, Log: telemetry.New(os.Stdout, slog.LevelInfo, "restore"),
	}
	return p, nil
}

func (p parts) restore(ctx context.Context, mint solana.PublicKey) error {
	record, err := p.tokens.Token(ctx, mint)
	if err != nil {
		return err
	}
	var rebuilt payout.Rebuilt
	done, err := journal.Restorer{
		Ledger: p.runs, Copies: p.files,
		Rebuild: func(ctx context.Context, mint solana.PublicKey) (err error) {
			rebuilt, err = p.engine.Rebuild(ctx, mint, record.Wallet)
			return err
		},
	}.Restore(ctx, mint)
	if err != nil {
		return err
	}
	fmt.Printf("%s: head from version %d to %d, %d runs brought forward; intents: %d decided, %d may still land, %d nobody can decide; lanes that stay frozen: %v\n",
		mint, done.Head.From, done.Head.To, len(done.Runs), rebuilt.Decided, rebuilt.Open, rebuilt.Unknown, rebuilt.Frozen)
	return nil
}
