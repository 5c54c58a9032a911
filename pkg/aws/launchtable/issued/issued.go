// Package issued stores, in the launch table, transactions that callers send to the network.
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

// A transaction that the caller sends is one item:
//
//	ISSUED#<id>  ISSUED  the record; while the outcome is open: duePk = MARKET, or
//	                     PROMOTION for payments, and dueAt; expires after a week
const (
	sortKey = "ISSUED"
	// MarketDue and PromotionDue are the lists of transactions that wait for a check.
	MarketDue    = "MARKET"
	PromotionDue = "PROMOTION"
)

// Keep is the retention of a record after the creation of the transaction.
const Keep = 7 * 24 * time.Hour

// Key returns the key of a transaction's record.
func Key(id string) map[string]types.AttributeValue {
	return dynamo.Key("ISSUED#"+id, sortKey)
}

// dueList returns the list of waiting transactions of a kind.
func dueList(k transaction.Kind) string {
	if k == transaction.KindPromotion {
		return PromotionDue
	}
	return MarketDue
}

// Item is a stored record. Times are Unix milliseconds.
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

// Issued returns the transaction of the record.
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

// Store stores the records of transactions.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// Record stores a transaction that was created for a caller. Every transaction that a caller
// receives is thus known, even if the response is lost. The record of a lost response stays unused.
// Recording the same transaction again changes nothing.
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

// RecordWith stores item, which has the transaction's ID and describes the consequence of the
// transaction, and then the transaction. So no caller receives a transaction without a stored
// consequence. An item without a transaction was never returned to a caller, and expires. One
// transaction of both writes would cost twice as much.
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
