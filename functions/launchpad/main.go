// Launchpad prepares bonding curves and trades on them, and shows how curves stand.
package main

import (
	"context"
	cryptorand "crypto/rand"
	"log"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/apigw"
	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/endpoint/launchpad"
	curves "tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/route"
	"tokenlaunch.example/service/pkg/telemetry"
	"tokenlaunch.example/service/pkg/transaction"
)

type settings struct {
	LogLevel    slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`
	LaunchTable string     `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable string     `env:"WINDOW_TABLE,required,notEmpty"`
	RPCURL      string     `env:"RPC_URL,required,notEmpty"`
	PriorityFee uint64     `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
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
	endpoint := launchpad.Endpoint{Curves: curves.Service{
		Store:  dynamo.Curves{Client: db, Table: s.LaunchTable},
		Issued: dynamo.Issued{Client: db, Table: s.LaunchTable},
		Chain:  node,
		Preparer: transaction.Preparer{
			Chain: node, PriceMicroLamports: s.PriorityFee, Now: time.Now, NewID: uuid.NewString,
		},
		Random: cryptorand.Reader, Now: time.Now, Kept: &curves.Kept{},
	}}
	api := apigw.API{
		Limiter: dynamo.Windows{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Answers: dynamo.Answers{Client: db, Table: s.WindowTable},
		Log:     telemetry.Logger(s.LogLevel), Now: time.Now,
	}
	handler, err := api.Handler(route.FunctionLaunchpad, endpoint.Handlers())
	if err != nil {
		log.Fatal(err)
	}
	apigw.Start(handler)
}
