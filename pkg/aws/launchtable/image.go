package launchtable

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
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/content"
)

// A file that can be removed is one item, however many callers uploaded it:
//
//	IMAGE#<cid>  IMAGE  key, bytes, width, height, uploader, createdAt: of the first upload;
//	                    uses: launches that have it, but for those that failed;
//	                    duePk = FILE, dueAt: from when on the sweep may remove it, if
//	                    nothing uses it, or it is blocked;
//	                    goneUntil: it is being removed or is gone. What was uploaded before
//	                    does not count, and no launch may use it;
//	                    blockedAt: operations took it down; unpinOnly: the sweep leaves it
//	                    in the object store
const (
	imageSort = "IMAGE"
	fileDue   = "FILE"
)

const (
	// keepUnused is how long a picture stays that no launch uses.
	keepUnused = 7 * 24 * time.Hour
	// keepPrepared is how long one stays, at least, that a launch is prepared with. The
	// launch can be submitted for five minutes.
	keepPrepared = time.Hour
	// keepGone is how long the record of a picture that is gone stays: a launch that was
	// prepared with it cannot be submitted that late.
	keepGone = 24 * time.Hour
	// recallAfter is when the sweep looks again for what was stored while it was removed.
	recallAfter = 5 * time.Minute
)

// How a record stands in conditions.
const (
	isThere  = "attribute_not_exists(goneUntil) AND attribute_not_exists(blockedAt)"
	isUnused = "(attribute_not_exists(uses) OR uses < :one)"
)

func imageKey(cid string) map[string]types.AttributeValue { return dynamo.Key("IMAGE#"+cid, imageSort) }

// imageItem is how an image is stored. Times are in Unix milliseconds.
type imageItem struct {
	Key       string `dynamodbav:"key"`
	Bytes     int    `dynamodbav:"bytes"`
	Width     int    `dynamodbav:"width"`
	Height    int    `dynamodbav:"height"`
	Uploader  string `dynamodbav:"uploader"`
	CreatedAt int64  `dynamodbav:"createdAt"`
	Uses      int64  `dynamodbav:"uses"`
	DueAt     int64  `dynamodbav:"dueAt"`
	GoneUntil int64  `dynamodbav:"goneUntil"`
	BlockedAt int64  `dynamodbav:"blockedAt"`
	UnpinOnly bool   `dynamodbav:"unpinOnly"`
}

// state is image.ErrNotFound, content.ErrBlocked, or nil for a picture that is there.
func (i imageItem) state() error {
	switch {
	case i.BlockedAt != 0:
		return content.ErrBlocked
	case i.Key == "" || i.GoneUntil != 0:
		return image.ErrNotFound
	}
	return nil
}

// Images records which images this service stored.
type Images struct {
	Client *dynamodb.Client
	Table  string
}

// Put records an image whose storing began at a time, and keeps it from the sweep for a
// week. Every upload of the same picture shares the first record.
//
// It fails with content.ErrBlocked when the picture is blocked, and with an error that
// passes within minutes while it is being removed: then the sweep looks again for what was
// stored meanwhile.
func (s Images) Put(ctx context.Context, stored image.Stored, began time.Time) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(stored.CID),
		UpdateExpression: new("SET #key = if_not_exists(#key, :key), bytes = if_not_exists(bytes, :bytes), width = if_not_exists(width, :width), " +
			"height = if_not_exists(height, :height), uploader = if_not_exists(uploader, :uploader), " +
			"createdAt = if_not_exists(createdAt, :created), duePk = :file, dueAt = :due REMOVE goneUntil, #expires"),
		ConditionExpression:      new("attribute_not_exists(blockedAt) AND (attribute_not_exists(goneUntil) OR goneUntil < :began)"),
		ExpressionAttributeNames: map[string]string{"#key": "key", "#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":key": dynamo.Text(stored.Key), ":bytes": dynamo.Number(int64(stored.Bytes)), ":width": dynamo.Number(int64(stored.Width)),
			":height": dynamo.Number(int64(stored.Height)), ":uploader": dynamo.Text(stored.Uploader), ":created": dynamo.Number(stored.CreatedAt.UnixMilli()),
			":file": dynamo.Text(fileDue), ":due": dynamo.Number(stored.CreatedAt.Add(keepUnused).UnixMilli()), ":began": dynamo.Number(began.UnixMilli()),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return dynamo.Unavailable(wrap(err, "put image %s", stored.CID))
	}
	var found imageItem
	if err := attributevalue.UnmarshalMap(refused.Item, &found); err != nil {
		return fmt.Errorf("decode image %s: %w", stored.CID, err)
	}
	if found.BlockedAt != 0 {
		return errors.Join(s.recall(ctx, stored.CID, stored.CreatedAt), content.ErrBlocked)
	}
	// Another upload may come and be kept before the sweep looks again.
	at := time.UnixMilli(found.GoneUntil).Add(recallAfter)
	if err := s.recall(ctx, stored.CID, at); err != nil {
		return err
	}
	return going(stored.CID, found, stored.CreatedAt)
}

