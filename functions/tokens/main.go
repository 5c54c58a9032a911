// Tokens serves the routes for launching and listing tokens.
package main

import (
	"strings"
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/functions/internal/preparing"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// confirmWithin is the time for which a submit waits for the chain. The rest of a request's 25
// seconds is for the calls before and after.
const confirmWithin = 15 * time.Second

type settings struct {
	gateway.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	Deriver     string `env:"DERIVER_FUNCTION,required,notEmpty"`
	// WalletRoot is the number of the newest root of the wallets; see wallet.Derivation.
	WalletRoot    uint8  `env:"WALLET_ROOT"`
	NonceKeyID    string `env:"NONCE_KEY_ID,required,notEmpty"`
	MintKeyID     string `env:"MINT_KEY_ID,required,notEmpty"`
	Node          secrets.Node
	Pinning       pinning.Settings
	IPFSGateway   string          `env:"IPFS_GATEWAY_URL,required,notEmpty"`
	Lifetime      launch.Lifetime `env:"LAUNCH_LIFETIME" envDefault:"nonce"`
	NoncePoolMax  int             `env:"NONCE_POOL_MAX" envDefault:"200"`
	LeasesPerIP   int             `env:"LEASES_PER_IP" envDefault:"20"`
	WalletFunding uint64          `env:"WALLET_FUNDING_LAMPORTS" envDefault:"20000000"`
	Price         preparing.Settings
	// Guardian is the key of the guardian that launches may name; empty means no guardian.
	Guardian solana.PublicKey `env:"GUARDIAN"`
}

func main() {
	s, aws := start.Function[settings]()
	db := dynamo.New(aws)
	logger := s.Logger()
	node := start.Must(s.Node.Client(secretsmanager.New(aws, logger)))
	api := s.API(db, logger, node.Meter)
	api.Answers = s.Answers(db)
	keys := awskms.NewFromConfig(aws)
	authority := &kms.Ed25519Signer{Client: keys, KeyID: s.NonceKeyID}
	wallets := launchtable.Wallets{Client: db, Table: s.LaunchTable, Now: time.Now}
	endpoint := tokens.Endpoint{
		Wallets: wallet.Service{
			Deriver: lambdafn.Deriver{Client: lambda.NewFromConfig(aws), FunctionName: s.Deriver},
			Store:   wallets, Root: s.WalletRoot, Now: time.Now, NewID: uuid.NewString,
		},
		Launches: launch.Service{
			Store:   launchtable.Launches{Client: db, Table: s.LaunchTable},
			Wallets: wallets,
			Images:  launchtable.Images{Client: db, Table: s.LaunchTable},
			Names:   launchtable.Blocks{Client: db, Table: s.LaunchTable},
			Files:   start.Must(s.Pinning.Files(aws, logger)),
			Nonces: nonce.Pool{
				Store: launchtable.Nonces{Client: db, Table: s.LaunchTable}, Chain: node, Authority: authority,
				Max: s.NoncePoolMax, Now: time.Now, Memory: &nonce.Memory{},
			},
			Signer: authority, MintMAC: kms.HMAC{Client: keys, KeyID: s.MintKeyID},
			Lifetime: start.Must(s.Lifetime.Known()), Chain: node, Limiter: api.Limiter, LeasesPerIP: s.LeasesPerIP,
			Preparer:        start.Must(s.Price.Preparer(node)),
			FundingLamports: s.WalletFunding, Guardian: s.Guardian, ConfirmWithin: confirmWithin,
			Now: time.Now, NewID: uuid.NewString, Log: logger,
		},
		Records: launchtable.Tokens{Client: db, Table: s.LaunchTable},
		Figures: figures.Store{Client: db, Table: s.LaunchTable, Now: time.Now},
		Gateway: strings.TrimSuffix(s.IPFSGateway, "/"),
		Now:     time.Now,
	}
	gateway.Serve(api, route.FunctionTokens, endpoint.Handlers())
}
