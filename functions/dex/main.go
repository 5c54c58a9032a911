// Dex prepares pools of a token and SOL for callers to sign.
package main

import (
	"crypto/rand"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/dex"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/market/cpmm"
)

type settings struct {
	markets.Settings
	Network string `env:"MARKETS_NETWORK" envDefault:"mainnet"`
}

func main() {
	s := start.Settings[settings]()
	p := start.Must(markets.Wire(s.Settings))
	network := start.Must(markets.Network(s.Network))
	endpoint := dex.Endpoint{Pools: cpmm.Service{
		Chain: p.Node, Store: curves.Pools{Client: p.DB, Table: s.LaunchTable}, Network: network, Preparer: p.Preparer,
		Random: rand.Reader,
	}, Limiter: p.API.Limiter}
	gateway.Serve(p.API, route.FunctionDex, endpoint.Handlers())
}
