package dynamo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// Key returns the primary key of an item. An item that is the only item of a partition has its kind
// as the sort key.
func Key(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		schema.PartitionKey: Text(partition),
		schema.SortKey:      Text(sort),
	}
}

// NewItem returns the item with a key and the attributes of a struct.
func NewItem(key map[string]types.AttributeValue, stored any) (map[string]types.AttributeValue, error) {
	item, err := attributevalue.MarshalMap(stored)
	if err != nil {
		return nil, fmt.Errorf("encode item: %w", err)
	}
	maps.Copy(item, key)
	return item, nil
}

// Get reads the item under a key consistently. If the item is missing, found is false and into is
// unchanged.
func Get(ctx context.Context, client *dynamodb.Client, table string, key map[string]types.AttributeValue, into any) (found bool, err error) {
	return Read(ctx, client, table, key, true, into)
}

// Read is Get, except that latest false reads an eventually consistent copy, which may lag by a
// moment and costs half.
func Read(ctx context.Context, client *dynamodb.Client, table string, key map[string]types.AttributeValue, latest bool, into any) (found bool, err error) {
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: &latest})
	if err != nil {
		return false, Unavailable(err)
	}
	if out.Item == nil {
		return false, nil
	}
	if err := attributevalue.UnmarshalMap(out.Item, into); err != nil {
		return false, fmt.Errorf("decode item: %w", err)
	}
	return true, nil
}

// PutOnce stores an item under a new key. If the key has an item, PutOnce writes nothing and
// returns the existing item as taken. The client retries after a lost response and then finds the
// client's own write, so the caller compares taken with item.
func PutOnce(ctx context.Context, client *dynamodb.Client, table string, item map[string]types.AttributeValue) (taken map[string]types.AttributeValue, err error) {
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &table, Item: item, ConditionExpression: new("attribute_not_exists(" + schema.PartitionKey + ")"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, refused := errors.AsType[*types.ConditionalCheckFailedException](err); refused {
		return failed.Item, nil
	}
	return nil, Unavailable(err)
}

// ItemID identifies an item of a table.
type ItemID struct{ Partition, Sort string }

// IDOf returns the ID of an item or of a key; the zero ID if a part is missing.
func IDOf(item map[string]types.AttributeValue) ItemID {
	partition, _ := item[schema.PartitionKey].(*types.AttributeValueMemberS)
	sort, _ := item[schema.SortKey].(*types.AttributeValueMemberS)
	if partition == nil || sort == nil {
		return ItemID{}
	}
	return ItemID{partition.Value, sort.Value}
}

// Text returns a string as an attribute.
func Text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// Number returns an integer as an attribute.
func Number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// Millis returns the number of an attribute for a time: Unix milliseconds, or 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time returns the time that Millis stored, in UTC.
func Time(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// Binary returns bytes as an attribute.
func Binary(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }

// PublicKey reads a public key that a table package wrote. Bytes of another length, which no table
// package writes, return the zero value.
func PublicKey(b []byte) (k solana.PublicKey) {
	if len(b) == len(k) {
		copy(k[:], b)
	}
	return k
}

// Signature reads a signature; see PublicKey.
func Signature(b []byte) (s solana.Signature) {
	if len(b) == len(s) {
		copy(s[:], b)
	}
	return s
}

// Beginning returns a query for the items of a partition whose sort keys begin with a prefix.
func Beginning(table, partition, prefix string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &table, ConsistentRead: new(true),
		KeyConditionExpression: new(schema.PartitionKey + " = :partition AND begins_with(" + schema.SortKey + ", :prefix)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":partition": Text(partition), ":prefix": Text(prefix),
		},
	}
}
