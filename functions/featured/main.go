// Featured lists the featured tokens and prepares the payments of promotions.
package main

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/featured"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	offers "tokenlaunch.example/service/pkg/market/featured"
)

type settings struct {
	markets.Settings
	IPFSGateway string           `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	Treasury    solana.PublicKey `env:"TREASURY_ADDRESS,required,notEmpty"`
}

func main() {
	s := start.Settings[settings]()
	p := start.Must(markets.Wire(s.Settings))
	promotions := promotions.Store{Client: p.DB, Table: s.LaunchTable}
	endpoint := featured.Endpoint{
		Promotions: offers.Service{
			Tokens: launchtable.Tokens{Client: p.DB, Table: s.LaunchTable}, Store: promotions, Preparer: p.Preparer,
			Treasury: s.Treasury, Random: rand.Reader,
		},
		Records: promotions, Gateway: strings.TrimSuffix(s.IPFSGateway, "/"), Now: time.Now,
	}
	gateway.Serve(p.API, route.FunctionFeatured, endpoint.Handlers())
}
