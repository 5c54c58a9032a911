// Package launchtable stores the items of launches in the launch table: wallets, images, launches,
// nonce accounts, tokens with settings and lists, and due items. The packages in this directory's
// subdirectories store the items that follow a launch.
package launchtable

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

// A launch is one item. Another item points to the caller's newest launch:
//
//	TX#<id>          TX    the prepared transaction and the future record of the token;
//	                       while submitted: duePk = LAUNCH, dueAt;
//	                       confirmed and not known to be finalized: CONFIRMED;
//	                       not submitted, or failed, until the metadata is removed: DRAFT
//	CALLER#<wallet>  LIVE  tx = id of the caller's newest launch
const (
	launchPrefix = "TX#"
	launchSort   = "TX"
	draftDue     = "DRAFT"
	launchDue    = "LAUNCH"
	confirmedDue = "CONFIRMED"
	callerSort   = "LIVE"
)

// lookAfter is the delay of the reconciler's first check of a submitted launch. By then the request
// that submitted the launch, of at most 25 seconds, has settled the launch. A confirmed launch has
// the same time to be finalized. Finality takes 150 ms on mainnet, and 13 s on a network with
// Tower.
const lookAfter = 30 * time.Second

// keepUnsubmitted is the retention of an unsubmitted launch, so that a late submission gets the
// reason for the rejection.
const keepUnsubmitted = 24 * time.Hour

func launchKey(id string) map[string]types.AttributeValue {
	return dynamo.Key(launchPrefix+id, launchSort)
}

// launchID returns the ID in a launch's key.
func launchID(item map[string]types.AttributeValue) string {
	return strings.TrimPrefix(dynamo.IDOf(item).Partition, launchPrefix)
}

func callerKey(caller solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key("CALLER#"+caller.String(), callerSort)
}

// Launches stores launches. It implements launch.Store.
type Launches struct {
	Client *dynamodb.Client
	Table  string
}

// Launch returns the launch with the given transaction ID, or launch.ErrNotFound.
func (s Launches) Launch(ctx context.Context, id string) (launch.Launch, error) {
	var stored launchItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, launchKey(id), &stored)
	if err != nil {
		return launch.Launch{}, fmt.Errorf("read launch %s: %w", id, err)
	}
	if !found {
		return launch.Launch{}, launch.ErrNotFound
	}
	return stored.launch(), nil
}

// Current returns the caller's newest launch, or launch.ErrNotFound; see launch.Store.
func (s Launches) Current(ctx context.Context, caller solana.PublicKey, latest bool) (launch.Launch, error) {
	var live struct {
		ID string `dynamodbav:"tx"`
	}
	found, err := dynamo.Read(ctx, s.Client, s.Table, callerKey(caller), latest, &live)
	if err != nil {
		return launch.Launch{}, fmt.Errorf("read the newest launch of %s: %w", caller, err)
	}
	if !found {
		return launch.Launch{}, launch.ErrNotFound
	}
	// An eventually consistent read may miss the launch.
	for _, latest := range []bool{latest, true} {
		var stored launchItem
		found, err := dynamo.Read(ctx, s.Client, s.Table, launchKey(live.ID), latest, &stored)
		if err != nil {
			return launch.Launch{}, fmt.Errorf("read launch %s: %w", live.ID, err)
		}
		if found {
			return stored.launch(), nil
		}
	}
	// Both items expire, but DynamoDB does not delete both at the same time.
	return launch.Launch{Prepared: transaction.Prepared{ID: live.ID, Status: transaction.Superseded}}, nil
}

