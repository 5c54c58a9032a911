package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MintOf gives the mint of the token with this id, or token.ErrNotFound.
func (t Tokens) MintOf(ctx context.Context, id string) (solana.PublicKey, error) {
	var stored struct {
		Mint []byte `dynamodbav:"mint"`
	}
	found, err := dynamo.Get(ctx, t.Client, t.Table, tokenIDKey(id), &stored)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read the mint of token %s: %w", id, err)
	}
	if !found {
		return solana.PublicKey{}, token.ErrNotFound
	}
	return dynamo.PublicKey(stored.Mint), nil
}

// Current gives a token with what a change of its settings depends on; see
// settings.Store.
func (t Tokens) Current(ctx context.Context, mint solana.PublicKey) (settings.Current, error) {
	var stored tokenItem
	found, err := dynamo.Get(ctx, t.Client, t.Table, tokenKey(mint), &stored)
	if err != nil {
		return settings.Current{}, fmt.Errorf("read token %s: %w", mint, err)
	}
	if !found {
		return settings.Current{}, token.ErrNotFound
	}
	current := settings.Current{Token: stored.record(), Version: stored.Settings.Version}
	if stored.DueSince != 0 {
		current.DueSince = time.UnixMilli(stored.DueSince).UTC()
	}
	return current, nil
}

// sameVersion is the condition that a token's settings have been changed so often.
// It adds what it names to names and values. Settings that were never changed have
// no version.
func sameVersion(names map[string]string, values map[string]types.AttributeValue, version int64) string {
	names["#settings"], names["#version"] = "settings", "version"
	if version == 0 {
		return "attribute_not_exists(#settings.#version)"
	}
	values[":version"] = dynamo.Number(version)
	return "#settings.#version = :version"
}

// ChangeSettings replaces settings; see settings.Store.
func (t Tokens) ChangeSettings(ctx context.Context, before settings.Current, after terms.Settings, at time.Time) error {
	mint := before.Token.Mint
	item := newSettingsItem(after)
	item.Version = before.Version + 1
	encoded, err := attributevalue.Marshal(item)
	if err != nil {
		return fmt.Errorf("encode the settings of %s: %w", mint, err)
	}
	names := map[string]string{"#status": "status"}
	values := map[string]types.AttributeValue{":after": encoded, ":status": dynamo.Text(string(before.Token.Status))}
	// The status decides whether the token is on a list, and Settle changes it.
	condition := "#status = :status AND " + sameVersion(names, values, before.Version)
	update := "SET #settings = :after"
	moves := t.move(before, after, at)
	if len(moves) > 0 {
		update += ", dueSince = :since"
		values[":since"] = dynamo.Number(since(before, at).UnixMilli())
	}
	writes := append([]types.TransactWriteItem{{Update: &types.Update{
		TableName: &t.Table, Key: tokenKey(mint), UpdateExpression: &update, ConditionExpression: &condition,
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}}, moves...)
	_, err = t.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	if err == nil {
		return nil
	}
	if _, meanwhile := dynamo.CanceledAt(err); meanwhile {
		return settings.ErrConflict
	}
	return dynamo.Unavailable(fmt.Errorf("change the settings of %s: %w", mint, err))
}

// since is when a change at a moment moves a token: never before it was moved last,
// whatever the clocks of two functions say.
func since(before settings.Current, at time.Time) time.Time {
	if at.Before(before.DueSince) {
		return before.DueSince
	}
	return at
}

// move makes the writes that move a token from list to list, on a list or off it;
// none when it stays where it is.
func (t Tokens) move(before settings.Current, after terms.Settings, at time.Time) []types.TransactWriteItem {
	now, mint := before.Token.Settings, before.Token.Mint
	was := listed(before.Token.Status, now) && !before.DueSince.IsZero()
	is := listed(before.Token.Status, after)
	if was == is && (!is || now.Interval == after.Interval) {
		return nil
	}
	var writes []types.TransactWriteItem
	if was {
		writes = append(writes, endDue(t.Table, now.Interval, mint, before.DueSince, since(before, at)))
	}
	if is {
		writes = append(writes, beginDue(t.Table, after.Interval, mint, since(before, at)))
	}
	return writes
}
