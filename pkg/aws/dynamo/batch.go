package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// MaxInBatch is the maximum number of items in one batch (DynamoDB's limit).
const MaxInBatch = 100

// BatchGet reads the items with these keys, at most MaxInBatch keys. The order of the items is
// arbitrary. Missing items are left out.
func BatchGet(ctx context.Context, client *dynamodb.Client, table string, keys []map[string]types.AttributeValue, consistent bool) ([]map[string]types.AttributeValue, error) {
	var items []map[string]types.AttributeValue
	for len(keys) > 0 {
		out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{table: {Keys: keys, ConsistentRead: &consistent}},
		})
		if err != nil {
			return nil, Unavailable(fmt.Errorf("read %d items: %w", len(keys), err))
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

// DueQuery returns the query of an index for the items of a list that are due at now, the earliest
// first.
func DueQuery(table string, index schema.Index, list string, now time.Time) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &table, IndexName: &index.Name,
		KeyConditionExpression: new("duePk = :list AND dueAt <= :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":list": Text(list), ":now": Number(now.UnixMilli()),
		},
	}
}

// PageLimit returns the limit of a query that needs at most the given number of items.
func PageLimit(limit int) *int32 {
	return new(int32(min(limit, 1000))) //nolint:gosec // bounded by min
}
