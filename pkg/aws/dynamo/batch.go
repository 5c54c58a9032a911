package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// mostInBatch is how many items one batch reads (DynamoDB's limit).
const mostInBatch = 100

// batchGet reads the items with these keys, at most 100 (DynamoDB's limit for a
// batch). They come in any order; those that are not there are left out.
func batchGet(ctx context.Context, client *dynamodb.Client, table string, keys []map[string]types.AttributeValue, consistent bool) ([]map[string]types.AttributeValue, error) {
	var items []map[string]types.AttributeValue
	for len(keys) > 0 {
		out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{table: {Keys: keys, ConsistentRead: &consistent}},
		})
		if err != nil {
			return nil, unavailable(fmt.Errorf("read %d items: %w", len(keys), err))
		}
		items = append(items, out.Responses[table]...)
		left := out.UnprocessedKeys[table].Keys
		if len(left) == len(keys) {
			return nil, apperr.Upstream("The store", errors.New("none of a batch of items was processed"))
		}
		keys = left
	}
	return items, nil
}
