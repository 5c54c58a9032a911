package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
)

// WindDown stores the operator's order to end a token's distributions. An existing order keeps its
// time, because the time is public. Final only becomes true, never false again. It returns
// token.ErrNotListed for a token without a confirmed launch.
func (t Tokens) WindDown(ctx context.Context, mint solana.PublicKey, order token.WindDown) error {
	update := "SET windsDownAt = if_not_exists(windsDownAt, :at)"
	values := map[string]types.AttributeValue{
		":at": dynamo.Number(order.At.UnixMilli()), ":confirmed": dynamo.Text(string(token.Confirmed)),
	}
	if order.Final {
		update += ", windDownFinal = :final"
		values[":final"] = &types.AttributeValueMemberBOOL{Value: true}
	}
	_, err := t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.Table, Key: TokenKey(mint), UpdateExpression: &update,
		ConditionExpression:       new("#status = :confirmed"),
		ExpressionAttributeNames:  map[string]string{"#status": "status"},
		ExpressionAttributeValues: values,
	})
	if dynamo.ConditionFailed(err) {
		return token.ErrNotListed
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("wind token %s down: %w", mint, err))
	}
	return nil
}

// windDownMargin is the time before a wind-down in which it cannot be cancelled any more. The clock of
// another command, which begins the wind-down, may be ahead by as much.
const windDownMargin = time.Minute

// CancelWindDown removes the operator's order to end a token's distributions. It is idempotent. It returns
// token.ErrWindDownBegun if the order's time has come.
func (t Tokens) CancelWindDown(ctx context.Context, mint solana.PublicKey, now time.Time) error {
	_, err := t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.Table, Key: TokenKey(mint), UpdateExpression: new("REMOVE windsDownAt, windDownFinal"),
		ConditionExpression: new("attribute_exists(pk) AND (attribute_not_exists(windsDownAt) OR windsDownAt > :begun)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":begun": dynamo.Number(now.Add(windDownMargin).UnixMilli()),
		},
	})
	if dynamo.ConditionFailed(err) {
		return token.ErrWindDownBegun
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("cancel the wind-down of token %s: %w", mint, err))
	}
	return nil
}
