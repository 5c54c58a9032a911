// Burns serves the burned amounts of a token.
package main

import (
	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/burns"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
)

type settings struct {
	gateway.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	LedgerTable string `env:"LEDGER_TABLE,required,notEmpty"`
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
	gateway.Serve(s.API(db, logger, node.Meter), route.FunctionBurns, endpoint.Handlers())
}
