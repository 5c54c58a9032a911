package dynamo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// itemKey makes the primary key of an item. The kind is the sort key of items
// that are alone in their partition.
func itemKey(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		schema.PartitionKey: text(partition),
		schema.SortKey:      text(sort),
	}
}

// newItem makes the item under a key from a struct that describes the rest.
func newItem(key map[string]types.AttributeValue, stored any) (map[string]types.AttributeValue, error) {
	item, err := attributevalue.MarshalMap(stored)
	if err != nil {
		return nil, fmt.Errorf("encode item: %w", err)
	}
	maps.Copy(item, key)
	return item, nil
}

// getItem reads the item under a key as it is now; found is false when there is
// none, and into is left alone.
func getItem(ctx context.Context, client *dynamodb.Client, table string, key map[string]types.AttributeValue, into any) (found bool, err error) {
	return readItem(ctx, client, table, key, true, into)
}

// readItem is getItem; with latest false, of the nearest copy of the store, which may lag
// by a moment and costs half.
func readItem(ctx context.Context, client *dynamodb.Client, table string, key map[string]types.AttributeValue, latest bool, into any) (found bool, err error) {
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: &latest})
	if err != nil {
		return false, unavailable(err)
	}
	if out.Item == nil {
		return false, nil
	}
	if err := attributevalue.UnmarshalMap(out.Item, into); err != nil {
		return false, fmt.Errorf("decode item: %w", err)
	}
	return true, nil
}

// putOnce stores an item under a key that nothing has. Where something has it, that is
// given as taken, and nothing is written: the client tries again where an answer was lost,
// and then finds its own write, so whoever calls sees whether it is.
func putOnce(ctx context.Context, client *dynamodb.Client, table string, item map[string]types.AttributeValue) (taken map[string]types.AttributeValue, err error) {
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &table, Item: item, ConditionExpression: new("attribute_not_exists(" + schema.PartitionKey + ")"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, refused := errors.AsType[*types.ConditionalCheckFailedException](err); refused {
		return failed.Item, nil
	}
	return nil, unavailable(err)
}

// itemID tells one item of a table from another.
type itemID struct{ partition, sort string }

func idOf(item map[string]types.AttributeValue) itemID {
	partition, _ := item[schema.PartitionKey].(*types.AttributeValueMemberS)
	sort, _ := item[schema.SortKey].(*types.AttributeValueMemberS)
	if partition == nil || sort == nil {
		return itemID{}
	}
	return itemID{partition.Value, sort.Value}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func binary(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }
