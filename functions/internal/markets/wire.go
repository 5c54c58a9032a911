package markets

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tokenlaunch.example/service/functions/internal/gateway"
	"tokenlaunch.example/service/functions/internal/preparing"
	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Settings are the common settings of the functions that prepare transactions for callers to send.
type Settings struct {
	gateway.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	Node        secrets.Node
	Price       preparing.Settings
}

// Parts are the common parts of these functions.
type Parts struct {
	DB       *dynamodb.Client
	Node     *solanarpc.Client
	Preparer transaction.Preparer
	API      apigw.API
}

// Wire creates the parts without opening connections.
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
	preparer, err := s.Price.Preparer(node)
	if err != nil {
		return Parts{}, err
	}
	db := dynamo.New(aws)
	api := s.API(db, logger, node.Meter)
	api.Answers = s.Answers(db)
	return Parts{DB: db, Node: node, Preparer: preparer, API: api}, nil
}
