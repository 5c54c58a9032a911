// Auth serves the routes for signing in with a wallet.
package main

import (
	cryptorand "crypto/rand"
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/start"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/auth"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

type settings struct {
	Network string `env:"NETWORK,required,notEmpty"`
	gateway.Settings
	PublicURL string `env:"PUBLIC_URL,required,notEmpty"`
	// AllowedOrigins are the pages whose domains may be in challenges; see auth.CheckOrigin.
	AllowedOrigins []string `env:"ALLOWED_ORIGINS"`
	KeyIDs         []string `env:"JWT_KEY_IDS,required,notEmpty"`
	Issuer         string   `env:"JWT_ISSUER,required,notEmpty"`
	Audience       string   `env:"JWT_AUDIENCE,required,notEmpty"`
}

func main() {
	s, aws := start.Function[settings]()
	db := dynamo.New(aws)
	sites := start.Must(auth.NewSites(s.PublicURL, s.Network, s.AllowedOrigins...))
	client := awskms.NewFromConfig(aws)
	service := auth.Service{
		Store: windowtable.Challenges{Client: db, Table: s.WindowTable},
		Tokens: jwt.Issuer{
			Keys:   &jwt.CachedKeys{Fetch: kms.P256Keys{Client: client, IDs: s.KeyIDs}.PublicKeys},
			Signer: kms.P256Signer{Client: client, KeyID: s.KeyIDs[0]},
			Issuer: s.Issuer, Audience: s.Audience, Now: time.Now, NewID: uuid.NewString,
		},
		Sites: sites, Now: time.Now, Rand: cryptorand.Reader,
	}
	// No response is stored for an Idempotency-Key, because the response contains an access token.
	gateway.Serve(s.API(db, s.Logger(), nil), route.FunctionAuth, endpoint.Handlers(service))
}
