// Package guardian runs a guardian on loopback for the local stack: the endpoint of function guardian
// with a key and a table in the local AWS, and the local chain as its node.
package guardian

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	kmstypes "github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"

	endpoint "tokenlaunch.example/service/pkg/api/endpoint/guardian"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/guardiantable"
	"tokenlaunch.example/service/pkg/aws/kms"
	core "tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Delay is the delay of hand-overs on the local stack, short enough to wait for.
const Delay = time.Minute

// Guardian is a running guardian.
type Guardian struct {
	URL string
	// Key is the guardian's public key, which launches name.
	Key solana.PublicKey
	// Token is the token that the service sends.
	Token string

	server *http.Server
	act    atomic.Pointer[Act]
}

// Act responds to a request in place of the guardian. itself is the guardian's own endpoint.
type Act func(w http.ResponseWriter, r *http.Request, itself http.Handler)

// Play replaces the guardian's responses, and returns a function that ends the replacement. Tests play
// guardians that are silent or lie.
func (g *Guardian) Play(act Act) (end func()) {
	g.act.Store(&act)
	return func() { g.act.Store(nil) }
}

// Start starts a guardian. The caller must stop it. The server does not end with ctx.
func Start(ctx context.Context, config aws.Config, rpcURL string, log *slog.Logger) (*Guardian, error) {
	keys := awskms.NewFromConfig(config)
	made, err := keys.CreateKey(ctx, &awskms.CreateKeyInput{KeySpec: kmstypes.KeySpec("ECC_NIST_EDWARDS25519"), KeyUsage: kmstypes.KeyUsageTypeSignVerify})
	if err != nil {
		return nil, fmt.Errorf("create the guardian's key: %w", err)
	}
	db := dynamo.New(config)
	_, err = db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &schema.Guardian.Name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{text(schema.PartitionKey), text(schema.SortKey)},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(schema.PartitionKey), KeyType: types.KeyTypeHash}, {AttributeName: aws.String(schema.SortKey), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("create the guardian's table: %w", err)
	}
	node, err := solanarpc.New(rpcURL)
	if err != nil {
		return nil, err
	}
	signer := &kms.Ed25519Signer{Client: keys, KeyID: *made.KeyMetadata.KeyId}
	public, err := signer.PublicKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the guardian's key: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen as the guardian: %w", err)
	}
	g := &Guardian{URL: "http://" + listener.Addr().String(), Key: public, Token: rand.Text() + rand.Text()}
	itself := endpoint.Endpoint{
		Core: core.Core{
			Key: signer, Chains: []core.Chain{node}, Orders: guardiantable.Orders{Client: db, Table: schema.Guardian.Name}, Delay: Delay, Now: time.Now,
		},
		Token: secret.Fixed(g.Token), Log: log,
	}
	g.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if act := g.act.Load(); act != nil {
			(*act)(w, r, itself)
			return
		}
		itself.ServeHTTP(w, r)
	})}
	go func() { _ = g.server.Serve(listener) }() // ends with Stop
	return g, nil
}

// Stop ends the guardian.
func (g *Guardian) Stop() { _ = g.server.Close() }

func text(name string) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
}
