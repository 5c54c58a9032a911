package launchtable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/launch/takedown"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/token/visible"
)

// The takedowns of operators. No function writes these items:
//
//	NAME#<SHA-256 of visible.Key>  BLOCK  text, blockedAt
//	IMAGE#<cid>  IMAGE                    blockedAt; see Images
//	TAKEDOWN     <time>#<id>              an act, with the operator and the reason
const (
	blockSort    = "BLOCK"
	takedownPart = "TAKEDOWN"
)

// Blocks stores blocked names and files, and the operators' acts. It implements takedown.Store and
// launch.Names.
type Blocks struct {
	Client *dynamodb.Client
	Table  string
}

func nameKey(key string) map[string]types.AttributeValue {
	hash := sha256.Sum256([]byte(key))
	return dynamo.Key("NAME#"+hex.EncodeToString(hash[:]), blockSort)
}

// BlockName blocks a name; see takedown.Store.
func (b Blocks) BlockName(ctx context.Context, key, text string, now time.Time) error {
	item := nameKey(key)
	item["text"], item["blockedAt"] = dynamo.Text(text), dynamo.Number(now.UnixMilli())
	_, err := b.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &b.Table, Item: item})
	return dynamo.Unavailable(wrap(err, "block the name %q", text))
}

// AllowName unblocks a name.
func (b Blocks) AllowName(ctx context.Context, key string) error {
	_, err := b.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &b.Table, Key: nameKey(key)})
	return dynamo.Unavailable(wrap(err, "allow the name %q", key))
}

// Blocked reports for each name whether the name is blocked, in the order of names; see
// launch.Names.
func (b Blocks) Blocked(ctx context.Context, names ...string) (blocked []bool, err error) {
	var keys []map[string]types.AttributeValue
	ids := make([]dynamo.ItemID, len(names))
	for i, name := range names {
		key := nameKey(visible.Key(name))
		if ids[i] = dynamo.IDOf(key); !slices.Contains(ids[:i], ids[i]) { // a batch must not repeat a key
			keys = append(keys, key)
		}
	}
	items, err := dynamo.BatchGet(ctx, b.Client, b.Table, keys, false)
	if err != nil {
		return nil, fmt.Errorf("look whether names are blocked: %w", err)
	}
	blocked = make([]bool, len(names))
	for i, id := range ids {
		blocked[i] = slices.ContainsFunc(items, func(item map[string]types.AttributeValue) bool { return dynamo.IDOf(item) == id })
	}
	return blocked, nil
}

// BlockFile blocks a content ID and schedules the removal of the file; see takedown.Store.
func (b Blocks) BlockFile(ctx context.Context, cid string, unpinOnly bool, now time.Time) (uses int64, err error) {
	set := "SET blockedAt = if_not_exists(blockedAt, :now), goneUntil = :until, duePk = :file, dueAt = :now REMOVE #expires"
	values := map[string]types.AttributeValue{
		":now": dynamo.Number(now.UnixMilli()), ":until": dynamo.Number(now.Add(unused.Lease).UnixMilli()), ":file": dynamo.Text(fileDue),
	}
	if unpinOnly {
		set = "SET unpinOnly = :yes, " + set[len("SET "):]
		values[":yes"] = &types.AttributeValueMemberBOOL{Value: true}
	}
	out, err := b.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &b.Table, Key: imageKey(cid), UpdateExpression: &set,
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt}, ExpressionAttributeValues: values,
		ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil {
		return 0, dynamo.Unavailable(fmt.Errorf("block file %s: %w", cid, err))
	}
	var item imageItem
	if err := attributevalue.UnmarshalMap(out.Attributes, &item); err != nil {
		return 0, fmt.Errorf("decode the record of %s: %w", cid, err)
	}
	return item.Uses, nil
}

// AllowFile unblocks a content ID; see takedown.Store.
func (b Blocks) AllowFile(ctx context.Context, cid string) error {
	_, err := b.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &b.Table, Key: imageKey(cid),
		UpdateExpression: new("REMOVE blockedAt"), ConditionExpression: new("attribute_exists(blockedAt)"),
	})
	if dynamo.ConditionFailed(err) {
		return nil
	}
	return dynamo.Unavailable(wrap(err, "allow file %s", cid))
}

// actItem is a stored act.
type actItem struct {
	Kind    string `dynamodbav:"kind"`
	Subject string `dynamodbav:"subject"`
	Undo    bool   `dynamodbav:"undo,omitempty"`
	By      string `dynamodbav:"by"`
	Why     string `dynamodbav:"why"`
	At      int64  `dynamodbav:"at"`
}

// Note records an act; see takedown.Store.
func (b Blocks) Note(ctx context.Context, a takedown.Act) error {
	key := dynamo.Key(takedownPart, a.At.UTC().Format("2006-01-02T15:04:05.000Z")+"#"+uuid.NewString())
	item, err := dynamo.NewItem(key, actItem{Kind: a.Kind, Subject: a.Subject, Undo: a.Undo, By: a.By, Why: a.Why, At: a.At.UnixMilli()})
	if err != nil {
		return fmt.Errorf("encode what was done: %w", err)
	}
	_, err = dynamo.PutOnce(ctx, b.Client, b.Table, item)
	return wrap(err, "note what was done to %s %s", a.Kind, a.Subject)
}

// Acts returns all acts in the order of time. The prefix is 2, the first digit of every year,
// because DynamoDB rejects an empty prefix.
func (b Blocks) Acts(ctx context.Context) (acts []takedown.Act, err error) {
	pages := dynamodb.NewQueryPaginator(b.Client, dynamo.Beginning(b.Table, takedownPart, "2"))
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list what was taken down: %w", err))
		}
		for _, item := range page.Items {
			var i actItem
			if err := attributevalue.UnmarshalMap(item, &i); err != nil {
				return nil, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
			acts = append(acts, takedown.Act{Kind: i.Kind, Subject: i.Subject, Undo: i.Undo, By: i.By, Why: i.Why, At: time.UnixMilli(i.At).UTC()})
		}
	}
	return acts, nil
}
