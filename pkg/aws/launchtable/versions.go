package launchtable

import (
	"bytes"
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

// The table of the settings has these items for a token whose creator has changed or signed the
// settings since the launch:
//
//	TOKEN#<mint>  SETTINGS  settings: the newest version
//	                        before: the versions that slots may still need, the oldest first
//	                        creator: the creator in the token's record at the first change;
//	                        launch: terms.OrderHash of the settings before the first change;
//	                        first: the settings before the first change, if they have a delay
//	TOKEN#<mint>  CHANGE#<number>  a change of the public history; see history.go
//
// A token without an item has the settings of the launch, which the token's record has.
const settingsSort = "SETTINGS"

// versionsItem is the stored versions of a token's settings.
type versionsItem struct {
	Settings settingsItem   `dynamodbav:"settings"`
	Before   []settingsItem `dynamodbav:"before,omitempty"`
	Creator  []byte         `dynamodbav:"creator"`
	Launch   []byte         `dynamodbav:"launch"`
	First    *settingsItem  `dynamodbav:"first,omitempty"`
}

func (i versionsItem) versions() (list terms.Versions) {
	for _, item := range append(i.Before, i.Settings) {
		list = append(list, item.version())
	}
	return list
}

// Versions reads the settings that runs use. It implements run.Tokens.
type Versions struct {
	Tokens

	// Settings is the table of the settings.
	Settings string
}

func settingsKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(tokenPartition(mint), settingsSort)
}

// errCopy is returned if a token's record has changed settings that the table of the settings
// lacks, or if the table has the settings of another creator. No function writes such a state.
var errCopy = errors.New("the record and the settings are not of one token")

// read returns a token's stored record and the versions of the settings. It reads the versions
// second, so that the versions are at least as new as the record. A record with changed settings is
// rejected if the table of the settings has no item.
func (v Versions) read(ctx context.Context, mint solana.PublicKey) (tokenItem, terms.Versions, error) {
	var stored tokenItem
	found, err := dynamo.Get(ctx, v.Client, v.Table, TokenKey(mint), &stored)
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
	case found && !bytes.Equal(changed.Creator, stored.Creator):
		return tokenItem{}, nil, fmt.Errorf("token %s: %w", mint, errCopy)
	case found:
		stored.launched, stored.first = changed.Launch, changed.First
		return stored, changed.versions(), nil
	case stored.Settings.Version != terms.LaunchVersion || stored.Settings.Signature != nil:
		return tokenItem{}, nil, fmt.Errorf("token %s: %w", mint, errCopy)
	}
	launched := stored.Settings.version()
	launched.From = time.Time{}
	hash := terms.OrderHash(mint, terms.LaunchVersion, launched.Settings)
	stored.launched = hash[:]
	if launched.ChangeDelay != terms.NoDelay {
		stored.first = new(newSettingsItem(launched))
	}
	return stored, terms.Versions{launched}, nil
}

// TokenAt returns the current record of the token with the given mint, with the settings of a slot.
// It returns token.ErrNotFound if the token does not exist, and token.ErrSettingsUnknown if the
// settings of the slot are no longer stored.
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
	record.Held = terms.Version{}
	record.SettingsNewest, record.LaunchTerms = versions.Newest().Number, dynamo.PublicKey(stored.launched)
	if stored.first != nil {
		record.Launched = stored.first.version()
		record.Launched.From = time.Time{}
	}
	return record, nil
}

// with returns a record with the settings of a version.
func with(r token.Record, v terms.Version) token.Record {
	r.Settings, r.SettingsVersion, r.SettingsSignature = v.Settings, v.Number, v.Signature
	return r
}

// SettingsUnchanged returns the check that the newest version of a token's settings has the given
// number, for another write that depends on the settings.
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
	// unchanged is the condition that a token has the settings of the launch, without a later
	// signature.
	unchanged = "attribute_not_exists(pk)"
	// sameVersion is the condition that the newest version of a token's settings is :version.
	sameVersion = "#settings.#version = :version"
)

// put returns the write that replaces the versions of a token, if the newest version has not
// changed since the read. A signature that was added in between must not be lost among the older
// versions. The first change permanently stores the creator, and the launch's settings or only their
// hash, as found in the token's record. A run compares both with the launch itself.
func (v Versions) put(creator, mint solana.PublicKey, was terms.Version, versions terms.Versions) (types.TransactWriteItem, error) {
	older := make([]settingsItem, len(versions)-1)
	for i := range older {
		older[i] = newSettingsItem(versions[i])
	}
	launch := terms.OrderHash(mint, was.Number, was.Settings)
	values := map[string]types.AttributeValue{":creator": dynamo.Binary(creator[:]), ":launch": dynamo.Binary(launch[:])}
	for name, value := range map[string]any{":after": newSettingsItem(versions.Newest()), ":before": older} {
		encoded, err := attributevalue.Marshal(value)
		if err != nil {
			return types.TransactWriteItem{}, fmt.Errorf("encode the settings of %s: %w", mint, err)
		}
		values[name] = encoded
	}
	first := ""
	if was.Number == terms.LaunchVersion && was.ChangeDelay != terms.NoDelay {
		encoded, err := attributevalue.Marshal(newSettingsItem(was))
		if err != nil {
			return types.TransactWriteItem{}, fmt.Errorf("encode the settings of the launch of %s: %w", mint, err)
		}
		first, values[":first"] = ", #first = if_not_exists(#first, :first)", encoded
	}
	condition, names := unchanged, map[string]string{"#settings": "settings", "#before": "before"}
	if first != "" {
		names["#first"] = "first" // a reserved word
	}
	if was.Number != terms.LaunchVersion || was.Ordered() {
		condition = sameVersion + " AND creator = :creator AND attribute_not_exists(#settings.#signature)"
		names["#version"], names["#signature"] = "version", "signature"
		values[":version"] = dynamo.Number(was.Number)
		if was.Ordered() {
			condition = sameVersion + " AND creator = :creator AND #settings.#signature = :signature"
			values[":signature"] = dynamo.Binary(was.Signature[:])
		}
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &v.Settings, Key: settingsKey(mint), ConditionExpression: &condition,
		UpdateExpression: new("SET #settings = :after, #before = :before, creator = if_not_exists(creator, :creator), " +
			"launch = if_not_exists(launch, :launch)" + first),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}, nil
}

// show returns the write that copies a version into a token's record, if the record has not changed
// since the read. The status is part of the condition, because the status decides whether the token
// is on a list, and Settle changes the status. The version is part of the condition, because every
// version may move the token's due entry.
func (v Versions) show(before token.Record, shown terms.Version) (*types.Update, error) {
	encoded, err := attributevalue.Marshal(newSettingsItem(shown))
	if err != nil {
		return nil, fmt.Errorf("encode the settings of %s: %w", before.Mint, err)
	}
	return &types.Update{
		TableName: &v.Table, Key: TokenKey(before.Mint), UpdateExpression: new("SET #settings = :after"),
		ConditionExpression:      new("#status = :status AND " + sameVersion),
		ExpressionAttributeNames: map[string]string{"#status": "status", "#settings": "settings", "#version": "version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":status": dynamo.Text(string(before.Status)), ":version": dynamo.Number(before.SettingsVersion), ":after": encoded,
		},
	}, nil
}

// write makes several writes in one transaction.
func (v Versions) write(ctx context.Context, writes []types.TransactWriteItem) error {
	_, err := v.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err //nolint:wrapcheck // the callers say of what
}
