package dynamo

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// itemKey makes the primary key of an item. The kind is the sort key of items
// that are alone in their partition.
func itemKey(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		schema.PartitionKey: text(partition),
		schema.SortKey:      text(sort),
	}
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
