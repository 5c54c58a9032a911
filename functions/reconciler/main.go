// Reconciler brings records and the chain together, every minute: launches, market transactions,
// payments for promotions, and the trades of curves. Reconciler also refreshes the ranks of tokens
// and removes unused files.
//
// Each part of a run is bounded by count and by time. The next run does the remaining work. The
// maximum number of calls to the node: launches 2 and 4 for each of 50; market transactions 2;
// promotions 1, and for each of 100 up to 5 lists and 20 transactions; for the index see package
// index.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/reconciler"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/platform/sweep"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/token/content"
)

// The bounds of a run. The function has 75 seconds. The parts run concurrently. The index of
// trades, which makes two passes, has index.Within.
const (
	runWithin     = 20 * time.Second
	maxLaunches   = 50
	maxNonces     = 5
	maxPromotions = 100
	maxFiles      = 100
)

type settings struct {
	telemetry.Settings
	LaunchTable  string `env:"LAUNCH_TABLE,required,notEmpty"`
	Pins         pinning.Place
	NonceKeyID   string `env:"NONCE_KEY_ID,required,notEmpty"`
	Node         secrets.Node
	NoncePoolMin int    `env:"NONCE_POOL_MIN" envDefault:"5"`
	NoncePoolMax int    `env:"NONCE_POOL_MAX" envDefault:"200"`
	Network      string `env:"MARKETS_NETWORK" envDefault:"mainnet"`
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	network := start.Must(markets.Network(s.Network))
	db := dynamo.New(aws)
	pools := watch.Markets{
		Store: curves.Transactions{Client: db, Table: s.LaunchTable}, Chain: node, Raydium: network,
		Max: watch.MaxMarkets, Now: time.Now, Log: logger,
	}
	promotions := watch.Promotions{
		Store: promotions.Store{Client: db, Table: s.LaunchTable}, Chain: node,
		Max: maxPromotions, Now: time.Now, Log: logger,
	}
	files := content.Sweeper{
		Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.Pins.Bucket}, Pins: start.Must(s.Pins.Pinner(secretsmanager.New(aws, logger))),
	}
	trades := index.New(curves.Index{Client: db, Table: s.LaunchTable}, node, logger)
	lambda.Start(reconciler.Handler(reconcile.Reconciler{
		Launches: launchtable.Launches{Client: db, Table: s.LaunchTable},
		Chain:    node,
		Nonces: nonce.Pool{
			Store: launchtable.Nonces{Client: db, Table: s.LaunchTable}, Chain: node,
			Authority: &kms.Ed25519Signer{Client: awskms.NewFromConfig(aws), KeyID: s.NonceKeyID},
			Max:       s.NoncePoolMax, Now: time.Now,
		},
		MaxLaunches: maxLaunches, MaxNonces: maxNonces, Within: runWithin, FreeNonces: s.NoncePoolMin,
		Steps: []sweep.Step{
			pools.Step(runWithin),
			{Name: "promotions", Within: runWithin, Run: promotions.Run},
			trades.Step(),
			figures.Store{Client: db, Table: s.LaunchTable, Now: time.Now}.Step(runWithin),
			unused.Pictures{Records: launchtable.Images{Client: db, Table: s.LaunchTable}, Files: files, Max: maxFiles, Now: time.Now}.Step(runWithin),
			unused.Drafts{Launches: launchtable.Launches{Client: db, Table: s.LaunchTable}, Files: files, Max: maxFiles, Now: time.Now}.Step(runWithin),
		},
		Now: time.Now, NewID: uuid.NewString, Log: logger, Meter: node.Meter,
	}))
}
