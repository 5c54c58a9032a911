// Tokens answers the routes by which tokens are launched and listed.
package main

import (
	cryptorand "crypto/rand"
	"math/rand/v2"
	"strings"
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// confirmWithin is how long a submit waits for the chain: the rest of the 25
// seconds that a request may take is for the calls before and after.
const confirmWithin = 15 * time.Second

type settings struct {
	telemetry.Settings
	LaunchTable   string `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable   string `env:"WINDOW_TABLE,required,notEmpty"`
	AssetBucket   string `env:"ASSET_BUCKET,required,notEmpty"`
	PinQueueURL   string `env:"PIN_QUEUE_URL,required,notEmpty"`
	Deriver       string `env:"DERIVER_FUNCTION,required,notEmpty"`
	NonceKeyID    string `env:"NONCE_KEY_ID,required,notEmpty"`
	Node          secrets.Node
	Pinning       pinning.Settings
	IPFSGateway   string `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	NoncePoolMax  int    `env:"NONCE_POOL_MAX" envDefault:"200"`
	LeasesPerIP   int    `env:"LEASES_PER_IP" envDefault:"20"`
	WalletFunding uint64 `env:"WALLET_FUNDING_LAMPORTS" envDefault:"20000000"`
	PriorityFee   uint64 `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
}

func main() {
	s, aws := start.Function[settings]()
	db := dynamo.New(aws)
	logger := s.Logger()
	store := secretsmanager.New(aws, logger)
	node := start.Must(s.Node.Client(store))
	pinner := start.Must(s.Pinning.Pinner(store))
	limiter := windowtable.Limiter{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N}
	authority := &kms.Ed25519Signer{Client: awskms.NewFromConfig(aws), KeyID: s.NonceKeyID}
	wallets := launchtable.Wallets{Client: db, Table: s.LaunchTable, Now: time.Now}
	endpoint := tokens.Endpoint{
		Wallets: wallet.Service{
			Deriver: lambdafn.Deriver{Client: lambda.NewFromConfig(aws), FunctionName: s.Deriver},
			Store:   wallets, Now: time.Now, NewID: uuid.NewString,
		},
		Launches: launch.Service{
			Store:   launchtable.Launches{Client: db, Table: s.LaunchTable},
			Wallets: wallets,
			Images:  launchtable.Images{Client: db, Table: s.LaunchTable},
			Files: content.Store{
				Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.AssetBucket},
				Pinner:  pinner, CID: ipfs.CID, Log: logger,
				Queue: sqsqueue.Pins{Client: sqs.NewFromConfig(aws), URL: s.PinQueueURL},
			},
			Nonces: nonce.Pool{
				Store: launchtable.Nonces{Client: db, Table: s.LaunchTable}, Chain: node, Authority: authority,
				Max: s.NoncePoolMax, Now: time.Now, Memory: &nonce.Memory{},
			},
			Signer: authority, Chain: node, Limiter: limiter, LeasesPerIP: s.LeasesPerIP,
			Preparer:        transaction.Preparer{Chain: node, PriceMicroLamports: s.PriorityFee, Now: time.Now, NewID: uuid.NewString},
			FundingLamports: s.WalletFunding, ConfirmWithin: confirmWithin,
			Now: time.Now, NewID: uuid.NewString, Random: cryptorand.Reader, Log: logger,
		},
		Records: launchtable.Tokens{Client: db, Table: s.LaunchTable},
		Gateway: strings.TrimSuffix(s.IPFSGateway, "/"),
	}
	api := apigw.API{
		Limiter: limiter, Answers: windowtable.Answers{Client: db, Table: s.WindowTable},
		Log: logger, Now: time.Now, Meter: node.Meter,
	}
	handler := start.Must(api.Handler(route.FunctionTokens, endpoint.Handlers()))
	apigw.Start(handler)
}
