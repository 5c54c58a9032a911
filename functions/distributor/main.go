// Distributor opens the runs of tokens and advances them.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"tokenlaunch.example/service/functions/internal/exchanges"
	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/money"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/distributor"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/helius"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/origin"
)

type settings struct {
	money.Settings
	LaunchTable   string `env:"LAUNCH_TABLE,required,notEmpty"`
	SettingsTable string `env:"SETTINGS_TABLE,required,notEmpty"`
	AssetBucket   string `env:"ASSET_BUCKET,required,notEmpty"`
	PinQueue      string `env:"PIN_QUEUE_URL,required,notEmpty"`
	// WalletFunding is the initial funding of a wallet. A run leaves half of the funding for later
	// runs.
	WalletFunding uint64 `env:"WALLET_FUNDING_LAMPORTS" envDefault:"20000000"`
	// PayoutVersion is the version of the transactions that pay holders, if the node accepts the
	// version: legacy or 1.
	PayoutVersion string `env:"PAYOUT_VERSION" envDefault:"1"`
	Exchange      exchanges.Settings
	// HeliusSecret is the name of the secret with the address of Helius; empty means no Helius.
	HeliusSecret string `env:"HELIUS_SECRET"`
	// Network is the network of the markets' programs.
	Network string `env:"MARKETS_NETWORK" envDefault:"mainnet"`
}

func main() {
	s := start.Settings[settings]()
	parts := start.Must(money.Wire(s.Settings))
	network := start.Must(markets.Network(s.Network))
	sources := []snapshot.Source{parts.Node}
	if s.HeliusSecret != "" {
		index := helius.New(parts.Secrets.Source(s.HeliusSecret, helius.CheckAddress), parts.Node.Pause)
		sources = []snapshot.Source{index, parts.Node}
	}
	public := money.Bucket(parts.AWS, s.AssetBucket)
	bookkeeper := books.Bookkeeper{
		Snapshotter: snapshot.Snapshotter{Sources: sources, Chain: parts.Node, Store: parts.Files, Pause: parts.Node.Pause},
		Files:       parts.Files, Public: public, Payments: parts.Payments,
		Proofs: content.Store{
			// A proof for a million holders has two thousand files, so the files are pinned later.
			Objects: public, CID: ipfs.CID, Log: parts.Log,
			Queue: sqsqueue.Pins{Client: parts.Messages, URL: s.PinQueue},
		},
	}
	tokens := launchtable.Versions{
		Tokens: launchtable.Tokens{Client: dynamo.New(parts.AWS), Table: s.LaunchTable}, Settings: s.SettingsTable,
	}
	pools := venue.Pools{Chain: parts.Node, Tokens: tokens, Raydium: network, Now: time.Now, Log: parts.Log}
	parts.Runs.Store = ledgertable.Runs{
		Client: tokens.Client, Table: s.LedgerTable, Now: time.Now, Settings: tokens.SettingsUnchanged,
	}
	machine := run.Machine{
		Store: parts.Runs, Payments: parts.Payments, Engine: parts.Engine, Chain: parts.Node,
		Claims:    ledgertable.Claims{Client: tokens.Client, Table: s.LedgerTable},
		Handovers: ledgertable.Handovers{Client: tokens.Client, Table: s.LedgerTable}, Notary: parts.Signer,
		Tokens:  tokens,
		Origins: origin.Checker{Chain: parts.Node, Files: public, CID: ipfs.CID},
		Holders: bookkeeper, Books: bookkeeper, Chunks: parts.Payouts, Rooms: parts.Signer,
		Venue: start.Must(s.Exchange.Venue(parts.Secrets, pools, parts.Log)), Vaults: start.Must(venue.Authorities(network)),
		Recovered: s.Recovered,
		Costs:     run.CostsAt(s.Price.Floor, s.WalletFunding),
		Payouts:   start.Must(payout.ReadVersion(s.PayoutVersion)), Now: time.Now, Log: parts.Log,
	}
	endpoint := distributor.Endpoint{
		Machine: machine, Ledger: parts.Runs, Queue: parts.RunQueue, Read: sqsqueue.ReadRun, Now: time.Now, Log: parts.Log,
		Waiting: parts.Waiting(),
	}
	lambda.Start(parts.Handler(s.RunQueue, endpoint).Handle)
}
