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

// The table of the settings has one item for each token whose creator changed or signed
// them since the launch:
//
//	TOKEN#<mint>  SETTINGS  settings: the newest version
//	                        before: the versions that slots may still need, the oldest first
//	                        creator, launch: whose word the first change took for the creator's,
//	                        and terms.OrderHash of the settings that it found as the launch's
//
// A token without one has the settings of its launch, which its record has.
const settingsSort = "SETTINGS"

// versionsItem is how the versions of a token's settings are stored.
type versionsItem struct {
	Settings settingsItem   `dynamodbav:"settings"`
	Before   []settingsItem `dynamodbav:"before,omitempty"`
	Creator  []byte         `dynamodbav:"creator"`
	Launch   []byte         `dynamodbav:"launch"`
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

// errCopy: a token's record has changed settings, and the table of the settings has none,
// or has those of another creator. No function writes that.
var errCopy = errors.New("the record and the settings are not of one token")

// read gives a token's record as it is stored, and then its versions, so that these are
// no older. A record whose settings say that they were changed is not believed.
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
		stored.launched = changed.Launch
		return stored, changed.versions(), nil
	case stored.Settings.Version != terms.LaunchVersion || stored.Settings.Signature != nil:
		return tokenItem{}, nil, fmt.Errorf("token %s: %w", mint, errCopy)
	}
	launched := stored.Settings.version()
	launched.From = time.Time{}
	hash := terms.OrderHash(mint, terms.LaunchVersion, launched.Settings)
	stored.launched = hash[:]
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
	record.SettingsNewest, record.LaunchTerms = versions.Newest().Number, dynamo.PublicKey(stored.launched)
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
// was. A signature that came meanwhile must not be lost among the older versions. Of the
// first change it keeps for good whose it was, and what it took for the settings of the
// launch: a run holds both to the launch itself.
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
	condition, names := unchanged, map[string]string{"#settings": "settings", "#before": "before"}
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
			"launch = if_not_exists(launch, :launch)"),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}, nil
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
		TableName: &v.Table, Key: TokenKey(before.Mint), UpdateExpression: new("SET #settings = :after"),
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
