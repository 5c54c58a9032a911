// Signer is the internal function that opens the keys of the distribution wallets. No other
// function of the Region may open the keys. Signer signs the decisions in the ledger, within the
// caps.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"

	"tokenlaunch.example/service/functions/internal/exchanges"
	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/money"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/signer"
	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/token/wallet"
)

type settings struct {
	telemetry.Settings
	WalletKeyID string `env:"WALLET_KEY_ID,required,notEmpty"`
	// WalletRoots are the keys of the wallets' further roots, oldest first; see wallet.Derivation.
	WalletRoots  []string `env:"WALLET_ROOTS"`
	LedgerTable  string   `env:"LEDGER_TABLE,required,notEmpty"`
	LedgerBucket string   `env:"LEDGER_BUCKET,required,notEmpty"`
	CapsTable    string   `env:"CAPS_TABLE,required,notEmpty"`
	Node         secrets.Node
	// Venues are the venues of sales, and Network is the network of the markets' programs.
	Venues  []string `env:"EXCHANGES"`
	Network string   `env:"MARKETS_NETWORK" envDefault:"mainnet"`
	// Recovered is set in a stack that was restored from copies; see run.Head.
	Recovered time.Time `env:"RECOVERED"`
	// HandoverDelay is the time between the signer's record of a creator's order to hand the tax
	// over, and the hand-over.
	HandoverDelay time.Duration `env:"HANDOVER_DELAY" envDefault:"168h"`
	// The caps; see signing.Limits.
	RunLamports        uint64 `env:"SIGNER_RUN_LAMPORTS,required,notEmpty"`
	WalletDayLamports  uint64 `env:"SIGNER_WALLET_DAY_LAMPORTS,required,notEmpty"`
	DayLamports        uint64 `env:"SIGNER_DAY_LAMPORTS,required,notEmpty"`
	RunSupplyBps       uint64 `env:"SIGNER_RUN_SUPPLY_BPS,required,notEmpty"`
	WalletDaySupplyBps uint64 `env:"SIGNER_WALLET_DAY_SUPPLY_BPS,required,notEmpty"`
}

func main() {
	s, aws := start.Function[settings]()
	log := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, log)))
	allowed := start.Must(exchanges.Known(s.Venues, start.Must(markets.Network(s.Network))))
	db, keys := dynamo.New(aws), awskms.NewFromConfig(aws)
	mac := func(keyID string) wallet.MAC { return kms.HMAC{Client: keys, KeyID: keyID} }
	caps := capstable.Caps{Client: db, Table: s.CapsTable, Now: time.Now}
	core := signing.Core{
		Wallets:  wallet.Signer{Derivation: wallet.FromKeys(mac, s.WalletKeyID, s.WalletRoots...)},
		Payments: ledgertable.Payments{Client: db, Table: s.LedgerTable},
		Runs:     ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now},
		Records:  books.Bookkeeper{Files: money.Bucket(aws, s.LedgerBucket)},
		Chain:    node,
		Caps:     caps,
		Notes:    caps, HandoverDelay: s.HandoverDelay, Now: time.Now,
		Limits: signing.Limits{
			RunLamports: s.RunLamports, WalletDayLamports: s.WalletDayLamports, DayLamports: s.DayLamports,
			RunSupplyBps: s.RunSupplyBps, WalletDaySupplyBps: s.WalletDaySupplyBps,
		},
		Programs: allowed.Programs, CoSigned: allowed.CoSigned, Recovered: s.Recovered, Log: log,
	}
	lambda.Start(signer.Handler(core))
}
