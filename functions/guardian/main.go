// Guardian co-signs collections and hand-overs of tokens with a guardian. The function is not a part
// of the service's stack: another organisation deploys it in an account of its own, with its own key
// and its own nodes (infra/guardian).
package main

import (
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/apigw"
	endpoint "tokenlaunch.example/service/pkg/api/endpoint/guardian"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/guardiantable"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	client "tokenlaunch.example/service/pkg/provider/guardian"
)

type settings struct {
	telemetry.Settings
	// KeyID is the guardian's key: ECC_NIST_EDWARDS25519.
	KeyID string `env:"GUARDIAN_KEY_ID,required,notEmpty"`
	// Token is the name of the secret with the token of the service.
	Token string `env:"GUARDIAN_SECRET,required,notEmpty"`
	Node  secrets.Node
	// SecondSecret is the name of the secret with the addresses of another provider's nodes.
	SecondSecret string `env:"RPC_SECRET_2"`
	// OrdersTable is the guardian's memory of hand-overs. Delay is the time between an order and the
	// hand-over.
	OrdersTable string        `env:"GUARDIAN_TABLE,required,notEmpty"`
	Delay       time.Duration `env:"HANDOVER_DELAY" envDefault:"168h"`
}

func main() {
	s, aws := start.Function[settings]()
	log := s.Logger()
	store := secretsmanager.New(aws, log)
	node := start.Must(s.Node.Client(store))
	chains := []guardian.Chain{node}
	if s.SecondSecret != "" {
		chains = append(chains, secrets.Second(node, store, s.SecondSecret))
	}
	apigw.Start(endpoint.Endpoint{
		Core: guardian.Core{
			Key: &kms.Ed25519Signer{Client: awskms.NewFromConfig(aws), KeyID: s.KeyID}, Chains: chains,
			Orders: guardiantable.Orders{Client: dynamo.New(aws), Table: s.OrdersTable}, Delay: s.Delay, Now: time.Now,
		},
		Token: store.Source(s.Token, client.CheckToken), Log: log,
	})
}
