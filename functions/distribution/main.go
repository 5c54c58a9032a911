// Distribution serves the settings of a token's distribution and the history of distributions, and
// lets the creator change the settings.
package main

import (
	cryptorand "crypto/rand"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/preparing"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/handover"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type environment struct {
	gateway.Settings
	LaunchTable   string `env:"LAUNCH_TABLE,required,notEmpty"`
	SettingsTable string `env:"SETTINGS_TABLE,required,notEmpty"`
	LedgerTable   string `env:"LEDGER_TABLE,required,notEmpty"`
	AssetBucket   string `env:"ASSET_BUCKET,required,notEmpty"`
	NoticeQueue   string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	RunQueue      string `env:"RUN_QUEUE_URL,required,notEmpty"`
	Node          secrets.Node
	PublicURL     string `env:"PUBLIC_URL,required,notEmpty"`
	IPFSGateway   string `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	Price         preparing.Settings
	// HandoverDelay is as in the signer.
	HandoverDelay time.Duration `env:"HANDOVER_DELAY" envDefault:"168h"`
}

func main() {
	s, aws := start.Function[environment]()
	logger := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	db := dynamo.New(aws)
	tokens := launchtable.Tokens{Client: db, Table: s.LaunchTable}
	runs := ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now}
	proofs := books.Source{Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.AssetBucket}}
	files := strings.TrimSuffix(s.IPFSGateway, "/")
	groups := consent.Service{Store: consents.Store{Client: db, Table: s.LaunchTable}, Now: time.Now}
	publisher := notice.Publisher{
		Links:     groups,
		Queue:     sqsqueue.Notices{Client: sqs.NewFromConfig(aws), URL: s.NoticeQueue},
		PublicURL: s.PublicURL, GatewayURL: files, Now: time.Now,
	}
	ledger := holder.Ledger{Tokens: tokens, Heads: runs, Proofs: proofs, Chain: node}
	costs := run.CostsAt(s.Price.Floor, 0) // the same as in the distributor
	versions := launchtable.Versions{Tokens: tokens, Settings: s.SettingsTable}
	endpoint := distribution.Endpoint{
		Tokens: tokens, Changes: versions,
		Settings: settings.Service{
			Store: launchtable.Settings{Versions: versions, Ledger: s.LedgerTable}, Chain: node, Records: issued.Store{Client: db, Table: s.LaunchTable},
			Preparer: start.Must(s.Price.Preparer(node)),
			Now:      time.Now, Pause: settings.ShortPause, Log: logger,
		},
		Telegram: publisher, Groups: groups, NewID: uuid.NewString,
		Runs:     runs,
		Proofs:   proofs,
		Chain:    node,
		Previews: &distribution.Previews{},
		Ledger:   ledger,
		Pages:    &distribution.Pages{},
		Payments: holder.Payments{Ledger: ledger, History: runs},
		Claims: holder.Claims{
			Ledger: ledger, Costs: costs, Now: time.Now,
			Orders: ledgertable.Claims{Client: db, Table: s.LedgerTable},
			Hints:  sqsqueue.Runs{Client: sqs.NewFromConfig(aws), URL: s.RunQueue},
		},
		ClaimFee: costs.ClaimFee(),
		Handovers: handover.Service{
			Store: ledgertable.Handovers{Client: db, Table: s.LedgerTable}, Delay: s.HandoverDelay, Now: time.Now,
		},
		Gateway: files, Now: time.Now,
		Site:   action.Site{URL: strings.TrimSuffix(s.PublicURL, "/"), Chain: solanarpc.ChainID(s.Node.Network)},
		Random: cryptorand.Reader,
	}
	api := s.API(db, logger, node.Meter)
	endpoint.Limiter = api.Limiter
	api.Answers = s.Answers(db)
	gateway.Serve(api, route.FunctionDistribution, endpoint.Handlers())
}
