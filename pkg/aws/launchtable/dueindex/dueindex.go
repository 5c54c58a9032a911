// Package dueindex reads the due index of the launch table.
package dueindex

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// Entries reads up to limit entries of a list in the due index that are due at now, the earliest
// first. An entry has only the attributes of the index. The index lags, so the caller decides by
// the item.
func Entries(ctx context.Context, client *dynamodb.Client, table, list string, now time.Time, limit int) ([]map[string]types.AttributeValue, error) {
	return dueIn(ctx, client, table, list, LongestFirst, now, limit)
}

// Order is the order of a list of due items.
type Order bool

// The orders of a list, by the due time.
const (
	LongestFirst Order = true
	NewestFirst  Order = false
)

func dueIn(ctx context.Context, client *dynamodb.Client, table, list string, o Order, now time.Time, limit int) ([]map[string]types.AttributeValue, error) {
	query := dynamo.DueQuery(table, schema.DueLaunches, list, now)
	query.ScanIndexForward = new(bool(o))
	query.Limit = dynamo.PageLimit(limit)
	out, err := client.Query(ctx, query)
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("list what is due as %s: %w", list, err))
	}
	return out.Items, nil
}

// dueWhole is dueIn with the whole items of the table. A deleted item is left out.
func dueWhole(ctx context.Context, client *dynamodb.Client, table, list string, o Order, now time.Time, limit int) ([]map[string]types.AttributeValue, error) {
	entries, err := dueIn(ctx, client, table, list, o, now, limit)
	if err != nil {
		return nil, err
	}
	found := make(map[dynamo.ItemID]map[string]types.AttributeValue, len(entries))
	for some := range slices.Chunk(entries, dynamo.MaxInBatch) {
		keys := make([]map[string]types.AttributeValue, len(some))
		for i, entry := range some {
			keys[i] = dynamo.Key(dynamo.IDOf(entry).Partition, dynamo.IDOf(entry).Sort)
		}
		items, err := dynamo.BatchGet(ctx, client, table, keys, false)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			found[dynamo.IDOf(item)] = item
		}
	}
	whole := make([]map[string]types.AttributeValue, 0, len(entries))
	for _, entry := range entries {
		if item, there := found[dynamo.IDOf(entry)]; there {
			whole = append(whole, item)
		}
	}
	return whole, nil
}

// Read reads up to limit items that are due at now from the table, and decodes the items. A deleted
// item is left out.
func Read[Stored, T any](
	ctx context.Context, client *dynamodb.Client, table, list string, o Order, now time.Time, limit int, read func(Stored) T,
) ([]T, error) {
	items, err := dueWhole(ctx, client, table, list, o, now, limit)
	if err != nil {
		return nil, err
	}
	decoded := make([]T, len(items))
	for i, item := range items {
		var stored Stored
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
		}
		decoded[i] = read(stored)
	}
	return decoded, nil
}
