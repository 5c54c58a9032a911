package launchtable

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/launch/unused"
)

// Due lists files that may be removed at now; see unused.Files.
func (s Images) Due(ctx context.Context, now time.Time, maximum int) ([]unused.File, error) {
	type stored struct {
		Partition string `dynamodbav:"pk"`
		imageItem
	}
	return dueindex.Read(ctx, s.Client, s.Table, fileDue, dueindex.LongestFirst, now, maximum, func(i stored) unused.File {
		return unused.File{
			CID: strings.TrimPrefix(i.Partition, "IMAGE#"), Due: time.UnixMilli(i.DueAt).UTC(),
			Blocked: i.BlockedAt != 0, UnpinOnly: i.UnpinOnly,
		}
	})
}

// Condemn makes a file unusable before the removal; see unused.Files.
func (s Images) Condemn(ctx context.Context, f unused.File, until, next time.Time) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(f.CID),
		UpdateExpression:    new("SET goneUntil = :until, dueAt = :next"),
		ConditionExpression: new("dueAt = :seen AND (attribute_exists(blockedAt) OR " + isUnused + ")"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":until": dynamo.Number(until.UnixMilli()), ":next": dynamo.Number(next.UnixMilli()),
			":seen": dynamo.Number(f.Due.UnixMilli()), ":one": dynamo.Number(1),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return dynamo.Unavailable(wrap(err, "condemn image %s", f.CID))
	}
	var found imageItem
	if err := attributevalue.UnmarshalMap(refused.Item, &found); err != nil {
		return wrap(err, "decode image %s", f.CID)
	}
	if found.Uses > 0 && found.DueAt == f.Due.UnixMilli() {
		if err := s.spare(ctx, f); err != nil {
			return err
		}
	}
	return unused.ErrTaken
}

// spare ends the checks of a picture that a launch uses. Such a picture is due after another
// upload, or after the failure of another launch with the picture.
func (s Images) spare(ctx context.Context, f unused.File) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(f.CID),
		UpdateExpression:    new("REMOVE duePk, dueAt"),
		ConditionExpression: new("dueAt = :seen AND attribute_not_exists(blockedAt) AND uses >= :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":seen": dynamo.Number(f.Due.UnixMilli()), ":one": dynamo.Number(1),
		},
	})
	if dynamo.ConditionFailed(err) {
		return nil
	}
	return dynamo.Unavailable(wrap(err, "spare image %s", f.CID))
}

// Removed ends the checks of a removed file; see unused.Files.
func (s Images) Removed(ctx context.Context, f unused.File, until, next, now time.Time) error {
	change := dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(f.CID),
		UpdateExpression:    new("REMOVE duePk, dueAt"),
		ConditionExpression: new("goneUntil = :until AND dueAt = :next"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":until": dynamo.Number(until.UnixMilli()), ":next": dynamo.Number(next.UnixMilli()),
		},
	}
	if !f.Blocked {
		change.UpdateExpression = new(*change.UpdateExpression + " SET #expires = :forget")
		change.ExpressionAttributeNames = map[string]string{"#expires": schema.ExpiresAt}
		change.ExpressionAttributeValues[":forget"] = dynamo.Number(now.Add(keepGone).Unix())
	}
	_, err := s.Client.UpdateItem(ctx, &change)
	if dynamo.ConditionFailed(err) {
		return nil
	}
	return dynamo.Unavailable(wrap(err, "forget image %s", f.CID))
}
