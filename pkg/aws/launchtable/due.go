package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The tokens that are due every so often stand in a list for each interval, cut
// into shards:
//
//	DUE#<interval>#<shard, 2 digits>  <mint>#<from, 13 digits>
//	    mint, from; once the token has left: until, expiresAt
//
// An entry holds for the slots after from and up to until, in Unix milliseconds.
// A change of settings at a moment ends one entry and begins another at that same
// moment, in one transaction. So a reader of the list, however late, finds a
// token in the slots that were its own and in no other.

// keepLeft is how long an entry that has ended stays, for a dispatcher that comes
// late: longer than messages live in a queue after they failed (14 days).
const keepLeft = 15 * 24 * time.Hour

func duePartition(interval terms.Interval, shard int) string {
	return fmt.Sprintf("DUE#%s#%02d", interval, shard)
}

func dueKey(interval terms.Interval, mint solana.PublicKey, from time.Time) map[string]types.AttributeValue {
	return dynamo.Key(duePartition(interval, dispatch.ShardOf(mint)), fmt.Sprintf("%s#%013d", mint, from.UnixMilli()))
}

// beginDue is the write that puts a token on the list of its interval.
func beginDue(table string, interval terms.Interval, mint solana.PublicKey, from time.Time) types.TransactWriteItem {
	item := dueKey(interval, mint, from)
	item["mint"], item["from"] = dynamo.Binary(mint[:]), dynamo.Number(from.UnixMilli())
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
}

// endDue is the write that takes a token off the list that it has been on since
// from.
func endDue(table string, interval terms.Interval, mint solana.PublicKey, from, until time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: dueKey(interval, mint, from),
		UpdateExpression:         new("SET #until = :until, #expires = :expires"),
		ConditionExpression:      new("attribute_exists(pk)"),
		ExpressionAttributeNames: map[string]string{"#until": "until", "#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":until": dynamo.Number(until.UnixMilli()), ":expires": dynamo.Number(until.Add(keepLeft).Unix()),
		},
	}}
}

// enlist adds to the write that confirms a token's record what puts the token on
// the list of its interval, if its settings, which may have changed since the
// launch was submitted, say so.
func (s Launches) enlist(ctx context.Context, record *types.Update, mint solana.PublicKey, now time.Time) ([]types.TransactWriteItem, error) {
	current, err := Tokens(s).Token(ctx, mint)
	if err != nil {
		return nil, err
	}
	*record.ConditionExpression += " AND " + sameVersion
	record.ExpressionAttributeNames["#settings"], record.ExpressionAttributeNames["#version"] = "settings", "version"
	record.ExpressionAttributeValues[":version"] = dynamo.Number(current.SettingsVersion)
	if !current.Settings.Enabled {
		return nil, nil
	}
	*record.UpdateExpression += ", dueSince = :since"
	record.ExpressionAttributeValues[":since"] = dynamo.Number(now.UnixMilli())
	return []types.TransactWriteItem{beginDue(s.Table, current.Settings.Interval, mint, now)}, nil
}

// Due lists the tokens that are due in a slot; it implements dispatch.Due.
type Due struct {
	Client *dynamodb.Client
	Table  string
}

// Page gives a part of a shard of a slot; see dispatch.Due. A page is what fits
// into one answer of the store, some 8,000 tokens.
func (d Due) Page(ctx context.Context, slot dispatch.Slot, shard int, after string) ([]solana.PublicKey, string, error) {
	partition := duePartition(slot.Interval, shard)
	query := &dynamodb.QueryInput{
		TableName: &d.Table, ConsistentRead: new(true),
		KeyConditionExpression:   new("pk = :list"),
		FilterExpression:         new("#from < :slot AND (attribute_not_exists(#until) OR #until >= :slot)"),
		ProjectionExpression:     new("mint"),
		ExpressionAttributeNames: map[string]string{"#from": "from", "#until": "until"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":list": dynamo.Text(partition), ":slot": dynamo.Number(slot.At.UnixMilli()),
		},
	}
	if after != "" {
		query.ExclusiveStartKey = dynamo.Key(partition, after)
	}
	out, err := d.Client.Query(ctx, query)
	if err != nil {
		return nil, "", dynamo.Unavailable(fmt.Errorf("list what is due in %s: %w", partition, err))
	}
	mints := make([]solana.PublicKey, len(out.Items))
	for i, item := range out.Items {
		var stored struct {
			Mint []byte `dynamodbav:"mint"`
		}
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, "", fmt.Errorf("decode an entry of %s: %w", partition, err)
		}
		mints[i] = dynamo.PublicKey(stored.Mint)
	}
	return mints, dynamo.IDOf(out.LastEvaluatedKey).Sort, nil
}

// listed says whether a token with this status and these settings is on the list
// of its interval.
func listed(status token.Status, s terms.Settings) bool {
	return status == token.Confirmed && s.Enabled
}
