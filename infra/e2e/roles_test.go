package e2e_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	local "tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// mayWrite are the functions that write each table.
var mayWrite = map[string][]string{
	"SettingsTableName": {"distribution"},
	"LedgerTableName":   {"distribution", "distributor", "payer"},
	"CapsTableName":     {"signer"},
	"LaunchTableName":   {"announcer", "tokens", "images", "distribution", "dex", "launchpad", "featured", "notifier", "reconciler"},
	"WindowTableName": {
		"auth", "burns", "dex", "distribution", "docs", "featured", "images", "launchpad", "monitor", "notifier", "tokens",
		"webhooks",
	},
	"WebhookTableName": {"announcer", "courier", "webhooks"},
}

// TestNoFunctionWritesAnothersTable tests docs/attacks.md, "Inside". Each function's role tries, on
// the deployed local stack, to put, change and delete an item of each table, alone and in a
// transaction. MiniStack does not evaluate which keys of a table a role may write:
// TestEachRoleWritesItsKeysOnly in infra/stack asserts this on the templates.
func TestNoFunctionWritesAnothersTable(t *testing.T) {
	s := deployed(t)
	functions, err := local.Functions(t.Context(), s.AWS.Config(), s.Outputs.Functions())
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, f := range functions {
		own, err := f.Credentials(t.Context(), s.AWS.Config(), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		config := s.AWS.Config()
		config.Credentials = credentials.StaticCredentialsProvider{Value: own}
		client := dynamodb.NewFromConfig(config)
		for output, writers := range mayWrite {
			allowed := false
			for what, err := range attempts(t.Context(), client, s.Outputs[output]) {
				tried++
				var denied smithy.APIError
				switch {
				case err == nil:
					t.Errorf("%s: %s of an item that is not there holds", name, what)
				case errors.As(err, &denied) && denied.ErrorCode() == "AccessDeniedException":
				default:
					allowed = true // the condition refused it
				}
			}
			if want := slices.Contains(writers, name); allowed != want {
				t.Errorf("%s writes %s: %v, want %v", name, output, allowed, want)
			}
		}
	}
	t.Logf("%d attempts by %d roles", tried, len(functions))
}

// attempts writes what is rejected in any case, because it is bound to an item that is not there.
func attempts(ctx context.Context, client *dynamodb.Client, table string) map[string]error {
	key := dynamo.Key(schema.Tokens+"none", "NONE")
	there := aws.String("attribute_exists(pk)")
	_, put := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: key, ConditionExpression: there})
	_, changed := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: &table, Key: key, ConditionExpression: there})
	_, deleted := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key, ConditionExpression: there})
	_, together := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: &table, Item: key, ConditionExpression: there}},
	}})
	return map[string]error{"put": put, "change": changed, "delete": deleted, "transaction": together}
}
