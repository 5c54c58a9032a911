package launchtable

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
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
	for range readTries {
		stored, versions, err := s.read(ctx, mint)
		if err != nil {
			return settings.Current{}, err
		}
		newest := versions.Newest()
		if stored.Settings.Version != newest.Number {
			continue // DueSince belongs to an earlier version
		}
		current := settings.Current{Token: with(stored.record(), newest), Versions: versions, Opened: opened}
		if stored.DueSince != 0 {
			current.DueSince = time.UnixMilli(stored.DueSince).UTC()
		}
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
	show, err := s.show(before.Token, after)
	if err != nil {
		return err
	}
	from := after.From
	moves := s.move(before, after.Settings, from)
	if len(moves) > 0 {
		*show.UpdateExpression += ", dueSince = :since"
		show.ExpressionAttributeValues[":since"] = dynamo.Number(since(before, from).UnixMilli())
	}
	writes := append([]types.TransactWriteItem{put, {Update: show}, ledgertable.NotOpened(s.Ledger, mint, from)}, moves...)
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
	return told(s.write(ctx, []types.TransactWriteItem{put, {Update: show}}), "sign the settings of", mint)
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

// since returns the time at which a change moves a token: never before the last move, despite clock
// differences between functions.
func since(before settings.Current, at time.Time) time.Time {
	if at.Before(before.DueSince) {
		return before.DueSince
	}
	return at
}

// move returns the writes that move a token between lists, onto a list or off a list; nil if the
// token stays.
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
