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
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The tokens with scheduled distributions are in a list for each interval. A list is divided into
// shards:
//
//	DUE#<interval>#<shard, 2 digits>  <mint>#<from, 13 digits>
//	    mint, from; after the token has left the list: until, expiresAt
//
// An entry holds for the slots after from and up to until, in Unix milliseconds. A change of
// settings ends one entry and begins another entry at the same moment, in one transaction. So even
// a late reader of the list finds a token only in the token's own slots.

// keepLeft is the retention of an ended entry, for a late dispatcher. A failed message stays in a
// queue for less time (14 days).
const keepLeft = 15 * 24 * time.Hour

func duePartition(interval terms.Interval, shard int) string {
	return fmt.Sprintf("DUE#%s#%02d", interval, shard)
}

func dueKey(interval terms.Interval, mint solana.PublicKey, from time.Time) map[string]types.AttributeValue {
	return dynamo.Key(duePartition(interval, dispatch.ShardOf(mint)), fmt.Sprintf("%s#%013d", mint, from.UnixMilli()))
}

// beginDue returns the write that puts a token on the list of the interval.
func beginDue(table string, e settings.Entry, mint solana.PublicKey) types.TransactWriteItem {
	item := dueKey(e.Interval, mint, e.From)
	item["mint"], item["from"] = dynamo.Binary(mint[:]), dynamo.Number(e.From.UnixMilli())
	if !e.Until.IsZero() {
		item["until"], item[schema.ExpiresAt] = dynamo.Number(e.Until.UnixMilli()), dynamo.Number(e.Until.Add(keepLeft).Unix())
	}
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
}

// endDue returns the write that ends the token's entry with the given from.
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

// dropDue returns the write that removes the entry of a pending change, which has not been in force.
func dropDue(table string, interval terms.Interval, mint solana.PublicKey, from time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: dueKey(interval, mint, from)}}
}

// reopenDue returns the write that removes the end of an entry, because the pending change that set the
// end was replaced.
func reopenDue(table string, interval terms.Interval, mint solana.PublicKey, from time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: dueKey(interval, mint, from),
		UpdateExpression:         new("REMOVE #until, #expires"),
		ConditionExpression:      new("attribute_exists(pk)"),
		ExpressionAttributeNames: map[string]string{"#until": "until", "#expires": schema.ExpiresAt},
	}}
}

// enlist extends the write that confirms a token's record, and returns the write that puts the
// token on the list of the interval if the current settings enable distributions. The settings may
// have changed since the launch was submitted.
func (s Launches) enlist(ctx context.Context, record *types.Update, mint solana.PublicKey, now time.Time) ([]types.TransactWriteItem, error) {
	current, err := Tokens(s).Token(ctx, mint)
	if err != nil {
		return nil, err
	}
	*record.ConditionExpression += " AND " + sameVersion
	record.ExpressionAttributeNames["#settings"], record.ExpressionAttributeNames["#version"] = "settings", "version"
	record.ExpressionAttributeValues[":version"] = dynamo.Number(current.SettingsVersion)
	held := current.InForce(now)
	from, pending := now, held.SettingsVersion != current.SettingsVersion
	if pending {
		from = current.SettingsFrom
	}
	plan := settings.Lists(token.Confirmed, held.Settings, now, current.Settings, from, pending)
	if len(plan.After) == 0 {
		return nil, nil
	}
	for name, at := range map[string]time.Time{"dueSince": plan.DueSince, "dueNext": plan.DueNext} {
		if !at.IsZero() {
			*record.UpdateExpression += ", " + name + " = :" + name
			record.ExpressionAttributeValues[":"+name] = dynamo.Number(at.UnixMilli())
		}
	}
	return Tokens(s).move(mint, plan), nil
}

// HandedOver ends a token's entries at a time, so that the dispatcher queues no slot after it. It is
// idempotent, and never prolongs an entry. A change of the settings lists no token that was handed over; see
// settings.Current.
func (t Tokens) HandedOver(ctx context.Context, mint solana.PublicKey, at time.Time) error {
	var stored tokenItem
	if _, err := dynamo.Get(ctx, t.Client, t.Table, TokenKey(mint), &stored); err != nil {
		return fmt.Errorf("read token %s: %w", mint, err)
	}
	intervals := []terms.Interval{stored.Settings.Interval}
	if stored.Held != nil && stored.Held.Interval != stored.Settings.Interval {
		intervals = append(intervals, stored.Held.Interval)
	}
	for _, from := range []int64{stored.DueSince, stored.DueNext} {
		for _, interval := range intervals {
			if from == 0 {
				continue
			}
			end := endDue(t.Table, interval, mint, milli(from), at).Update
			_, err := t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: end.TableName, Key: end.Key, UpdateExpression: end.UpdateExpression,
				ConditionExpression:       new(*end.ConditionExpression + " AND (attribute_not_exists(#until) OR #until > :until)"),
				ExpressionAttributeNames:  end.ExpressionAttributeNames,
				ExpressionAttributeValues: end.ExpressionAttributeValues,
			})
			if err != nil && !dynamo.ConditionFailed(err) { // else the token is not on this list
				return dynamo.Unavailable(fmt.Errorf("take token %s off the list of %s: %w", mint, interval, err))
			}
		}
	}
	return nil
}

// Unlister takes tokens that were handed over off the lists of the schedules. It implements
// event.Consumer.
type Unlister struct{ Tokens }

// Tell ends the entries of a token whose hand-over is done.
func (u Unlister) Tell(ctx context.Context, e event.Event) error {
	if e.Kind != event.HandoverDone {
		return nil
	}
	return u.HandedOver(ctx, e.Token.Mint, e.At)
}

// Due lists the tokens that are due in a slot. It implements dispatch.Due.
type Due struct {
	Client *dynamodb.Client
	Table  string
}

// Page returns a part of a slot's shard; see dispatch.Due. A page is one response of DynamoDB,
// about 8,000 tokens.
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
