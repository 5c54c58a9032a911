package dynamo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// dueItems reads up to most entries of a list of the index of what is due at now, the
// longest due first, as the index holds them. It lags: whoever takes one decides by the
// item itself.
func dueItems(ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, most int) ([]map[string]types.AttributeValue, error) {
	query := dueQuery(table, schema.DueLaunches, list, now)
	query.Limit = page(most)
	out, err := client.Query(ctx, query)
	if err != nil {
		return nil, unavailable(fmt.Errorf("list what is due as %s: %w", list, err))
	}
	return out.Items, nil
}

// dueQuery asks an index for the items of a list that are due at now, the longest due
// first.
func dueQuery(table string, index schema.Index, list string, now time.Time) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &table, IndexName: &index.Name,
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

// dueWhole is dueItems with all that the table has of them. One that has gone since is
// left out.
func dueWhole(ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, most int) ([]map[string]types.AttributeValue, error) {
	entries, err := dueItems(ctx, client, table, list, now, most)
	if err != nil {
		return nil, err
	}
	found := make(map[itemID]map[string]types.AttributeValue, len(entries))
	for some := range slices.Chunk(entries, mostInBatch) {
		keys := make([]map[string]types.AttributeValue, len(some))
		for i, entry := range some {
			keys[i] = itemKey(idOf(entry).partition, idOf(entry).sort)
		}
		items, err := batchGet(ctx, client, table, keys, false)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			found[idOf(item)] = item
		}
	}
	whole := make([]map[string]types.AttributeValue, 0, len(entries))
	for _, entry := range entries {
		if item, there := found[idOf(entry)]; there {
			whole = append(whole, item)
		}
	}
	return whole, nil
}

// due is dueWhole, decoded from how they are stored.
func due[Stored, T any](
	ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, most int, read func(Stored) T,
) ([]T, error) {
	items, err := dueWhole(ctx, client, table, list, now, most)
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
