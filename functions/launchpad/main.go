// Launchpad prepares bonding curves and trades on curves, and serves the state of curves.
package main

import (
	"crypto/rand"
	"strings"
	"time"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/markets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/endpoint/launchpad"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	curvestable "tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	curves "tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type settings struct {
	markets.Settings
	IPFSGateway string `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	PublicURL   string `env:"PUBLIC_URL,required,notEmpty"`
}

func main() {
	s := start.Settings[settings]()
	p := start.Must(markets.Wire(s.Settings))
	issued := issued.Store{Client: p.DB, Table: s.LaunchTable}
	endpoint := launchpad.Endpoint{
		Curves: curves.Service{
			Store: curvestable.Store{Client: p.DB, Table: s.LaunchTable}, Issued: issued,
			Chain: p.Node, Preparer: p.Preparer,
			Random: rand.Reader, Now: time.Now, Kept: &curves.Kept{},
		}, Locks: lock.Service{
			Issued: issued, Chain: p.Node, Preparer: p.Preparer, Random: rand.Reader,
		}, Limiter: p.API.Limiter, Tokens: launchtable.Tokens{Client: p.DB, Table: s.LaunchTable}, Gateway: strings.TrimSuffix(s.IPFSGateway, "/"),
		Now:  time.Now,
		Site: action.Site{URL: strings.TrimSuffix(s.PublicURL, "/"), Chain: solanarpc.ChainID(s.Node.Network)},
	}
	gateway.Serve(p.API, route.FunctionLaunchpad, endpoint.Handlers())
}
