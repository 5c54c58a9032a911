package launchtable

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
)

// Rotate stores the operator's order to move a token to the wallet of another root. It is idempotent.
// It returns token.ErrNotListed for a token without a confirmed launch.
func (t Tokens) Rotate(ctx context.Context, mint solana.PublicKey, to token.Wallet) error {
	return t.setRoot(ctx, mint, "rotateTo", to)
}

// Rotated stores that the wallet of another root has the token. The ledger decides which wallet has
// the token, and this record shows the wallet. It is idempotent.
func (t Tokens) Rotated(ctx context.Context, mint solana.PublicKey, to token.Wallet) error {
	return t.setRoot(ctx, mint, "rotated", to)
}

func (t Tokens) setRoot(ctx context.Context, mint solana.PublicKey, attribute string, to token.Wallet) error {
	value, err := attributevalue.Marshal(rootItem{Root: to.Root, Address: to.Address[:]})
	if err != nil {
		return fmt.Errorf("encode the wallet of %s: %w", mint, err)
	}
	_, err = t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.Table, Key: TokenKey(mint), UpdateExpression: new("SET #wallet = :wallet"),
		ConditionExpression:      new("#status = :confirmed AND walletId = :id AND (attribute_not_exists(#wallet) OR #wallet.#root <= :root)"),
		ExpressionAttributeNames: map[string]string{"#status": "status", "#wallet": attribute, "#root": "root"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":wallet": value, ":confirmed": dynamo.Text(string(token.Confirmed)), ":id": dynamo.Text(to.ID), ":root": dynamo.Number(int64(to.Root)),
		},
	})
	if dynamo.ConditionFailed(err) {
		return token.ErrNotListed
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("move token %s: %w", mint, err))
	}
	return nil
}