// Submit records a signed message of a launch; see launch.Store.
func (s Launches) Submit(ctx context.Context, l launch.Launch, now time.Time) error {
	own, err := s.submission(l, now)
	if err != nil {
		return err
	}
	if len(l.Submitted()) > 1 {
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: launchKey(l.ID), UpdateExpression: own.UpdateExpression,
			ConditionExpression:      own.ConditionExpression,
			ExpressionAttributeNames: own.ExpressionAttributeNames, ExpressionAttributeValues: own.ExpressionAttributeValues,
		})
		if dynamo.ConditionFailed(err) {
			return launch.ErrConflict
		}
		if err != nil {
			return fmt.Errorf("submit launch %s: %w", l.ID, dynamo.Unavailable(err))
		}
		return nil
	}
	record, err := dynamo.NewItem(TokenKey(l.Mint), newTokenItem(l.Token))
	if err != nil {
		return fmt.Errorf("encode token %s: %w", l.Mint, err)
	}
	id := tokenIDKey(l.Token.ID)
	id["mint"] = dynamo.Binary(l.Mint[:])
	const bindAt, useAt = 1, 2
	writes := []types.TransactWriteItem{
		{Update: own},
		BindWallet(s.Table, l.Token.Wallet.ID, l.Mint.String(), now),
		useImage(s.Table, l.Token.ImageCID),
		{Put: &types.Put{TableName: &s.Table, Item: record, ConditionExpression: new("attribute_not_exists(pk)")}},
		{Put: &types.Put{TableName: &s.Table, Item: id, ConditionExpression: new("attribute_not_exists(pk)")}},
		addSubmitted(s.Table, l),
	}
	if l.OnNonce() {
		writes = append(writes, types.TransactWriteItem{Update: &types.Update{
			TableName: &s.Table, Key: nonceKey(l.Nonce.Account),
			UpdateExpression:    new("SET lastValue = :value REMOVE dueAt, leasedUntil"),
			ConditionExpression: new("leaseTx = :id"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":id": dynamo.Text(l.ID), ":value": dynamo.Binary(l.Nonce.Value[:]),
			},
		}})
	}
	if err := s.transact(ctx, writes); err != nil {
		failed, ok := dynamo.CanceledAt(err)
		switch {
		case ok && len(failed) == 1 && failed[0] == bindAt:
			return launch.ErrWalletInUse
		case ok && slices.Contains(failed, useAt) && failed[0] != 0:
			return launch.ErrNoImage
		case ok:
			return launch.ErrConflict
		}
		return fmt.Errorf("submit launch %s: %w", l.ID, dynamo.Unavailable(err))
	}
	return nil
}

// submission returns the write of Submit to the launch's item.
func (s Launches) submission(l launch.Launch, now time.Time) (*types.Update, error) {
	at := slices.IndexFunc(l.Messages, func(m transaction.Message) bool { return m.Submitted() && m.Signature == l.Signature })
	if at < 0 {
		return nil, fmt.Errorf("submit launch %s: no message has its signature", l.ID)
	}
	seen := transaction.Pending
	if len(l.Submitted()) > 1 {
		seen = transaction.Submitted
	}
	message := fmt.Sprintf("messages[%d]", at)
	return &types.Update{
		TableName: &s.Table, Key: launchKey(l.ID),
		UpdateExpression: new("SET #status = :submitted, " + message + ".s = :signature, " + message + ".x = :signed, signature = :signature, " +
			"submittedAt = :now, submittedSlot = :slot, duePk = :launch, dueAt = :look REMOVE #expires ADD tries :one"),
		ConditionExpression: new("#status = :seen AND validUntil > :now AND " + message + ".d = :digest AND attribute_not_exists(" + message + ".s)"),
		ExpressionAttributeNames: map[string]string{
			"#status": "status", "#expires": schema.ExpiresAt,
		},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":submitted": dynamo.Text(string(transaction.Submitted)), ":seen": dynamo.Text(string(seen)),
			":digest": dynamo.Binary(l.Messages[at].Digest[:]), ":signed": dynamo.Binary(l.Messages[at].Signed),
			":signature": dynamo.Binary(l.Signature[:]), ":now": dynamo.Number(now.UnixMilli()),
			":slot":   dynamo.Number(int64(l.SubmittedSlot)), //nolint:gosec // slots stay far below 2^63
			":launch": dynamo.Text(launchDue), ":look": dynamo.Number(now.Add(lookAfter).UnixMilli()), ":one": dynamo.Number(1),
		},
	}, nil
}

// settleTries is the maximum number of tries of Settle, which starts again if another launch was
// added to a list in between.
const settleTries = 20

// Settle records the end of a submitted launch; see launch.Store.
func (s Launches) Settle(ctx context.Context, l launch.Launch, now time.Time) error {
	for range settleTries {
		writes, err := s.settlement(ctx, l, now)
		if err != nil {
			return err
		}
		err = s.transact(ctx, writes)
		if err == nil {
			return nil
		}
		failed, ok := dynamo.CanceledAt(err)
		if !ok {
			return fmt.Errorf("settle launch %s: %w", l.ID, dynamo.Unavailable(err))
		}
		if len(failed) > 0 && failed[0] == 0 {
			return nil // the launch has ended already
		}
	}
	return dynamo.Unavailable(fmt.Errorf("settle launch %s: the list changed %d times meanwhile", l.ID, settleTries))
}

