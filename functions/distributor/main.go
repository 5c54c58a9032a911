// Distributor opens the runs of tokens and advances them.
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/money"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/distributor"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/helius"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/token/content"
)

// What a run reckons with. A transaction has one signature (5,000 lamports,
// Solana documentation, "Fees") and some 200,000 compute units.
const (
	baseFeeLamports = 5_000
	computeUnits    = 200_000
	microPerLamport = 1_000_000
)

type settings struct {
	money.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	AssetBucket string `env:"ASSET_BUCKET,required,notEmpty"`
	PinQueue    string `env:"PIN_QUEUE_URL,required,notEmpty"`
	NoticeQueue string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	// WalletFunding is what a wallet was funded with; half of it is what a run leaves
	// for the runs to come.
	WalletFunding uint64 `env:"WALLET_FUNDING_LAMPORTS" envDefault:"20000000"`
	// PayoutVersion is the version of transactions that holders are paid by, where the node
	// takes it: legacy or 1.
	PayoutVersion string `env:"PAYOUT_VERSION" envDefault:"legacy"`
	ExchangeKind  string `env:"EXCHANGE_KIND" envDefault:"none"`
	ExchangeURL   string `env:"EXCHANGE_URL"`
	// ExchangeSecret and HeliusSecret name the secrets with the key of the exchange and
	// with the address of Helius; either may be empty.
	ExchangeSecret string `env:"EXCHANGE_SECRET"`
	HeliusSecret   string `env:"HELIUS_SECRET"`
	// Network is which programs the markets are on.
	Network        string `env:"MARKETS_NETWORK" envDefault:"mainnet"`
	IPFSGatewayURL string `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	PublicURL      string `env:"PUBLIC_URL,required,notEmpty"`
}

func main() {
	s := start.Settings[settings]()
	endpoint, parts, err := wire(s)
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(parts.Handler(s.RunQueue, endpoint).Handle)
}

func wire(s settings) (distributor.Endpoint, money.Parts, error) {
	parts, err := money.Wire(s.Settings)
	if err != nil {
		return distributor.Endpoint{}, parts, err
	}
	network, err := markets.Network(s.Network)
	if err != nil {
		return distributor.Endpoint{}, parts, err
	}
	pools := venue.Pools{Chain: parts.Node, Raydium: network, Now: time.Now}
	exchanges, err := exchanges(s, parts.Secrets, pools)
	if err != nil {
		return distributor.Endpoint{}, parts, err
	}
	vaults, err := venue.Authorities(network)
	if err != nil {
		return distributor.Endpoint{}, parts, err
	}
	payouts, err := payout.ReadVersion(s.PayoutVersion)
	if err != nil {
		return distributor.Endpoint{}, parts, fmt.Errorf("PAYOUT_VERSION: %w", err)
	}
	sources := []snapshot.Source{parts.Node}
	if s.HeliusSecret != "" {
		index := helius.New(parts.Secrets.Source(s.HeliusSecret, helius.CheckAddress), parts.Node.Pause)
		sources = []snapshot.Source{index, parts.Node}
	}
	public := money.Bucket(parts.AWS, s.AssetBucket)
	keeper := books.Keeper{
		Taker: snapshot.Taker{Sources: sources, Chain: parts.Node, Store: parts.Files, Pause: parts.Node.Pause},
		Files: parts.Files, Public: public, Intents: parts.Intents,
		Proofs: content.Store{
			// A proof of a million holders has two thousand files: they are pinned later.
			Objects: public, CID: ipfs.CID, Log: parts.Log,
			Queue: sqsqueue.Pins{Client: parts.Messages, URL: s.PinQueue},
		},
	}
	machine := run.Machine{
		Store: parts.Runs, Intents: parts.Intents, Engine: parts.Engine, Chain: parts.Node,
		Tokens:  launchtable.Tokens{Client: dynamo.New(parts.AWS), Table: s.LaunchTable},
		Holders: keeper, Books: keeper, Venue: exchanges, Vaults: vaults, Lanes: parts.Payouts,
		Notices: notice.Teller{
			Queue:     sqsqueue.Notices{Client: parts.Messages, URL: s.NoticeQueue},
			PublicURL: s.PublicURL, GatewayURL: s.IPFSGatewayURL, Now: time.Now, Log: parts.Log,
		},
		Costs: run.Costs{
			Transaction: baseFeeLamports + computeUnits*s.PriorityFee/microPerLamport, Float: s.WalletFunding / 2,
		},
		Payouts: payouts, Now: time.Now, Log: parts.Log,
	}
	return distributor.Endpoint{
		Machine: machine, Ledger: parts.Runs, Queue: parts.RunQueue, Read: sqsqueue.ReadRun, Now: time.Now, Log: parts.Log,
	}, parts, nil
}

// exchanges is where tokens are sold; nil when there is nowhere.
func exchanges(s settings, secrets secretsmanager.Store, pools venue.Pools) (exchange.Venue, error) {
	var key secret.Source
	if s.ExchangeSecret != "" {
		key = secrets.Source(s.ExchangeSecret, jupiter.CheckKey)
	}
	switch s.ExchangeKind {
	case "none":
		return nil, nil
	case "jupiter":
		return jupiter.New(s.ExchangeURL, key)
	case "maker":
		return marketmaker.New(s.ExchangeURL)
	case "pools":
		return pools, nil
	case "jupiter+pools":
		first, err := jupiter.New(s.ExchangeURL, key)
		if err != nil {
			return nil, err
		}
		return exchange.First{{Name: jupiter.Venue, Venue: first}, {Name: venue.Name, Venue: pools}}, nil
	}
	return nil, fmt.Errorf("EXCHANGE_KIND is %q: it must be none, jupiter, maker, pools or jupiter+pools", s.ExchangeKind)
}
