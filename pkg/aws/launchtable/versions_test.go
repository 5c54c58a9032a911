package launchtable_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token/terms"
)

// rewrite does to a token's record what a function can that may write the launch table.
func (b *books) rewrite(t *testing.T, mint solana.PublicKey, what string, value types.AttributeValue) {
	t.Helper()
	_, err := b.tokens.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &b.tokens.Table, Key: dynamo.Key("TOKEN#"+mint.String(), "TOKEN"),
		UpdateExpression: new("SET settings." + what + " = :forged"), ConditionExpression: new("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":forged": value},
	})
	must(t, err)
}

// TestARewrittenRecordRedirectsNothing: strangers.md, "Inside", row 1. A function that may
// write the launch table, and is taken over, rewrites the settings in a token's record.
func TestARewrittenRecordRedirectsNothing(t *testing.T) {
	b := openBooks(t)
	l, thief := b.launch(t, key()), key()
	later := b.now.Add(24 * time.Hour)
	must(t, b.change(t.Context(), l.Mint, terms.Patch{DeveloperFeeBps: new(500)}))
	b.rewrite(t, l.Mint, "developerWallet", dynamo.Binary(thief[:]))
	record, err := b.settings.TokenAt(t.Context(), l.Mint, later)
	must(t, err)
	if record.Settings.DeveloperWallet != l.Caller || record.Settings.DeveloperFeeBps != 500 {
		t.Errorf("a run pays %s", record.Settings.DeveloperWallet)
	}
	// The next change is merged into what was ordered, and not into what was planted.
	must(t, b.change(t.Context(), l.Mint, terms.Patch{DeveloperFeeBps: new(600)}))
	record, err = b.settings.TokenAt(t.Context(), l.Mint, later)
	must(t, err)
	if record.Settings.DeveloperWallet != l.Caller {
		t.Errorf("after a change a run pays %s", record.Settings.DeveloperWallet)
	}
	// A record that says that its settings were changed, and nobody changed them.
	other := b.launch(t, key())
	b.rewrite(t, other.Mint, "version", dynamo.Number(2))
	if record, err := b.settings.TokenAt(t.Context(), other.Mint, later); err == nil {
		t.Errorf("settings from nowhere hold: %+v", record.Settings)
	}
}
