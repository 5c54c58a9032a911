// Package hooks has webhooks answer their challenges where no server does.
package hooks

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

// Table is the table of webhooks.
type Table struct {
	Client *dynamodb.Client
	Name   string
}

// Activate takes a webhook's challenge for answered.
func (t Table) Activate(ctx context.Context, owner solana.PublicKey, id string) error {
	_, err := t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.Name, Key: dynamo.Key("OWNER#"+owner.String(), "HOOK#"+id),
		UpdateExpression: new("SET #status = :active"), ConditionExpression: new("attribute_exists(pk)"),
		ExpressionAttributeNames:  map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":active": dynamo.Text(string(webhook.Active))},
	})
	if err != nil {
		return fmt.Errorf("activate webhook %s: %w", id, err)
	}
	return nil
}