// going is the error of a picture that is being removed.
func going(cid string, item imageItem, now time.Time) error {
	err := apperr.Upstream("The file store", fmt.Errorf("image %s is being removed", cid))
	err.RetryAfter = max(time.UnixMilli(item.GoneUntil).Sub(now), 0).Truncate(time.Second) + 2*time.Second
	return err
}

// recall has the sweep look again, at a time, for a file that is gone and was stored
// meanwhile.
func (s Images) recall(ctx context.Context, cid string, at time.Time) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(cid),
		UpdateExpression:         new("SET duePk = :file, dueAt = :at REMOVE #expires"),
		ConditionExpression:      new("attribute_exists(goneUntil)"),
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":file": dynamo.Text(fileDue), ":at": dynamo.Number(at.UnixMilli()),
		},
	})
	if dynamo.ConditionFailed(err) {
		return nil // another upload was faster, and counts
	}
	return dynamo.Unavailable(wrap(err, "have image %s removed", cid))
}

// Get gives the record of an image that is there, else image.ErrNotFound or
// content.ErrBlocked. A record that was put before is seen.
func (s Images) Get(ctx context.Context, cid string) (image.Stored, error) {
	item, err := s.read(ctx, cid, true)
	if err != nil {
		return image.Stored{}, err
	}
	if err := item.state(); err != nil {
		return image.Stored{}, err
	}
	return image.Stored{
		CID: cid, Key: item.Key, Bytes: item.Bytes, Width: item.Width, Height: item.Height,
		Uploader: item.Uploader, CreatedAt: time.UnixMilli(item.CreatedAt).UTC(),
	}, nil
}

// Allowed says whether a picture may be stored at now: it fails as Put would. Put decides.
func (s Images) Allowed(ctx context.Context, cid string, now time.Time) error {
	item, err := s.read(ctx, cid, false)
	switch {
	case err != nil:
		return err
	case item.BlockedAt != 0:
		return content.ErrBlocked
	case item.GoneUntil >= now.UnixMilli():
		return going(cid, item, now)
	}
	return nil
}

// Hold keeps an image, which a launch is prepared with, from the sweep; see launch.Images.
// The nearest copy of the store is asked first, and only where that has none, or it is to go
// soon, is it read for certain: Submit decides.
func (s Images) Hold(ctx context.Context, cid string, now time.Time) error {
	enough := func(item imageItem) bool {
		return item.state() == nil && (item.DueAt == 0 || item.DueAt >= now.Add(keepPrepared).UnixMilli())
	}
	item, err := s.read(ctx, cid, false)
	if err == nil && !enough(item) {
		item, err = s.read(ctx, cid, true)
	}
	if err != nil || enough(item) {
		return err
	}
	if err := item.state(); err != nil {
		return err
	}
	_, err = s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: imageKey(cid),
		UpdateExpression:    new("SET dueAt = :until"),
		ConditionExpression: new(isThere + " AND dueAt = :seen"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":until": dynamo.Number(now.Add(2 * keepPrepared).UnixMilli()), ":seen": dynamo.Number(item.DueAt),
		},
	})
	if !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(wrap(err, "hold image %s", cid))
	}
	// A launch took it, another one holds it, or the sweep was faster.
	if item, err = s.read(ctx, cid, true); err != nil {
		return err
	}
	return item.state()
}

// read gives the record of an image, an empty one where there is none.
func (s Images) read(ctx context.Context, cid string, latest bool) (item imageItem, err error) {
	if _, err = dynamo.Read(ctx, s.Client, s.Table, imageKey(cid), latest, &item); err != nil {
		return imageItem{}, fmt.Errorf("read image %s: %w", cid, err)
	}
	return item, nil
}

// useImage is the write by which a launch uses a picture: while it does, the sweep has no
// business with it. It is refused when the picture is gone or blocked.
func useImage(table, cid string) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: imageKey(cid),
		UpdateExpression:          new("ADD uses :one REMOVE duePk, dueAt"),
		ConditionExpression:       new(isThere),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": dynamo.Number(1)},
	}}
}

// leaveImage is the write by which a launch that failed uses its picture no more. The sweep
// looks whether another one does.
func leaveImage(table, cid string, now time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: imageKey(cid),
		UpdateExpression: new("ADD uses :less SET duePk = :file, dueAt = :due"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":less": dynamo.Number(-1), ":file": dynamo.Text(fileDue), ":due": dynamo.Number(now.Add(keepUnused).UnixMilli()),
		},
	}}
}

// wrap adds what was being done to an error; nil stays nil.
func wrap(err error, format string, values ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(values, err)...)
}
