// Dex prepares pools of a token and SOL for callers to sign.
package main

import (
	"context"
	"log"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/pkg/apigw"
	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/endpoint/dex"
	"tokenlaunch.example/service/pkg/market/cpmm"
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
	Network     string     `env:"MARKETS_NETWORK" envDefault:"mainnet"`
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
	network, err := markets.Network(s.Network)
	if err != nil {
		log.Fatal(err)
	}
	db := dynamo.New(aws)
	endpoint := dex.Endpoint{Pools: cpmm.Service{
		Chain: node, Store: dynamo.Pools{Client: db, Table: s.LaunchTable}, Network: network,
		Preparer: transaction.Preparer{
			Chain: node, PriceMicroLamports: s.PriorityFee, Now: time.Now, NewID: uuid.NewString,
		},
	}}
	api := apigw.API{
		Limiter: dynamo.Windows{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Answers: dynamo.Answers{Client: db, Table: s.WindowTable},
		Log:     telemetry.Logger(s.LogLevel), Now: time.Now,
	}
	handler, err := api.Handler(route.FunctionDex, endpoint.Handlers())
	if err != nil {
		log.Fatal(err)
	}
	apigw.Start(handler)
}
