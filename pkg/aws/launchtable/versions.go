package launchtable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The table of the settings has one item for each token whose creator changed or signed
// them since the launch:
//
//	TOKEN#<mint>  SETTINGS  settings: the newest version
//	                        before: the versions that slots may still need, the oldest first
//
// A token without one has the settings of its launch, which its record has.
const settingsSort = "SETTINGS"

// versionsItem is how the versions of a token's settings are stored.
type versionsItem struct {
	Settings settingsItem   `dynamodbav:"settings"`
	Before   []settingsItem `dynamodbav:"before,omitempty"`
}

func newVersionsItem(v terms.Versions) versionsItem {
	item := versionsItem{Settings: newSettingsItem(v.Newest())}
	for _, older := range v[:len(v)-1] {
		item.Before = append(item.Before, newSettingsItem(older))
	}
	return item
}

func (i versionsItem) versions() (list terms.Versions) {
	for _, item := range append(i.Before, i.Settings) {
		list = append(list, item.version())
	}
	return list
}

// Versions reads the settings by which runs go; it implements run.Tokens.
type Versions struct {
	Tokens

	// Settings is the table of the settings.
	Settings string
}

func settingsKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(tokenPartition(mint), settingsSort)
}

// errCopy: a token's record has changed settings, and the table of the settings has none.
// No function writes that.
var errCopy = errors.New("the record has settings that were never ordered")

// read gives a token's record as it is stored, and then its versions, so that these are
// no older. A record whose settings say that they were changed is not believed.
func (v Versions) read(ctx context.Context, mint solana.PublicKey) (tokenItem, terms.Versions, error) {
	var stored tokenItem
	found, err := dynamo.Get(ctx, v.Client, v.Table, tokenKey(mint), &stored)
	if err != nil {
		return tokenItem{}, nil, fmt.Errorf("read token %s: %w", mint, err)
	}
	if !found {
		return tokenItem{}, nil, token.ErrNotFound
	}
	var changed versionsItem
	found, err = dynamo.Get(ctx, v.Client, v.Settings, settingsKey(mint), &changed)
	switch {
	case err != nil:
		return tokenItem{}, nil, fmt.Errorf("read the settings of %s: %w", mint, err)
	case found:
		return stored, changed.versions(), nil
	case stored.Settings.Version != terms.LaunchVersion || stored.Settings.Signature != nil:
		return tokenItem{}, nil, fmt.Errorf("token %s: %w", mint, errCopy)
	}
	launched := stored.Settings.version()
	launched.From = time.Time{}
	return stored, terms.Versions{launched}, nil
}

// TokenAt gives the record of the token with this mint, as it is now, with its settings
// as they stood at a slot. It fails with token.ErrNotFound, and with
// token.ErrSettingsUnknown when they are not kept any more.
func (v Versions) TokenAt(ctx context.Context, mint solana.PublicKey, slot time.Time) (token.Record, error) {
	stored, versions, err := v.read(ctx, mint)
	if err != nil {
		return token.Record{}, err
	}
	then, ok := versions.At(slot)
	if !ok {
		return token.Record{}, fmt.Errorf("token %s at %s: %w", mint, slot.UTC().Format(time.RFC3339), token.ErrSettingsUnknown)
	}
	record := with(stored.record(), then)
	record.SettingsNewest = versions.Newest().Number
	return record, nil
}

// with is a record with the settings of a version.
func with(r token.Record, v terms.Version) token.Record {
	r.Settings, r.SettingsVersion, r.SettingsSignature = v.Settings, v.Number, v.Signature
	return r
}

// SettingsUnchanged is the check that the newest version of a token's settings is the one
// with this number, for a write elsewhere that depends on them.
func (v Versions) SettingsUnchanged(mint solana.PublicKey, newest int64) types.TransactWriteItem {
	condition := sameVersion
	if newest == terms.LaunchVersion {
		condition = unchanged + " OR " + sameVersion
	}
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &v.Settings, Key: settingsKey(mint), ConditionExpression: &condition,
		ExpressionAttributeNames:  map[string]string{"#settings": "settings", "#version": "version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":version": dynamo.Number(newest)},
	}}
}

const (
	// unchanged is the condition that a token's settings are those of its launch, and not
	// signed since.
	unchanged = "attribute_not_exists(pk)"
	// sameVersion is the condition that the newest version of a token's settings is :version.
	sameVersion = "#settings.#version = :version"
)

// put is the write that makes versions those of a token, if the newest is still as it
// was. A signature that came meanwhile must not be lost among the older versions.
func (v Versions) put(mint solana.PublicKey, was terms.Version, versions terms.Versions) (types.TransactWriteItem, error) {
	item, err := dynamo.NewItem(settingsKey(mint), newVersionsItem(versions))
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the settings of %s: %w", mint, err)
	}
	put := &types.Put{TableName: &v.Settings, Item: item, ConditionExpression: new(unchanged)}
	if was.Number != terms.LaunchVersion || was.Ordered() {
		put.ExpressionAttributeNames = map[string]string{"#settings": "settings", "#version": "version", "#signature": "signature"}
		put.ExpressionAttributeValues = map[string]types.AttributeValue{":version": dynamo.Number(was.Number)}
		if was.Ordered() {
			put.ConditionExpression = new(sameVersion + " AND #settings.#signature = :signature")
			put.ExpressionAttributeValues[":signature"] = dynamo.Binary(was.Signature[:])
		} else {
			put.ConditionExpression = new(sameVersion + " AND attribute_not_exists(#settings.#signature)")
		}
	}
	return types.TransactWriteItem{Put: put}, nil
}

// show is the write that makes a version the copy in a token's record, if that is
// as it was: its status decides whether the token is on a list, and Settle changes it;
// where the token is due has moved with each version.
func (v Versions) show(before token.Record, shown terms.Version) (*types.Update, error) {
	encoded, err := attributevalue.Marshal(newSettingsItem(shown))
	if err != nil {
		return nil, fmt.Errorf("encode the settings of %s: %w", before.Mint, err)
	}
	return &types.Update{
		TableName: &v.Table, Key: tokenKey(before.Mint), UpdateExpression: new("SET #settings = :after"),
		ConditionExpression:      new("#status = :status AND " + sameVersion),
		ExpressionAttributeNames: map[string]string{"#status": "status", "#settings": "settings", "#version": "version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":status": dynamo.Text(string(before.Status)), ":version": dynamo.Number(before.SettingsVersion), ":after": encoded,
		},
	}, nil
}

// write makes several writes one.
func (v Versions) write(ctx context.Context, writes []types.TransactWriteItem) error {
	_, err := v.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err //nolint:wrapcheck // the callers say of what
}
