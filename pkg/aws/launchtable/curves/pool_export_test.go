package curves

import (
	"context"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
)

// AddPool makes only the write that adds a pool to a token's record. refused reports that the
// write's condition failed.
func AddPool(ctx context.Context, s Pools, p token.Pool) (refused bool, err error) {
	write, err := addPool(s.Table, p)
	if err != nil {
		return false, err
	}
	_, err = s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{write}})
	if _, refused = dynamo.CanceledAt(err); refused {
		return true, nil
	}
	return false, err
}
