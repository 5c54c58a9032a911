// Burns answers what was burned of a token.
package main

import (
	"math/rand/v2"
	"time"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/burns"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

type settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable string `env:"LEDGER_TABLE,required,notEmpty"`
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	Node        secrets.Node
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	db := dynamo.New(aws)
	endpoint := burns.Endpoint{
		Tokens:  launchtable.Tokens{Client: db, Table: s.LaunchTable},
		History: ledgertable.Burns{Client: db, Table: s.LedgerTable},
		Chain:   node,
	}
	api := apigw.API{
		Limiter: windowtable.Limiter{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
		Log:     logger, Now: time.Now, Meter: node.Meter,
	}
	handler := start.Must(api.Handler(route.FunctionBurns, endpoint.Handlers()))
	apigw.Start(handler)
}
