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

// A removable file is one item, no matter how many callers uploaded the file:
//
//	IMAGE#<cid>  IMAGE  key, bytes, width, height, uploader, createdAt: of the first upload;
//	                    uses: the number of launches with the file, except failed launches;
//	                    duePk = FILE, dueAt: the time from which the sweep may remove the file, if
//	                    no launch uses the file, or the file is blocked;
//	                    goneUntil: the file is removed, or the removal is in progress. Earlier
//	                    uploads do not count, and no launch may use the file;
//	                    blockedAt: operations took the file down; unpinOnly: the sweep leaves
//	                    the file in the object store
const (
	imageSort = "IMAGE"
	fileDue   = "FILE"
)

const (
	// keepUnused is the retention of a picture that no launch uses.
	keepUnused = 7 * 24 * time.Hour
	// keepPrepared is the minimum remaining retention of a picture when a launch is prepared. The
	// launch can be submitted for five minutes.
	keepPrepared = time.Hour
	// keepGone is the retention of the record of a removed picture. A launch that was prepared with
	// the picture cannot be submitted after that time.
	keepGone = 24 * time.Hour
	// recallAfter is the delay after which the sweep checks again for files that were stored during
	// the removal.
	recallAfter = 5 * time.Minute
)

// Conditions on the state of a record.
const (
	isThere  = "attribute_not_exists(goneUntil) AND attribute_not_exists(blockedAt)"
	isUnused = "(attribute_not_exists(uses) OR uses < :one)"
)

func imageKey(cid string) map[string]types.AttributeValue { return dynamo.Key("IMAGE#"+cid, imageSort) }

// imageItem is a stored image. Times are in Unix milliseconds.
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

// state returns nil for a present picture, and otherwise image.ErrNotFound or content.ErrBlocked.
func (i imageItem) state() error {
	switch {
	case i.BlockedAt != 0:
		return content.ErrBlocked
	case i.Key == "" || i.GoneUntil != 0:
		return image.ErrNotFound
	}
	return nil
}

// Images stores the records of the images that the service stored.
type Images struct {
	Client *dynamodb.Client
	Table  string
}

// Put records an image. began is the time at which storing the image began. The sweep keeps the
// image for a week. All uploads of the same picture share the first record.
//
// Put returns content.ErrBlocked if the picture is blocked. While the picture is being removed, Put
// returns an error that is transient for minutes, and schedules another removal of the newly stored
// file.
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
	// The delay lets another upload be recorded before the sweep checks again.
	at := time.UnixMilli(found.GoneUntil).Add(recallAfter)
	if err := s.recall(ctx, stored.CID, at); err != nil {
		return err
	}
	return going(stored.CID, found, stored.CreatedAt)
}

// going returns the error for a picture whose removal is in progress.
func going(cid string, item imageItem, now time.Time) error {
	err := apperr.Upstream("The file store", fmt.Errorf("image %s is being removed", cid))
	err.RetryAfter = max(time.UnixMilli(item.GoneUntil).Sub(now), 0).Truncate(time.Second) + 2*time.Second
	return err
}

// recall schedules another check of the sweep, for a removed file that was stored during the
// removal.
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
		return nil // another upload was faster, and keeps the file
	}
	return dynamo.Unavailable(wrap(err, "have image %s removed", cid))
}

// Get returns the record of a present image, or image.ErrNotFound or content.ErrBlocked. The read
// is consistent.
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

// Allowed returns nil if a picture may be stored at now, and otherwise the error that Put would
// return. Put decides.
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

// Hold keeps the image of a prepared launch from the sweep; see launch.Images. The first read is
// eventually consistent. The second read is consistent, and only made if the first read finds no
// image or an image that may be removed soon. Submit decides.
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
	// A launch has used the image, another launch holds the image, or the sweep was faster.
	if item, err = s.read(ctx, cid, true); err != nil {
		return err
	}
	return item.state()
}

// read returns the record of an image; the zero imageItem if there is no record.
func (s Images) read(ctx context.Context, cid string, latest bool) (item imageItem, err error) {
	if _, err = dynamo.Read(ctx, s.Client, s.Table, imageKey(cid), latest, &item); err != nil {
		return imageItem{}, fmt.Errorf("read image %s: %w", cid, err)
	}
	return item, nil
}

// useImage returns the write by which a launch uses a picture. The sweep skips used pictures. The
// write fails if the picture is removed or blocked.
func useImage(table, cid string) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: imageKey(cid),
		UpdateExpression:          new("ADD uses :one REMOVE duePk, dueAt"),
		ConditionExpression:       new(isThere),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": dynamo.Number(1)},
	}}
}

// leaveImage returns the write by which a failed launch stops using the picture. The sweep checks
// whether other launches use the picture.
func leaveImage(table, cid string, now time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: imageKey(cid),
		UpdateExpression: new("ADD uses :less SET duePk = :file, dueAt = :due"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":less": dynamo.Number(-1), ":file": dynamo.Text(fileDue), ":due": dynamo.Number(now.Add(keepUnused).UnixMilli()),
		},
	}}
}

// wrap adds the failed operation to an error; nil stays nil.
func wrap(err error, format string, values ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(values, err)...)
}
