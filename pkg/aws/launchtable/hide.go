package launchtable

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
)

// Attributes of a token's item with the token's entry in the public list and in the creator's list.
const (
	listEntry    = "listEntry"
	creatorEntry = "creatorEntry"
)

// hideTries is the maximum number of tries of a change that conflicts with other changes. hidePause
// is the maximum pause before a retry.
const (
	hideTries = 20
	hidePause = 50 * time.Millisecond
)

// Hide removes a token from the public lists, and hides the token's page and card. The creator
// still sees the token in the creator's own list. Hiding a hidden token changes nothing. It returns
// token.ErrNotFound if the token does not exist, and token.ErrNotListed if the token is on no list.
func (t Tokens) Hide(ctx context.Context, mint solana.PublicKey) error {
	return t.setVisible(ctx, mint, false)
}

// Show restores a hidden token at the same place of the public list.
func (t Tokens) Show(ctx context.Context, mint solana.PublicKey) error {
	return t.setVisible(ctx, mint, true)
}

func (t Tokens) setVisible(ctx context.Context, mint solana.PublicKey, visible bool) error {
	for range hideTries {
		writes, err := t.change(ctx, mint, visible)
		if err != nil || writes == nil {
			return err
		}
		_, err = t.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
		if err == nil {
			return nil
		}
		if _, meanwhile := dynamo.CanceledAt(err); !meanwhile {
			return dynamo.Unavailable(fmt.Errorf("set whether token %s is visible: %w", mint, err))
		}
		select {
		case <-ctx.Done():
			return dynamo.Unavailable(ctx.Err())
		case <-time.After(rand.N(hidePause)): //nolint:gosec // G404: a pause, not a secret
		}
	}
	return dynamo.Unavailable(fmt.Errorf("set whether token %s is visible: %w", mint, errors.New("other changes went before")))
}

// change returns the writes that hide or show a token; nil if the token is already hidden or shown.
func (t Tokens) change(ctx context.Context, mint solana.PublicKey, visible bool) ([]types.TransactWriteItem, error) {
	out, err := t.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.Table, Key: TokenKey(mint), ConsistentRead: new(true),
	})
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("read token %s: %w", mint, err))
	}
	if out.Item == nil {
		return nil, token.ErrNotFound
	}
	var stored struct {
		Visible   bool   `dynamodbav:"visible"`
		Creator   []byte `dynamodbav:"creator"`
		Name      string `dynamodbav:"name"`
		Symbol    string `dynamodbav:"symbol"`
		CreatedAt int64  `dynamodbav:"createdAt"`
		List      *int64 `dynamodbav:"listEntry"`
		Own       *int64 `dynamodbav:"creatorEntry"`
	}
	if err := attributevalue.UnmarshalMap(out.Item, &stored); err != nil {
		return nil, fmt.Errorf("decode token %s: %w", mint, err)
	}
	switch {
	case stored.List == nil || stored.Own == nil:
		return nil, token.ErrNotListed
	case stored.Visible == visible:
		return nil, nil
	}
	writes := []types.TransactWriteItem{{Update: &types.Update{
		TableName: &t.Table, Key: TokenKey(mint),
		UpdateExpression:    new("SET visible = :visible"),
		ConditionExpression: new("visible = :before"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":visible": &types.AttributeValueMemberBOOL{Value: visible},
			":before":  &types.AttributeValueMemberBOOL{Value: !visible},
		},
	}}}
	writes = append(writes, findable(t.Table, visible, stored.Name, stored.Symbol, time.UnixMilli(stored.CreatedAt), mint)...)
	writes = append(writes, countEntry(t.Table, allTokens, *stored.List, visible)...)
	return append(writes, countEntry(t.Table, dynamo.PublicKey(stored.Creator).String(), *stored.Own, visible)...), nil
}

// countEntry returns the three writes that count an entry as hidden, or no longer as hidden. These
// writes need no condition, because the write of the token in the same transaction succeeds once
// for each change.
func countEntry(table, scope string, entry int64, visible bool) []types.TransactWriteItem {
	count, mark := dynamo.Number(1), "ADD offsets :offset"
	if visible {
		count, mark = dynamo.Number(-1), "DELETE offsets :offset"
	}
	add := func(key map[string]types.AttributeValue, child int64) types.TransactWriteItem {
		return types.TransactWriteItem{Update: &types.Update{
			TableName: &table, Key: key, UpdateExpression: new("ADD #count :count"),
			ExpressionAttributeNames:  map[string]string{"#count": hiddenCount(child)},
			ExpressionAttributeValues: map[string]types.AttributeValue{":count": count},
		}}
	}
	block, group := entry/shape.block, entry/shape.groupEntries()
	return []types.TransactWriteItem{
		add(headKey(scope), group),
		add(groupKey(scope, group), block),
		{Update: &types.Update{
			TableName: &table, Key: blockKey(scope, block), UpdateExpression: new(mark),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":offset": &types.AttributeValueMemberNS{Value: []string{fmt.Sprint(entry % shape.block)}},
			},
		}},
	}
}
