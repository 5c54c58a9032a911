package markets

import (
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Settings are what every function reads that makes transactions which their callers
// send themselves.
type Settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	Node        secrets.Node
	PriorityFee uint64 `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
}

// Parts are what these functions are made of.
type Parts struct {
	DB       *dynamodb.Client
	Node     *solanarpc.Client
	Preparer transaction.Preparer
	API      apigw.API
}

// Wire makes the parts. Nothing is connected to.
func Wire(s Settings) (Parts, error) {
	aws, err := awsconfig.Config()
	if err != nil {
		return Parts{}, err
	}
	logger := s.Logger()
	node, err := s.Node.Client(secretsmanager.New(aws, logger))
	if err != nil {
		return Parts{}, err
	}
	db := dynamo.New(aws)
	return Parts{
		DB: db, Node: node,
		Preparer: transaction.Preparer{Chain: node, PriceMicroLamports: s.PriorityFee, Now: time.Now, NewID: uuid.NewString},
		API: apigw.API{
			Limiter: windowtable.Limiter{Client: db, Table: s.WindowTable, Now: time.Now, Rand: rand.Int64N},
			Answers: windowtable.Answers{Client: db, Table: s.WindowTable},
			Log:     logger, Now: time.Now, Meter: node.Meter,
		},
	}, nil
}

// Serve answers the routes of a function until the process ends.
func (p Parts) Serve(function string, handlers map[string]apigw.HandlerFunc) error {
	handler, err := p.API.Handler(function, handlers)
	if err != nil {
		return err
	}
	apigw.Start(handler)
	return nil
}
