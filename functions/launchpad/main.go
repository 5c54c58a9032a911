// Launchpad prepares bonding curves and trades on them, and shows how curves stand.
package main

import (
	"context"
	"log"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/pkg/apigw"
	"tokenlaunch.example/service/pkg/awshttp"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/route"
	"tokenlaunch.example/service/pkg/telemetry"
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
	db := dynamo.New(aws)
	api := apigw.API{
		Limiter: dynamo.Windows{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Answers: dynamo.Answers{Client: db, Table: s.WindowTable},
		Log:     telemetry.Logger(s.LogLevel), Now: time.Now,
	}
	// The endpoint's handlers are not written yet.
	handler, err := api.Handler(route.FunctionLaunchpad, nil)
	if err != nil {
		log.Fatal(err)
	}
	apigw.Start(handler)
}