// settlement returns the writes of Settle. The first write changes the launch's item.
func (s Launches) settlement(ctx context.Context, l launch.Launch, now time.Time) ([]types.TransactWriteItem, error) {
	confirmed := l.Status == transaction.Confirmed
	status := token.Failed
	if confirmed {
		status = token.Confirmed
	}
	writes := []types.TransactWriteItem{
		{Update: &types.Update{
			TableName: &s.Table, Key: launchKey(l.ID),
			UpdateExpression:         new("SET #status = :end, reason = :reason, signature = :signature REMOVE duePk, dueAt"),
			ConditionExpression:      new("#status = :submitted AND tries = :tries"),
			ExpressionAttributeNames: map[string]string{"#status": "status"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":end": dynamo.Text(string(l.Status)), ":submitted": dynamo.Text(string(transaction.Submitted)), ":reason": dynamo.Text(l.Reason),
				":signature": dynamo.Binary(l.Signature[:]), ":tries": dynamo.Number(int64(len(l.Submitted()))),
			},
		}},
		{Update: &types.Update{
			TableName: &s.Table, Key: TokenKey(l.Mint),
			UpdateExpression:         new("SET #status = :end, visible = :visible, signature = :signature"),
			ConditionExpression:      new("attribute_exists(pk)"),
			ExpressionAttributeNames: map[string]string{"#status": "status"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":end": dynamo.Text(string(status)), ":visible": &types.AttributeValueMemberBOOL{Value: status.Listed()},
				":signature": dynamo.Binary(l.Signature[:]),
			},
		}},
	}
	if l.OnNonce() {
		writes = append(writes, types.TransactWriteItem{Update: &types.Update{
			TableName: &s.Table, Key: nonceKey(l.Nonce.Account),
			UpdateExpression:    new("SET dueAt = :now REMOVE leaseTx"),
			ConditionExpression: new("leaseTx = :id"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":id": dynamo.Text(l.ID), ":now": dynamo.Number(now.UnixMilli()),
			},
		}})
	}
	if !confirmed {
		// The metadata file is removed a day later, and the picture if no other launch uses the
		// picture.
		writes[0].Update.UpdateExpression = new("SET #status = :end, reason = :reason, signature = :signature, duePk = :draft, dueAt = :forget")
		writes[0].Update.ExpressionAttributeValues[":draft"] = dynamo.Text(draftDue)
		writes[0].Update.ExpressionAttributeValues[":forget"] = dynamo.Number(now.Add(unused.AbandonedAfter).UnixMilli())
		*writes[1].Update.UpdateExpression += ", reason = :reason"
		writes[1].Update.ExpressionAttributeValues[":reason"] = dynamo.Text(l.Reason)
		own, err := readHead(ctx, s.Client, s.Table, l.Caller.String(), true)
		if err != nil {
			return nil, err
		}
		writes = append(writes, appendFailed(s.Table, own, l)...)
		return append(writes, leaveImage(s.Table, l.Token.ImageCID, now), UnbindWallet(s.Table, l.Token.Wallet.ID, l.Mint.String(), now)), nil
	}
	own, record := writes[0].Update, writes[1].Update
	own.UpdateExpression = new("SET #status = :end, reason = :reason, signature = :signature, duePk = :confirmed, dueAt = :look")
	// A landed launch stays landed even if another message was submitted in between, because the
	// other message can no longer land.
	own.ConditionExpression = new("#status = :submitted")
	delete(own.ExpressionAttributeValues, ":tries")
	own.ExpressionAttributeValues[":confirmed"] = dynamo.Text(confirmedDue)
	own.ExpressionAttributeValues[":look"] = dynamo.Number(now.Add(lookAfter).UnixMilli())
	due, err := s.enlist(ctx, record, l.Mint, now)
	if err != nil {
		return nil, err
	}
	writes = append(writes, due...)
	writes = append(writes, findable(s.Table, true, l.Token.Name, l.Token.Symbol, l.Token.CreatedAt, l.Mint)...)
	for _, list := range []struct{ scope, entry string }{{allTokens, listEntry}, {l.Caller.String(), creatorEntry}} {
		head, err := readHead(ctx, s.Client, s.Table, list.scope, true)
		if err != nil {
			return nil, err
		}
		*record.UpdateExpression += ", " + list.entry + " = :" + list.entry
		record.ExpressionAttributeValues[":"+list.entry] = dynamo.Number(head.length)
		entry := appendEntry(s.Table, list.scope, head.length, l.Mint)
		if list.entry == creatorEntry {
			endSubmitted(entry[0].Update, l)
		}
		writes = append(writes, entry...)
	}
	return writes, nil
}

func (s Launches) transact(ctx context.Context, writes []types.TransactWriteItem) error {
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err
}
