// Package notices stores the claims of notices, in the window table.
package notices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/notice"
)

const noticeSort = "NOTICE"

// noticeItem is a stored claim. ClaimedAt is in Unix milliseconds.
type noticeItem struct {
	Attempt   string `dynamodbav:"attempt"`
	ClaimedAt int64  `dynamodbav:"claimedAt"`
	Finished  bool   `dynamodbav:"finished"`
}

// Claims stores which attempt sends a notice. The claims are in the window table, because only
// functions that move money write the ledger. Claims implements notice.Store, and needs only the
// right to update items.
type Claims struct {
	Client *dynamodb.Client
	Table  string
}

func noticeKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("NOTICE#"+id, noticeSort)
}

// Claim claims an event, unless another attempt has claimed the event.
func (s Claims) Claim(ctx context.Context, id, attempt string, now time.Time) (notice.ClaimState, error) {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: noticeKey(id),
		UpdateExpression:         new("SET attempt = :attempt, claimedAt = :now, #expires = :expires"),
		ConditionExpression:      new("attribute_not_exists(attempt) OR (attempt = :attempt AND attribute_not_exists(finished))"),
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":attempt": dynamo.Text(attempt), ":now": dynamo.Number(now.UnixMilli()), ":expires": dynamo.Number(now.Add(notice.Remember).Unix()),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err == nil {
		return notice.Claimed, nil
	}
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return "", dynamo.Unavailable(fmt.Errorf("claim the notice %s: %w", id, err))
	}
	var found noticeItem
	if err := attributevalue.UnmarshalMap(failed.Item, &found); err != nil {
		return "", fmt.Errorf("decode the claim of the notice %s: %w", id, err)
	}
	switch {
	case found.Finished:
		return notice.Finished, nil
	case now.Sub(time.UnixMilli(found.ClaimedAt)) >= notice.Lease:
		return notice.Abandoned, nil
	}
	return notice.Busy, nil
}

// Finish ends the attempt's claim permanently.
func (s Claims) Finish(ctx context.Context, id, attempt string) error {
	return s.end(ctx, id, attempt, "SET finished = :true", map[string]types.AttributeValue{":true": &types.AttributeValueMemberBOOL{Value: true}})
}

// Release releases the attempt's claim. Releasing a missing claim is not an error.
func (s Claims) Release(ctx context.Context, id, attempt string) error {
	return s.end(ctx, id, attempt, "REMOVE attempt, claimedAt", map[string]types.AttributeValue{})
}

func (s Claims) end(ctx context.Context, id, attempt, update string, values map[string]types.AttributeValue) error {
	values[":attempt"] = dynamo.Text(attempt)
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: noticeKey(id), UpdateExpression: &update,
		ConditionExpression:       new("attempt = :attempt AND attribute_not_exists(finished)"),
		ExpressionAttributeValues: values,
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("end the claim of the notice %s: %w", id, err))
	}
	return nil
}
