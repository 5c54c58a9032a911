// Package hooks lets webhooks pass their challenges without a server.
package hooks

import (
	"context"
	"fmt"
	"time"

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

// pause is the pause between two checks for a visit's end.
const pause = 100 * time.Millisecond

// Activate marks a webhook's challenge as passed. Activate first waits until a running visit ends,
// because the visit writes the status of its start.
func (t Table) Activate(ctx context.Context, owner solana.PublicKey, id string) error {
	for {
		_, err := t.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &t.Name, Key: dynamo.Key("OWNER#"+owner.String(), "HOOK#"+id),
			UpdateExpression: new("SET #status = :active"), ConditionExpression: new("attribute_exists(pk) AND attribute_not_exists(leaseUntil)"),
			ExpressionAttributeNames:  map[string]string{"#status": "status"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":active": dynamo.Text(string(webhook.Active))},
		})
		if err == nil {
			return nil
		}
		if !dynamo.ConditionFailed(err) {
			return fmt.Errorf("activate webhook %s: %w", id, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("activate webhook %s: %w", id, ctx.Err())
		case <-time.After(pause):
		}
	}
}
