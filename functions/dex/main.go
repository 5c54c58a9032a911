// Dex prepares pools of a token and SOL for callers to sign.
package main

import (
	"context"
	"log"

	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/endpoint/dex"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/route"
)

type settings struct {
	markets.Settings
	Network string `env:"MARKETS_NETWORK" envDefault:"mainnet"`
}

func main() {
	s, err := env.ParseAs[settings]()
	if err != nil {
		log.Fatal(err)
	}
	p, err := markets.Wire(context.Background(), s.Settings)
	if err != nil {
		log.Fatal(err)
	}
	network, err := markets.Network(s.Network)
	if err != nil {
		log.Fatal(err)
	}
	endpoint := dex.Endpoint{Pools: cpmm.Service{
		Chain: p.Node, Store: dynamo.Pools{Client: p.DB, Table: s.LaunchTable}, Network: network, Preparer: p.Preparer,
	}}
	if err := p.Serve(route.FunctionDex, endpoint.Handlers()); err != nil {
		log.Fatal(err)
	}
}
