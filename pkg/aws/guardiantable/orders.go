// Package guardiantable stores the guardian's memory of hand-overs in a DynamoDB table of the
// guardian's own account.
package guardiantable

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/token/handover"
)

// Orders implements guardian.Orders. Every field is required.
type Orders struct {
	Client *dynamodb.Client
	Table  string
}

// The item of a token.
//
//	HANDOVER#<mint> HANDOVER  the newest order
const (
	prefix = "HANDOVER#"
	sort   = "HANDOVER"
)

func key(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(prefix+mint.String(), sort)
}

// stored is the item. Times are in Unix milliseconds; zero means never.
type stored struct {
	Number      int64  `dynamodbav:"number"`
	To          []byte `dynamodbav:"to"`
	EffectiveAt int64  `dynamodbav:"effectiveAt"`
	Signature   []byte `dynamodbav:"signature"`
	At          int64  `dynamodbav:"at"`
	CancelledAt int64  `dynamodbav:"cancelledAt"`
	SignedAt    int64  `dynamodbav:"signedAt"`
	Version     int64  `dynamodbav:"version"`
}

// Newest returns the newest order of a token; see guardian.Orders.
func (o Orders) Newest(ctx context.Context, mint solana.PublicKey) (guardian.Noted, error) {
	var s stored
	found, err := dynamo.Get(ctx, o.Client, o.Table, key(mint), &s)
	if err != nil {
		return guardian.Noted{}, fmt.Errorf("read the hand-over of %s: %w", mint, err)
	}
	if !found {
		return guardian.Noted{}, nil
	}
	return guardian.Noted{
		Order: handover.Order{Number: s.Number, To: dynamo.PublicKey(s.To), EffectiveAt: dynamo.Time(s.EffectiveAt), Signature: dynamo.Signature(s.Signature)},
		At:    dynamo.Time(s.At), CancelledAt: dynamo.Time(s.CancelledAt), SignedAt: dynamo.Time(s.SignedAt), Version: s.Version,
	}, nil
}

// Save stores the newest order; see guardian.Orders.
func (o Orders) Save(ctx context.Context, mint solana.PublicKey, n guardian.Noted) error {
	item, err := dynamo.NewItem(key(mint), stored{
		Number: n.Number, To: n.To[:], EffectiveAt: dynamo.Millis(n.EffectiveAt), Signature: n.Signature[:],
		At: dynamo.Millis(n.At), CancelledAt: dynamo.Millis(n.CancelledAt), SignedAt: dynamo.Millis(n.SignedAt), Version: n.Version + 1,
	})
	if err != nil {
		return err
	}
	put := &dynamodb.PutItemInput{TableName: &o.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}
	if n.Version > 0 {
		put.ConditionExpression = new("#version = :version")
		put.ExpressionAttributeNames = map[string]string{"#version": "version"}
		put.ExpressionAttributeValues = map[string]types.AttributeValue{":version": dynamo.Number(n.Version)}
	}
	_, err = o.Client.PutItem(ctx, put)
	if dynamo.ConditionFailed(err) {
		return guardian.ErrConflict
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("store the hand-over of %s: %w", mint, err))
	}
	return nil
}
