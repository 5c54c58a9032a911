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
	"tokenlaunch.example/service/pkg/aws/ledgertable"
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

// TokenAt gives the record of the token with this mint, as it is now, with its settings
// as they stood at a slot. It fails with token.ErrNotFound, and with
// token.ErrSettingsUnknown when they are not kept any more.
func (t Tokens) TokenAt(ctx context.Context, mint solana.PublicKey, slot time.Time) (token.Record, error) {
	current, err := t.current(ctx, mint)
	if err != nil {
		return token.Record{}, err
	}
	then, ok := current.Versions.At(slot)
	if !ok {
		return token.Record{}, fmt.Errorf("token %s at %s: %w", mint, slot.UTC().Format(time.RFC3339), token.ErrSettingsUnknown)
	}
	record := current.Token
	record.Settings, record.SettingsVersion, record.SettingsSignature = then.Settings, then.Number, then.Signature
	record.SettingsNewest = current.Versions.Newest().Number
	return record, nil
}

// current gives a token with what a change of its settings depends on in this table.
func (t Tokens) current(ctx context.Context, mint solana.PublicKey) (settings.Current, error) {
	var stored tokenItem
	found, err := dynamo.Get(ctx, t.Client, t.Table, tokenKey(mint), &stored)
	if err != nil {
		return settings.Current{}, fmt.Errorf("read token %s: %w", mint, err)
	}
	if !found {
		return settings.Current{}, token.ErrNotFound
	}
	current := settings.Current{Token: stored.record()}
	for _, item := range append(stored.Before, stored.Settings) {
		current.Versions = append(current.Versions, item.version())
	}
	if stored.DueSince != 0 {
		current.DueSince = time.UnixMilli(stored.DueSince).UTC()
	}
	return current, nil
}

// SettingsUnchanged is the check that the newest version of a token's settings is the one
// with this number, for a write elsewhere that depends on them.
func (t Tokens) SettingsUnchanged(mint solana.PublicKey, newest int64) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &t.Table, Key: tokenKey(mint), ConditionExpression: new(sameVersion),
		ExpressionAttributeNames:  map[string]string{"#settings": "settings", "#version": "version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":version": dynamo.Number(newest)},
	}}
}

const (
	// sameVersion is the condition that the newest version of a token's settings is :version.
	sameVersion = "#settings.#version = :version"
	// unsigned is the condition that the newest version has no signature.
	unsigned = "attribute_not_exists(#settings.#signature)"
)

// Settings changes settings; it implements settings.Store. Ledger is the table in which
// runs are opened: a change holds for no slot that a run was opened for.
type Settings struct {
	Tokens

	Ledger string
}

// Current gives a token with what a change of its settings depends on; see
// settings.Store.
func (s Settings) Current(ctx context.Context, mint solana.PublicKey) (settings.Current, error) {
	// The slot first: one that is opened meanwhile is seen by the write.
	opened, err := ledgertable.LastOpened(ctx, s.Client, s.Ledger, mint)
	if err != nil {
		return settings.Current{}, err
	}
	current, err := s.current(ctx, mint)
	current.Opened = opened
	return current, err
}

// ChangeSettings replaces settings; see settings.Store.
func (s Settings) ChangeSettings(ctx context.Context, before settings.Current, after terms.Version) error {
	mint, newest := before.Token.Mint, before.Versions.Newest()
	if after.Number != newest.Number+1 {
		return fmt.Errorf("change the settings of %s from version %d to %d", mint, newest.Number, after.Number)
	}
	versions := before.Versions.Change(after, before.Opened)
	older := make([]settingsItem, len(versions)-1)
	for i := range older {
		older[i] = newSettingsItem(versions[i])
	}
	names := map[string]string{
		"#status": "status", "#settings": "settings", "#version": "version", "#signature": "signature", "#before": "before",
	}
	values := map[string]types.AttributeValue{
		":status": dynamo.Text(string(before.Token.Status)), ":version": dynamo.Number(newest.Number),
	}
	// The status decides whether the token is on a list, and Settle changes it. A signature
	// that came meanwhile must not be lost among the older versions.
	condition := "#status = :status AND " + sameVersion + " AND " + unsigned
	if newest.Ordered() {
		condition = "#status = :status AND " + sameVersion + " AND #settings.#signature = :signature"
		values[":signature"] = dynamo.Binary(newest.Signature[:])
	}
	update := "SET #settings = :after, #before = :before"
	for name, value := range map[string]any{":after": newSettingsItem(after), ":before": older} {
		encoded, err := attributevalue.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode the settings of %s: %w", mint, err)
		}
		values[name] = encoded
	}
	from := after.From
	moves := s.move(before, after.Settings, from)
	if len(moves) > 0 {
		update += ", dueSince = :since"
		values[":since"] = dynamo.Number(since(before, from).UnixMilli())
	}
	writes := append([]types.TransactWriteItem{
		{Update: &types.Update{
			TableName: &s.Table, Key: tokenKey(mint), UpdateExpression: &update, ConditionExpression: &condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}},
		ledgertable.NotOpened(s.Ledger, mint, from),
	}, moves...)
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	if err == nil {
		return nil
	}
	if _, meanwhile := dynamo.CanceledAt(err); meanwhile {
		return settings.ErrConflict
	}
	return dynamo.Unavailable(fmt.Errorf("change the settings of %s: %w", mint, err))
}

// SignSettings adds a signature; see settings.Store.
func (s Settings) SignSettings(ctx context.Context, before settings.Current, signature solana.Signature) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: tokenKey(before.Token.Mint),
		UpdateExpression:         new("SET #settings.#signature = :signature"),
		ConditionExpression:      new(sameVersion + " AND " + unsigned),
		ExpressionAttributeNames: map[string]string{"#settings": "settings", "#version": "version", "#signature": "signature"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":version": dynamo.Number(before.Versions.Newest().Number), ":signature": dynamo.Binary(signature[:]),
		},
	})
	if err == nil {
		return nil
	}
	if dynamo.ConditionFailed(err) {
		return settings.ErrConflict
	}
	return dynamo.Unavailable(fmt.Errorf("sign the settings of %s: %w", before.Token.Mint, err))
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
