package launchtable

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token/terms"
)

// changePrefix begins the sort keys of a token's history of settings. Each version has one item,
// which the transaction of the change writes. The number in the key has leading zeros, so the items
// sort by number. The settings of the launch have an item only after the creator has signed the
// settings later.
const changePrefix = "CHANGE#"

// changeItem is a stored terms.Change.
type changeItem struct {
	Settings settingsItem        `dynamodbav:"settings"`
	Before   *settingsAttributes `dynamodbav:"before,omitempty"`
}

func changeKey(mint solana.PublicKey, number string) map[string]types.AttributeValue {
	return dynamo.Key(tokenPartition(mint), changePrefix+number)
}

// record returns the write of a version into a token's history. A nil before leaves the stored
// settings before the version as they are.
func (v Versions) record(mint solana.PublicKey, version terms.Version, before *terms.Settings) (types.TransactWriteItem, error) {
	update, names, values := "SET #settings = :settings", map[string]string{"#settings": "settings"}, map[string]any{":settings": newSettingsItem(version)}
	if before != nil {
		update += ", #before = :before"
		names["#before"], values[":before"] = "before", settingsAttributes(*before)
	}
	encoded := make(map[string]types.AttributeValue, len(values))
	for name, value := range values {
		one, err := attributevalue.Marshal(value)
		if err != nil {
			return types.TransactWriteItem{}, fmt.Errorf("encode a change of %s: %w", mint, err)
		}
		encoded[name] = one
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &v.Settings, Key: changeKey(mint, fmt.Sprintf("%019d", version.Number)),
		UpdateExpression: &update, ExpressionAttributeNames: names, ExpressionAttributeValues: encoded,
	}}, nil
}

// Changes returns one page of a token's history of settings, the newest version first. The page
// begins after the given place, or at the newest version if after is empty. next is the place for
// the following page, and is empty after the last page.
func (v Versions) Changes(ctx context.Context, mint solana.PublicKey, after string, limit int) (page []terms.Change, next string, err error) {
	query := dynamo.Beginning(v.Settings, tokenPartition(mint), changePrefix)
	query.ScanIndexForward = new(false)
	query.Limit = dynamo.PageLimit(limit + 1)
	if after != "" {
		query.ExclusiveStartKey = changeKey(mint, after)
	}
	out, err := v.Client.Query(ctx, query)
	if err != nil {
		return nil, "", dynamo.Unavailable(fmt.Errorf("list the changes of %s: %w", mint, err))
	}
	for i, item := range out.Items {
		if i == limit {
			next = strings.TrimPrefix(dynamo.IDOf(out.Items[i-1]).Sort, changePrefix)
			break
		}
		var stored changeItem
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, "", fmt.Errorf("decode a change of %s: %w", mint, err)
		}
		change := terms.Change{Version: stored.Settings.version()}
		if stored.Before != nil {
			change.Before = new(terms.Settings(*stored.Before))
		}
		page = append(page, change)
	}
	return page, next, nil
}
