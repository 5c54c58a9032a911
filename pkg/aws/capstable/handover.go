package capstable

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/signing"
)

// The items of hand-overs and rotations. Operators write releases and rotations, and the signer only
// reads them.
//
//	HANDOVER#<mint> <hash of the order's text>  at: first seen by the signer; revoked
//	RELEASE#<mint>  RELEASE                     by, why, at: an operator releases the tax to the creator
//	ROTATE#<mint>   ROTATE                      from, to, by, why, at: an operator moves the token to
//	                                            another wallet of the service
const (
	handoverPrefix = "HANDOVER#"
	releasePrefix  = "RELEASE#"
	releaseSort    = "RELEASE"
	rotatePrefix   = "ROTATE#"
	rotateSort     = "ROTATE"
)

func noteKey(mint solana.PublicKey, text [32]byte) map[string]types.AttributeValue {
	return dynamo.Key(handoverPrefix+mint.String(), hex.EncodeToString(text[:]))
}

// Note records an order of a hand-over; see signing.Notes.
func (c Caps) Note(ctx context.Context, mint solana.PublicKey, text [32]byte) (signing.Noted, error) {
	item := noteKey(mint, text)
	item["at"] = dynamo.Number(c.Now().UnixMilli())
	_, err := c.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")})
	if err != nil && !dynamo.ConditionFailed(err) {
		return signing.Noted{}, dynamo.Unavailable(fmt.Errorf("note the hand-over of %s: %w", mint, err))
	}
	return c.Noted(ctx, mint, text)
}

// Revoke records the cancellation of an order; see signing.Notes.
func (c Caps) Revoke(ctx context.Context, mint solana.PublicKey, text [32]byte) error {
	_, err := c.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &c.Table, Key: noteKey(mint, text),
		UpdateExpression:         new("SET #revoked = :revoked, #at = if_not_exists(#at, :at)"),
		ExpressionAttributeNames: map[string]string{"#revoked": "revoked", "#at": "at"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":revoked": &types.AttributeValueMemberBOOL{Value: true}, ":at": dynamo.Number(c.Now().UnixMilli()),
		},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("revoke the hand-over of %s: %w", mint, err))
	}
	return nil
}

// Noted returns the record of an order; see signing.Notes.
func (c Caps) Noted(ctx context.Context, mint solana.PublicKey, text [32]byte) (signing.Noted, error) {
	var stored struct {
		At      int64 `dynamodbav:"at"`
		Revoked bool  `dynamodbav:"revoked"`
	}
	found, err := dynamo.Get(ctx, c.Client, c.Table, noteKey(mint, text), &stored)
	if err != nil || !found {
		return signing.Noted{}, err
	}
	return signing.Noted{At: time.UnixMilli(stored.At).UTC(), Revoked: stored.Revoked}, nil
}

// Release records an operator's decision to give the authority over a token's tax to the creator,
// without the creator's order and without a delay. A repeated release keeps the first record.
func (c Caps) Release(ctx context.Context, mint solana.PublicKey, by, why string) error {
	if by == "" || why == "" {
		return errors.New("say who releases the token, and why")
	}
	item := dynamo.Key(releasePrefix+mint.String(), releaseSort)
	item["by"], item["why"], item["at"] = dynamo.Text(by), dynamo.Text(why), dynamo.Number(c.Now().Unix())
	_, err := c.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("release %s: %w", mint, err))
	}
	return nil
}

// Released reports whether an operator has released the token; see signing.Notes.
func (c Caps) Released(ctx context.Context, mint solana.PublicKey) (bool, error) {
	var stored struct {
		At int64 `dynamodbav:"at"`
	}
	return dynamo.Get(ctx, c.Client, c.Table, dynamo.Key(releasePrefix+mint.String(), releaseSort), &stored)
}

// Rotate records an operator's order to move a token to another wallet of the service. A repeated
// order takes the place of the first, because an order lasts only signing.RotationLasts.
func (c Caps) Rotate(ctx context.Context, mint, from, to solana.PublicKey, by, why string) error {
	if by == "" || why == "" {
		return errors.New("say who moves the token, and why")
	}
	item := dynamo.Key(rotatePrefix+mint.String(), rotateSort)
	item["from"], item["to"] = dynamo.Binary(from[:]), dynamo.Binary(to[:])
	item["by"], item["why"], item["at"] = dynamo.Text(by), dynamo.Text(why), dynamo.Number(c.Now().UnixMilli())
	if _, err := c.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.Table, Item: item}); err != nil {
		return dynamo.Unavailable(fmt.Errorf("order to move %s: %w", mint, err))
	}
	return nil
}

// Rotation returns an operator's order to move a token; see signing.Notes.
func (c Caps) Rotation(ctx context.Context, mint solana.PublicKey) (signing.RotationOrder, error) {
	var stored struct {
		From []byte `dynamodbav:"from"`
		To   []byte `dynamodbav:"to"`
		At   int64  `dynamodbav:"at"`
	}
	found, err := dynamo.Get(ctx, c.Client, c.Table, dynamo.Key(rotatePrefix+mint.String(), rotateSort), &stored)
	if err != nil || !found {
		return signing.RotationOrder{}, err
	}
	return signing.RotationOrder{From: dynamo.PublicKey(stored.From), To: dynamo.PublicKey(stored.To), At: time.UnixMilli(stored.At).UTC()}, nil
}
