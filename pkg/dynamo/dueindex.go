package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// dueItems reads up to most items of a list of the index due that are due at now, the
// longest due first. The index lags: whoever takes one decides by the item itself.
func dueItems(ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, most int) ([]map[string]types.AttributeValue, error) {
	query := dueQuery(table, list, now)
	query.Limit = page(most)
	out, err := client.Query(ctx, query)
	if err != nil {
		return nil, unavailable(fmt.Errorf("list what is due as %s: %w", list, err))
	}
	return out.Items, nil
}

// dueQuery asks for the items of a list of the index due that are due at now, the longest
// due first.
func dueQuery(table, list string, now time.Time) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &table, IndexName: new(schema.DueIndex.Name),
		KeyConditionExpression: new("duePk = :list AND dueAt <= :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":list": text(list), ":now": number(now.UnixMilli()),
		},
	}
}

// page is how many items a query reads that needs at most so many.
func page(most int) *int32 {
	return new(int32(min(most, 1000))) //nolint:gosec // bounded by min
}

// due is dueItems, decoded from how they are stored.
func due[Stored, T any](
	ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, most int, read func(Stored) T,
) ([]T, error) {
	items, err := dueItems(ctx, client, table, list, now, most)
	if err != nil {
		return nil, err
	}
	decoded := make([]T, len(items))
	for i, item := range items {
		var stored Stored
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, fmt.Errorf("decode the item %v: %w", idOf(item), err)
		}
		decoded[i] = read(stored)
	}
	return decoded, nil
}
