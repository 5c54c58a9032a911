package launchtable

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Issue stores a new pending launch; see launch.Store.
//
// Issue makes three writes, each with a condition, because one transaction of the three writes
// would cost twice as much. The order of the writes makes up for the missing transaction. Issue
// ends the previous launch before the caller's pointer moves to the new launch. So after a crash at
// any point, the pointer leads to the only launch that the caller knows and can still submit, or to
// a newer launch. A stored launch without a pointer was never returned to a caller.
func (s Launches) Issue(ctx context.Context, l launch.Launch, previous *launch.Launch, now time.Time) error {
	if err := s.put(ctx, l, now); err != nil {
		return err
	}
	if previous != nil && previous.Status == transaction.Pending && !previous.Expired(now) {
		if err := s.supersede(ctx, *previous); err != nil {
			return err
		}
	}
	return s.point(ctx, l, previous, now)
}

// put stores a new launch once.
func (s Launches) put(ctx context.Context, l launch.Launch, now time.Time) error {
	item, err := dynamo.NewItem(launchKey(l.ID), newLaunchItem(l))
	if err != nil {
		return fmt.Errorf("encode launch %s: %w", l.ID, err)
	}
	item[schema.ExpiresAt] = dynamo.Number(now.Add(keepUnsubmitted).Unix())
	item["duePk"], item["dueAt"] = dynamo.Text(draftDue), dynamo.Number(l.ExpiresAt.Add(unused.AbandonedAfter).UnixMilli())
	taken, err := dynamo.PutOnce(ctx, s.Client, s.Table, item)
	if err != nil {
		return fmt.Errorf("store launch %s: %w", l.ID, err)
	}
	if taken == nil {
		return nil
	}
	var found launchItem
	if err := attributevalue.UnmarshalMap(taken, &found); err != nil {
		return fmt.Errorf("decode launch %s: %w", l.ID, err)
	}
	if len(found.Messages) == 0 || !bytes.Equal(found.Messages[0].Digest, l.Messages[0].Digest[:]) {
		return fmt.Errorf("store launch %s: another one has its id", l.ID)
	}
	return nil
}

// Refresh adds a message to a launch; see launch.Store.
func (s Launches) Refresh(ctx context.Context, id string, m transaction.Message, now time.Time) error {
	added, err := attributevalue.Marshal([]messageItem{newMessageItem(m)})
	if err != nil {
		return fmt.Errorf("encode a message of launch %s: %w", id, err)
	}
	_, err = s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: launchKey(id),
		UpdateExpression:         new("SET messages = list_append(messages, :added)"),
		ConditionExpression:      new("#status IN (:pending, :submitted) AND validUntil > :now AND attribute_not_exists(n)"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pending": dynamo.Text(string(transaction.Pending)), ":submitted": dynamo.Text(string(transaction.Submitted)),
			":added": added, ":now": dynamo.Number(now.UnixMilli()),
		},
	})
	if dynamo.ConditionFailed(err) {
		return launch.ErrConflict
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("refresh launch %s: %w", id, err))
	}
	return nil
}

// supersede ends a pending launch and releases the nonce. It does nothing if the launch has ended
// or was submitted.
func (s Launches) supersede(ctx context.Context, old launch.Launch) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: launchKey(old.ID),
		UpdateExpression:         new("SET #status = :superseded"),
		ConditionExpression:      new("#status IN (:pending, :superseded)"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":superseded": dynamo.Text(string(transaction.Superseded)), ":pending": dynamo.Text(string(transaction.Pending)),
		},
	})
	if dynamo.ConditionFailed(err) {
		return nil
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("supersede launch %s: %w", old.ID, err))
	}
	if !old.OnNonce() {
		return nil
	}
	return Nonces(s).Release(ctx, old.Nonce.Account, old.ID)
}

// point makes a launch the caller's newest launch, after previous.
func (s Launches) point(ctx context.Context, l launch.Launch, previous *launch.Launch, now time.Time) error {
	condition := "attribute_not_exists(#tx)"
	values := map[string]types.AttributeValue{":new": dynamo.Text(l.ID), ":forget": dynamo.Number(now.Add(keepUnsubmitted).Unix())}
	if previous != nil {
		condition = "#tx = :old"
		values[":old"] = dynamo.Text(previous.ID)
	}
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: callerKey(l.Caller),
		UpdateExpression:          new("SET #tx = :new, #expires = :forget"),
		ConditionExpression:       new(condition + " OR #tx = :new"), // #tx is :new if this call is a retry after a lost response
		ExpressionAttributeNames:  map[string]string{"#tx": "tx", "#expires": schema.ExpiresAt},
		ExpressionAttributeValues: values,
	})
	if dynamo.ConditionFailed(err) {
		return launch.ErrConflict
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("make launch %s the newest of %s: %w", l.ID, l.Caller, err))
	}
	return nil
}
