// Package issued keeps transactions that their callers send themselves, in the launch table.
package issued

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// A transaction that its caller sends is one item:
//
//	ISSUED#<id>  ISSUED  the record; while its end is looked for: duePk = MARKET, or
//	                     PROMOTION for payments, and dueAt; it expires a week later
const (
	sortKey = "ISSUED"
	// MarketDue and PromotionDue are the lists on which transactions wait to be looked at.
	MarketDue    = "MARKET"
	PromotionDue = "PROMOTION"
)

// Keep is how long a record stays after its transaction was made.
const Keep = 7 * 24 * time.Hour

// Key is the key of a transaction's record.
func Key(id string) map[string]types.AttributeValue {
	return dynamo.Key("ISSUED#"+id, sortKey)
}

// dueList is the list on which transactions of a kind wait to be looked at.
func dueList(k transaction.Kind) string {
	if k == transaction.KindPromotion {
		return PromotionDue
	}
	return MarketDue
}

// Item is how a record is stored. Times are Unix milliseconds.
type Item struct {
	ID        string         `dynamodbav:"id"`
	Kind      string         `dynamodbav:"kind"`
	Caller    []byte         `dynamodbav:"caller"`
	Mint      []byte         `dynamodbav:"mint"`
	Subject   []byte         `dynamodbav:"subject,omitempty"`
	Message   []byte         `dynamodbav:"message"`
	Cosigned  []cosignedItem `dynamodbav:"cosigned,omitempty"`
	LastValid uint64         `dynamodbav:"lastValid"`
	CreatedAt int64          `dynamodbav:"createdAt"`
	ValidTill int64          `dynamodbav:"validUntil"`
	Fate      string         `dynamodbav:"fate"`
	DuePk     string         `dynamodbav:"duePk,omitempty"`
	DueAt     int64          `dynamodbav:"dueAt,omitempty"`
	ExpiresAt int64          `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

func newItem(i transaction.Issued) Item {
	item := Item{
		ID: i.ID, Kind: string(i.Kind), Caller: i.Caller[:], Mint: i.Mint[:], Message: i.Message,
		LastValid: i.LastValid, CreatedAt: i.CreatedAt.UnixMilli(), ValidTill: i.ExpiresAt.UnixMilli(),
		Fate: string(i.Fate), ExpiresAt: i.CreatedAt.Add(Keep).Unix(),
	}
	if !i.Subject.IsZero() {
		item.Subject = i.Subject[:]
	}
	item.Cosigned = newCosignedItems(i.Cosigned)
	if !i.DueAt.IsZero() {
		item.DuePk, item.DueAt = dueList(i.Kind), i.DueAt.UnixMilli()
	}
	return item
}

// Issued is the transaction that is stored so.
func (i Item) Issued() transaction.Issued {
	issued := transaction.Issued{
		ID: i.ID, Kind: transaction.Kind(i.Kind), Caller: dynamo.PublicKey(i.Caller), Mint: dynamo.PublicKey(i.Mint),
		Subject: dynamo.PublicKey(i.Subject), Message: i.Message, LastValid: i.LastValid,
		CreatedAt: time.UnixMilli(i.CreatedAt).UTC(), ExpiresAt: time.UnixMilli(i.ValidTill).UTC(),
		Fate: transaction.Fate(i.Fate),
	}
	issued.Cosigned = cosignatures(i.Cosigned)
	if i.DueAt != 0 {
		issued.DueAt = time.UnixMilli(i.DueAt).UTC()
	}
	return issued
}

// Store keeps the records of transactions.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// Record keeps a transaction that was made for a caller. What they get is thus
// known, whatever becomes of the answer; a record whose answer was lost is just not
// used. Recording the same one again changes nothing.
func (s Store) Record(ctx context.Context, i transaction.Issued) error {
	item, err := dynamo.NewItem(Key(i.ID), newItem(i))
	if err != nil {
		return fmt.Errorf("record the %s transaction %s: %w", i.Kind, i.ID, err)
	}
	taken, err := dynamo.PutOnce(ctx, s.Client, s.Table, item)
	if err != nil || taken == nil {
		return err
	}
	var found Item
	if err := attributevalue.UnmarshalMap(taken, &found); err != nil {
		return fmt.Errorf("decode the transaction %s: %w", i.ID, err)
	}
	if !bytes.Equal(found.Message, i.Message) {
		return fmt.Errorf("record the %s transaction %s: another one has its id", i.Kind, i.ID)
	}
	return nil
}

// RecordWith keeps a transaction, and before it the item with what is to follow from it,
// which bears the transaction's id. So no caller is told of a transaction from which nothing
// would follow; and an item whose transaction was not kept is one that no caller was told of,
// and expires. A transaction of both writes would cost twice as much.
func (s Store) RecordWith(ctx context.Context, i transaction.Issued, item map[string]types.AttributeValue) error {
	taken, err := dynamo.PutOnce(ctx, s.Client, s.Table, item)
	if err != nil {
		return fmt.Errorf("record what follows from the %s transaction %s: %w", i.Kind, i.ID, err)
	}
	if taken != nil && !reflect.DeepEqual(taken, item) {
		return fmt.Errorf("record what follows from the %s transaction %s: another one has its id", i.Kind, i.ID)
	}
	return s.Record(ctx, i)
}

type cosignedItem struct {
	Signer    []byte `dynamodbav:"signer"`
	Signature []byte `dynamodbav:"signature"`
}

func newCosignedItems(list []transaction.Cosignature) []cosignedItem {
	var items []cosignedItem
	for _, c := range list {
		items = append(items, cosignedItem{Signer: c.Signer[:], Signature: c.Signature[:]})
	}
	return items
}

func cosignatures(items []cosignedItem) []transaction.Cosignature {
	var list []transaction.Cosignature
	for _, c := range items {
		list = append(list, transaction.Cosignature{Signer: dynamo.PublicKey(c.Signer), Signature: dynamo.Signature(c.Signature)})
	}
	return list
}
