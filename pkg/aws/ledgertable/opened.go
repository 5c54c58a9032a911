package ledgertable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
)

// LastOpened returns the last slot of a token for which a run was opened; the zero time if no run
// was opened.
func LastOpened(ctx context.Context, client *dynamodb.Client, table string, mint solana.PublicKey) (time.Time, error) {
	var head struct {
		LastSlot int64 `dynamodbav:"lastSlot"`
	}
	if _, err := dynamo.Get(ctx, client, table, ledgerHeadKey(mint), &head); err != nil {
		return time.Time{}, fmt.Errorf("read the last slot of %s: %w", mint, err)
	}
	if head.LastSlot <= 0 {
		return time.Time{}, nil
	}
	return time.Unix(head.LastSlot, 0).UTC(), nil
}

// NotOpened returns the check that no run of a token was opened for a slot at or after a time. The
// check belongs to another table's write that is to hold for slots after the time.
func NotOpened(table string, mint solana.PublicKey, from time.Time) types.TransactWriteItem {
	before := from.Add(-time.Nanosecond).Unix() // the last second before from
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &table, Key: ledgerHeadKey(mint),
		ConditionExpression:       new("attribute_not_exists(pk) OR lastSlot <= :before"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":before": dynamo.Number(before)},
	}}
}
