package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/launch/image"
)

// An image is one item, written once:
//
//	IMAGE#<cid>  IMAGE  key, bytes, width, height, uploader, createdAt
const imageSort = "IMAGE"

func imageKey(cid string) map[string]types.AttributeValue { return dynamo.Key("IMAGE#"+cid, imageSort) }

// imageItem is how an image is stored. CreatedAt is in Unix milliseconds.
type imageItem struct {
	Key       string `dynamodbav:"key"`
	Bytes     int    `dynamodbav:"bytes"`
	Width     int    `dynamodbav:"width"`
	Height    int    `dynamodbav:"height"`
	Uploader  string `dynamodbav:"uploader"`
	CreatedAt int64  `dynamodbav:"createdAt"`
}

// Images records which images this service stored.
type Images struct {
	Client *dynamodb.Client
	Table  string
}

// Put records an image. When it is recorded already, the first record stays, and
// that is a success: whoever uploads the same picture shares it.
func (s Images) Put(ctx context.Context, stored image.Stored) error {
	item, err := dynamo.NewItem(imageKey(stored.CID), imageItem{
		Key: stored.Key, Bytes: stored.Bytes, Width: stored.Width, Height: stored.Height,
		Uploader: stored.Uploader, CreatedAt: stored.CreatedAt.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("encode image %s: %w", stored.CID, err)
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)"),
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("put image %s: %w", stored.CID, err))
	}
	return nil
}

// Get gives the record of an image, or image.ErrNotFound. A record that was put
// before is seen.
func (s Images) Get(ctx context.Context, cid string) (image.Stored, error) {
	var item imageItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, imageKey(cid), &item)
	if err != nil {
		return image.Stored{}, fmt.Errorf("get image %s: %w", cid, err)
	}
	if !found {
		return image.Stored{}, image.ErrNotFound
	}
	return image.Stored{
		CID: cid, Key: item.Key, Bytes: item.Bytes, Width: item.Width, Height: item.Height,
		Uploader: item.Uploader, CreatedAt: time.UnixMilli(item.CreatedAt).UTC(),
	}, nil
}

// Stored says whether this service stored an image; see launch.Images. A record is never
// taken away, so the nearest copy of the store is asked first, and only when that has none
// is it read for certain.
func (s Images) Stored(ctx context.Context, cid string) (bool, error) {
	var item imageItem
	found, err := dynamo.Read(ctx, s.Client, s.Table, imageKey(cid), false, &item)
	if err == nil && !found {
		found, err = dynamo.Get(ctx, s.Client, s.Table, imageKey(cid), &item)
	}
	if err != nil {
		return false, fmt.Errorf("look for image %s: %w", cid, err)
	}
	return found, nil
}
