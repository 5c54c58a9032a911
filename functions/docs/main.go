// Docs serves the documentation and status of the service, the page for browsers, and the response
// for unknown routes.
package main

import (
	"strings"
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/web/page"
)

type settings struct {
	Stage   string `env:"STAGE,required,notEmpty"`
	Network string `env:"NETWORK,required,notEmpty"`
	Version string `env:"VERSION"`
	gateway.Settings
	PublicURL   string   `env:"PUBLIC_URL,required,notEmpty"`
	ReportURL   string   `env:"REPORT_URL"`
	KeyIDs      []string `env:"JWT_KEY_IDS,required,notEmpty"`
	LaunchTable string   `env:"LAUNCH_TABLE,required,notEmpty"`
	AssetBucket string   `env:"ASSET_BUCKET,required,notEmpty"`
	// Settings for the page. The settings are public.
	NodeURL     string   `env:"PAGE_RPC_URL"`
	FilesURL    string   `env:"PAGE_FILES_URL,required,notEmpty"`
	ProofURL    string   `env:"PAGE_PROOF_URL,required,notEmpty"`
	IPFSGateway string   `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	Burner      bool     `env:"PAGE_BURNER"`
	Markets     []string `env:"PAGE_MARKETS"`
}

func main() {
	s, aws := start.Function[settings]()
	db := dynamo.New(aws)
	site := start.Must(page.New(page.Config{
		Network: s.Network, Stage: s.Stage, APIURL: s.PublicURL, ReportURL: s.ReportURL,
		RPCURL: s.NodeURL, FilesURL: s.FilesURL, ProofURL: s.ProofURL, GatewayURL: s.IPFSGateway,
		Explorer: page.NewExplorer(s.Network, s.NodeURL), Burner: s.Burner, Markets: s.Markets, Version: docs.Version(),
	}))
	handlers := start.Must(docs.Handlers(docs.Config{
		Site: site, Log: s.Logger(),
		Tokens:    launchtable.Tokens{Client: db, Table: s.LaunchTable},
		Figures:   figures.Store{Client: db, Table: s.LaunchTable, Now: time.Now},
		Pictures:  s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.AssetBucket},
		Status:    statusrecord.Store{Client: db, Table: s.WindowTable},
		FilesURL:  strings.TrimSuffix(s.FilesURL, "/"),
		PublicURL: s.PublicURL, ReportURL: s.ReportURL, Stage: s.Stage, Network: s.Network, Version: s.Version, Now: time.Now,
		Keys: &jwt.CachedKeys{Fetch: kms.P256Keys{Client: awskms.NewFromConfig(aws), IDs: s.KeyIDs}.PublicKeys},
	}))
	gateway.Serve(s.API(db, s.Logger(), nil), route.FunctionDocs, handlers)
}
