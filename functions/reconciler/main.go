// Reconciler brings records and the chain together, every minute.
package main

import (
	"context"
	"log"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/caarlos0/env/v11"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/endpoint/reconciler"
	"tokenlaunch.example/service/pkg/kms"
	"tokenlaunch.example/service/pkg/nonce"
	"tokenlaunch.example/service/pkg/objectstore"
	"tokenlaunch.example/service/pkg/reconcile"
	"tokenlaunch.example/service/pkg/telemetry"
)

// The bounds of one run. The function has 29 seconds.
const (
	runWithin    = 20 * time.Second
	mostLaunches = 50
	mostNonces   = 5
)

type settings struct {
	LogLevel     slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`
	LaunchTable  string     `env:"LAUNCH_TABLE,required,notEmpty"`
	Bucket       string     `env:"ASSET_BUCKET,required,notEmpty"`
	NonceKeyID   string     `env:"NONCE_KEY_ID,required,notEmpty"`
	RPCURL       string     `env:"RPC_URL,required,notEmpty"`
	NoncePoolMin int        `env:"NONCE_POOL_MIN" envDefault:"5"`
	NoncePoolMax int        `env:"NONCE_POOL_MAX" envDefault:"200"`
}

func main() {
	s, err := env.ParseAs[settings]()
	if err != nil {
		log.Fatal(err)
	}
	aws, err := awshttp.Config(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	node, err := chain.New(s.RPCURL)
	if err != nil {
		log.Fatal(err)
	}
	db := dynamo.New(aws)
	lambda.Start(reconciler.Handler(reconcile.Reconciler{
		Launches: dynamo.Launches{Client: db, Table: s.LaunchTable},
		Chain:    node,
		Nonces: nonce.Pool{
			Store: dynamo.Nonces{Client: db, Table: s.LaunchTable}, Chain: node,
			Authority: &kms.Ed25519Signer{Client: awskms.NewFromConfig(aws), KeyID: s.NonceKeyID},
			Max:       s.NoncePoolMax, Now: time.Now,
		},
		Files:        asset.Sweeper{Objects: objectstore.Bucket{Client: s3.NewFromConfig(aws), Name: s.Bucket}},
		MostLaunches: mostLaunches, MostNonces: mostNonces, Within: runWithin, FreeNonces: s.NoncePoolMin,
		Now: time.Now, NewID: uuid.NewString, Log: telemetry.Logger(s.LogLevel),
	}))
}
