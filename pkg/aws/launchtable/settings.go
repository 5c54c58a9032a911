package launchtable

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MintOf returns the mint of the token with the given ID, or token.ErrNotFound.
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

// Settings changes settings. It implements settings.Store. Ledger is the table in which runs are
// opened. A change never holds for a slot with an opened run.
type Settings struct {
	Versions

	Ledger string
}

// readTries is the maximum number of reads of a token, because the settings may change between the
// two reads.
const readTries = 10

// Current returns a token with the facts on which a change of the settings depends; see
// settings.Store.
func (s Settings) Current(ctx context.Context, mint solana.PublicKey) (settings.Current, error) {
	// Read the slot first: the write detects a slot that is opened after this read.
	opened, err := ledgertable.LastOpened(ctx, s.Client, s.Ledger, mint)
	if err != nil {
		return settings.Current{}, err
	}
	handed, err := ledgertable.Handovers{Client: s.Client, Table: s.Ledger}.Handover(ctx, mint)
	if err != nil {
		return settings.Current{}, err
	}
	for range readTries {
		stored, versions, err := s.read(ctx, mint)
		if err != nil {
			return settings.Current{}, err
		}
		newest := versions.Newest()
		if stored.Settings.Version != newest.Number {
			continue // DueSince belongs to an earlier version
		}
		current := settings.Current{Token: with(stored.record(), newest), Versions: versions, Opened: opened, HandedOver: handed.Status() == handover.Done}
		current.DueSince, current.DueNext = milli(stored.DueSince), milli(stored.DueNext)
		return current, nil
	}
	return settings.Current{}, dynamo.Unavailable(fmt.Errorf("read the settings of %s: %w", mint, errCopy))
}

// ChangeSettings replaces settings; see settings.Store.
func (s Settings) ChangeSettings(ctx context.Context, before settings.Current, after terms.Version) error {
	mint, newest := before.Token.Mint, before.Versions.Newest()
	if after.Number != newest.Number+1 {
		return fmt.Errorf("change the settings of %s from version %d to %d", mint, newest.Number, after.Number)
	}
	put, err := s.put(before.Token.Creator, mint, newest, before.Versions.Change(after, before.Opened))
	if err != nil {
		return err
	}
	plan := before.Plan(after)
	show, err := s.show(before.Token, after)
	if err != nil {
		return err
	}
	if err := plans(show, before, plan); err != nil {
		return fmt.Errorf("change the settings of %s: %w", mint, err)
	}
	record, err := s.record(mint, after, &newest.Settings)
	if err != nil {
		return err
	}
	writes := append([]types.TransactWriteItem{put, {Update: show}, record, ledgertable.NotOpened(s.Ledger, mint, after.From)}, s.move(mint, plan)...)
	return told(s.write(ctx, writes), "change the settings of", mint)
}

// SignSettings adds a signature; see settings.Store.
func (s Settings) SignSettings(ctx context.Context, before settings.Current, signature solana.Signature) error {
	mint, versions := before.Token.Mint, slices.Clone(before.Versions)
	signed := &versions[len(versions)-1]
	signed.Signature = signature
	put, err := s.put(before.Token.Creator, mint, before.Versions.Newest(), versions)
	if err != nil {
		return err
	}
	show, err := s.show(before.Token, *signed)
	if err != nil {
		return err
	}
	record, err := s.record(mint, *signed, nil)
	if err != nil {
		return err
	}
	return told(s.write(ctx, []types.TransactWriteItem{put, {Update: show}, record}), "sign the settings of", mint)
}

// told returns settings.ErrConflict if a condition rejected a write of settings, and otherwise err
// with the operation.
func told(err error, what string, mint solana.PublicKey) error {
	if err == nil {
		return nil
	}
	if _, meanwhile := dynamo.CanceledAt(err); meanwhile {
		return settings.ErrConflict
	}
	return dynamo.Unavailable(fmt.Errorf("%s %s: %w", what, mint, err))
}

// plans extends the write of a record by the times of a plan, and by the version in force if the new
// version is pending.
func plans(show *types.Update, before settings.Current, plan settings.Plan) error {
	var removed []string
	for _, field := range []struct {
		name    string
		was, is time.Time
	}{{"dueSince", before.DueSince, plan.DueSince}, {"dueNext", before.DueNext, plan.DueNext}} {
		switch {
		case field.is.Equal(field.was):
		case field.is.IsZero():
			removed = append(removed, field.name)
		default:
			*show.UpdateExpression += ", " + field.name + " = :" + field.name
			show.ExpressionAttributeValues[":"+field.name] = dynamo.Number(field.is.UnixMilli())
		}
	}
	if plan.Held != nil {
		encoded, err := attributevalue.Marshal(newSettingsItem(*plan.Held))
		if err != nil {
			return fmt.Errorf("encode the settings in force: %w", err)
		}
		*show.UpdateExpression += ", held = :held"
		show.ExpressionAttributeValues[":held"] = encoded
	} else if before.Token.Held.Number != 0 {
		removed = append(removed, "held")
	}
	if len(removed) > 0 {
		*show.UpdateExpression += " REMOVE " + strings.Join(removed, ", ")
	}
	return nil
}

// milli returns the time of Unix milliseconds; zero for zero.
func milli(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.UnixMilli(at).UTC()
}

// move returns the writes that change a token's entries in the lists of intervals: nil if the token
// stays.
func (t Tokens) move(mint solana.PublicKey, plan settings.Plan) (writes []types.TransactWriteItem) {
	after := map[settings.Listing]time.Time{} // the ends of the entries
	for _, e := range plan.After {
		after[e.Listing] = e.Until
	}
	for _, e := range plan.Before {
		until, stays := after[e.Listing]
		delete(after, e.Listing)
		switch {
		case !stays:
			writes = append(writes, dropDue(t.Table, e.Interval, mint, e.From))
		case until.Equal(e.Until):
		case until.IsZero():
			writes = append(writes, reopenDue(t.Table, e.Interval, mint, e.From))
		default:
			writes = append(writes, endDue(t.Table, e.Interval, mint, e.From, until))
		}
	}
	for _, e := range plan.After {
		if _, added := after[e.Listing]; added {
			writes = append(writes, beginDue(t.Table, e, mint))
		}
	}
	return writes
}
